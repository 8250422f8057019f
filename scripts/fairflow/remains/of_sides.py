"""Findings on the sides that words leaned to before: do they still lie together?"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from fairflow.remains import named_tests as tests
from fairflow.remains.findings import FEWEST, Answers, Finding, undefined
from fairflow.remains.limited_model import LimitedModel
from fairflow.remains.settings import Settings
from fairflow.vectors.hidden_bias import (
    classifier_accuracies,
    cluster_accuracies,
    most_leaning,
    neighbours_on_first_side,
)


def hidden_findings(limited: LimitedModel, settings: Settings) -> Iterator[Finding]:
    """Clusters, neighbours and classifier of words by the side that they leaned to before."""
    known = {"covered": len(limited.words), "total": limited.total}
    if isinstance(limited.leaning, str):
        yield from undefined(tests.HIDDEN, limited.leaning, **known)
        return
    if len(limited.words) < 2 * FEWEST:
        why = f"only {len(limited.words)} words of the limited vocabulary"
        yield from undefined(tests.HIDDEN, why, **known)
        return
    yield _accuracies(
        tests.CLUSTERS,
        limited,
        settings.clustered,
        lambda *sides: cluster_accuracies(*sides, settings.runs, settings.starts, settings.seed),
    )
    yield from _neighbours(limited, settings)
    yield _accuracies(
        tests.CLASSIFIER,
        limited,
        settings.classified,
        lambda *sides: classifier_accuracies(
            *sides, _trained(settings, len(sides[0])), settings.runs, settings.seed
        ),
    )


def _trained(settings: Settings, of_a_side: int) -> int:
    """Words that the classifier learns from: the same share of fewer words."""
    share = settings.trained / settings.classified
    return min(settings.trained, max(2, round(2 * of_a_side * share)))


def _accuracies(
    test: str, limited: LimitedModel, number: int, measured: Callable[..., np.ndarray]
) -> Finding:
    rows = most_leaning(limited.leaning, number // 2)
    accuracies = measured(*(limited.directions[side] for side in rows))
    n = sum(map(len, rows))
    note = f"of {n} instead of {number} words, as there are no more" if n < number else ""
    return Finding(
        test,
        runs=tuple(accuracies.tolist()),
        n=n,
        covered=len(limited.words),
        total=limited.total,
        chance=0.5,
        note=note,
    )


def _neighbours(limited: LimitedModel, settings: Settings) -> Iterator[Finding]:
    """Of all words, and of professions, which are counted once for both."""
    n = len(limited.words)
    if n <= settings.neighbours:
        why = f"only {n} words, which have no {settings.neighbours} neighbours each"
        yield from undefined(tests.HIDDEN[1:3], why, covered=n, total=limited.total)
        return
    counts = neighbours_on_first_side(
        limited.directions, limited.leaning > 0, np.arange(n), settings.neighbours
    )
    places = limited.places_of(list(dict.fromkeys(settings.professions)))
    for test, rows, total in (
        (tests.NEIGHBOURS, np.arange(n), limited.total),
        (tests.PROFESSIONS, places, len(set(settings.professions))),
    ):
        known = {"covered": len(rows), "total": total}
        if len(rows) < FEWEST:
            yield from undefined([test], f"only {len(rows)} of these words are there", **known)
            continue
        answers = Answers(
            limited.numbers[rows], limited.leaning[rows].astype(float), counts[rows].astype(float)
        )
        yield Finding(test, answers=answers, n=len(rows), chance=0.0, **known)
