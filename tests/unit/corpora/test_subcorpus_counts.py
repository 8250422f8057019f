"""What is counted of a subcorpus once: draws re-weight it, and equal samples counted anew."""

from dataclasses import replace

import numpy as np
import pytest
from whole_table import whole_table

from fairflow.corpora import cooccurrence
from fairflow.corpora.cooccurrence import SubcorpusCounts, count_subcorpus, window_sums
from fairflow.corpora.sample import draw_sample

LISTED = ["word3", "word9", "word30", "absent"]
HELD = LISTED[:3]
HOW = {"contexts": 10, "window": 3, "minimum_count": 1}
KINDS = ("documents", "seeds", "shuffled")


def counted(sample, seed=7, **how):
    sets = {"q": {"targets": []}}
    return count_subcorpus(sample, "toy-part", sets, LISTED, 2, seed, **HOW | how)


@pytest.fixture(scope="module")
def sample(sample_of, random_documents):
    whole = sample_of(random_documents)
    return replace(whole, documents=whole.documents[5:45])


@pytest.fixture(scope="module")
def counts(sample):
    return counted(sample)


def test_documents_tokens_and_words_are_those_of_the_subcorpus_alone(counts, random_documents):
    documents = random_documents[5:45]
    assert (counts.documents, counts.n_blocks) == (40, 40)
    assert counts.n_tokens == sum(map(len, documents))
    told = {word: sum(text.count(word) for text in documents) for word in HELD}
    assert counts.numbers == told


def test_list_words_are_contexts_too_and_absent_ones_are_left_out(sample):
    found = counted(sample, contexts=5)
    assert (found.words, found.n_frequent) == (HELD, 5)
    assert found.contexts[5:] == [word for word in HELD if word not in found.contexts[:5]]
    assert "word3" in found.contexts[:5]


@pytest.mark.parametrize("cluster", ["", "author"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_draw_has_the_counts_of_its_sample_counted_anew(sample, monkeypatch, kind, cluster):
    monkeypatch.setattr("fairflow.corpora.sample.BLOCK_TOKENS", 100)
    monkeypatch.setattr(cooccurrence, "_CELLS", 100)
    monkeypatch.setattr(cooccurrence, "_POSITIONS", 7)
    if cluster:
        authors = [str(number % 7) for number in range(len(sample.corpus.bounds) - 1)]
        sample = replace(
            sample, corpus=replace(sample.corpus, fields={cluster: authors}), cluster=cluster
        )
    counts = counted(sample)
    assert (counts.n_blocks, counts.n_clusters) == ((7, 7) if cluster else (40, 40))
    number_of = {word: number for number, word in enumerate(sample.corpus.words)}
    rows, contexts = (
        np.array([number_of[word] for word in words]) for words in (HELD, counts.contexts)
    )
    for number in (0, 1):
        weights = counts.weights(kind, number, seed=7)
        drawn, _ = draw_sample(sample, kind, number, 7, "toy-part-pmi")
        expected = whole_table(drawn, rows, contexts, 3)
        assert (counts.pairs @ weights).reshape(expected.shape).tolist() == expected.tolist()
        found = (counts.between(HELD, HELD[:2]) @ weights).reshape(3, 2)
        assert found.tolist() == whole_table(drawn, rows, rows[:2], 3).tolist()
        sums, tokens = weights @ counts.sums, weights @ counts.tokens
        assert sums[:-1].tolist() == window_sums(drawn, 3)[contexts].tolist()
        assert sums.sum() == window_sums(drawn, 3).sum()
        assert tokens[:-1].tolist() == drawn.counts()[contexts].tolist()


def test_a_file_of_counts_holds_all_and_equal_ones_have_equal_bytes(counts, tmp_path):
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    counts.write(paths[0])
    read = SubcorpusCounts.read(paths[0])
    read.write(paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    for name in ("name", "sets", "words", "contexts", "n_frequent", "shuffled", "numbers"):
        assert getattr(read, name) == getattr(counts, name)
    assert (read.pairs != counts.pairs).nnz == 0
