"""A .npy matrix with a list of words is a model like any other."""

import numpy as np
import pytest
from stores import converted

from fairflow.errors import VectorFormatError

MATRIX = np.array([[1, 2], [0.1, -4], [5, 6]])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", ["float32", "float64", ">f4", ">f8"])
def test_row_i_belongs_to_line_i(tmp_path, dtype, order):
    np.save(tmp_path / "vectors.npy", MATRIX.astype(dtype, order=order))
    (tmp_path / "words.txt").write_text("cat\nnaïve dog\nsun\n", encoding="utf-8")
    words = {"path": tmp_path / "words.txt"}
    with converted(tmp_path / "vectors.npy", "npy", tmp_path, words=words) as store:
        assert list(store.words()) == ["cat", "naïve dog", "sun"]
        np.testing.assert_array_equal(
            store.vectors(["sun", "naïve dog"]), MATRIX[[2, 1]].astype(np.float32)
        )


@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_every_version_is_read_in_either_order(tmp_path, version):
    matrix = np.arange(40_000 * 60, dtype=np.float32).reshape(40_000, 60)
    words = tmp_path / "words.txt"
    # A byte order mark and the ends of lines of Windows are no part of a word.
    words.write_bytes(b"\xef\xbb\xbf" + b"".join(b"w%d\r\n" % row for row in range(40_000)))
    for order in (np.ascontiguousarray, np.asfortranarray):
        with open(tmp_path / "vectors.npy", "wb") as file:
            np.lib.format.write_array(file, order(matrix), version)
        with converted(tmp_path / "vectors.npy", "npy", tmp_path, words={"path": words}) as store:
            assert store.vectors(["w39999", "w0", "w17"]).tolist() == matrix[[-1, 0, 17]].tolist()


def test_a_matrix_without_words_is_an_error(tmp_path):
    np.save(tmp_path / "vectors.npy", MATRIX)
    with pytest.raises(VectorFormatError, match=r"a \.npy file needs a file of `words`"):
        converted(tmp_path / "vectors.npy", "npy", tmp_path)
