"""Any supported file of vectors becomes a word2vec file that gensim opens too, an index and a card.

The vectors of these files are written out, so that a wrong offset or a wrong cut is seen.
"""

import json
import struct

import numpy as np
import pytest
from gensim.models import KeyedVectors
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_array_equal
from stores import files_in

from fairflow.errors import VectorFormatError
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore

NO_BREAK = "10\u00a0000"


def binary(*rows, count=None, end=b"\n", dims=2):
    """A word2vec binary file of (word, values) rows."""
    records = [word + b" " + struct.pack(f"<{len(values)}f", *values) for word, values in rows]
    header = f"{len(rows) if count is None else count} {dims}\n".encode()
    return header + b"".join(record + end for record in records)


class Converted:
    """What `convert` makes of a file's bytes."""

    def __init__(self, folder, contents, vector_format):
        self.paths = files_in(folder)
        source = folder / "source"
        if isinstance(contents, bytes):
            source.write_bytes(contents)
        self.card = convert(source, vector_format, *self.paths)
        self.store = VectorStore(*self.paths)

    def rows(self):
        words = list(self.store.words())
        return dict(zip(words, self.store.vectors(words).tolist(), strict=True))


@pytest.fixture
def converted(tmp_path):
    return lambda contents, vector_format: Converted(tmp_path, contents, vector_format)


@pytest.mark.parametrize(
    ("vector_format", "contents"),
    [
        ("glove-text", b"b 1 -2\na 0.5 4e-1\n"),
        ("glove-text", b"b 1 -2\na 0.5 4e-1"),
        ("glove-text", b"b 1 -2\r\na 0.5 4e-1\r\n"),
        ("glove-text", b"\xef\xbb\xbfb 1 -2\na 0.5 4e-1\n"),
        ("glove-text", b"\nb 1 -2  \n\n\na 0.5 4e-1 \n\n"),
        ("word2vec-text", b"2 2\nb 1 -2\na 0.5 4e-1\n"),
        ("word2vec-text", b"\xef\xbb\xbf2 2 \r\nb 1 -2 \r\na 0.5 4e-1 \r\n"),
        ("word2vec-binary", binary((b"b", [1, -2]), (b"a", [0.5, 0.4]))),
        ("word2vec-binary", binary((b"b", [1, -2]), (b"a", [0.5, 0.4]), end=b"")),
    ],
    ids=["plain", "no-last-newline", "crlf", "mark", "blanks", "header", "header-crlf-mark",
         "newlines", "no-newlines"],
)  # fmt: skip
def test_every_form_of_a_file_gives_its_vectors_in_their_order(converted, vector_format, contents):
    result = converted(contents, vector_format)
    assert list(result.rows().items()) == [("b", [1, -2]), ("a", [0.5, float(np.float32(0.4))])]
    assert (result.card["words"], result.card["dims"], result.card["duplicates"]) == (2, 2, 0)


def test_a_gensim_file_keeps_words_with_spaces_and_its_bits(converted, tmp_path):
    vectors = np.array([[0.1, 1e-40], [3, -0.0]], dtype=np.float32)
    model = KeyedVectors(2)
    model.add_vectors(["new york", NO_BREAK], vectors)
    model.save(str(tmp_path / "source"))
    store = converted(None, "gensim").store
    assert list(store.words()) == ["new york", NO_BREAK]
    assert store.vectors(["new york", NO_BREAK]).tobytes() == vectors.tobytes()


def test_a_newline_byte_within_a_vector_is_a_part_of_it(converted):
    (value,) = struct.unpack("<f", b"\n\n\n ")
    rows = converted(binary((b"b", [value, value]), (b"a", [1, 2])), "word2vec-binary").rows()
    assert rows == {"b": [value, value], "a": [1, 2]}


def test_a_word_of_a_text_file_may_hold_spaces_and_other_blanks(converted):
    words = [". . .", "at name@domain.com", NO_BREAK, "a\x85b", "a\u2028b", "a\tb"]
    contents = "x 0 0\n" + "".join(f"{word} {i} 1\n" for i, word in enumerate(words))
    rows = converted(contents.encode(), "glove-text").rows()
    assert rows == {"x": [0, 0]} | {word: [i, 1] for i, word in enumerate(words)}


