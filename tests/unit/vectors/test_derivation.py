"""A derivation is a few arrays, and each word's vector follows from them and from its own alone."""

import numpy as np
import pytest

from fairflow.errors import FairflowError
from fairflow.vectors.derivation import Derivation, read_derivation, write_derivation
from fairflow.vectors.directions import ROWS

WORDS = ("he", "she", "nurse")
VECTORS = np.array([[3, 4], [0, 2], [0, 0]], dtype=np.float32)
FACTS = {"explained variance": [0.6, 0.1], "missing": ["Mary"]}


def derived(**fields):
    rows = Derivation(**fields).apply(WORDS, VECTORS)
    assert rows.dtype == np.float32
    return rows.tolist()


def test_a_direction_is_removed_between_the_two_steps_of_length():
    assert derived(remove=[[1, 0]]) == [[0, 4], [0, 2], [0, 0]]
    assert (
        derived(unit_first=True, remove=[[1, 0]]) == np.float32([[0, 0.8], [0, 1], [0, 0]]).tolist()
    )
    assert derived(unit_first=True, remove=[[1, 0]], unit_last=True) == [[0, 1], [0, 1], [0, 0]]


def test_an_offset_goes_before_the_map_and_a_shift_after_it():
    assert derived(offset=[3, 3], remove=[[0, 1]], shift=[1, 1]) == [[1, 1], [-2, 1], [-2, 1]]


def test_untouched_words_get_the_steps_of_length_alone():
    unit = np.float32([0.6, 0.8]).tolist()
    assert derived(unit_first=True, remove=[[0, 1]], untouched={"he", "unheard of"})[:2] == [
        unit,
        [0, 0],
    ]
    assert derived(remove=[[1, 0]], unit_last=True, untouched={"he"})[0] == unit


def test_only_some_words_change_and_of_these_none_that_is_untouched():
    assert derived(shift=[1, 1], only={"she"}) == [[3, 4], [1, 3], [0, 0]]
    assert derived(shift=[1, 1], only={"she", "he"}, untouched={"she"}) == [[4, 5], [0, 2], [0, 0]]
    assert derived(shift=[1, 1], only=()) == VECTORS.tolist()


def test_the_vectors_of_listed_words_are_served_as_they_are():
    given = {"nurse": [7, 8], "unheard of": [1, 1]}
    assert derived(unit_last=True, shift=[1, 1], rows=given)[2] == [7, 8]


@pytest.mark.parametrize("kind", ["remove", "matrix"])
def test_a_word_has_the_same_vector_to_the_last_bit_whatever_it_is_asked_with(kind):
    random = np.random.default_rng(1)
    dims, number = 75, 2 * ROWS + 37
    vectors = random.normal(size=(number, dims)).astype(np.float32)
    basis = np.linalg.qr(random.normal(size=(dims, 3)))[0].T
    arrays = {"remove": basis, "matrix": random.normal(size=(dims, dims))}
    derivation = Derivation(unit_first=True, unit_last=True, **{kind: arrays[kind]})
    words = [str(row) for row in range(number)]
    together = derivation.apply(words, vectors)
    for rows in ([5], [number - 1, 5], list(range(300, number)), list(range(number))[::-1]):
        apart = derivation.apply([words[row] for row in rows], vectors[rows])
        assert apart.tobytes() == together[rows].tobytes()


@pytest.mark.filterwarnings("error")
def test_what_is_not_finite_stays_so_and_spoils_no_other_row():
    vectors = np.array([[np.nan, 1], [np.inf, 1], [3, 4]], dtype=np.float32)
    rows = Derivation(unit_first=True, remove=[[1, 0]], unit_last=True).apply(WORDS, vectors)
    assert not np.isfinite(rows[:2]).all(axis=1).any()
    assert rows[2].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"remove": [[1, 0]], "matrix": np.eye(2)}, "not both"),
        ({"remove": [[2, 0]]}, "must be orthonormal"),
        ({"remove": [[1, 0], [1, 0]]}, "must be orthonormal"),
        ({"remove": [1, 0]}, r"remove \(2,\) must hold finite numbers in the shape \(2, 2\)"),
        ({"matrix": np.ones((2, 3))}, r"matrix \(2, 3\) must hold .* shape \(3, 3\)"),
        ({"matrix": np.eye(2), "shift": [1]}, r"shift \(1,\) must hold .* shape \(2,\)"),
        (
            {"offset": [1, 2], "rows": {"he": [1]}},
            "vectors of the listed words must have 2 numbers",
        ),
        ({"shift": [np.nan, 0]}, "shift .* must hold finite numbers"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(fields, sentence):
    with pytest.raises(ValueError, match=sentence):
        Derivation(**fields)


EVERYTHING = Derivation(
    unit_first=True, unit_last=True, offset=[1, 2], matrix=[[1, 2], [3, 4]], shift=[0.1, 1e-300],
    untouched={"b", "ä"}, only={"New York", "he"}, rows={"z": [1, 2], "a": [0.1, 4]}, facts=FACTS,
)  # fmt: skip


@pytest.mark.parametrize("derivation", [EVERYTHING, Derivation(), Derivation(remove=[[0.6, 0.8]])])
def test_what_is_written_is_read_again(tmp_path, derivation):
    write_derivation(derivation, tmp_path / "d.npz")
    again = read_derivation(tmp_path / "d.npz")
    for name in ("unit_first", "unit_last", "untouched", "only", "facts"):
        assert getattr(again, name) == getattr(derivation, name)
    for name in ("remove", "matrix", "offset", "shift"):
        assert np.array_equal(getattr(again, name), getattr(derivation, name))
    assert {word: row.tolist() for word, row in again.rows.items()} == {
        word: row.tolist() for word, row in derivation.rows.items()
    }


def test_equal_derivations_are_equal_bytes_in_whatever_order_words_come(tmp_path):
    one = Derivation(untouched={"a", "b", "c"}, rows={"x": [1], "y": [2]})
    other = Derivation(untouched=["c", "b", "a"], rows={"y": [2], "x": [1]})
    write_derivation(one, tmp_path / "one")
    write_derivation(other, tmp_path / "other")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_no_damage_goes_unnoticed(tmp_path):
    write_derivation(EVERYTHING, tmp_path / "d.npz")
    whole = (tmp_path / "d.npz").read_bytes()
    matrix = whole.index(np.array([[1.0, 2], [3, 4]]).tobytes())
    facts = whole.index(b"Mary")
    for place in (matrix, matrix + 9, facts):
        (tmp_path / "d.npz").write_bytes(
            whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :]
        )
        with pytest.raises(FairflowError, match="this derivation is damaged"):
            read_derivation(tmp_path / "d.npz")
    (tmp_path / "d.npz").write_bytes(whole[:-30])
    with pytest.raises(FairflowError, match="this derivation is damaged"):
        read_derivation(tmp_path / "d.npz")
