"""The norms of a model come from every vector, a block at a time."""

import math

import numpy as np
import pytest
from stores import converted, files_in, text_of

from fairflow.transforms.normalised import Normalised
from fairflow.vectors import store as store_module
from fairflow.vectors.derivation import DerivedStore
from fairflow.vectors.directions import vector_norms, write_vector_norms
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
