"""The norms of a model come from every vector, a block at a time."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from stores import converted, files_in, text_of

from fairflow.errors import FairflowError
from fairflow.transforms.normalised import Normalised
from fairflow.vectors import store as store_module
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.directions import (
    ROWS,
    SHUFFLES,
    bias_subspace,
    indirect_bias,
    product,
    shuffled_shares,
    unit_rests,
    unit_rows,
    vector_norms,
    write_vector_norms,
)
from fairflow.vectors.store import VectorStore

DIMS = 5
MATRIX = (3 * np.random.default_rng(0).normal(size=(300, DIMS))).astype(np.float32)
MATRIX[7] = MATRIX[250] = 0
MATRIX[20, 1], MATRIX[299, 0] = np.nan, -np.inf
MATRIX[40:60] /= np.linalg.norm(MATRIX[40:60], axis=1, keepdims=True)
# A square that overflows in single precision and one that vanishes.
MATRIX[100], MATRIX[101] = 1e25, 1e-30
# Spaces in a word must not be taken for its end.
WORDS = [f"New York {i}th" if i % 3 else f"w{i}" for i in range(300)]


@pytest.fixture(params=["glove-text", "word2vec-binary"])
def store(tmp_path, request, monkeypatch):
    """A function that opens a model of MATRIX, in which every tenth word comes again at the end."""
    # Blocks of a few words.
    monkeypatch.setattr(store_module, "BLOCK", 200)
    again = [word for i, word in enumerate(WORDS) if i % 10 == 0 and " " not in word]
    rows = [*zip(WORDS, MATRIX, strict=True), *((word, MATRIX[5] * 1e3) for word in again)]
    return stored(tmp_path, request.param, rows)


def stored(folder, vector_format, rows):
    if vector_format == "glove-text":
        data = text_of(rows).encode()
    else:
        records = [word.replace(" ", "_").encode() + b" " + row.tobytes() for word, row in rows]
        data = f"{len(rows)} {DIMS}\n".encode() + b"\n".join(records)
    (folder / "source").write_bytes(data)
    converted(folder / "source", vector_format, folder).close()
    return lambda: VectorStore(*files_in(folder))


def of_whole(matrix):
    """The norms, from a whole matrix."""
    lengths = np.linalg.norm(matrix.astype(np.float64), axis=1)
    usable = lengths[np.isfinite(lengths) & (lengths > 0)]
    return {
        "mean_norm": usable.mean(),
        "sd_norm": usable.std(),
        "min_norm": usable.min(),
        "max_norm": usable.max(),
        "share_unit_length": (abs(usable - 1) <= 1e-3).mean(),
        "n_zero": 2,
        "n_not_finite": 2,
        "n_sharing": 0,
        "n_distinct": 296,
    }


def test_blocks_hold_every_distinct_word_in_the_order_of_the_file(store):
    with store() as vectors:
        blocks = list(vectors.blocks())
    assert len(blocks) > 10
    assert np.concatenate(blocks).tobytes() == MATRIX.tobytes()


def test_the_norms_are_those_of_the_whole_matrix(store):
    with store() as vectors:
        found = vars(vector_norms(vectors))
    assert (found.pop("vocabulary"), found.pop("dims")) == (300, DIMS)
    assert found == pytest.approx(of_whole(MATRIX), rel=1e-13)


def test_the_norms_of_a_model_of_unit_length_counts_what_has_no_direction(store):
    with DerivedStore(store(), Normalised().fit(None)) as vectors:
        found = vector_norms(vectors)
    assert (found.n_zero, found.n_not_finite, found.share_unit_length) == (2, 2, 1)
    assert (found.min_norm, found.max_norm) == pytest.approx((1, 1), abs=1e-6)


def test_words_that_share_a_vector_are_counted_but_for_those_without_a_direction(
    tmp_path, monkeypatch
):
    # In different blocks, too.
    monkeypatch.setattr(store_module, "BLOCK", 50)
    one, other = np.arange(DIMS, dtype=np.float32), np.ones(DIMS, dtype=np.float32)
    vectors = [one, other, 0 * one, one, 0 * one, other, other, -one]
    # In the second vector that is equal to the first, the first number is -0.
    vectors[3] = np.copysign(one, [-1, 1, 1, 1, 1]).astype(np.float32)
    rows = [(f"w{i}", vector) for i, vector in enumerate(vectors)]
    with stored(tmp_path, "word2vec-binary", rows)() as store:
        found = vector_norms(store)
    assert (found.n_sharing, found.n_distinct, found.n_zero) == (5, 3, 2)


@pytest.mark.parametrize("value", [0, np.nan])
def test_a_model_without_any_direction_has_no_mean(tmp_path, value):
    rows = [("a", np.full(DIMS, value, dtype=np.float32))]
    with stored(tmp_path, "word2vec-binary", rows)() as vectors:
        found = vector_norms(vectors)
    assert (found.n_zero, found.n_not_finite) == ((1, 0) if value == 0 else (0, 1))
    assert math.isnan(found.mean_norm)
    assert math.isnan(found.share_unit_length)


def test_equal_models_give_equal_bytes_and_nan_is_an_empty_field(tmp_path):
    with stored(tmp_path, "word2vec-binary", [("a", 0 * MATRIX[0])])() as store:
        for name in ("a.csv", "b.csv"):
            write_vector_norms(vector_norms(store), "toy", tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert (tmp_path / "a.csv").read_text().splitlines()[1] == "toy,1,5,,,,,,1,0,0,0"


RANDOM = np.random.default_rng(0)
VECTORS = RANDOM.normal(size=(2 * ROWS + 3, 30))


@pytest.mark.parametrize("columns", [1, 7, 30])
def test_a_product_is_that_of_each_row(columns):
    matrix = RANDOM.normal(size=(30, columns))
    together = product(VECTORS, matrix)
    np.testing.assert_allclose(together, VECTORS @ matrix, atol=1e-12)
    for rows in ([0], [ROWS], list(range(5, 2 * ROWS))):
        assert product(VECTORS[rows], matrix).tobytes() == together[rows].tobytes()


def test_a_unit_row_has_its_direction_and_a_zero_row_stays_one():
    assert unit_rows(np.array([[3.0, 4], [0, 0]])).tolist() == [[0.6, 0.8], [0, 0]]


@pytest.mark.parametrize("unit", [True, False])
def test_what_is_left_but_rounding_noise_is_a_zero_row(unit):
    before = np.array([[0.6, 0.8], [1, 0], [0, 0]])
    rests = np.array([[3e-7, 4e-7], [0, 2e-6], [0, 0]])
    assert unit_rests(rests, before, unit).tolist() == [[0, 0], [0, 1], [0, 0]]


# Two pairs along the first axis, 2 and 4 apart, and one along the second, 2 apart.
PAIRS = [
    np.array([[1.0, 5, 0], [-1, 5, 0]]),
    np.array([[2.0, 0, 1], [-2, 0, 1]]),
    np.array([[3.0, 1, 2], [3, -1, 2]]),
]


def test_components_explain_what_is_left_without_the_means():
    found = bias_subspace(PAIRS, None)
    assert found.basis == pytest.approx(np.array([[1, 0, 0], [0, 1, 0]]))
    # Squares: 2 (1 + 4) along the first axis, 2 along the second.
    assert found.explained == pytest.approx([10 / 12, 2 / 12])
    assert found.facts["directions"] == [pytest.approx([1, 0, 0]), pytest.approx([0, 1, 0])]


def test_the_first_words_lie_on_the_positive_side_however_the_pairs_are_ordered():
    turned = [pair[::-1] for pair in PAIRS]
    assert bias_subspace(turned).basis == pytest.approx(np.array([[-1, 0, 0]]))
    # The first pair has no part along the first axis: the next one decides.
    assert bias_subspace(PAIRS[::-1]).basis == pytest.approx(np.array([[1, 0, 0]]))


def test_more_components_than_there_are_directions_are_refused():
    with pytest.raises(FairflowError, match="its 3 entries differ in 2 directions, not 3; set"):
        bias_subspace(PAIRS, 3)
    same = [np.ones((2, 3)), np.zeros((2, 3))]
    with pytest.raises(FairflowError, match=r"sets: the words of its 2 entries do not differ$"):
        bias_subspace(same, name="sets")


def test_rounding_of_single_precision_is_no_direction():
    noisy = [pair + 1e-8 * np.arange(6).reshape(2, 3) for pair in PAIRS]
    assert len(bias_subspace(noisy, None).explained) == 2


def test_shuffled_pairs_of_one_difference_explain_less():
    generator = np.random.default_rng(0)
    places = generator.standard_normal((20, 15))
    pairs = [np.stack([place + 3 * np.eye(15)[0], place]) for place in places]
    null = shuffled_shares(pairs)
    assert null.shape == (SHUFFLES,)
    assert bias_subspace(pairs).explained[0] == pytest.approx(1)
    assert 0.1 < null.mean() < np.quantile(null, 0.95) < 0.6
    assert shuffled_shares(pairs).tolist() == null.tolist()


def test_without_two_full_sets_there_is_nothing_to_shuffle():
    assert shuffled_shares(PAIRS[:1]) is None
    assert shuffled_shares([np.eye(3), PAIRS[0]]) is None


def test_where_all_pairings_are_alike_the_null_is_what_the_pairs_explain():
    pairs = [np.array([[x, 1.0], [x, -1]]) for x in (0, 0, 0)]
    assert shuffled_shares(pairs) == pytest.approx(np.ones(SHUFFLES))


def test_the_indirect_bias_is_the_share_of_a_similarity_that_the_direction_makes():
    word, other = np.array([0.6, 0.8, 0]), np.array([0.6, 0, 0.8])
    # Similar by .36, all of it along the direction; nothing of (0, .8, 0) and itself is.
    found = indirect_bias(np.stack([other, np.eye(3)[1], np.eye(3)[2]]), word, np.eye(3)[0])
    assert found[:2] == pytest.approx([1, -0.25])
    assert not np.isfinite(found[2])


@given(st.integers(0, 10_000), st.integers(2, 4))
def test_the_basis_is_orthonormal_and_turns_with_the_vectors(seed, size):
    generator = np.random.default_rng(seed)
    sets = [generator.standard_normal((size, 7)) for _ in range(3)]
    turn = np.linalg.qr(generator.standard_normal((7, 7)))[0]
    plain = bias_subspace(sets, 2)
    assert plain.basis @ plain.basis.T == pytest.approx(np.eye(2), abs=1e-9)
    assert plain.explained.sum() == pytest.approx(1)
    turned = [rows @ turn for rows in sets]
    assert bias_subspace(turned, 2).basis == pytest.approx(plain.basis @ turn, abs=1e-6)
    assert shuffled_shares(turned) == pytest.approx(shuffled_shares(sets))
