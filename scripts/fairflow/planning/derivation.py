"""Models that come from other models: whom each comes from in the end, and what forbids it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.planning.catalogue import Model, parts_of
from fairflow.planning.named_sets import naming_problems, with_words
from fairflow.transforms import transform_class

NONE: Mapping[str, Mapping[str, Any]] = {}


def ancestry(model: str, models: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """A model, the one that it is derived from, and so on; in a circle each model once.

    Parameters
    ----------
    models : the catalogue. The last name may be none of it.
    """
    names = [model]
    while (derived := models.get(names[-1], {}).get("derive")) and derived["from"] not in names:
        names.append(derived["from"])
    return names


def models_of(
    catalogue: Mapping[str, Mapping[str, Any]],
    word_sets: Mapping[str, Mapping[str, Any]] = NONE,
) -> dict[str, Model]:
    """The models of a catalogue by name, each with the one that it is derived from.

    Parameters
    ----------
    word_sets : those that parameters of transforms may name, FILE:SET -> entry.
    """
    models: dict[str, Model] = {}
    for name in catalogue:
        for each in reversed(ancestry(name, catalogue)):
            if entry := catalogue.get(each):
                base = models.get(entry.get("derive", {}).get("from"))
                models.setdefault(
                    each, Model(each, entry.get("label", each), entry, base, word_sets)
                )
    return {name: models[name] for name in catalogue}


def source_needed(model: Model, is_there: Callable[[str], bool]) -> Model | None:
    """The model whose source is needed to have a model; None if that is converted already.

    Parameters
    ----------
    is_there : whether a model with a source, given by its name, is converted.
    """
    return None if is_there(model.origin.name) else model.origin


def derivation_problems(
    models: Mapping[str, Mapping[str, Any]],
    word_sets: Mapping[str, Mapping[str, Any]] = NONE,
    language_models: Collection[str] = (),
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each fault: an unknown base or transform, wrong parameters, a circle.

    Parameters
    ----------
    word_sets : those that parameters may name, FILE:SET -> entry. language_models : names that are
        no base.
    """
    told: set[str] = set()
    for name, entry in models.items():
        if "derive" not in entry:
            continue
        derived = entry["derive"]
        yield from _transform_problems(name, derived, word_sets)
        names = ancestry(name, models)
        if derived["from"] not in models:
            hint = nearest(derived["from"], [model for model in models if model != name])
            if derived["from"] in language_models:
                hint = "It is a language model, which has no table of vectors to change. " + hint
            yield f"{name}.derive.from", f"no model {derived['from']!r} to derive it from. {hint}"
        elif models.get(names[-1], {}).get("derive", {}).get("from") == name and name not in told:
            told.update(names)
            circle = " from ".join([*names, name])
            yield (
                f"{name}.derive.from",
                f"{circle}: a circle, in which nothing has vectors; let one of these models come "
                "from a model that has sources",
            )


def _transform_problems(
    name: str, derived: Mapping[str, Any], word_sets: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, str]]:
    transform, _, given = parts_of(derived)
    try:
        made = transform_class(transform)
    except ConfigurationError as error:
        for sentence in error.problems:
            yield f"{name}.derive.transform", sentence
        return
    if "parameters" in given:
        beside = "what a transform takes stands beside from and transform: move it one level up"
        yield f"{name}.derive.parameters", beside
        return
    sentences = [*naming_problems(given, made.word_sets, word_sets)]
    sentences = sentences or made.problems(with_words(given, made.word_sets, word_sets))
    for sentence in sentences:
        yield f"{name}.derive", sentence
