"""Native fastText models become word2vec format with the same vectors."""

import numpy as np
import pytest
from gensim.models import FastText
from gensim.models.fasttext import save_facebook_model

from fairflow.errors import VectorFormatError
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore

from .bad_vector_files import fasttext


@pytest.fixture
def store_of(tmp_path):
    """A function that converts a file and opens the result."""
    names = [tmp_path / name for name in ("vectors", "index.sqlite", "card.json")]

    def convert_and_open(path, vector_format, **options):
        convert(path, vector_format, *names, **options)
        return VectorStore(*names)

    return convert_and_open


def test_a_native_fasttext_model_keeps_the_vectors_of_its_words(tmp_path, store_of):
    sentences = [["cat", "dog", "sun"], ["dog", "ice", "cat"]] * 3
    model = FastText(sentences, vector_size=4, min_count=1, epochs=1, bucket=50, seed=1)
    save_facebook_model(model, str(tmp_path / "model.bin"))
    with store_of(tmp_path / "model.bin", "fasttext-bin") as store:
        assert set(store.words()) == {"cat", "dog", "sun", "ice"}
        np.testing.assert_allclose(
            store.vectors(["cat", "ice"]), model.wv[["cat", "ice"]], rtol=1e-6
        )


def test_the_whole_model_of_which_the_faulty_ones_are_made_is_read(tmp_path, store_of):
    (tmp_path / "model.bin").write_bytes(fasttext())
    with store_of(tmp_path / "model.bin", "fasttext-bin") as store:
        assert list(store.words()) == ["cat", "dog"]


def test_a_model_cut_anywhere_is_truncated(tmp_path, store_of):
    whole = fasttext()
    for end in range(64, len(whole)):
        (tmp_path / "model.bin").write_bytes(whole[:end])
        with pytest.raises(VectorFormatError, match=r"ends within its .*: it is truncated"):
            store_of(tmp_path / "model.bin", "fasttext-bin")
