"""Models small enough for pencil and paper, and the configuration of this project."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from shipped import shipped

from fairflow.vectors.word_embedding_model import WordEmbeddingModel

ROOT = Path(__file__).parents[2]
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


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the configuration alone."""
    shutil.copytree(ROOT / "config", tmp_path / "config")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def in_the_clone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
