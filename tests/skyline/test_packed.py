"""Legal actions in few bytes: bits and numbers say what the masks say, wherever a batch hands masks out."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest

import skyline
from skyline.envs.vector import VectorGames
from skyline.game import NO_SEAT
from skyline.packed import pack_mask, unpack_ids, unpack_mask
from tests.support.playing import FEW, GAME, Array, fewest

SIZES = (1, 7, 8, 9, 63, 64, 65, 128, 300)
SEATS: list[dict[str, Any]] = [{}, {"seat": "rotate", "opponents": "heuristic"}]


def some_masks(size: int, rows: int = 40) -> Array:
    """Random masks, with an empty and a full one."""
    masks = np.random.default_rng(size).random((rows, size)) < 0.3
    masks[0], masks[1] = False, True
    return masks.astype(np.int8)


def listed(masks: Array) -> tuple[Array, Array]:
    """Numbers and offsets, by NumPy."""
    ids = np.nonzero(masks)[1].astype(np.int32)
    return ids, np.append(0, masks.sum(axis=1, dtype=np.int64).cumsum()).astype(np.int32)


def check(games: VectorGames, twin: VectorGames) -> None:
    """A batch with bits shows the legal actions of its twin, which shows values."""
    masks = twin.action_mask
    np.testing.assert_array_equal(games.action_mask, pack_mask(masks))
    np.testing.assert_array_equal(unpack_mask(games.action_mask, masks.shape[1]), masks)
    for batch in (games, twin):
        ids, offsets = batch.legal_ids()
        assert ids.dtype == offsets.dtype == np.int32
        for found, wanted in zip((ids, offsets), listed(masks), strict=True):
            np.testing.assert_array_equal(found, wanted)


def pair(game: str, n: int, **settings: Any) -> tuple[VectorGames, VectorGames]:
    """Two batches with the same games, with bits and with values."""
    made = skyline.vector(game, n, mask_dtype="bits", **settings), skyline.vector(game, n, **settings)
    for games in made:
        games.reset(seed=5)
    return made


def first_legal(games: VectorGames) -> Array:
    """The first legal action of every row, 0 where there is none."""
    actions: Array = games._rows.action_mask.argmax(axis=1)
    return actions


# ---------------------------------------------------------------- arrays


@pytest.mark.parametrize("size", SIZES)
def test_bits_are_those_of_packbits_filled_up_to_words(size: int) -> None:
    masks = some_masks(size)
    bits = pack_mask(masks)
    assert bits.dtype == np.uint8
    assert bits.shape == (len(masks), 8 * -(-size // 64))
    np.testing.assert_array_equal(np.unpackbits(bits, axis=1, bitorder="little")[:, :size], masks)
    assert not np.unpackbits(bits, axis=1, bitorder="little")[:, size:].any()
    mask = unpack_mask(bits, size)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, masks)
    np.testing.assert_array_equal(pack_mask(masks.astype(bool)), bits)
    np.testing.assert_array_equal(unpack_mask(bits.reshape(4, 10, -1), size), masks.reshape(4, 10, size))
    np.testing.assert_array_equal(unpack_mask(bits[3], size), masks[3])


@pytest.mark.parametrize("size", SIZES)
def test_numbers_with_offsets_are_a_mask(size: int) -> None:
    masks = some_masks(size)
    found = unpack_ids(*listed(masks), size)
    assert found.dtype == bool
    np.testing.assert_array_equal(found, masks)


BITS, NUMBERS, OFFSETS = np.zeros((2, 8), np.uint8), np.array([3, 4]), np.array([0, 1, 2])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: unpack_mask(BITS, 65), r"bits of 65 actions are uint8 of shape \(\.\., 16\), not .* \(2, 8\)"),
        (lambda: unpack_mask(BITS.astype(np.int8), 60), "are uint8 .* not int8"),
        (lambda: unpack_mask(np.uint8(3), 60), r"not uint8 of shape \(\)"),
        (lambda: unpack_mask(BITS, 0), "actions is a whole number from 1 on, not 0"),
        (lambda: unpack_mask(BITS, 60.0), "actions is a whole number"),  # type: ignore[arg-type]
        (lambda: pack_mask(np.zeros(3)), "a mask is an array .* not float64"),
        (lambda: pack_mask(np.int8(1)), "a mask is an array"),
        (lambda: unpack_ids(NUMBERS, OFFSETS, 4), r"ids are whole numbers 0 \.\. 3, not 3 \.\. 4"),
        (lambda: unpack_ids(-NUMBERS, OFFSETS, 5), r"ids are whole numbers 0 \.\. 4, not -4"),
        (lambda: unpack_ids(NUMBERS, OFFSETS[:2], 5), "offsets rise from 0 to the number of ids, 2"),
        (lambda: unpack_ids(NUMBERS, np.array([0, 3, 2]), 5), "offsets rise"),
        (lambda: unpack_ids(NUMBERS, np.array([0, 3, 2], np.uint32), 5), "offsets rise"),
        (lambda: unpack_ids(NUMBERS, np.array([0, 2**63 + 1, 2], np.uint64), 5), "offsets rise"),
        (lambda: unpack_ids(NUMBERS, OFFSETS[:0], 5), r"of shape \(n \+ 1,\), not \(2,\) and \(0,\)"),
        (lambda: unpack_ids(BITS, OFFSETS, 5), r"ids are of shape \(k,\)"),
        (lambda: unpack_ids(NUMBERS / 2, OFFSETS, 5), "ids and offsets are whole numbers, not float64 and int64"),
    ],
)  # fmt: skip
def test_wrong_arrays_are_refused(call: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        call()


# ---------------------------------------------------------------- batches


@fewest
@pytest.mark.parametrize("settings", SEATS, ids=["every seat", "rotate"])
def test_a_batch_shows_the_same_legal_actions_in_every_form(game: str, players: int, settings: dict[str, Any]) -> None:
    games, twin = pair(game, 5, players=players, **settings)
    check(games, twin)
    for _ in range(40):
        actions = first_legal(twin)
        given, wanted = games.step(actions), twin.step(actions)
        np.testing.assert_array_equal(given[0], wanted[0])
        np.testing.assert_array_equal(given[4]["action_mask"], pack_mask(wanted[4]["action_mask"]))
        check(games, twin)


@pytest.mark.parametrize("autoreset", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("settings", SEATS, ids=["every seat", "rotate"])
def test_games_that_are_cut_or_lost_have_no_legal_actions(settings: dict[str, Any], autoreset: str) -> None:
    games, twin = pair(GAME, 4, autoreset=autoreset, max_cycles=3, illegal="lose", **settings)
    seen_over = False
    for step in range(8):
        actions = first_legal(twin)
        actions[step % 4] = -1
        for batch in (games, twin):
            batch.step(actions)
        check(games, twin)
        over = games.current_player == NO_SEAT
        seen_over |= bool(over.any())
        assert not np.diff(games.legal_ids()[1])[over].any()
        assert not games.action_mask[over].any()
        if autoreset == "disabled" and over.any():
            for batch in (games, twin):
                batch.reset(options={"reset_mask": over})
            check(games, twin)
    assert seen_over == (autoreset != "same_step")


def test_many_rows_on_threads() -> None:
    games, twin = pair(GAME, 3000, threads=3)
    for _ in range(3):
        actions = first_legal(twin)
        games.step(actions), twin.step(actions)
        check(games, twin)


def test_a_function_among_the_opponents_gets_the_masks_of_the_batch() -> None:
    seen = []

    def opponent(observations: Array, masks: Array, seats: Array) -> Array:
        seen.append((masks.dtype, masks.shape[1]))
        actions: Array = (masks if masks.dtype == np.int8 else unpack_mask(masks, size)).argmax(axis=1)
        masks[:] = 0  # the array belongs to the opponent
        return actions

    size = skyline.load(GAME).actions(FEW).size
    games, twin = pair(GAME, 6, seat=0, opponents=opponent)
    for _ in range(10):
        actions = first_legal(twin)
        games.step(actions), twin.step(actions)
        check(games, twin)
    assert set(seen) == {(np.dtype(np.uint8), games.action_mask.shape[1]), (np.dtype(np.int8), size)}


def test_copies_and_snapshots_have_masks_of_their_own() -> None:
    games, twin = pair(GAME, 3, copy=False)
    snapshot, actions = games.snapshot(), first_legal(twin)
    copies = [games.clone(), copy.copy(games), copy.deepcopy(games), pickle.loads(pickle.dumps(games))]
    before = games.action_mask.copy()
    games.legal_ids(), games.step(actions), games.legal_ids()
    twin.restore(snapshot)  # how masks are handed out is no part of a snapshot
    for other in copies:
        np.testing.assert_array_equal(other.action_mask, before)
        check(other, twin)
    other = skyline.vector(GAME, 3, mask_dtype="bits")
    _, infos = other.restore(snapshot)
    np.testing.assert_array_equal(infos["action_mask"], before)
    twin.step(actions)
    check(games, twin)


def test_arrays_belong_to_the_caller_unless_copy_is_false() -> None:
    for keeps in (True, False):
        games, twin = pair(GAME, 3, copy=keeps)
        infos = games.step(first_legal(twin))[4]
        ids, offsets = games.legal_ids()
        assert (infos["action_mask"] is not games.action_mask) == keeps
        assert np.shares_memory(games.legal_ids()[0], ids) != keeps
        assert np.shares_memory(games.legal_ids()[1], offsets) != keeps


def test_before_the_first_reset_nothing_is_legal() -> None:
    games = skyline.vector(GAME, 3, mask_dtype="bits")
    assert not games.action_mask.any()
    ids, offsets = games.legal_ids()
    assert (len(ids), offsets.tolist()) == (0, [0, 0, 0, 0])


def test_spaces_of_masks() -> None:
    for mask_dtype in ("int8", np.int8, "bits"):
        games = skyline.vector(GAME, 3, mask_dtype=mask_dtype)
        assert games.mask_dtype in ("int8", "bits")
        games.reset(seed=1)
        assert games.action_mask in games.action_mask_space
        assert games.action_mask[0] in games.single_action_mask_space
    assert isinstance(games.single_action_mask_space, gymnasium.spaces.Box)
    all_bits = np.full_like(games.action_mask[0], 255)
    assert all_bits not in games.single_action_mask_space, "bits behind the last action are 0"


def test_gymnasium_makes_a_batch_with_bits() -> None:
    games = gymnasium.make_vec(f"skyline/{GAME}-v1", num_envs=2, mask_dtype="bits")
    _, infos = games.reset(seed=1)
    assert infos["action_mask"].dtype == np.uint8


# ---------------------------------------------------------------- PyTorch (make test-train)


@pytest.mark.parametrize("size", SIZES)
def test_tensors_are_unpacked_where_they_are(size: int) -> None:
    torch = pytest.importorskip("torch")
    masks = some_masks(size)
    bits, wanted = torch.from_numpy(pack_mask(masks)), torch.from_numpy(masks).bool()
    ids, offsets = map(torch.from_numpy, listed(masks))
    for found in (unpack_mask(bits, size), unpack_ids(ids, offsets, size), unpack_ids(ids.long(), offsets, size)):
        assert found.dtype == torch.bool
        assert torch.equal(found, wanted)
    assert torch.equal(unpack_mask(bits[3], size), wanted[3])
    assert unpack_mask(bits.to("meta"), size).device.type == "meta"
    with pytest.raises(ValueError, match="are uint8 of shape"):
        unpack_mask(bits.long(), size)
    with pytest.raises(ValueError, match="both NumPy arrays or both tensors"):
        unpack_ids(ids, offsets.numpy(), size)
