"""The action table: KEEP is 0, SWAP is 1 .. 9 for the values 1 .. 9."""

from skyline.game import ActionTable, Block
from toy_env.components import VALUES

KEEP, FIRST_SWAP = 0, 1


def action_table(players):
    return ActionTable((Block("KEEP", 1, "keep the hand"), Block("SWAP", VALUES, "value - 1 of the card laid down")))


def move_text(s, action):
    return "keep" if action == KEEP else f"swap {action - FIRST_SWAP + 1}"


def parse_move(s, text):
    match text.split(" "):
        case ["keep"]:
            return KEEP
        case ["swap", value] if value.isdecimal() and 1 <= int(value) <= VALUES:
            return FIRST_SWAP + int(value) - 1
    raise ValueError(f"{text!r} is no move: keep, swap 1 .. {VALUES}")
