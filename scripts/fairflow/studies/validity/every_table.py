"""All tables of validity of a study, model by model, so that one model is in memory at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from fairflow.studies.validity.base_pairs import pair_agreement, pair_swap
from fairflow.studies.validity.checks import checks, details
from fairflow.studies.validity.consistency import reliability
from fairflow.studies.validity.eat_patterns import eat_patterns
from fairflow.studies.validity.evidence import (
    Evidence,
    Read,
    metric_choice,
    read_concepts,
    read_contrast,
    read_words,
)
from fairflow.studies.validity.frequency import frequency
from fairflow.studies.validity.seed_sets import seed_swap
from fairflow.studies.validity.yardsticks import yardsticks
from fairflow.vectors.word_frequency import read_language_list

OF_A_MODEL = (
    *(yardsticks, pair_agreement),
    *(pair_swap, reliability, seed_swap, eat_patterns),
)


def read_evidence(
    files: Mapping[str, Sequence[str]],
    slices: Sequence[Sequence[str]],
    words: Sequence[str],
    concepts: Mapping[str, Any],
    criteria: Mapping[str, str],
    sets: Mapping[str, Sequence[Sequence[str]]],
    metrics: Mapping[str, Mapping[str, Any]],
    seed: int,
    derived: Mapping[str, str],
) -> Evidence:
    """What the tables are made from; slices are read when they are needed.

    Parameters
    ----------
    files : "slices", "words" and "shares", paths; the first two in the order of their names.
    slices : model and query of each slice. words : the model of each slice of validity's words.
    concepts, criteria, sets, metrics, seed, derived : see `Evidence`, as plain values.
    """
    shares: dict[str, float] = {}
    for path in files["shares"]:
        shares |= read_language_list(path)
    names = [(model, query) for model, query in slices]
    return Evidence(
        concepts=read_concepts(concepts),
        words=Read(dict(zip(words, files["words"], strict=True)), read_words),
        slices=Read(dict(zip(names, files["slices"], strict=True)), read_contrast),
        criteria=criteria,
        sets={query: (tuple(targets), tuple(others)) for query, (targets, others) in sets.items()},
        metrics={name: metric_choice(name, **how) for name, how in metrics.items()},
        frequency=shares,
        seed=seed,
        derived=derived,
    )


def validity_tables(evidence: Evidence, scores: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The tables yardsticks, seed_swap, eat_patterns and checks, by name.

    Parameters
    ----------
    scores : the study's table of scores.
    """
    made: dict[str, list[pd.DataFrame]] = {}
    for model in evidence.models:
        one = evidence.of(model)
        for make in OF_A_MODEL:
            made.setdefault(make.__name__, []).append(make(one))
        of_model = scores[scores["model"] == model]
        made.setdefault("frequency", []).append(frequency(one, of_model))
    tables = {name: pd.concat(frames, ignore_index=True) for name, frames in made.items()}
    labels = {name: concept.label for name, concept in evidence.concepts.items()}
    graded = checks(tables, scores, labels, evidence.derived)
    shown = {name: tables[name] for name in ("yardsticks", "seed_swap", "eat_patterns")}
    return shown | {"checks": pd.concat([graded, details(tables, labels)], ignore_index=True)}
