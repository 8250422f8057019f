"""A corpus on disk: numbers of words by frequency, documents with their fields, and a card."""

import re
from pathlib import Path

import numpy as np
import pytest

from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.errors import FairflowError

TEXTS = {
    "1850-a.txt": "The cat, the dog.",
    "1851-b.txt": "A dog and a cat; and the cat's tail!",
    "later/1901-c.txt": "Dog.",
}


def paths_in(folder: Path) -> dict[str, Path]:
    return {key: folder / name for key, name in FILES.items()}


def folder_of(texts: dict[str, str | bytes], folder: Path) -> Path:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@pytest.fixture
def read(tmp_path):
    """Read a corpus from texts by name."""

    def reading(texts: dict[str, str | bytes], **definition) -> Corpus:
        paths = paths_in(tmp_path / "corpus")
        read_corpus(folder_of(texts, tmp_path / "texts"), definition, paths)
        return Corpus.open(paths)

    return reading


def words_of(corpus: Corpus) -> list[list[str]]:
    """The words of each document."""
    pairs = zip(corpus.bounds[:-1], corpus.bounds[1:], strict=True)
    return [[corpus.words[n] for n in corpus.tokens[a:b]] for a, b in pairs]


def test_each_document_has_its_words_in_their_order(read):
    corpus = read(TEXTS)

    expected = [re.findall(r"[a-z]+(?:'[a-z]+)?", text.lower()) for text in TEXTS.values()]
    assert words_of(corpus) == expected
    assert (corpus.tokens.dtype, corpus.bounds.dtype) == (np.int32, np.int64)


def test_documents_have_the_fields_of_their_names_and_dates_in_years(read):
    corpus = read(TEXTS, names=r"(?P<year>\d{4})-(?P<letter>.)", date="year")

    assert corpus.fields["letter"] == ["a", "b", "c"]
    assert corpus.fields["folder"] == ["", "", "later"]
    assert corpus.dates.tolist() == [1850, 1851, 1901]
    assert (corpus.card["first_date"], corpus.card["last_date"]) == ("1850", "1901")


def test_the_same_texts_give_the_same_bytes(tmp_path):
    source = folder_of(TEXTS, tmp_path / "texts")
    one, two = paths_in(tmp_path / "one"), paths_in(tmp_path / "two")

    cards = [read_corpus(source, {}, paths) for paths in (one, two)]

    assert cards[0] == cards[1]
    assert all(one[key].read_bytes() == two[key].read_bytes() for key in FILES)


def test_what_is_no_document_is_counted_with_examples(read):
    corpus = read({**TEXTS, "empty.txt": " \n", "numbers.txt": "1, 2, 3", "more.txt": ""})

    assert corpus.card["notes"] == {
        "Skipped, without a word": {
            "number": 3,
            "examples": ["empty.txt", "more.txt", "numbers.txt"],
        },
    }
    assert corpus.card["documents"] == len(TEXTS)


def test_documents_without_a_date_are_kept_and_told(read):
    names = r"(?P<date>[^.]*)"
    corpus = read(
        {"1850-02-30.txt": "one", "1850-07.txt": "two", "May.txt": "three"},
        names=names,
        date="date",
    )

    assert np.isnan(corpus.dates).tolist() == [True, False, True]
    assert corpus.card["notes"]["Kept, without a date"] == {
        "number": 2,
        "examples": ["1850-02-30.txt: '1850-02-30'", "May.txt: 'May'"],
    }


def test_a_failed_reading_leaves_nothing_and_keeps_what_was_there(tmp_path):
    source, paths = folder_of(TEXTS, tmp_path / "texts"), paths_in(tmp_path / "corpus")
    read_corpus(source, {}, paths)
    before = {path: path.read_bytes() for path in (tmp_path / "corpus").iterdir()}
    folder_of({"z.txt": b"caf\xe9"}, source)

    with pytest.raises(FairflowError, match=r"z.txt, line 1"):
        read_corpus(source, {}, paths)

    assert {path: path.read_bytes() for path in (tmp_path / "corpus").iterdir()} == before


def test_texts_without_any_word_are_an_error_that_says_why(read):
    with pytest.raises(
        FairflowError, match=r"no document with a word .*Skipped, without a word \(3\)"
    ):
        read({"a.txt": "", "b.txt": " ", "c.txt": "12"})
