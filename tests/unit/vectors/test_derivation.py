"""A derivation is a few arrays, and each word's vector follows from them and from its own alone."""

import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.errors import FairflowError
from fairflow.vectors.derivation import Derivation, read_derivation, write_derivation
from fairflow.vectors.directions import ROWS
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import word_rows

WORDS = ["he", "she", "nurse"]
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


BEFORE = np.array([[3, 4], [1, 2], [5, 6]], dtype=np.float32)
SECOND = [[0, 4], [0, 2], [0, 6]]
DERIVATION = Derivation(remove=[[1, 0]])


class Store:
    """Rows on disk, in blocks of two."""

    dims = 2

    def __contains__(self, word):
        return word in WORDS

    def __len__(self):
        return len(WORDS)

    def vectors(self, words):
        return BEFORE[[WORDS.index(word) for word in words]]

    def rows_in_blocks(self):
        yield WORDS[:2], [0, 1], BEFORE[:2]
        yield WORDS[2:], [2], BEFORE[2:]


def keyed(words=WORDS, dtype=np.float32):
    vectors = KeyedVectors(2, dtype=dtype)
    vectors.add_vectors(words, BEFORE.astype(dtype))
    return vectors


def test_a_mapping_gives_a_mapping_in_the_same_order():
    found = DERIVATION.transform(dict(zip(WORDS, BEFORE.tolist(), strict=True)))
    assert {word: row.tolist() for word, row in found.items()} == dict(
        zip(WORDS, SECOND, strict=True)
    )
    assert list(found) == WORDS


def test_a_store_gives_rows_that_are_derived_when_asked_for():
    rows = DERIVATION.transform(Store())
    assert rows.vectors(["nurse", "he"]).tolist() == [SECOND[2], SECOND[0]]
    assert ("he" in rows, "her" in rows, len(rows), rows.dims) == (True, False, 3, 2)
    assert np.concatenate(list(rows.blocks())).tolist() == SECOND
    assert [words for words, _, _ in rows.rows_in_blocks()] == [WORDS[:2], WORDS[2:]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16])
def test_keyed_vectors_give_keyed_vectors_of_their_type_of_numbers(dtype):
    given = keyed(dtype=dtype)
    found = DERIVATION.transform(given)
    assert (found.vectors.dtype, found.index_to_key) == (dtype, WORDS)
    assert found.vectors.tolist() == SECOND
    assert given.vectors.tolist() == BEFORE.tolist()


def test_keyed_vectors_keep_what_gensim_knows_of_words():
    wv = keyed()
    for number, word in enumerate(WORDS):
        wv.set_vecattr(word, "count", 10 - number)
    found = Derivation(unit_first=True).transform(wv)
    assert [found.get_vecattr(word, "count") for word in WORDS] == [
        10 - number for number in range(len(WORDS))
    ]
    found.set_vecattr(WORDS[0], "count", 0)
    assert wv.get_vecattr(WORDS[0], "count") == 10


def test_a_model_gives_a_model_with_a_name_of_its_own():
    model = WordEmbeddingModel(keyed(), "toy")
    found = DERIVATION.transform(model)
    assert (found.name, found["she"].tolist()) == ("toy_debiased", [0, 2])
    assert DERIVATION.transform(model, name="other").name == "other"
    assert (model.name, model["she"].tolist()) == ("toy", [1, 2])
    of_store = DERIVATION.transform(WordEmbeddingModel(Store(), "disk"))
    assert of_store["she"].tolist() == [0, 2]


def test_words_of_a_model_with_a_prefix_are_named_without_it():
    model = WordEmbeddingModel(keyed([f"/c/en/{word}" for word in WORDS]), "toy", "/c/en/")
    rows = word_rows(model)
    assert ("he" in rows, "/c/en/he" in rows, len(rows)) == (True, False, 3)
    assert rows.vectors(["he"]).tolist() == [[3, 4]]
    assert [words for words, _, _ in rows.rows_in_blocks()] == [WORDS]
    found = DERIVATION.transform(model, ignore=["he"])
    assert found.vectors(["/c/en/he", "/c/en/she"]).tolist() == [[3, 4], [0, 2]]
    assert found.vocab_prefix == "/c/en/"


def test_vectors_of_gensim_are_changed_in_place_where_asked_for():
    model = WordEmbeddingModel(keyed(), "toy")
    model.wv.most_similar("he")
    assert DERIVATION.transform(model, in_place=True) is model
    assert (model.name, model.wv.vectors.tolist()) == ("toy_debiased", SECOND)
    assert model.wv.norms is None
    with pytest.raises(TypeError, match="in_place: only vectors of gensim are overwritten"):
        DERIVATION.transform(Store(), in_place=True)


def test_some_words_may_be_chosen():
    assert DERIVATION.transform((WORDS, BEFORE), target=["she", "her"]).tolist() == [
        [3, 4],
        [0, 2],
        [5, 6],
    ]
    assert DERIVATION.transform((WORDS, BEFORE), ignore=["she"])[1].tolist() == [1, 2]
    untouched = Derivation(remove=[[1, 0]], untouched={"he"})
    assert untouched.restricted(ignore=["she"]).untouched == {"he", "she"}
    with pytest.raises(FairflowError, match="target: this transform does not change he"):
        untouched.transform((WORDS, BEFORE), target=["he"])
