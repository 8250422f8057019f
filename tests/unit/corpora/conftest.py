"""Samples of corpora that are in memory."""

from collections import Counter

import numpy as np
import pytest

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.sample import Sample


def whole_sample(documents):
    """All documents, each a list of words, as a sample of a corpus in memory."""
    counts = Counter(word for document in documents for word in document)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    number_of = {word: number for number, word in enumerate(words)}
    tokens = np.array([number_of[word] for text in documents for word in text], dtype=np.int32)
    bounds = np.cumsum([0, *map(len, documents)])
    corpus = Corpus(tokens, bounds, words, {}, np.full(len(documents), np.nan), {})
    return Sample(corpus, np.arange(len(documents)))


@pytest.fixture(scope="session")
def sample_of():
    return whole_sample


@pytest.fixture(scope="session")
def random_documents():
    """60 documents of 0 to 60 words, the word `word0` being the most frequent of 40."""
    random = np.random.default_rng(3)
    shares = 1 / np.arange(1, 41)
    lengths = [0, 1, *random.integers(2, 60, 58)]
    drawn = [random.choice(40, length, p=shares / shares.sum()) for length in lengths]
    return [[f"word{number}" for number in text] for text in drawn]
