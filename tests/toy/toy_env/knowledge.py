"""What a seat with a perfect memory knows beyond the table."""

from skyline.game import RECALL


def knowledge(s, seat):
    if s.memory != RECALL:
        return {}
    return {"discards": [int(card) + 1 for card in s.discards[: s.discards_size]]}
