"""Models small enough for pencil and paper, and the configuration of this project."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import settings
from shipped import shipped

from fairflow.corpora.corpus import Corpus
from fairflow.corpora.sample import Sample
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

# A busy machine must not fail a property that holds.
settings.register_profile("fairflow", deadline=None, max_examples=50)
settings.load_profile("fairflow")


class Vocabulary(dict):
    """Words with vectors by frequency, in the interface of a VectorStore."""

    @property
    def rows(self):
        return len(self)

    def row_of(self, word):
        return list(self).index(word)

    def at_rows(self, rows, step=1):
        words = {row: list(self)[row] for row in rows}
        return words, self.vectors(words.values())

    def vectors(self, words):
        return np.array([self[word] for word in words], dtype=np.float32)


@pytest.fixture(scope="session")
def configuration():
    """The configuration of this project."""
    return shipped()


@pytest.fixture(scope="session")
def model_of():
    """A function that makes a model of word=vector pairs."""
    return lambda **vectors: WordEmbeddingModel(Vocabulary(vectors), "toy")


@pytest.fixture(scope="session")
def random_model():
    """A function that makes a model of ten standard normal vectors w0 to w9, times a scale."""

    def make(seed, scale=1.0, dims=4):
        rows = scale * np.random.default_rng(seed).standard_normal((10, dims))
        return WordEmbeddingModel(Vocabulary({f"w{i}": row for i, row in enumerate(rows)}), "toy")

    return make


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
