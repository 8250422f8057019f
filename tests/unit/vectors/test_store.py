"""A converted model serves the rows asked for, and changes nothing on the disk."""

import sqlite3

import numpy as np
import pytest
from stores import converted, files_in, store_of

from fairflow.errors import VectorFormatError
from fairflow.vectors import store as store_module
from fairflow.vectors.store import VectorStore

TEXT = b"he 3 4\nshe 1 0\nit 0 -2\nnothing 0 0\nshe 9 9\n"
ROWS = {"he": [3, 4], "she": [1, 0], "it": [0, -2], "nothing": [0, 0]}


@pytest.fixture(params=["glove-text", "word2vec-binary"])
def paths(tmp_path, request):
    """The three files of a model of the words of TEXT."""
    # Characters that mean something in a URI, through which the index is opened.
    folder = tmp_path / "a b?c#d%41"
    folder.mkdir()
    source = folder / "source"
    source.write_bytes(TEXT if request.param == "glove-text" else as_binary(TEXT))
    converted(source, request.param, folder).close()
    return files_in(folder)


def as_binary(text):
    rows = [line.split() for line in text.splitlines()]
    vectors = [np.array(row[1:], dtype="<f4").tobytes() for row in rows]
    records = [row[0] + b" " + vector for row, vector in zip(rows, vectors, strict=True)]
    return f"{len(rows)} 2\n".encode() + b"".join(records)


@pytest.mark.parametrize(
    "words",
    [["he"], ["nothing", "it", "she", "he"], ["she", "she"], ["it", "he", "it"]],
)
def test_rows_come_in_the_order_asked_for(paths, words):
    vectors = VectorStore(*paths).vectors(words)
    assert vectors.dtype == np.float32
    assert vectors.tolist() == [ROWS[word] for word in words]


def test_membership_and_length_count_distinct_words(paths):
    store = VectorStore(*paths)
    assert len(store) == 4
    assert "he" in store
    assert "He" not in store
    assert "" not in store


def test_an_unknown_word_is_a_key_error(paths):
    with pytest.raises(KeyError, match="them"):
        VectorStore(*paths).vectors(["he", "them"])


def test_read_only_files_are_served_and_nothing_is_written_beside_them(paths):
    folder = paths[0].parent
    before = {path: path.read_bytes() for path in folder.iterdir()}
    for path in [*before, folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        store = VectorStore(*paths)
        assert store.vectors(["she"]).tolist() == [[1, 0]]
        assert list(store.words()) == list(ROWS)
        # The superuser may write nonetheless, so the folder's contents are compared as well.
        assert {path: path.read_bytes() for path in folder.iterdir()} == before
    finally:
        folder.chmod(0o755)


def test_rows_are_found_by_their_number_and_those_of_repeated_words_left_out(paths):
    store = VectorStore(*paths)
    words, vectors = store.at_rows([4, 2, 0, 3])
    assert words == {0: "he", 2: "it", 3: "nothing"}
    assert vectors.tolist() == [[3, 4], [0, -2], [0, 0]]
    assert (store.rows, store.row_of("it")) == (5, 2)
    with pytest.raises(KeyError, match="them"):
        store.row_of("them")


@pytest.mark.parametrize("step", [1, 64])
@pytest.mark.parametrize("rows", [[], [0, 1, 127, 128, 199], [64, 128, 192], [3, 64, 65, 192]])
def test_exactly_the_rows_asked_for_are_found(tmp_path, rows, step):
    store = store_of([(f"w{i}", (i, 1)) for i in range(200)], tmp_path)
    words, vectors = store.at_rows(rows, step)
    assert words == {row: f"w{row}" for row in rows}
    assert vectors[:, 0].tolist() == rows


def in_binary(folder, records):
    """A model of binary records as they are given, each with two numbers."""
    folder.mkdir(exist_ok=True)
    numbers = np.arange(2 * len(records), dtype="<f4").reshape(-1, 2)
    data = b"".join(r + b" " + row.tobytes() for r, row in zip(records, numbers, strict=True))
    (folder / "source").write_bytes(f"{len(records)} 2\n".encode() + data)
    return converted(folder / "source", "word2vec-binary", folder), numbers


@pytest.mark.parametrize(
    "records",
    [
        [b"he", b"she", "müll".encode(), b"it"],
        # As some writers put an end of line between records.
        [b"he", b"\nshe", b"\nit", b"\r\nthey"],
        # What is no UTF-8, and cut off within a letter.
        [b"he", b"\xff\xfe", b"m\xc3", b"it"],
    ],
)
def test_all_words_of_a_binary_file_are_read_in_blocks_as_they_are_looked_up(
    tmp_path, records, monkeypatch
):
    monkeypatch.setattr(store_module, "BLOCK", 16)
    opened, numbers = in_binary(tmp_path, records)
    with opened as store:
        blocks = list(store.rows_in_blocks())
        words = [word for block, _, _ in blocks for word in block]
        assert len(blocks) > 1
        assert words == list(store.words())
        assert [row for _, rows, _ in blocks for row in rows] == [0, 1, 2, 3]
        assert np.concatenate([vectors for *_, vectors in blocks]).tolist() == numbers.tolist()
        assert [store.row_of(word) for word in words] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            "UPDATE words SET offset = offset + 1 WHERE word = 'she'",
            "the entry of 'she' is damaged",
        ),
        ("DELETE FROM words WHERE word = 'she'", "2 words instead of 3"),
    ],
)
def test_an_index_that_does_not_fit_a_binary_file_is_refused_on_the_way(tmp_path, change, sentence):
    in_binary(tmp_path, [b"he", b"she", b"it"])[0].close()
    files = files_in(tmp_path)
    with sqlite3.connect(files[1]) as connection:
        connection.execute(change)
    connection.close()
    with VectorStore(*files) as store, pytest.raises(VectorFormatError, match=sentence):
        list(store.rows_in_blocks())
