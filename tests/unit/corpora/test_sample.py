"""Samples: documents as they are, drawn with replacement, or shuffled."""

from dataclasses import replace
from itertools import chain, pairwise

import numpy as np
import pytest

from fairflow.corpora import sample as module
from fairflow.corpora.corpus import Corpus
from fairflow.corpora.sample import Sample, draw_sample

WORDS = 50


@pytest.fixture
def corpus() -> Corpus:
    random = np.random.default_rng(1)
    bounds = np.concatenate(([0], np.cumsum(random.integers(1, 40, 30))))
    tokens = random.integers(0, WORDS, bounds[-1]).astype(np.int32)
    words = [f"w{n}" for n in range(WORDS)]
    return Corpus(tokens, bounds, words, {}, np.full(30, np.nan), {})


def documents(sample: Sample) -> list[list[int]]:
    return [tokens[a:b].tolist() for tokens, bounds in sample.blocks() for a, b in pairwise(bounds)]


def expected(corpus: Corpus, numbers) -> list[list[int]]:
    return [corpus.tokens[corpus.bounds[n] : corpus.bounds[n + 1]].tolist() for n in numbers]


def test_counts_are_those_of_the_documents_drawn(corpus):
    sample = Sample(corpus, np.array([1, 1, 4]))

    tokens = np.concatenate(expected(corpus, [1, 1, 4]))
    assert sample.counts().tolist() == [int((tokens == n).sum()) for n in range(WORDS)]


def drawn(sample, kind, number):
    return draw_sample(sample, kind, number, 7, "texts-all-sgns")[0]


def test_documents_are_drawn_with_replacement_among_those_of_the_sample(corpus):
    sample = Sample(corpus, np.arange(5, 25))
    draws = [drawn(sample, "documents", number).documents for number in range(400)]

    assert all(len(each) == 20 for each in draws)
    times = np.bincount(np.concatenate(draws), minlength=30)
    assert not times[:5].any()
    assert not times[25:].any()
    # Binomial: mean 400, standard deviation 19.5.
    assert (abs(times[5:25] - 400) < 100).all()


def test_documents_of_one_cluster_are_drawn_together(corpus):
    authors = ["a", "b", "", "a", "NA", "b"] * 5
    named = replace(corpus, fields={"author": authors})
    sample = Sample(named, np.arange(3, 12), "author")
    # a, none, b, a, b, none, a, none, b: those without a name are each by themselves.
    assert sample.clusters.tolist() == [0, 1, 2, 0, 2, 3, 0, 4, 2]
    for number in range(20):
        times = np.bincount(drawn(sample, "documents", number).documents, minlength=30)
        assert times[3] == times[6] == times[9]
        assert times[5] == times[7] == times[11]
        assert times[[3, 4, 5, 8, 10]].sum() == 5, "as many clusters"


def test_shuffled_tokens_keep_lengths_and_frequencies_in_every_pass(corpus, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_TOKENS", 60)
    sample = drawn(Sample(corpus, np.arange(30)), "shuffled", 3)
    found = documents(sample)

    assert [len(d) for d in found] == [len(d) for d in expected(corpus, range(30))]
    assert sorted(chain(*found)) == sorted(corpus.tokens.tolist())
    assert found != expected(corpus, range(30))
    assert documents(sample) == found
    assert documents(drawn(sample, "shuffled", 4)) != found


def test_a_shuffled_word_is_as_likely_in_each_document(corpus, monkeypatch):
    monkeypatch.setattr(module, "BLOCK_TOKENS", 60)
    sample = Sample(corpus, np.arange(30))
    rare = int(np.flatnonzero(sample.counts())[-1])
    share = sample.counts()[rare] / len(corpus.tokens)
    times = np.zeros(30)
    for seed in range(300):
        times += [words.count(rare) for words in documents(drawn(sample, "shuffled", seed))]

    lengths = np.diff(corpus.bounds)
    error = np.sqrt(300 * lengths * share)
    assert (abs(times - 300 * lengths * share) < 4.5 * error).all()


def test_draws_of_documents_are_those_of_the_subcorpus_whatever_the_embedding(corpus):
    sample = Sample(corpus, np.arange(30))
    one, one_seed = draw_sample(sample, "documents", 1, 7, "texts-all-pmi")
    same, same_seed = draw_sample(sample, "documents", 1, 7, "texts-all-sgns")
    other, _ = draw_sample(sample, "documents", 1, 7, "texts-1850_1899-sgns")

    assert one.documents.tolist() == same.documents.tolist() != other.documents.tolist()
    assert one_seed != same_seed
