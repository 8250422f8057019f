"""The example model is found where it lies, and fetched only when it lies nowhere."""

import numpy as np
import pytest

from fairflow.errors import DownloadError
from fairflow.files.checksums import sha256
from fairflow.vectors import example_vectors
from fairflow.vectors.convert import convert
from fairflow.wefe.utils import load_test_model

NAME = "word2vec-google-news-300-weat"


def put(folder, tmp_path, word):
    """A converted model of one word."""
    source = tmp_path / f"{word}.txt"
    source.write_text(f"{word} 1 2\n")
    convert(source, "glove-text", *(folder / name for name in example_vectors.FILES))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    """An empty current directory and cache; nothing can be fetched."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pin(tmp_path, monkeypatch, "0" * 64)


def pin(tmp_path, monkeypatch, digits):
    entry = {"sources": [{"file": str(tmp_path / "model.kv")}], "checksum": f"sha256:{digits}"}
    monkeypatch.setattr(example_vectors, "entry", lambda: entry)


def gensim_file(tmp_path, monkeypatch):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(2)
    vectors.add_vectors(["fetched"], [np.array([1, 2])])
    vectors.save(str(tmp_path / "model.kv"))
    pin(tmp_path, monkeypatch, sha256(tmp_path / "model.kv"))


def test_a_folder_that_is_named_comes_first(tmp_path):
    put(tmp_path / "mine", tmp_path, "mine")
    put(tmp_path / "here/results/models" / NAME, tmp_path, "made")
    model = load_test_model(tmp_path / "mine")
    assert model.name == "test_w2v"
    assert model["mine"].tolist() == [1, 2]
    with pytest.raises(FileNotFoundError, match=r"vectors, index.sqlite, card.json"):
        load_test_model(tmp_path)


def test_the_model_that_the_workflow_made_comes_before_the_cache(tmp_path):
    put(tmp_path / "cache/fairflow" / NAME, tmp_path, "kept")
    assert "kept" in load_test_model()
    put(tmp_path / "here/results/models" / NAME, tmp_path, "made")
    assert "made" in load_test_model()


def test_it_is_fetched_and_converted_once(tmp_path, monkeypatch):
    gensim_file(tmp_path, monkeypatch)
    assert "fetched" in load_test_model()
    cached = sorted(path.name for path in (tmp_path / "cache/fairflow" / NAME).iterdir())
    assert cached == sorted(example_vectors.FILES)
    (tmp_path / "model.kv").unlink()
    assert "fetched" in load_test_model()


def test_a_file_that_is_not_the_pinned_one_is_never_opened(tmp_path):
    (tmp_path / "model.kv").write_bytes(b"not the pinned pickle")
    with pytest.raises(DownloadError, match="0" * 64):
        load_test_model()
    assert list((tmp_path / "cache/fairflow" / NAME).iterdir()) == []
