"""The queries and vectors that a command names: words of queries, vectors of any format."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.capabilities import extensions
from fairflow.command.project import Project, meant, project_here
from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.downloads import cache_folder, fetch
from fairflow.planning.catalogue import (
    SHORT_NAMES,
    download_name,
    how_to_get,
    is_bundled,
)
from fairflow.planning.configuration import Configuration
from fairflow.planning.jobs import definition
from fairflow.planning.models import CONVERTED, Model, is_converted, models_of
from fairflow.planning.named_sets import Sets
from fairflow.planning.planner import word_sets_of
from fairflow.planning.queries import PlannedQuery, planned_queries
from fairflow.queries.lookup import Lookup, spellings, transform_word
from fairflow.queries.query import Query
from fairflow.queries.query_file import query_of, words_of_sets
from fairflow.vectors.convert import TEXTS, copied
from fairflow.vectors.derivation import open_store
from fairflow.vectors.example_vectors import cached_folder
from fairflow.vectors.recognition import recognise
from fairflow.vectors.word2vec_format import cut_block
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import FoundVectors

MODELS_DIR = "results/models"
# How the words of a query that is no entry of the configuration are looked up.
OWN_LOOKUP = Lookup(({}, {"lowercase": True}))


@dataclass(frozen=True)
class AskedQuery:
    """A query with its name in the configuration, and how its words are looked up."""

    name: str
    query: Query
    lookup: Lookup


def asked_queries(
    project: Project, asked: Iterable[str | Query], lookup: str | None = None
) -> list[AskedQuery]:
    """Queries of words by name, with the words of the lexicons that they use, and one's own.

    Parameters
    ----------
    asked : names, as `fairflow.command.project.meant` takes them, or queries; each counts once.
    lookup : a name in lookups.yaml that replaces the look-up of each query.

    Raises
    ------
    FairflowError : an unknown name, or a query that no word vectors can answer.
    DownloadError : a lexicon is not at hand and cannot be fetched.
    """
    where, lookups = Path(project.folder), project.contents("lookups")
    word_sets, entries = project.files("word_sets"), project.files("queries")
    # Without settings, models, metrics and studies.
    found = Configuration(where, {}, {}, {}, lookups, word_sets, entries, {})
    sets, of_sets = word_sets_of(found)
    of_words, of_queries = planned_queries(found, sets)
    if faults := [*of_sets, *of_queries]:
        raise ConfigurationError([f"{file}: {key}: {said}" for file, key, said in faults])
    others = {
        name: one.NOT_OF_WORDS
        for one in extensions("entries")
        for _, name, _ in project.entries(one.QUERIES, "queries")
    }
    chosen = lookup and meant("lookup", lookup, found.lookups)
    made: dict[str, AskedQuery] = {}
    for given in asked:
        if isinstance(given, Query):
            name, query = given.query_name, given
            how = Lookup(**found.lookups[chosen]) if chosen else OWN_LOOKUP
        else:
            name = meant("query", given, [*of_words, *others])
            if name in others:
                raise FairflowError(f"{name} {others[name]}")
            query = _query(of_words[name], sets)
            how = Lookup(**found.lookups[chosen or of_words[name].lookup])
        if name in made and made[name].query != query:
            raise FairflowError(f"two queries are called {name!r}: name their sets")
        made[name] = AskedQuery(name, query, how)
    return [*made.values()]


def load_query(name: str) -> Query:
    """A query of the configuration with its words, for notebooks.

    Its words are as they are written; `run_query(..., preprocessors=[{}, {"lowercase": True}])`
    looks them up in a model whose words are in lower case.

    Parameters
    ----------
    name : of `list_queries`; case and punctuation may differ, `weat:6` is weat_6.

    Returns
    -------
    A `Query`.

    Raises
    ------
    FairflowError : an unknown name (the message lists similar ones), or a query of items.

    Examples
    --------
    >>> from fairflow import load_query
    >>> load_query("weat:6").query_name
    'Male names and Female names wrt Career and Family'

    See also
    --------
    fairflow.list_queries : the names.
    fairflow.Query : a query of your own words.
    """
    (asked,) = asked_queries(project_here(), [name])
    return asked.query


def _query(planned: PlannedQuery, sets: Sets) -> Query:
    """A query with its words; a lexicon is where the workflow has put it, or else in the cache."""
    told = definition(planned, sets)
    for role, named in (("targets", planned.targets), ("attributes", planned.attributes)):
        for shown, reference in named.items():
            lexicon = sets[reference].get("lexicon")
            if lexicon and (name := download_name(lexicon)):
                path = Path(told[role][shown]["file"])
                if not path.is_file():
                    path = cache_folder() / "downloads" / name
                    fetch(lexicon["sources"], path, lexicon.get("checksum"), lexicon.get("bytes"))
                told[role][shown]["file"] = str(path)
    return query_of(words_of_sets(told))


@dataclass(frozen=True)
class AskedVectors:
    """The file of vectors and its options, from the command line.

    Attributes
    ----------
    place : a path; or the name of a model that is converted, bundled or of gensim.downloader.
    name : of the model in results; by default that of the file or model.
    vector_format : of the file, where its content does not tell. prefix : before each word.
    """

    place: str
    name: str | None = None
    vector_format: str | None = None
    prefix: str | None = None


@contextmanager
def opened(
    project: Project, asked: AskedVectors | WordEmbeddingModel, queries: Sequence[AskedQuery]
) -> Iterator[tuple[WordEmbeddingModel, str | None]]:
    """A model with the words of some queries, and the recognised format of its file, if any.

    Raises
    ------
    FairflowError : nothing is there, it is no table of vectors, or not converted yet.
    """
    if isinstance(asked, WordEmbeddingModel):
        yield asked, None
        return
    place = asked.place
    if is_file(project, place):
        yield _of_file(asked, queries)
        return
    model, files = _converted(project, place)
    with open_store(**files) as store:
        name, prefix = asked.name or model.name, asked.prefix or model.prefix
        yield WordEmbeddingModel(store, name, prefix), None


def is_file(project: Project, place: str) -> bool:
    """Whether a path is meant, and not a model of the catalogue."""
    # A path that exists is meant as one; and so is what looks like one.
    looks_so = {"/", "\\"} & {*place} and place not in project.contents("models")
    return bool(looks_so) or Path(place).expanduser().exists()


def model_of_file(asked: AskedVectors) -> tuple[Model, str]:
    """A file of vectors as an entry of the catalogue, and how it was recognised.

    Raises
    ------
    FairflowError : nothing is there, or it is no table of vectors.
    """
    found = recognise(asked.place, asked.vector_format)
    if found.is_network:
        raise FairflowError(
            f"{found.because}: a language model has no table of vectors to score. "
            f"'make audit MODEL={asked.place}' asks it"
        )
    return Model(Path(asked.place).name.partition(".")[0], found.entry), found.because


def _of_file(asked: AskedVectors, queries: Sequence[AskedQuery]) -> tuple[WordEmbeddingModel, str]:
    file, because = model_of_file(asked)
    wanted = {
        spelt
        for one in queries
        for words in (*one.query.target_sets, *one.query.attribute_sets, *one.query.declared.pairs)
        for word in words
        for options in one.lookup.preprocessors
        for spelt in spellings(transform_word(word, options, asked.prefix))
    }
    how = file.conversion
    vectors = find_vectors(file.file, how["format"], wanted, how["packing"], how["words"])
    return WordEmbeddingModel(vectors, asked.name or file.name, asked.prefix), because


def located(project: Project, asked: AskedVectors) -> AskedVectors:
    """The same vectors; a name that gensim.downloader has stored becomes the path of that file."""
    name, entry = asked.place, project.contents("models").get(asked.place, {})
    folder = Path(os.environ.get("GENSIM_DATA_DIR", "~/gensim-data")).expanduser()
    file = folder / name / f"{name}.gz"
    converted = is_converted(Model(name, entry), project.main.get("models_dir", MODELS_DIR))
    if converted or is_file(project, name) or not file.is_file():
        return asked
    prefix = asked.prefix or entry.get("vocab_prefix")
    return replace(asked, place=str(file), name=asked.name or name, prefix=prefix)


def _converted(project: Project, place: str) -> tuple[Model, dict[str, Any]]:
    """A model of the catalogue and its files; a bundled one is fetched into the user's cache."""
    catalogue = project.contents("models")
    name = place if place in catalogue else SHORT_NAMES.get(place, place)
    try:
        model = models_of(catalogue, kind=Model)[meant("model", name, catalogue)]
    except FairflowError as error:
        raise FairflowError(f"there is no file {place!r}, and {error}") from error
    store = project.main.get("models_dir", MODELS_DIR)
    files = model.store_files(store)
    needed = [*(files[key] for key in CONVERTED), *files["derivations"]]
    if all(Path(file).is_file() for file in needed):
        return model, files
    if is_bundled(entry := model.entry):
        promised = {"checksum": entry["checksum"], "size": entry.get("bytes")}
        how, bring = model.conversion, partial(fetch, entry["sources"], **promised)
        folder = cached_folder(model.name, bring, how.pop("format"), **how)
        return model, {key: str(folder / name) for key, name in CONVERTED.items()}
    advice = how_to_get(model.name, entry, model.own_files(store)[-1])
    raise FairflowError(f"{model.name} is not here: {advice}")


def find_vectors(
    source: str | Path,
    vector_format: str,
    forms: Collection[str],
    packing: Mapping[str, Any] | None = None,
    words: Mapping[str, Any] | None = None,
) -> FoundVectors:
    """The vectors of some forms in float32, as in a converted model; nothing is written.

    The whole file is read and checked, a block at a time, so that of a stream of text or binary no
    more than some megabytes are held.

    Parameters
    ----------
    source, vector_format, packing, words : as for `fairflow.vectors.convert.convert`.

    Raises
    ------
    DownloadError, VectorFormatError : the file is not what it should be.
    """
    found: dict[str, np.ndarray] = {}
    copy, records = copied(source, vector_format, packing, words)
    start = 0
    for rows, data in records:
        places: dict[str, int] = {}
        for word, _, offset in rows:
            # Of equal words the first, as in a converted model.
            if word in forms and word not in found:
                places.setdefault(word, offset - start)
        if places:
            binary = vector_format not in TEXTS
            vectors = cut_block(data, [*places.values()], copy.dims, binary)
            found.update(zip(places, vectors, strict=True))
        start += len(data)
    return FoundVectors(found, copy.dims)
