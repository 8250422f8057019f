"""A study as it is written: its preset filled in, its models sorted into present and absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairflow.errors import nearest
from fairflow.planning.availability import FAIL, PACKAGES, SKIP, why_absent
from fairflow.planning.configuration import Configuration

PRESET_KEYS = ("metrics", "criteria", "aggregation")


@dataclass
class StudyEntry:
    """What a study's file says, resolved.

    Attributes
    ----------
    entry : title, metrics, criteria, aggregation and whatever else the file says.
    models : those of this run. absent : model -> why it is not in this run.
    problems : (key, sentence) of each fault.
    """

    entry: dict[str, Any]
    models: tuple[str, ...] = ()
    absent: dict[str, str] = field(default_factory=dict)
    problems: list[tuple[str, str]] = field(default_factory=list)


def resolve_entry(entry: Mapping[str, Any], configuration: Configuration) -> StudyEntry:
    """Fill in the preset and sort the models; without the key on_missing_model all are wanted."""
    found = StudyEntry(dict(entry))
    _fill_in_preset(found, configuration)
    _sort_models(found, configuration)
    return found


def _fill_in_preset(found: StudyEntry, configuration: Configuration) -> None:
    name = found.entry.get("preset")
    if name is None:
        return
    preset = configuration.presets.get(name)
    if preset is None:
        hint = nearest(name, configuration.presets)
        found.problems.append(("preset", f"unknown name {name!r}. {hint}"))
        found.entry |= {"metrics": [], "criteria": {}, "aggregation": "avg"}
        return
    found.entry |= {key: preset[key] for key in PRESET_KEYS}
    lookups = {
        query: contents.get("lookup", "as_written")
        for contents in configuration.queries.values()
        for query in contents["queries"]
    }
    for query in (q for group in preset["criteria"].values() for q in group):
        if lookups.get(query, preset["lookup"]) != preset["lookup"]:
            found.problems.append(
                (
                    "preset",
                    f"query {query!r} is sought {lookups[query]}, but {name} fixes the look-up "
                    f"{preset['lookup']}",
                )
            )


def _sort_models(found: StudyEntry, configuration: Configuration) -> None:
    fetch = configuration.main.get("fetch", PACKAGES)
    policy = found.entry.get("on_missing_model")
    models = []
    for model in found.entry["models"]:
        known = policy is not None and model in configuration.models
        reason = why_absent(model, configuration.models, fetch) if known else None
        if reason is None:
            models.append(model)
        elif policy == FAIL:
            found.problems.append(("models", f"{model} is {reason}"))
        else:
            found.absent[model] = reason
    if not models and not found.problems:
        reasons = "; ".join(f"{model} is {reason}" for model, reason in found.absent.items())
        found.problems.append(
            ("models", f"none can be used in this run ({reasons}): leave the study out")
        )
    found.models = tuple(models)


def skips_absent(entry: Mapping[str, Any]) -> bool:
    """Whether the published numbers of absent models are left out, too."""
    return entry.get("on_missing_model") == SKIP