@pytest.mark.parametrize("vector_format", ["glove-text", "word2vec-binary"])
def test_bytes_that_are_not_utf8_become_replacement_characters(converted, vector_format):
    contents = {"glove-text": b"\xff 1 2\n", "word2vec-binary": binary((b"\xff", [1, 2]))}
    assert converted(contents[vector_format], vector_format).rows() == {"\ufffd": [1, 2]}


def test_the_first_of_equal_words_wins_and_the_others_are_counted(converted):
    result = converted(b"b 1 2\na 3 4\nb 5 6\nb 7 8\nc 9 0\n", "glove-text")
    assert result.rows() == {"b": [1, 2], "a": [3, 4], "c": [9, 0]}
    assert (result.card["words"], result.card["duplicates"]) == (3, 2)
    # The header counts them all, else gensim would stop before the last word.
    opened = KeyedVectors.load_word2vec_format(str(result.paths[0]))
    assert {word: opened[word].tolist() for word in opened.key_to_index} == result.rows()


def test_the_card_describes_the_vectors(converted):
    result = converted(b"a 3 4\nb 0 -1\nc 0 0\nd 2 0\n", "glove-text")
    ties = ("layout", "vectors_bytes", "vectors_pieces_sha256", "source_sha256")
    assert {key: value for key, value in result.card.items() if key not in ties} == {
        "words": 4,
        "duplicates": 0,
        "rows": 4,
        "dims": 2,
        "binary": False,
    }
    assert json.loads(result.paths[2].read_text()) == result.card


@pytest.mark.parametrize("word", ["infinity", "to infinity", "nan", "a nan", "1_0", "2", "a\t1_0"])
def test_a_word_may_look_like_what_is_no_number(converted, word):
    assert converted(f"x 0 0\n{word} 1 2\n".encode(), "glove-text").rows()[word] == [1, 2]


@pytest.mark.parametrize("is_binary", [False, True], ids=["text", "binary"])
def test_gensim_opens_the_converted_file_with_the_same_bits(converted, is_binary):
    numbers = np.random.default_rng(0).normal(size=(5, 3)).astype(np.float32)
    words = ["the", "ß", NO_BREAK, "a", "A"]
    rows = zip(words, numbers.tolist(), strict=True)
    if is_binary:
        contents = binary(*((word.encode(), row) for word, row in rows), dims=3)
    else:
        contents = "".join(f"{word} {' '.join(map(repr, row))}\n" for word, row in rows).encode()
    result = converted(contents, "word2vec-binary" if is_binary else "glove-text")
    opened = KeyedVectors.load_word2vec_format(str(result.paths[0]), binary=is_binary)
    assert opened.index_to_key == words
    assert opened.vectors.tobytes() == numbers.tobytes()
    assert_array_equal(result.store.vectors(words), opened.vectors)


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=4))
def test_float32_values_survive_a_text_file(tmp_path_factory, values):
    contents = f"a {' '.join(map(repr, values))}\n".encode()
    store = Converted(tmp_path_factory.mktemp("text"), contents, "glove-text").store
    assert store.vectors(["a"]).tobytes() == np.array([values], dtype=np.float32).tobytes()


def test_other_dims_than_promised_are_an_error_and_another_vocabulary_is_logged(tmp_path, caplog):
    (tmp_path / "source").write_bytes(b"a 1 2\nb 3 4\n")
    names = files_in(tmp_path)
    with pytest.raises(VectorFormatError, match="says 3 dims, the vectors have 2"):
        convert(tmp_path / "source", "glove-text", *names, promised={"dims": 3})
    assert not any(path.exists() for path in names)
    convert(tmp_path / "source", "glove-text", *names, promised={"dims": 2, "vocabulary": 9})
    assert "9 words expected, 2 found" in caplog.text
