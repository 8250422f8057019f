"""A converted model with a file that is damaged, exchanged or of another build is never used."""

import random
import shutil
import sqlite3

import pytest
from stores import converted, files_in

from fairflow.errors import FairflowError
from fairflow.vectors.store import VectorStore

WORDS = [f"w{number:03d}" for number in range(200)] + ["man", "woman"]
ABSENT = ["", "a", "w", "w0005", "w199x", "zebra", "\N{LATIN SMALL LETTER SHARP S}"]


def make(folder, scale=1, words=WORDS, vector_format="glove-text"):
    """The files of a model in which row i of `words` is (i, scale)."""
    folder.mkdir()
    lines = [f"{word} {row} {scale}\n" for row, word in enumerate(words)]
    (folder / "source").write_text("".join(lines))
    converted(folder / "source", vector_format, folder).close()
    return folder


def served(folder):
    """All that a model says."""
    with VectorStore(*files_in(folder)) as store:
        rows = store.vectors(WORDS).tolist()
        return rows, [word in store for word in ABSENT], len(store), store.row_of("man")


@pytest.fixture
def model(tmp_path):
    return make(tmp_path / "model")


def edit_index(folder, statement):
    connection = sqlite3.connect(folder / "index.sqlite")
    with connection:
        connection.executescript(statement)
    connection.close()


def change(file, old, new):
    data = file.read_bytes()
    assert data.count(old) == 1
    file.write_bytes(data.replace(old, new))


EXCHANGED = """
    CREATE TEMP TABLE old AS SELECT * FROM words WHERE word IN ('man', 'woman');
    UPDATE words SET offset = (SELECT offset FROM old WHERE old.word != words.word)
    WHERE word IN ('man', 'woman');
"""
FAULTS = {
    "card: other dims": lambda m: change(m / "card.json", b'"dims": 2', b'"dims": 1'),
    "card: text said to be binary": lambda m: change(m / "card.json", b"false", b"true"),
    "vectors: missing": lambda m: (m / "vectors").unlink(),
    "card: a space more": lambda m: (m / "card.json").write_bytes(
        (m / "card.json").read_bytes() + b" "
    ),
    "card: of another model": lambda m: shutil.copy(
        make(m.parent / "other", words=WORDS[1:]) / "card.json", m
    ),
    "index: of another model": lambda m: shutil.copy(
        make(m.parent / "other", words=WORDS[::-1]) / "index.sqlite", m
    ),
    "vectors: of another model": lambda m: shutil.copy(
        make(m.parent / "other", words=WORDS[::-1]) / "vectors", m
    ),
    "vectors: of another model of the same words": lambda m: shutil.copy(
        make(m.parent / "other", scale=2) / "vectors", m
    ),
    "vectors: truncated": lambda m: (m / "vectors").write_bytes((m / "vectors").read_bytes()[:-3]),
    "index: missing": lambda m: (m / "index.sqlite").unlink(),
    "index: no database": lambda m: (m / "index.sqlite").write_bytes(b"cat 1 2\n" * 500),
    "index: as an older version wrote it": lambda m: edit_index(m, "DROP TABLE card"),
    "index: offsets exchanged": lambda m: edit_index(m, EXCHANGED),
    "index: an offset moved": lambda m: edit_index(
        m, "UPDATE words SET offset = offset + 2 WHERE word = 'w007'"
    ),
    "index: no numbers": lambda m: edit_index(
        m, "UPDATE words SET offset = NULL, row = x'00' WHERE word = 'man'"
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_it_is_refused_in_a_sentence_that_says_what_to_do(model, fault):
    FAULTS[fault](model)
    with pytest.raises(FairflowError) as caught:
        served(model)
    assert str(model / {"card": "card.json", "index": "index.sqlite"}.get(fault[:4], "")) in str(
        caught.value
    )
    assert f"Remove the folder {model}; the next run makes the model again" in str(caught.value)


def test_another_layout_is_another_version(model):
    change(model / "card.json", b'"layout": 2', b'"layout": 1')
    text = (model / "card.json").read_text()
    edit_index(model, f"UPDATE card SET text = '{text}'")
    with pytest.raises(FairflowError, match="the files have layout 1, not 2"):
        served(model)


@pytest.mark.parametrize("name", ["index.sqlite", "card.json"])
def test_no_bit_that_flips_changes_what_is_served(model, name):
    file = model / name
    before, data = served(model), file.read_bytes()
    draw = random.Random(0)
    refused = 0
    for _ in range(200):
        flipped = bytearray(data)
        flipped[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        file.write_bytes(flipped)
        try:
            # What SQLite leaves unused may change.
            assert served(model) == before
        # A word that is no longer found is not in the model.
        except (FairflowError, KeyError):
            refused += 1
    assert refused > 30


def test_a_vector_that_is_no_longer_one_is_refused(model):
    change(model / "vectors", b"w007 7 1\n", b"w007 7_1\n")
    with pytest.raises(FairflowError, match="no vector of 2 numbers at byte"):
        served(model)


def test_words_that_are_no_utf8_are_served(tmp_path):
    (tmp_path / "source").write_bytes(b"caf\xe9 1 2\n")
    with converted(tmp_path / "source", "glove-text", tmp_path) as store:
        assert store.vectors(["caf\N{REPLACEMENT CHARACTER}"]).tolist() == [[1, 2]]
