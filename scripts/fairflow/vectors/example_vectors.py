"""The 13,013-word word2vec subset on which WEFE's examples run, for notebooks and first steps."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.files.downloads import cache_folder, fetch_pinned, locked
from fairflow.vectors.convert import convert
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

# The name of the folder, and of the model in the configuration shipped with fairflow.
NAME = "word2vec-google-news-300-weat"
FILES = ("vectors", "index.sqlite", "card.json")


def load_test_model(path: str | Path | None = None) -> WordEmbeddingModel:
    """The vectors of word2vec-google-news-300 for the words of Caliskan et al. and some lexicons.

    Vectors are read from disk when they are needed.

    Parameters
    ----------
    path : as for `example_folder`.

    Returns
    -------
    A `WordEmbeddingModel`.

    Raises
    ------
    FileNotFoundError, DownloadError : as `example_folder` does.

    Examples
    --------
    >>> from fairflow import load_test_model
    >>> load_test_model()
    <WordEmbeddingModel named 'word2vec-google-news-300-weat', 13013 words>

    See also
    --------
    fairflow.score : takes "word2vec" for these vectors.
    fairflow.WordEmbeddingModel : your own vectors.
    """
    return WordEmbeddingModel(open_example(example_folder(path)), NAME)


def open_example(folder: Path) -> VectorStore:
    """The store in a folder of `example_folder`."""
    return VectorStore(*(folder / name for name in FILES))


def example_folder(path: str | Path | None = None) -> Path:
    """The folder of these vectors, which are downloaded if necessary.

    The folder is results/models below the current directory, if the workflow put them there;
    otherwise the user's cache folder ($XDG_CACHE_HOME/fairflow or ~/.cache/fairflow). At the first
    call they are downloaded, verified and converted.

    Parameters
    ----------
    path : use this folder, with the model's files `vectors`, `index.sqlite` and `card.json`.

    Raises
    ------
    FileNotFoundError : one of the files is missing in `path`.
    DownloadError : the vectors are not here and cannot be fetched.
    """
    if path is not None:
        if missing := _missing(Path(path)):
            raise FileNotFoundError(f"{path} holds no converted model: no {', '.join(missing)}")
        return Path(path)
    made = Path("results/models") / NAME
    if not _missing(made):
        return made
    # A gensim file is a pickle: it is opened only after its checksum was verified.
    return cached_folder(NAME, partial(fetch_pinned, entry()), "gensim")


def cached_folder(name: str, bring: Callable[[Path], None], vector_format: str, **how: Any) -> Path:
    """The folder of a converted model in the user's cache, made at the first call.

    Parameters
    ----------
    bring : fetches the file of the model to a path. vector_format, how : as `convert` takes them.
    """
    cached = cache_folder() / name
    cached.mkdir(parents=True, exist_ok=True)
    with locked(cached):
        if _missing(cached):
            fetched = cached / f"{name}.download"
            bring(fetched)
            vectors, index, card = (cached / file for file in FILES)
            convert(fetched, vector_format, vectors, index, card, **how)
            fetched.unlink()
    return cached


def entry() -> dict[str, Any]:
    """The sources and checksums of the vectors."""
    return read_yaml(shipped_configuration() / "models.yaml")[NAME]


def _missing(folder: Path) -> list[str]:
    return [name for name in FILES if not (folder / name).is_file()]
