"""Everything that is compiled: numba, kernels and what the kernels are made of. No other room names a numba option.

jit         the decorator, record dtypes, kernels that are kept on disk; cache and kept: where and how they are kept
engine/     kernels over rows of any game's state: reset, step, whole games, random and heuristic play
overloads   the way the engine calls the functions of a game that the engine does not know
masks       counting, finding and drawing legal actions; packing: many masks in few bytes
wide        the same work on up to sixty-four places at once; vectors: by vector instructions; loops: without them
seats       seats seen from a viewer; cards: lists of cards and counts of cards; choice: the action of the largest value
fields      the fields that the state of every game has
scratch     room on the stack for tables of numbers
oneway      one-way words for random streams that agents see
diagnosis   what is wrong with a jitted function of a game, in words
announce    a line on stderr while the compiler takes a noticeable time; begins to listen when the room is entered
reach       which functions a kernel is made of
"""

from skyline.core import announce as announce
