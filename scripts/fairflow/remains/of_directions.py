"""Findings on the direction of the pairs: how far do words lie along it?

Direct bias is the mean of |cos(w, b)| over words that should be neutral (Bolukbasi et al. 2016,
with c = 1); indirect bias is the share of the similarity of two words that goes back to b.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fairflow.errors import FairflowError
from fairflow.remains import named_tests as tests
from fairflow.remains.findings import Answers, Finding, undefined
from fairflow.remains.limited_model import LimitedModel
from fairflow.remains.settings import Settings
from fairflow.vectors.bias_subspace import BiasSubspace, bias_subspace, indirect_bias
from fairflow.vectors.hidden_bias import nearest_rows
from fairflow.vectors.most_frequent import directions
from fairflow.vectors.word_rows import WordRows


def visible_findings(
    model: WordRows, before: WordRows, limited: LimitedModel, settings: Settings
) -> Iterator[Finding]:
    """Direct and indirect bias, and how much of the pairs' differences is one direction."""
    neutral = settings.neutral
    found = [number for number, word in enumerate(neutral) if word in model]
    known = {"covered": len(found), "total": len(neutral)}
    vectors, usable = directions(model.vectors([neutral[number] for number in found]))
    numbers, vectors = np.array(found, dtype=np.int64)[usable], vectors[usable].astype(float)
    own = _direction(model, settings.pairs)
    old = own if model is before else _direction(before, settings.pairs)
    if not isinstance(old, str) and model.dims != before.dims:
        old = f"vectors of {model.dims} numbers have no direction of {before.dims}"
    for test, direction in ((tests.DIRECT, own), (tests.DIRECT_BEFORE, old)):
        if why := _why_not(direction, len(numbers)):
            yield from undefined([test], why, **known)
            continue
        answers = _mean_of(numbers, np.abs(vectors @ direction.basis[0]))
        yield Finding(test, answers=answers, n=len(numbers), chance=0.0, **known)
    yield _indirect(limited, own, settings)
    yield _explained(own, model, settings.pairs)


def _why_not(direction: BiasSubspace | str, words: int) -> str:
    if isinstance(direction, str):
        return direction
    return "" if words else "the model has none of the professions that should be neutral"


def _direction(model: WordRows, pairs: Sequence[Sequence[str]]) -> BiasSubspace | str:
    """The direction of the pairs that a model has, or why there is none."""
    if not pairs:
        return "the study names no pairs of words: name a set under remains"
    whole = [list(pair) for pair in pairs if all(word in model for word in pair)]
    if not whole:
        return "the model has no pair whole"
    units = [directions(model.vectors(pair)) for pair in whole]
    sets = [vectors.astype(float) for vectors, usable in units if usable.all()]
    try:
        return bias_subspace(sets, name="pairs") if sets else "the pairs have no direction"
    except FairflowError as error:
        return str(error)


def _mean_of(numbers: np.ndarray, given: np.ndarray) -> Answers:
    return Answers(numbers, np.ones(len(given)), given)


def _indirect(limited: LimitedModel, own: BiasSubspace | str, settings: Settings) -> Finding:
    """Of each neutral profession, the mean size with the words nearest to it."""
    neutral = settings.neutral
    places = limited.places_of(neutral)
    known = {"covered": len(places), "total": len(neutral)}
    if why := _why_not(own, len(places)):
        return undefined([tests.INDIRECT], why, **known)[0]
    near = nearest_rows(limited.directions, places, min(settings.near, len(limited.words) - 1))
    exact = limited.directions.astype(float)
    values = np.array(
        [
            np.abs(indirect_bias(exact[rows], exact[place], own.basis[0])).mean()
            for place, rows in zip(places, near, strict=True)
        ]
    )
    usable = np.isfinite(values)
    note = f"with the {near.shape[1]} words nearest to each"
    answers = _mean_of(limited.numbers[places][usable], values[usable])
    return Finding(
        tests.INDIRECT, answers=answers, n=int(usable.sum()), chance=0.0, note=note, **known
    )


def _explained(own: BiasSubspace | str, model: WordRows, pairs: Sequence[Sequence[str]]) -> Finding:
    whole = sum(all(word in model for word in pair) for pair in pairs)
    known = {"covered": whole, "total": len(pairs)}
    if isinstance(own, str):
        return undefined([tests.EXPLAINED], own, **known)[0]
    shuffled = own.shuffled or {}
    note = (
        f"of shuffled pairs 95 % reach no more than {shuffled['percentile_95']:.2f}"
        if shuffled
        else ""
    )
    return Finding(
        tests.EXPLAINED,
        value=float(own.explained[0]),
        n=whole,
        chance=shuffled.get("mean", float("nan")),
        note=note,
        **known,
    )
