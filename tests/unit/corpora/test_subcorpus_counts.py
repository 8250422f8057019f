"""What is counted of a subcorpus once: draws re-weight it, and equal samples counted anew."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow.corpora.cooccurrence import count_pairs
from fairflow.corpora.sample import draw
from fairflow.corpora.subcorpus_counts import SubcorpusCounts, count_subcorpus
from fairflow.errors import FairflowError

LISTED = ["word3", "word9", "word30"]
HOW = {"contexts": 10, "window": 3, "minimum_count": 1}


@pytest.fixture(scope="module")
def sample(sample_of, random_documents):
    whole = sample_of(random_documents)
    return replace(whole, documents=whole.documents[5:45])


@pytest.fixture(scope="module")
def counts(sample):
    return count_subcorpus(sample, "toy-part", {"q": {"targets": []}}, LISTED, 2, seed=7, **HOW)


def test_documents_tokens_and_words_are_those_of_the_subcorpus_alone(counts, random_documents):
    documents = random_documents[5:45]
    assert (counts.documents, counts.n_blocks) == (40, 40)
    assert counts.tokens == sum(map(len, documents))
    told = {word: sum(text.count(word) for text in documents) for word in LISTED}
    assert counts.numbers == told


@pytest.mark.parametrize("kind", ["documents", "seeds", "shuffled"])
def test_a_draw_has_the_counts_of_its_sample_counted_anew(counts, sample, kind):
    weights = counts.weights([(kind, 0), (kind, 1)], seed=7)
    number_of = {word: number for number, word in enumerate(sample.corpus.words)}
    rows = np.array([number_of[word] for word in LISTED])
    found = (counts.pairs(LISTED, LISTED[:2]) @ weights.T).T.reshape(2, 3, 2)
    for number in (0, 1):
        drawn, _ = draw(sample, kind, number, 7, "toy-part-pmi")
        expected = count_pairs(drawn, rows, rows[:2], 3).toarray()
        assert found[number].tolist() == expected.tolist()


def test_a_file_of_counts_holds_all_and_equal_ones_have_equal_bytes(counts, tmp_path):
    paths = [tmp_path / "one.npz", tmp_path / "two.npz"]
    counts.write(paths[0])
    read = SubcorpusCounts.read(paths[0])
    read.write(paths[1])
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert (read.name, read.sets, read.shuffled) == (counts.name, counts.sets, 2)
    assert read.numbers == counts.numbers
    paths[0].write_bytes(paths[0].read_bytes()[:-40])
    with pytest.raises(FairflowError, match=r"one\.npz"):
        SubcorpusCounts.read(paths[0])
