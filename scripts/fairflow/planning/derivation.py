"""Models that come from other models: whom each comes from in the end, and what forbids it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.planning.catalogue import Model
from fairflow.transforms import transform_class


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


def models_of(catalogue: Mapping[str, Mapping[str, Any]]) -> dict[str, Model]:
    """The models of a catalogue by name, each with the one that it is derived from."""
    models: dict[str, Model] = {}
    for name in catalogue:
        for each in reversed(ancestry(name, catalogue)):
            if entry := catalogue.get(each):
                base = models.get(entry.get("derive", {}).get("from"))
                models.setdefault(each, Model(each, entry.get("label", each), entry, base))
    return {name: models[name] for name in catalogue}


def source_needed(model: Model, is_there: Callable[[str], bool]) -> Model | None:
    """The model whose source is needed to have a model; None if it is there, or one on the way is.

    Parameters
    ----------
    is_there : whether the vectors of a model, given by its name, are there.
    """
    if is_there(model.name):
        return None
    return source_needed(model.base, is_there) if model.base else model


def derivation_problems(models: Mapping[str, Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each fault: an unknown base or transform, wrong parameters, a circle."""
    told: set[str] = set()
    for name, entry in models.items():
        if "derive" not in entry:
            continue
        derived = entry["derive"]
        yield from _transform_problems(name, derived)
        names = ancestry(name, models)
        if derived["from"] not in models:
            hint = nearest(derived["from"], models)
            yield f"{name}.derive.from", f"no model {derived['from']!r} to derive it from. {hint}"
        elif models.get(names[-1], {}).get("derive", {}).get("from") == name and name not in told:
            told.update(names)
            circle = " from ".join([*names, name])
            yield (
                f"{name}.derive.from",
                f"{circle}: a circle, in which nothing has vectors; let one of these models come "
                "from a model that has sources",
            )


def _transform_problems(name: str, derived: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    try:
        problems = transform_class(derived["transform"]).problems(derived.get("parameters", {}))
    except ConfigurationError as error:
        for sentence in error.problems:
            yield f"{name}.derive.transform", sentence
        return
    for sentence in problems:
        yield f"{name}.derive.parameters", sentence
