"""The words that texts and pictures of all games share, and the reading of moves."""

from __future__ import annotations

import pytest

from skyline import moves
from skyline.telling import capital, hand, joined, paragraph, points_of_seats, remembered, sentences, view, winners


def test_lists_in_words() -> None:
    assert [joined(parts) for parts in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
    assert capital("turn of A") == "Turn of A"
    assert capital("") == ""
    assert sentences(["A bids", "B passes"]) == "A bids. B passes."


def test_a_paragraph_has_eighty_columns_and_cuts_no_word() -> None:
    words = " ".join(["well-known"] * 20)
    lines = paragraph(words, "  ")
    assert max(map(len, lines)) <= 80
    indents = [len(line) - len(line.lstrip()) for line in lines]
    assert indents == [2] + [6] * (len(lines) - 1)
    assert " ".join(line.strip() for line in lines) == words


def test_seats_in_words() -> None:
    assert view(None) == "all hands shown"
    assert view(2) == "seen by seat C"
    assert points_of_seats([12, -3]) == "A 12, B -3 points"


def test_a_hand_says_what_is_remembered_and_how_many_cards_are_unknown() -> None:
    assert remembered("A7") == "remembered [A7]"
    assert hand(2, "A7 B3") == "hand of 2: A7 B3"
    assert hand(3, "A7 B3", 2) == "hand of 3: remembered [A7 B3], 1 unknown card"
    assert hand(2, "A7 B3", 2) == "hand of 2: remembered [A7 B3]"
    assert hand(3, "", 0, "2 red, 1 blue") == "hand of 3: 3 unknown cards (2 red, 1 blue)"
    assert [hand(0, ""), hand(0, "", 0)] == ["hand of 0: no cards"] * 2


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ([3, 9, 4], "B wins"),
        ([9, 3, 9], "A and C share the win"),
        ([(9, 1), (9, 2)], "B wins"),
        ([1] * 3, "A, B and C share the win"),
    ],
)
def test_winners_are_those_with_the_largest_key(keys: list[int], said: str) -> None:
    assert winners(keys) == said


def test_a_number_of_a_move_is_within_its_bounds() -> None:
    assert moves.number("at -3 0", "x", "-3", -10, 10) == -3
    for word in ("", "-", "11", "03", "+3", "3.0", "\u0663", " 3", "-0"):
        with pytest.raises(ValueError, match=r"'at .*': x is -10 \.\. 10, not "):
            moves.number(f"at {word} 0", "x", word, -10, 10)
