"""Formats that only gensim reads become word2vec format with the same vectors."""

import hashlib
import pickle

import numpy as np
import pytest
from gensim.models import FastText, KeyedVectors
from gensim.models.fasttext import save_facebook_model

from fairflow.errors import DownloadError
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore


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


def test_a_gensim_file_keeps_its_vectors_bit_by_bit(tmp_path, store_of):
    vectors = KeyedVectors(3)
    rows = np.random.default_rng(0).normal(size=(2, 3)).astype(np.float32)
    vectors.add_vectors(["cat", "naïve"], rows)
    vectors.save(str(tmp_path / "model.kv"))
    with store_of(tmp_path / "model.kv", "gensim") as store:
        np.testing.assert_array_equal(store.vectors(["cat", "naïve"]), rows)


class Trap:
    """A pickle that writes a file when it is opened."""

    def __init__(self, path):
        self.path = str(path)

    def __reduce__(self):
        return open, (self.path, "w")


def test_a_pickle_other_than_the_promised_one_is_never_opened(tmp_path, store_of):
    (tmp_path / "model.kv").write_bytes(pickle.dumps(Trap(tmp_path / "sprung")))
    promised = hashlib.sha256(b"another file").hexdigest()
    with pytest.raises(DownloadError, match=promised):
        store_of(tmp_path / "model.kv", "gensim", packing={"checksum": f"sha256:{promised}"})
    assert not (tmp_path / "sprung").exists()
