"""A .npy matrix with a list of words is a model like any other."""

import numpy as np
import pytest

from fairflow.errors import VectorFormatError
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore

MATRIX = np.array([[1, 2], [0.1, -4], [5, 6]])


@pytest.fixture
def store_of(tmp_path):
    def convert_and_open(matrix, words):
        np.save(tmp_path / "vectors.npy", matrix)
        (tmp_path / "words.txt").write_text(words, encoding="utf-8")
        names = [tmp_path / name for name in ("vectors", "index.sqlite", "card.json")]
        words = tmp_path / "words.txt"
        convert(tmp_path / "vectors.npy", "npy", *names, words=words)
        return VectorStore(*names)

    return convert_and_open


@pytest.mark.parametrize("dtype", ["float32", "float64", ">f4"])
def test_row_i_belongs_to_line_i(store_of, dtype):
    with store_of(MATRIX.astype(dtype), "cat\nnaïve dog\nsun\n") as store:
        assert list(store.words()) == ["cat", "naïve dog", "sun"]
        np.testing.assert_array_equal(
            store.vectors(["sun", "naïve dog"]), MATRIX[[2, 1]].astype(np.float32)
        )


@pytest.mark.parametrize(
    ("matrix", "words", "message"),
    [
        (MATRIX, "cat\ndog\n", "3 rows, .* has 2 words"),
        (MATRIX[0], "cat\ndog\n", r"matrix of floats in C order .* found float64 \(2,\)"),
        (MATRIX.astype(int), "a\nb\nc", "found int64"),
        (np.asfortranarray(MATRIX), "a\nb\nc", "Fortran"),
    ],
)
def test_a_matrix_that_does_not_fit_is_an_error(store_of, matrix, words, message):
    with pytest.raises(VectorFormatError, match=message):
        store_of(matrix, words)


def test_another_file_is_an_error(tmp_path):
    (tmp_path / "vectors.npy").write_bytes(b"cat 1 2\n")
    names = [tmp_path / name for name in ("vectors", "index.sqlite", "card.json")]
    with pytest.raises(VectorFormatError, match=r"is no \.npy file"):
        convert(tmp_path / "vectors.npy", "npy", *names)
