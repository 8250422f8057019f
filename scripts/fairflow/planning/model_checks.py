"""Faults of the catalogues of models that schemas cannot express."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions
from fairflow.errors import ConfigurationError, nearest
from fairflow.planning.catalogue import Catalogue, ancestry, missing_file
from fairflow.planning.configuration import Configuration, Fault, unknown_names
from fairflow.planning.models import NONE, VECTORS, is_converted, parts_of
from fairflow.planning.named_sets import Sets, read_named
from fairflow.planning.study import Entries, Study
from fairflow.transforms import transform_class

Faults = Iterator[Fault]
KeyFaults = Iterator[tuple[str, str]]
FILE = "models.yaml"
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
    configuration: Configuration, entries: Entries, studies: Iterable[Study]
) -> Faults:
    """The user's own files that studies need and that are missing or of another size.

    An unpacked archive needs no such file.
    """
    main = configuration.main
    if main.get("archive", False):
        return
    folder = main.get("models_dir", "results/models")
    used = dict.fromkeys(name for study in studies for name in study.models)
    planned = [entries.models[name] for name in used if name in entries.models]
    tables = [one for one in planned if one.kind == VECTORS and not is_converted(one, folder)]
    own = {one.origin.name: (FILE, one.origin.name) for one in tables} | configuration.stated
    origins = {own[one.origin.name]: one.origin for one in tables}
    for (file, name), model in origins.items():
        words = model.entry.get("words")
        yield from missing_source(file, name, model.entry)
        if words and not Path(words).is_file():
            sentence = f"there is no file {words}: put it there, or correct the path"
            yield Fault(file, f"{name}.words", sentence)
    for extension in additions("plan"):
        yield from extension.local_faults(configuration, entries, studies)


def missing_source(file: str, key: str, entry: Mapping[str, Any]) -> Faults:
    """The fault of an entry whose own file is missing or of another size."""
    if problem := missing_file(entry):
        yield Fault(file, f"{key}.sources", problem)


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
