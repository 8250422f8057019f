"""Completions by prompt, as the items that metrics of generated texts resample."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.scoring.item_scores import ItemScores, factors_of
from fairflow.language_models.slices.completion import Completion, texts_by_prompt
from fairflow.statistics.counts import Counts, reassigned


def completed(items: ItemSet, completions: Sequence[Completion]) -> dict[str, list[str]]:
    """The completions of each prompt that has some, in the order of the prompts."""
    texts_of = texts_by_prompt(completions)
    return {one: texts_of[one] for one in items.item_ids if one in texts_of}


def prompt_scores(
    metric: str,
    measure: str,
    items: ItemSet,
    completions: Sequence[Completion],
    values: Sequence[float],
) -> ItemScores:
    """Values of the prompts that have completions; the others say why they have none.

    Parameters
    ----------
    values : of the prompts of `completed`, in that order.
    """
    completed_prompts = completed(items, completions)
    why = {one.prompt_id: (one.status, one.reason) for one in completions if one.status != "ok"}
    absent = ("empty", "there is no completion of this prompt")
    given = iter(values)
    prompts = items.items
    states = [
        ("ok", None) if p.prompt_id in completed_prompts else why.get(p.prompt_id, absent)
        for p in prompts
    ]
    return ItemScores(
        metric=metric,
        measure=measure,
        item_ids=tuple(items.item_ids),
        template_ids=tuple(p.template_id or p.prompt_id for p in prompts),
        categories=tuple(p.category for p in prompts),
        unit_ids=tuple(p.unit_id for p in prompts),
        factors=factors_of(prompts),
        values=np.array([next(given) if status == "ok" else np.nan for status, _ in states]),
        statuses=tuple(status for status, _ in states),
        reasons=tuple(reason for _, reason in states),
    )


def by_prompt(per_text: np.ndarray, texts: Sequence[Sequence[str]]) -> np.ndarray:
    """Counts of texts added up prompt by prompt: (texts, ...) -> (prompts, ...)."""
    if not len(texts):
        return per_text
    starts = np.cumsum([0, *map(len, texts)])[:-1]
    return np.add.reduceat(per_text, starts, axis=0)


def units_of(scores: ItemScores) -> np.ndarray:
    """(scored prompts,) the number of each one's unit."""
    names = [unit for unit, ok in zip(scores.unit_ids, scores.ok, strict=True) if ok]
    return np.unique(names, return_inverse=True)[1]


def counts_of_groups(
    scores: ItemScores,
    per_prompt: np.ndarray,
    sizes: np.ndarray,
    measures: Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]],
    number: float,
    what: str,
    told: Mapping[str, float],
    minimum: int,
) -> Counts:
    """Counts of groups, and what unbiased ones of that number would give.

    Unbiased is: every group as often; and for measures per term every term as often.

    Parameters
    ----------
    per_prompt : (prompts, targets, groups). sizes : (groups,) their numbers of terms.
    measures : of totals (B, targets, groups), each group's divided by what is given: the names of
        the measures of plain counts (divisor 1) or of counts per term.
    """
    n_units = len(set(scores.unit_ids))
    by_unit = np.zeros((n_units, *per_prompt.shape[1:]))
    np.add.at(by_unit, units_of(scores), per_prompt)
    even = np.full(len(sizes), 1 / len(sizes))

    def null(generator: np.random.Generator, draws: int) -> dict[str, np.ndarray]:
        plain = reassigned(by_unit, even, generator, draws)
        per_term = reassigned(by_unit, sizes / sizes.sum(), generator, draws)
        return measures(plain, per_term)

    drawn = "distance of as many counts, each unit's words of a group given to a group drawn evenly"
    return Counts(number, what, minimum, told, null if per_prompt.any() else None, drawn)


def distances_to_uniform(counts: np.ndarray) -> np.ndarray:
    """Total variation distance of each row from the uniform distribution: (B, groups) -> (B,).

    NaN where nothing was counted.
    """
    totals = counts.sum(axis=1, keepdims=True)
    shares = counts / np.where(totals > 0, totals, np.nan)
    return 0.5 * np.abs(shares - 1 / counts.shape[1]).sum(axis=1)
