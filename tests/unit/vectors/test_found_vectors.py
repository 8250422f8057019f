"""Vectors are taken out of a file in one pass, as a converted model would give them."""

import json
import struct

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from stores import converted

from fairflow.command.asked import find_vectors
from fairflow.vectors.word_rows import FoundVectors

ROWS = {"b": (1.0, -2.0), "New York": (0.1, 0.4), "a": (0.1234567891234, 4e-5)}
TEXT = "".join(f"{word} {x} {y}\n" for word, (x, y) in ROWS.items()).encode()
BINARY = b"2 2\n" + b"".join(
    word.encode() + b" " + struct.pack("<2f", *values) + b"\n"
    for word, values in ROWS.items()
    if " " not in word
)


def npy(folder):
    np.save(folder / "source", np.array(list(ROWS.values()), dtype=np.float64))
    (folder / "source.npy").rename(folder / "source")
    (folder / "words.json").write_text(json.dumps(list(ROWS)))
    return {"path": folder / "words.json"}


@pytest.mark.parametrize(
    ("vector_format", "contents"),
    [
        ("glove-text", TEXT),
        ("word2vec-text", b"3 2\n" + TEXT),
        ("word2vec-binary", BINARY),
        ("npy", None),
    ],
)
def test_what_is_found_is_to_the_bit_what_a_converted_model_holds(
    tmp_path, vector_format, contents
):
    words = npy(tmp_path) if contents is None else None
    source = tmp_path / "source"
    if contents is not None:
        source.write_bytes(contents)
    found = find_vectors(source, vector_format, {"a", "b", "New York", "zebra"}, words=words)
    with converted(source, vector_format, tmp_path, words=words) as store:
        held = list(store.words())
        assert set(found.words()) == set(held)
        assert "zebra" not in found
        assert found.vectors(held).dtype == np.float32
        assert_array_equal(found.vectors(held), store.vectors(held))


def test_only_what_is_wanted_is_kept_and_of_equal_words_the_first(tmp_path):
    (tmp_path / "v").write_text("a 1 2\nb 3 4\na 5 6\n")
    found = find_vectors(tmp_path / "v", "glove-text", {"a"})
    assert len(found) == 1
    assert found.vectors(["a"]).tolist() == [[1, 2]]


def test_no_words_are_an_empty_matrix_of_the_right_width():
    assert FoundVectors({}, 7).vectors([]).shape == (0, 7)
