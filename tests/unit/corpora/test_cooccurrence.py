"""Counts of co-occurrences: those of a double loop, in any number of parts, and by block."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from fairflow.corpora import cooccurrence
from fairflow.corpora.cooccurrence import (
    BlockCounts,
    count_bands,
    count_blocks,
    count_pairs,
    drawn_weights,
    vocabulary,
    window_sums,
)
from fairflow.errors import FairflowError

WINDOW = 3
LISTED = ["word7", "word1", "word39", "absent"]


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
    monkeypatch.setattr(cooccurrence, "_ROWS", 5)


def test_counts_are_those_of_a_double_loop(random_documents, sample_of, small_parts):
    sample = sample_of(random_documents)
    words = sample.corpus.words
    counts = count_pairs(sample, np.array([5, 0, 39]), np.arange(30)[::-1], WINDOW)
    expected = table(
        naive_counts(random_documents, WINDOW), [words[n] for n in (5, 0, 39)], words[29::-1]
    )
    assert counts.toarray().tolist() == expected


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
    assert count_pairs(sample, a, b, WINDOW).toarray().tolist() == [[count]]


def test_the_upper_triangle_gives_the_symmetric_table(random_documents, sample_of, small_parts):
    sample = sample_of(random_documents)
    numbers = vocabulary(sample)
    whole = count_pairs(sample, numbers, numbers, WINDOW).toarray()
    bands = list(count_bands(sample, numbers, numbers, WINDOW, upper=True))
    assert len(bands) > 1
    assert (np.vstack([band.toarray() for _, band in bands]) == np.triu(whole)).all()
    assert (whole == whole.T).all()


def test_sums_are_those_of_the_table_of_all_words(random_documents, sample_of):
    sample = sample_of(random_documents)
    every = np.arange(len(sample.corpus.words))
    whole = count_pairs(sample, every, every, WINDOW)
    assert window_sums(sample, WINDOW).tolist() == whole.toarray().sum(axis=1).tolist()


def test_words_are_in_order_of_their_count_in_the_sample(sample_of):
    sample = replace(
        sample_of([["b", "b", "b"], ["c", "c", "a", "a", "d"]]), documents=np.array([1])
    )
    assert [sample.corpus.words[n] for n in vocabulary(sample, 2)] == ["a", "c"]


def test_a_drawn_sample_counted_anew_equals_the_reweighted_blocks(
    random_documents, sample_of, small_parts
):
    sample = sample_of(random_documents)
    blocks = count_blocks(sample, LISTED, 10, WINDOW, seed=1)
    drawn = blocks.total(drawn_weights(len(random_documents), [7, 8]))
    for draw, seed in enumerate((7, 8)):
        again = sample.drawn(seed)
        words, contexts = (
            np.array([sample.corpus.words.index(word) for word in names])
            for names in (blocks.words, blocks.contexts)
        )
        counts, sums = count_pairs(again, words, contexts, WINDOW), window_sums(again, WINDOW)
        assert (drawn.counts[draw] == counts.toarray()).all()
        assert (drawn.word_sums[draw] == sums[words]).all()
        assert (drawn.context_sums[draw] == sums[contexts]).all()
        assert drawn.total[draw] == sums.sum()
        assert (drawn.tokens[draw] == again.counts()[words]).all()


def test_list_words_are_contexts_too_and_absent_ones_are_left_out(random_documents, sample_of):
    blocks = count_blocks(sample_of(random_documents), LISTED, 3, WINDOW, seed=1)
    assert blocks.words == ["word7", "word1", "word39"]
    assert blocks.contexts == [*sample_of(random_documents).corpus.words[:3], "word7", "word39"]
    assert blocks.n_frequent == 3


def test_many_documents_are_dealt_into_blocks_of_equal_size(
    random_documents, sample_of, monkeypatch
):
    sample = sample_of(random_documents)
    expected = count_blocks(sample, LISTED, 10, WINDOW, seed=1).total(np.ones((1, 60)))
    monkeypatch.setattr(cooccurrence, "MOST_BLOCKS", 7)
    blocks = count_blocks(sample, LISTED, 10, WINDOW, seed=1)
    for found, other in zip(blocks.total(np.ones((1, 7))), expected, strict=True):
        assert (found == other).all()
    other_seed = count_blocks(sample, LISTED, 10, WINDOW, seed=2)
    assert (blocks.sums != other_seed.sums).any()


def test_counts_by_block_are_read_as_they_were_written(random_documents, sample_of, tmp_path):
    blocks = count_blocks(sample_of(random_documents), LISTED, 10, WINDOW, seed=1)
    blocks.write(tmp_path / "blocks.npz")
    read = BlockCounts.read(tmp_path / "blocks.npz")
    assert (read.words, read.contexts, read.n_frequent) == (
        blocks.words,
        blocks.contexts,
        blocks.n_frequent,
    )
    weights = drawn_weights(60, [1])
    for found, expected in zip(read.total(weights), blocks.total(weights), strict=True):
        assert (found == expected).all()


def test_a_damaged_file_of_counts_is_refused(random_documents, sample_of, tmp_path):
    path = tmp_path / "blocks.npz"
    count_blocks(sample_of(random_documents), LISTED, 10, WINDOW, seed=1).write(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FairflowError, match=r"blocks\.npz: this file of co-occurrences is damaged"):
        BlockCounts.read(path)
