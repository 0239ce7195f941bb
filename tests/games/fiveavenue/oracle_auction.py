"""Fifth Avenue in plain Python: the auction half of `Oracle` (FA-50 to FA-82, FA-101 to FA-115; BID and BUILD)."""

from .oracle_city import BLACK, CENTRAL_PARK, CLOSING_SIGNS, COLOURS, COMMISSIONS, EGON, MOST_BUILDINGS, NOBODY, Lot
from .oracle_state import BID, BUILD, FACE_DOWN, FACE_UP, Auction, Card, Game


class AuctionRounds:
    """Auction rounds of an `Oracle`, which has the game, the black stack, the turn and the end."""

    game: Game
    seat: int | None

    # FA-D5 BID

    def _start_auction(self, commission: str, left: list[str]) -> None:
        players = self.game.players
        self.game.auction = Auction(
            commission=commission,
            first=self.game.active,
            left=left,
            table=[[] for _ in range(players)],
            inside=list(range(players)),
        )
        self._decide(BID, self.game.active)  # FA-56

    def _allowed_colours(self) -> list[str]:
        """Colours in which the bidder may add a coloured card (FA-53 to FA-55, FA-57, FA-80, FA-81)."""
        auction = self.game.auction
        own = self._table_colour()
        if own:
            return [own]
        if auction.where != CENTRAL_PARK:
            return self.game.city.bid_colours(auction.where, self.seat)
        return [auction.colour] if auction.colour else list(COLOURS)

    def _table_colour(self) -> str | None:
        """The colour of the bidder's coloured cards on the table; None before the first."""
        return next((colour for colour, _ in self.game.auction.table[self.seat] if colour != BLACK), None)

    def _table_sum(self) -> int:
        return sum(value for _, value in self.game.auction.table[self.seat])

    def _legal_bid(self) -> list[str]:
        auction = self.game.auction
        cards = sorted(set(self.game.hands[self.seat]))
        allowed = self._allowed_colours()
        texts = [f"add {colour} {value}" for colour, value in cards if self._may_add((colour, value), allowed)]
        if not auction.added:
            texts.append("pass")
        if self._table_sum() > auction.standing:
            texts.append("bid")
        return texts

    def _may_add(self, card: Card, allowed: list[str]) -> bool:
        """Order of the cards within a BID turn, and the standing bid can still be beaten."""
        colour, value = card
        black_added = [v for c, v in self.game.auction.added if c == BLACK]
        coloured_added = [v for c, v in self.game.auction.added if c != BLACK]
        others = list(self.game.hands[self.seat])
        others.remove(card)
        if colour == BLACK:
            if self._table_colour() is None or (black_added and value > black_added[-1]):
                return False
            reachable = sum(v for c, v in others if c == BLACK and v <= value)
        else:
            if colour not in allowed or black_added or (coloured_added and value > coloured_added[-1]):
                return False
            reachable = sum(v for c, v in others if c == BLACK or (c == colour and v <= value))
        return self._table_sum() + value + reachable > self.game.auction.standing

    def _add_card(self, colour: str, value: str) -> None:
        card = (colour, int(value))
        self.game.hands[self.seat].remove(card)
        self.game.auction.table[self.seat].append(card)
        self.game.auction.added.append(card)

    def _bid(self) -> None:
        auction = self.game.auction
        auction.standing, auction.leader = self._table_sum(), self.seat
        if auction.where == CENTRAL_PARK:  # FA-80
            auction.colour = self._table_colour()
        self._after_bid_turn()

    def _pass(self) -> None:
        """FA-60"""
        auction = self.game.auction
        auction.inside.remove(self.seat)
        self.game.hands[self.seat] += auction.table[self.seat]
        auction.table[self.seat] = []
        self._after_bid_turn()

    def _after_bid_turn(self) -> None:
        """The loop of section 6, Auction."""
        game, auction = self.game, self.game.auction
        auction.added = []
        auction.asked += 1
        candidates = self._clockwise((self.seat + 1) % game.players)
        if game.players == 2 and auction.asked == 1:
            self._decide(BID, candidates[0])
            return
        if game.players == 2 and auction.asked == 2:
            self._egon_bids()
            candidates = self._clockwise(auction.first)
        if not auction.inside or auction.inside == [auction.leader]:  # FA-61, FA-62, FA-104
            self._end_auction()
        else:
            self._decide(BID, next(p for p in candidates if p in auction.inside and p != auction.leader))

    def _egon_bids(self) -> None:
        """FA-101 to FA-103, FA-R10"""
        auction = self.game.auction
        auction.egon = []
        while self.game.black and len(set(auction.egon)) == len(auction.egon):
            auction.egon.append(self._top_black())
        if sum(auction.egon) > auction.standing:
            auction.standing, auction.leader = sum(auction.egon), EGON

    # the end of an auction, and FA-D6 BUILD

    def _end_auction(self) -> None:
        auction = self.game.auction
        self._cards_under_the_stacks()
        if auction.leader is NOBODY:  # FA-62
            self._next_auction()
        elif auction.leader != EGON:
            self._decide(BUILD, auction.leader)
        elif auction.where == CENTRAL_PARK:  # FA-115
            self._next_auction()
        elif self.game.city.is_full(auction.where):  # FA-112
            self._close()
        else:  # FA-110, FA-111
            for name in self.game.city.egon_lots(auction.where):
                self.game.city.lots[auction.where][name].build(EGON, 1)
            self._next_auction()

    def _cards_under_the_stacks(self) -> None:
        """The winner's cards, then Egon's, then a check of the black stack (FA-63, FA-R8, FA-R10)."""
        game, auction = self.game, self.game.auction
        if auction.leader not in (NOBODY, EGON):
            is_falling = game.options["discards"] == "falling"
            cards = sorted(auction.table[auction.leader], key=lambda card: card[1], reverse=is_falling)
            colour = next(colour for colour, _ in cards if colour != BLACK)
            auction.won = (colour, MOST_BUILDINGS[max(value for _, value in cards)])  # FA-65
            game.stacks[colour] += [value for c, value in cards if c == colour]
            game.black += [(value, FACE_UP) for c, value in cards if c == BLACK]
            auction.table[auction.leader] = []
        if auction.egon:  # FA-105
            game.black += [(value, FACE_DOWN) for value in auction.egon]
            auction.egon = []
        self._check_black_stack()

    def _legal_build(self) -> list[str]:
        game, auction = self.game, self.game.auction
        _, most = auction.won
        builds = [f"build {number}" for number in range(min(most, game.reserve[self.seat]) + 1)]  # FA-66
        if auction.where == CENTRAL_PARK or not game.city.is_full(auction.where):
            return builds
        if game.city.buildings(auction.where, self.seat):  # FA-70
            return [*builds, "close"]
        return ["close"]  # FA-71

    def _build(self, number: str) -> None:
        game, auction = self.game, self.game.auction
        game.reserve[self.seat] -= int(number)
        if auction.where == CENTRAL_PARK:  # FA-82
            game.central_park[self.seat] += int(number)
        else:  # FA-68
            colour, _ = auction.won
            game.city.lots[auction.where][colour].build(self.seat, int(number))
        self._next_auction()

    def _close(self) -> None:
        """The winner, a player or Egon, closes the district (FA-72 to FA-75, FA-91, FA-112)."""
        game, city, district = self.game, self.game.city, self.game.auction.where
        closer = game.auction.leader
        for player in range(game.players):
            if player == closer:
                game.scores[player] += city.all_buildings(district)
            else:
                game.scores[player] += city.district_score(district, player) // 2
        for name, lot in city.lots[district].items():  # FA-73
            if lot.buildings and lot.owner != EGON:
                game.box_buildings[lot.owner] += lot.buildings
            game.box_shops += lot.shops
            city.lots[district][name] = Lot()
        city.closed.append(district)
        self._take_markers_back(COMMISSIONS, district)  # FA-75
        if len(city.closed) == CLOSING_SIGNS:  # FA-91
            self._finish()
        else:
            self._next_auction()

    def _take_markers_back(self, commissions: list[str], district: str) -> None:
        for commission in commissions:
            if district in self.game.markers[commission]:
                self.game.markers[commission].remove(district)

    def _next_auction(self) -> None:
        """The marker goes back (FA-51); the next auction of the round, or the turn goes on (FA-52)."""
        auction = self.game.auction
        self._take_markers_back([auction.commission], auction.where)
        if auction.left[1:]:
            self._start_auction(auction.commission, auction.left[1:])
        else:
            self.game.auction = None
            self._after_move()
