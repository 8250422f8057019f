"""The vectors that a command names: a file of any format, or a model that is converted already."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fairflow.command.asked_queries import AskedQuery
from fairflow.command.names import meant
from fairflow.command.project import Project
from fairflow.errors import FairflowError
from fairflow.planning.catalogue import CONVERTED, Model
from fairflow.planning.derivation import models_of
from fairflow.queries.preprocessing import transform_word
from fairflow.vectors.derived_store import open_store
from fairflow.vectors.found_vectors import find_vectors
from fairflow.vectors.recognition import recognise
from fairflow.vectors.word_embedding_model import WordEmbeddingModel


@dataclass(frozen=True)
class AskedVectors:
    """What was written on the command line.

    Attributes
    ----------
    place : a path, or the name of a model that is converted already.
    name : of the model in results; by default that of the file or model.
    vector_format : of the file, where its content does not tell. prefix : before each word.
    """

    place: str
    name: str | None = None
    vector_format: str | None = None
    prefix: str | None = None


@contextmanager
def opened(
    project: Project, asked: AskedVectors, queries: Sequence[AskedQuery]
) -> Iterator[tuple[WordEmbeddingModel, str | None]]:
    """A model that holds the words of some queries, and as what its file was recognised.

    Raises
    ------
    FairflowError : nothing is there, it is no table of vectors, or not converted yet.
    """
    if not _names_a_model(project, asked.place):
        yield _of_file(asked, queries)
        return
    model, files = _converted(project, asked.place)
    with open_store(**files) as store:
        name, prefix = asked.name or model.name, asked.prefix or model.prefix
        yield WordEmbeddingModel(store, name, prefix), None


def _names_a_model(project: Project, place: str) -> bool:
    """A path that exists is meant as one; and so is what looks like one."""
    if Path(place).expanduser().exists():
        return False
    return place in project.contents("models") or not {"/", "\\"} & {*place}


def _of_file(asked: AskedVectors, queries: Sequence[AskedQuery]) -> tuple[WordEmbeddingModel, str]:
    found = recognise(asked.place, asked.vector_format)
    if found.is_network:
        raise FairflowError(
            f"{found.because}: a language model has no table of vectors to score. "
            f"'make audit MODEL={asked.place}' asks it"
        )
    file = Model(Path(asked.place).name.partition(".")[0], "", found.entry)
    wanted = {
        transform_word(word, options, asked.prefix)
        for one in queries
        for words in (
            *one.query.target_sets,
            *one.query.attribute_sets,
            *one.query.declared.pairs,
        )
        for word in words
        for options in one.lookup.preprocessors
    }
    how = file.conversion
    vectors = find_vectors(file.file, how["format"], wanted, how["packing"], how["words"])
    return WordEmbeddingModel(vectors, asked.name or file.name, asked.prefix), found.because


def _converted(project: Project, place: str) -> tuple[Model, dict[str, str | list[str]]]:
    catalogue = project.contents("models")
    try:
        model = models_of(catalogue)[meant("model", place, catalogue)]
    except FairflowError as error:
        raise FairflowError(f"there is no file {place!r}, and {error}") from error
    store = project.main.get("models_dir", "results/models")
    files = model.store_files(store)
    needed = [*(files[key] for key in CONVERTED), *files["derivations"]]
    if not all(Path(file).is_file() for file in needed):
        raise FairflowError(
            f"{model.name} is not converted in {store}: run 'snakemake --cores 1 "
            f"{model.own_files(store)[-1]}' where the Snakefile is, or name a file of vectors"
        )
    return model, files
