"""Log odds ratios from counts by block: those of a naive loop over documents, in every draw."""

import math
from itertools import pairwise, product

import numpy as np
import pytest

from fairflow.corpora import log_odds_rows as module
from fairflow.corpora.drawn_scores import count_queries
from fairflow.corpora.log_odds_rows import log_odds_rows
from fairflow.corpora.sample import draw_sample
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query

SEED, WINDOW = 5, 4
SETS = [["word1", "word4", "Word4"], ["word2", "word9"]], [["word3", "word6"], ["word0", "word8"]]
QUERY = Query(*SETS, ["A", "B"], ["C", "D"])
HOW = {"window": WINDOW, "contexts": 0, "minimum_count": 1}


def counted(sample, query=QUERY, shuffled=3):
    asked = {"q": (query, Lookup([{}, {"lowercase": True}]))}
    return count_queries(sample, "toy-all", asked, shuffled, SEED, **HOW)


def naive_cells(documents):
    """(documents, 4) pairs of a target and an attribute at most `WINDOW` tokens apart."""
    role = {word: n for n, words in enumerate(SETS[0]) for word in words}
    other = {word: n for n, words in enumerate(SETS[1]) for word in words}
    cells = np.zeros((len(documents), 2, 2))
    for number, text in enumerate(documents):
        for i, first in enumerate(text):
            for second in text[max(0, i - WINDOW) : i] + text[i + 1 : i + WINDOW + 1]:
                if first in role and second in other:
                    cells[number, role[first], other[second]] += 1
    return cells.reshape(-1, 4)


def naive_ratio(cells):
    a, b, c, d = cells + 0.5 * (cells == 0).any()
    return math.log(a * d / b / c)


@pytest.fixture(scope="module")
def documents(random_documents):
    return random_documents * 2


@pytest.fixture(scope="module")
def sample(sample_of, documents):
    return sample_of(documents)


@pytest.fixture(scope="module")
def row(sample):
    (found,) = log_odds_rows(counted(sample), SEED, 0.95)
    return found


def test_value_and_analytic_interval_follow_from_the_counts_of_a_naive_loop(row, documents):
    cells = naive_cells(documents).sum(axis=0)
    assert [row.more[name] for name in module.COUNTS] == cells.tolist()
    assert row.value == pytest.approx(naive_ratio(cells))
    error = math.sqrt((1 / cells).sum())
    assert row.analytic[0] == pytest.approx(error)
    assert row.analytic[2] == pytest.approx(row.value + 1.959964 * error)
    assert row.key == ("counts", "log_odds_ratio", "q", "A and B wrt C and D")


def test_draws_of_documents_are_those_of_every_embedding(row, sample, documents):
    cells = naive_cells(documents)
    assert len(row.documents) == 200
    for number in (0, 1, 199):
        drawn, _ = draw_sample(sample, "documents", number, SEED, "toy-all-sgns")
        expected = naive_ratio(cells[drawn.documents].sum(axis=0))
        assert row.documents[number] == pytest.approx(expected)


def test_the_null_is_that_of_tokens_dealt_anew(row, sample):
    assert len(row.shuffled) == 3
    for number, value in enumerate(row.shuffled):
        drawn, _ = draw_sample(sample, "shuffled", number, SEED, "toy-all-pmi")
        texts = [
            [sample.corpus.words[token] for token in tokens[start:end]]
            for tokens, bounds in drawn.blocks()
            for start, end in pairwise(bounds)
        ]
        assert value == pytest.approx(naive_ratio(naive_cells(texts).sum(axis=0)))


def test_words_vary_as_the_influence_of_each_says(sample_of):
    # Each target word has a preference for one of the attribute sets.
    random = np.random.default_rng(0)
    words = [f"w{number}" for number in range(40)]
    sets = [words[start : start + 10] for start in (0, 10, 20, 30)]
    preference, texts = random.uniform(0.2, 0.8, 20), []
    for target in random.integers(0, 20, 6_000):
        attribute = 20 + random.integers(10) + 10 * (random.random() > preference[target])
        texts.append([words[target], words[attribute]])
    sample = sample_of(texts)
    counts = counted(sample, Query(sets[:2], sets[2:]), 0)
    (row,) = log_odds_rows(counts, SEED, 0.95)
    tables = {
        pair: counts.between(sets[pair[0]], sets[pair[1]]).sum(axis=1).reshape(10, 10)
        for pair in product((0, 1), (2, 3))
    }
    # How much a word has of the co-occurrences of its set with one set, less that with the other.
    shares = {pair: np.asarray(table) / table.sum() for pair, table in tables.items()}
    of_words = [(shares[n, 2] - shares[n, 3]).sum(axis=1) for n in (0, 1)]
    of_words += [(shares[0, n] - shares[1, n]).sum(axis=0) for n in (2, 3)]
    variance = sum(10 / 9 * (influence**2).sum() for influence in of_words)
    assert row.words.std() == pytest.approx(math.sqrt(variance), rel=0.1)
    assert row.more["low_words"] < row.value < row.more["high_words"]


def test_sets_that_never_occur_together_have_no_value_but_draws(sample_of):
    texts = [["word1", "word3", "word2", "word0", "word2", "word3"]] * 6
    far = ["x"] * WINDOW
    sample = sample_of([*texts, ["word4", *far, "word8"], ["word1", "word3"]])
    query = Query([["word4"], ["word2"]], [["word3"], ["word0"]])
    (found,) = log_odds_rows(counted(sample, query), SEED, 0.95)
    assert math.isnan(found.value)
    assert found.reason == "the first targets have no co-occurrence with the first attributes"
    assert np.isfinite(found.documents).all()
    assert math.isnan(found.columns(0.95)["low"])
