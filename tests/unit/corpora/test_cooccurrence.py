"""Counts of co-occurrences: those of a double loop, in any number of parts."""

from collections import Counter

import numpy as np
import pytest
from whole_table import whole_table

from fairflow.corpora import cooccurrence
from fairflow.corpora.cooccurrence import count_pairs, numbered_words

WINDOW = 3


def naive_counts(documents, window):
    """Every pair of tokens of a document with at most `window` - 1 others between them."""
    pairs = Counter()
    for text in documents:
        for i, first in enumerate(text):
            for j, second in enumerate(text):
                if i != j and abs(i - j) <= window:
                    pairs[first, second] += 1
    return pairs


def table(pairs, rows, columns):
    return [[pairs[row, column] for column in columns] for row in rows]


@pytest.fixture
def small_parts(monkeypatch):
    """Several blocks of tokens, several bands of rows, and several parts of each."""
    monkeypatch.setattr("fairflow.corpora.sample.BLOCK_TOKENS", 100)
    monkeypatch.setattr(cooccurrence, "_CELLS", 100)
    monkeypatch.setattr(cooccurrence, "_POSITIONS", 7)


def test_counts_are_those_of_a_double_loop(random_documents, sample_of, small_parts):
    sample = sample_of(random_documents)
    words = sample.corpus.words
    counts = whole_table(sample, np.array([5, 0, 39]), np.arange(30)[::-1], WINDOW)
    expected = table(
        naive_counts(random_documents, WINDOW), [words[n] for n in (5, 0, 39)], words[29::-1]
    )
    assert counts.tolist() == expected


@pytest.mark.parametrize(
    ("documents", "count"),
    [
        ([["a", "x", "x", "b"]], 1),
        ([["a", "x", "x", "x", "b"]], 0),
        ([["a"], ["b"]], 0),
        ([["a", "b"], ["b", "a", "b"]], 3),
    ],
)
def test_words_that_are_not_counted_keep_their_place_and_windows_end_with_documents(
    documents, count, sample_of
):
    sample = sample_of(documents)
    a, b = (np.array([sample.corpus.words.index(word)]) for word in "ab")
    assert whole_table(sample, a, b, WINDOW).tolist() == [[count]]


def test_the_upper_triangle_gives_the_symmetric_table(random_documents, sample_of, small_parts):
    sample = sample_of(random_documents)
    numbers = numbered_words(sample)
    whole = whole_table(sample, numbers, numbers, WINDOW)
    bands = list(count_pairs(sample, numbers, numbers, WINDOW, upper=True))
    assert len(bands) > 1
    assert [rows.start for rows, _ in bands[1:]] == [rows.stop for rows, _ in bands[:-1]]
    assert (np.vstack([band.toarray() for _, band in bands]) == np.triu(whole)).all()
    assert (whole == whole.T).all()
