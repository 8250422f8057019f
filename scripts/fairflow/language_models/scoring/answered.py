"""Answers in text, or given as log-likelihoods: their outcomes, and the scores of those read.

An answer that is not read has no score: it is not taken for an unbiased one. The shares of the
outcomes are separate measures, over all answers, with intervals by cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np

from fairflow.language_models.errors import CUT, EMPTY, MISSING, NOT_PARSABLE, REFUSED, Invalid
from fairflow.language_models.items.asking import choice_of
from fairflow.language_models.items.item import Item
from fairflow.language_models.items.item_set import KINDS, RANK, ItemSet
from fairflow.language_models.scoring.item_metric import (
    ANSWERS,
    CAUSAL,
    ItemMetric,
    ItemScores,
    Measured,
    item_scores,
)
from fairflow.language_models.scoring.read_text import declines, refuses
from fairflow.language_models.slices.answers import Completion, ScoredText
from fairflow.statistics.counts import Counts
from fairflow.statistics.resampling_statistic import means_of

# The outcome of an answer -> the measure that is its share, in percent of all answers.
OUTCOMES = {
    "ok": "answers_read",
    REFUSED: "answers_refused",
    NOT_PARSABLE: "answers_not_parsable",
    EMPTY: "answers_empty",
    CUT: "answers_cut",
    MISSING: "answers_missing",
}
# A score that rests on a smaller share of the answers, in percent, is not ranked.
FEWEST_READ = 90
# Behind the name of a measure: its value if no lost answer were biased, and if each were.
LOST_FAIR, LOST_BIASED = "_lost_fair", "_lost_biased"


def measured(
    metric: ItemMetric, items: ItemSet, slice_: Sequence[Any], model_kind: str
) -> Measured:
    """The measures of a metric, of tokens, of completions, or of answers in text.

    Parameters
    ----------
    slice_ : of `fairflow.language_models.slices.slices.Answers.read`.
    """
    in_text = model_kind == ANSWERS or KINDS[items.kind].slice_ == "completions"
    if not in_text or (items.kind == "prompt" and model_kind != ANSWERS):
        return metric.measure(items, slice_, model_kind)
    if items.kind == "prompt":
        return _completed(metric, items, slice_)
    if any(one.likelihoods for one in slice_):
        found = metric.measure(items, [*_scored_texts(metric, items, slice_)], CAUSAL)
        return _with_outcomes(metric, found, found.scores)
    scores, _ = _scored(metric, metric.item_value, items, slice_, partial(_read, metric))
    return _with_outcomes(metric, metric.summary(scores, scores.items), scores)


def _with_outcomes(metric: ItemMetric, found: Measured, scores: ItemScores) -> Measured:
    """Measures with the outcomes of the answers; too few are read for a ranking, perhaps."""
    outcomes = _outcomes(scores)
    share = outcomes.measures[OUTCOMES["ok"]]
    what = f"percent of the {len(scores.items)} answers that are read"
    counts = Counts(share, what, FEWEST_READ, _bounds(metric, found))
    if found.counts:
        few = {"number": share, "what": what, "minimum": FEWEST_READ} if counts.few else {}
        counts = replace(found.counts, **few)
    return replace(found, counts=counts, outcomes=outcomes)


def _bounds(metric: ItemMetric, found: Measured) -> dict[str, float]:
    """What the tested measures would be if all lost answers were fair, and if all were biased."""
    scores = found.scores
    if scores.ok.all() or not scores.ok.any() or not metric.if_lost(scores.items[0]):
        return {}

    def measures(place: int) -> Mapping[str, float]:
        """The measures with one of the values in place of those that are lost."""
        each = [metric.if_lost(one)[place] for one in scores.items]
        columns = {
            name: np.where(scores.ok, own, [one.get(name, np.nan) for one in each])
            for name, own in {**scores.columns, scores.measure: scores.values}.items()
        }
        values = columns.pop(scores.measure)
        every = replace(scores, values=values, columns=columns, statuses=("ok",) * len(each))
        return metric.summary(every, every.items).measures

    ends = {LOST_FAIR: measures(0), LOST_BIASED: measures(1)}
    return {f"{name}{one}": ends[one][name] for name in found.tested_measures for one in ends}


def _completed(metric: ItemMetric, items: ItemSet, answers: Sequence[Completion]) -> Measured:
    """The measures of a metric that counts words, of answers neither refused nor empty."""
    scores, given = _scored(metric, "answered", items, answers, _text_of)
    outcome = zip(scores.statuses, scores.reasons, given, strict=True)
    kept = [replace(a, status=s, reason=r) for s, r, a in outcome if a is not None]
    return _with_outcomes(metric, metric.measure(items, kept, ANSWERS), scores)


def _text_of(item: Item, answer: Completion | None) -> Mapping[str, float]:
    text = _given_text(answer)
    if declines(text):
        raise Invalid(REFUSED, f"the answer is a refusal: {_beginning(text)}")
    return {"answered": 1.0}


def _scored(
    metric: ItemMetric,
    measure: str,
    items: ItemSet,
    answers: Iterable[Completion],
    read: Callable[[Item, Completion | None], Mapping[str, float]],
) -> tuple[ItemScores, list[Completion | None]]:
    """The values of each answer, and the answers in the same order."""
    draws = [*drawn(items.items, answers)]
    answer_of = {draw.item_id: (item, answer) for item, draw, answer in draws}
    rows = [draw for _, draw, _ in draws]
    scores = item_scores(metric.name, measure, rows, lambda row: read(*answer_of[row.item_id]))
    return scores, [answer for *_, answer in draws]


def drawn(
    items: Iterable[Item], answers: Iterable[Completion]
) -> Iterator[tuple[Item, Item, Completion | None]]:
    """Each item with an answer; in between an item of the answer's own, ITEM#RANK of several.

    The draws of an item are in its cluster. An item without an answer comes with None.
    """
    answers_of: dict[str, list[Completion]] = {}
    for answer in answers:
        answers_of.setdefault(answer.prompt_id, []).append(answer)
    for item in items:
        own = answers_of.get(item.item_id, [None])
        for answer in own:
            yield item, item if len(own) == 1 else _draw(item, answer.rank), answer


def _draw(item: Item, rank: int) -> Item:
    name = next(one.name for one in fields(item) if one.name in ("item_id", "prompt_id"))
    # A copy, as a valid item stays valid under another name.
    made = copy(item)
    vars(made).update({name: f"{item.item_id}{RANK}{rank}", "cluster": item.cluster_id})
    return made


def _read(metric: ItemMetric, item: Item, answer: Completion | None) -> Mapping[str, float]:
    """The values of one answer.

    Raises
    ------
    Invalid : with the outcome of an answer that is not read.
    """
    text = _given_text(answer)
    try:
        return metric.read(item, text)
    except Invalid as found:
        if found.status not in (NOT_PARSABLE, EMPTY):
            raise
        if refuses(text):
            raise Invalid(REFUSED, f"the answer is a refusal: {_beginning(text)}") from found
        if answer.ended is False:
            why = f"the limit of length cut the answer, which ends: {text.strip()[-60:]!r}"
            raise Invalid(CUT, why) from found
        raise


def _given_text(answer: Completion | None) -> str:
    """The text of an answer.

    Raises
    ------
    Invalid : it has no text.
    """
    if answer is None:
        raise Invalid(MISSING, "there is no answer to this item")
    if answer.status != "ok":
        raise Invalid(answer.status, answer.reason)
    text = answer.text or ""
    if not text.strip() and answer.ended is False:
        raise Invalid(CUT, "the limit of length ended the answer before its first word")
    if not text.strip():
        raise Invalid(EMPTY, "the answer is empty")
    return text


def _beginning(text: str) -> str:
    shown = " ".join(text[:400].split())
    return repr(shown if len(shown) <= 100 else f"{shown[:97]}...")


def _outcomes(scores: ItemScores) -> Measured:
    """The share of each outcome among all answers, in percent."""
    statuses = np.array(scores.statuses)
    of_all = replace(
        scores,
        measure="answered",
        values=(statuses == "ok").astype(float),
        statuses=("ok",) * len(statuses),
        reasons=(None,) * len(statuses),
        columns={},
    )

    those = {name: (statuses == one).astype(float) for one, name in OUTCOMES.items()}

    def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
        return {name: 100 * share for name, share in means_of(those, weights).items()}

    return Measured(of_all, formula, ends=dict.fromkeys(OUTCOMES.values(), (0.0, 100.0)))


def _scored_texts(
    metric: ItemMetric, items: ItemSet, answers: Iterable[Completion]
) -> Iterator[ScoredText]:
    """The given log-likelihoods as a causal model would have scored them."""
    given_of = {answer.prompt_id: answer.likelihoods or {} for answer in answers}
    for need in metric.needs(CAUSAL):
        for item in items.items:
            for request in item.requests(*need.split("/")):
                choice = choice_of(item, request.text_id)
                given = given_of.get(item.item_id, {}).get(choice, ())
                identity = request.text_id, request.variant, request.text
                each = given if isinstance(given, tuple) else (given,)
                if not each:
                    why = f"no log-likelihood of {choice!r} was given"
                    yield ScoredText(*identity, 0, MISSING, why)
                    continue
                places = tuple(range(len(each))) if isinstance(given, tuple) else ()
                yield ScoredText(*identity, len(places), positions=places, logp=np.array(each))
