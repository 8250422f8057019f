"""Faults of the catalogues of models that schemas cannot express."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.language_models.checkpoints.model_folder import folder_problem
from fairflow.planning.catalogue import Catalogue, ancestry, missing_file
from fairflow.planning.configuration import Configuration, Fault, unknown_names
from fairflow.planning.models import (
    ANSWERS,
    NONE,
    PACKED,
    VECTORS,
    PlannedLanguageModel,
    is_converted,
    parts_of,
)
from fairflow.planning.named_sets import Sets, read_named
from fairflow.planning.queries import ItemQuery
from fairflow.planning.result_files import items_file, manifest_file
from fairflow.planning.study import Entries, Study
from fairflow.transforms import transform_class

Faults = Iterator[Fault]
KeyFaults = Iterator[tuple[str, str]]
FILE, LANGUAGE = "models.yaml", "language_models.yaml"
_OF_SENTENCES = "{transform} learns from sentences, and a table of word vectors has no sentences"
_OF_A_LIST = (
    "{transform}, with these parameters, changes words one by one or reads all vectors of a model, "
    "and a language model has a vector of any text: take one that changes all texts alike, such as "
    "sentence_debias, or hard_debias with equalise: [] and specific: []"
)


def table_faults(models: Catalogue, word_sets: Sets) -> KeyFaults:
    """Names of other models and of word sets."""
    for name, entry in models.items():
        if "vectors_of" in entry:
            others = [model for model in models if model != name]
            yield from unknown_names(f"{name}.vectors_of", [entry["vectors_of"]], others)
    yield from derivation_problems(models, word_sets)


def local_faults(
    configuration: Configuration, entries: Entries, studies: Iterable[Study], answered: bool = True
) -> Faults:
    """The user's own files that studies need and that are missing or of another size.

    An unpacked archive needs no such file.

    Parameters
    ----------
    answered : whether files of answers are needed.
    """
    main = configuration.main
    if main.get("archive", False):
        return
    folder = main.get("models_dir", "results/models")
    used = dict.fromkeys(name for study in studies for name in study.models)
    asked = {name for study in studies for name in study.queries}
    planned = [entries.models[name] for name in used if name in entries.models]
    tables = [one for one in planned if one.kind == VECTORS and not is_converted(one, folder)]
    own = {one.origin.name: (FILE, one.origin.name) for one in tables} | configuration.stated
    origins = {own[one.origin.name]: one.origin for one in tables}
    for (file, name), model in origins.items():
        words = model.entry.get("words")
        yield from _missing_source(file, name, model.entry)
        if words and not Path(words).is_file():
            sentence = f"there is no file {words}: put it there, or correct the path"
            yield Fault(file, f"{name}.words", sentence)
    for model in {one.origin.name: one.origin for one in planned if one.kind != VECTORS}.values():
        if model.source == PACKED and not Path(manifest_file(model.name)).is_file():
            yield from _missing_source(LANGUAGE, model.name, model.entry)
        for path in model.answer_files if answered else ():
            if not Path(path).is_file():
                how = "the questions are written by fairflow ask STUDY > questions.jsonl"
                sentence = f"there is no file {path}: put the answers there; {how}"
                yield Fault(LANGUAGE, f"{model.name}.answers", sentence)
    for name, query in entries.queries.items():
        published = query.published if isinstance(query, ItemQuery) and name in asked else None
        if published and not Path(items_file(name)).is_file():
            file = f"language_queries/{query.listed_in}.yaml"
            yield from _missing_source(file, f"queries.{name}.published", published)


def _missing_source(file: str, key: str, entry: Mapping[str, Any]) -> Faults:
    if problem := missing_file(entry):
        yield Fault(file, f"{key}.sources", problem)


def language_model_faults(
    configuration: Configuration, models: Mapping[str, PlannedLanguageModel], word_sets: Sets
) -> KeyFaults:
    """Faults of the entries of language models and of the files that they name.

    Parameters
    ----------
    models : those of all entries.
    """
    yield from derivation_problems(configuration.language_models, word_sets, of_texts=True)
    archived = configuration.main.get("archive", False)
    queries = {name for file in configuration.language_queries.values() for name in file["queries"]}
    for name, model in models.items():
        entry = model.entry
        if isinstance(given := entry.get("answers"), Mapping):
            yield from unknown_names(f"{name}.answers", given, queries, "query of items")
        if name in configuration.models:
            yield name, "models.yaml has a model of this name"
        if "derive" in entry and ANSWERS in model.origin.entry:
            yield (
                name,
                f"derive.from: {model.origin.name} has given answers and no vectors to change: "
                "name a model that can be run",
            )
        checked = "folder" in entry and not archived
        if checked and (wrong := folder_problem(entry["folder"], model.kind)):
            yield name, wrong


def derivation_problems(
    models: Catalogue, word_sets: Sets = NONE, of_texts: bool = False
) -> KeyFaults:
    """(key, sentence) of each fault: an unknown base or transform, wrong parameters, a circle.

    Parameters
    ----------
    word_sets : those that parameters may name, FILE:SET -> entry.
    of_texts : whether these are language models.
    """
    reported: set[str] = set()
    for name, entry in models.items():
        if "derive" not in entry:
            continue
        derived = entry["derive"]
        yield from _transform_problems(name, derived, word_sets, of_texts)
        names = ancestry(name, models)
        if derived["from"] not in models:
            hint = nearest(derived["from"], [model for model in models if model != name])
            yield f"{name}.derive.from", f"no model {derived['from']!r} to derive it from. {hint}"
        elif (
            models.get(names[-1], {}).get("derive", {}).get("from") == name and name not in reported
        ):
            reported.update(names)
            circle = " from ".join([*names, name])
            yield (
                f"{name}.derive.from",
                f"{circle}: a circle, in which nothing has vectors; let one of these models come "
                "from a model that has sources",
            )


def _transform_problems(
    name: str, derived: Mapping[str, Any], word_sets: Sets, of_texts: bool
) -> Iterator[tuple[str, str]]:
    transform, _, given = parts_of(derived)
    try:
        made = transform_class(transform)
    except ConfigurationError as error:
        for sentence in error.problems:
            yield f"{name}.derive.transform", sentence
        return
    found = read_named(given, made.word_sets, word_sets)
    sentences = found.problems or made.problems(found.values)
    for sentence in sentences:
        yield f"{name}.derive", sentence
    if made.of_sentences and not of_texts:
        yield f"{name}.derive.transform", _OF_SENTENCES.format(transform=transform)
    elif of_texts and not sentences and made(**found.values).training_texts() is None:
        yield f"{name}.derive.transform", _OF_A_LIST.format(transform=transform)
