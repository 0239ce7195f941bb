"""Values of options: the values that are accepted, and refusals that say what is allowed."""

from __future__ import annotations

import pytest

from skyline import registry
from skyline.game import one_of, whole_number


@pytest.mark.parametrize("text", ["²", "٣", "--5", "5-", "", "-", "1_0", "1.0", "0x10", "9" * 5000, "1001", "0"])
def test_a_text_that_is_no_allowed_whole_number_is_refused_with_what_is_allowed(text: str) -> None:
    """Some of these are digits for `str.isdigit` and not for `int`, or the other way round."""
    with pytest.raises(ValueError, match=r"^a whole number 1 \.\. 1000$"):
        whole_number(1, 1000)(text)


def test_whole_numbers_are_read_from_texts() -> None:
    assert [whole_number(-20, 20)(text) for text in ("7", " 7 ", "-7", "007")] == [7, 7, -7, 7]


def test_a_choice_is_read_from_its_text_in_any_case_of_letters() -> None:
    assert [one_of(False, True)(text) for text in ("true", "False", True)] == [True, False, True]
    assert [one_of(5, "Random")(given) for given in ("5", "random", 5)] == [5, "Random", 5]
    with pytest.raises(ValueError, match=r"^one of False, True$"):
        one_of(False, True)("yes")


def test_the_refusal_names_option_and_game() -> None:
    with pytest.raises(ValueError, match=r"^option max_turns of New York must be a whole number 1 \.\. .*, not '²'$"):
        registry.load("new_york").check_options({"max_turns": "²"})
