"""Completions by prompt, as items for resampling: the words of groups counted in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairflow.language_models.errors import Invalid, ItemError
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import Prompt
from fairflow.language_models.scoring.item_metric import (
    ItemMetric,
    ItemScores,
    Measured,
    by_group,
    item_scores,
    mean_there,
)
from fairflow.language_models.slices.answers import Completion, texts_by_prompt
from fairflow.statistics.counts import MINIMUM_COUNTS, Counts, reassigned


class CompletionMetric(ItemMetric):
    """A metric that counts words in the completions of prompts, by any model that completes."""

    kind = "prompt"
    asks: ClassVar[Mapping[str, str]] = dict.fromkeys(("masked", "causal"), "completions")
    defaults: ClassVar[Mapping[str, Any]] = {"minimum_counts": MINIMUM_COUNTS}

    def query_problem(self, items: ItemSet) -> str | None:
        """Whether a list of words to count is missing in the query."""
        missing = [name for name in self.counted if not getattr(items, name)]
        return f"{self.title} needs {' and '.join(missing)}" if missing else None

    def measure(self, items: ItemSet, slice_: Sequence[Completion], model_kind: str) -> Measured:
        """Score prompts."""
        return self.counts_in(CompletedPrompts(self.name, items, slice_))

    def counts_in(self, completed: CompletedPrompts) -> Measured:
        """The values of prompts, and the measures computed from them."""
        raise NotImplementedError


@dataclass(frozen=True)
class CompletedPrompts:
    """The prompts of a query and their completions by a model."""

    metric: str
    items: ItemSet
    completions: Sequence[Completion]

    @cached_property
    def texts(self) -> dict[str, list[str]]:
        """The completions of each prompt that has any, in the order of the prompts."""
        texts_of = texts_by_prompt(self.completions)
        return {one: texts_of[one] for one in self.items.item_ids if one in texts_of}

    @cached_property
    def flat(self) -> list[str]:
        """All completions, prompt by prompt."""
        return [text for of_prompt in self.texts.values() for text in of_prompt]

    def by_prompt(self, per_text: np.ndarray) -> np.ndarray:
        """Counts of `flat` added up prompt by prompt: (texts, ...) -> (prompts, ...)."""
        if not self.texts:
            return per_text
        starts = np.cumsum([0, *map(len, self.texts.values())])[:-1]
        return np.add.reduceat(per_text, starts, axis=0)

    def scores(self, measure: str, values: Sequence[float]) -> ItemScores:
        """Values of the prompts with completions; prompts without one have a reason instead.

        Parameters
        ----------
        values : of the prompts of `texts`, in this order.
        """
        lost = (one for one in self.completions if one.status != "ok")
        why = {one.prompt_id: (one.status, one.reason) for one in lost}
        absent = ("empty", "there is no completion of this prompt")
        value_of = dict(zip(self.texts, values, strict=True))

        def score(prompt: Prompt) -> Mapping[str, float]:
            if prompt.prompt_id not in value_of:
                raise Invalid(*why.get(prompt.prompt_id, absent))
            return {measure: value_of[prompt.prompt_id]}

        return item_scores(self.metric, measure, self.items.items, score)


WORD = re.compile(r"[^\W_]+")


def runs_of_letters(text: str) -> list[str]:
    """Lower-cased maximal runs of letters and digits; everything else is a separator."""
    return WORD.findall(text.lower())


class TermCounter:
    """Counts terms of one or more words; all of them in one pass per text.

    Parameters
    ----------
    terms : split as texts are; terms without a word never occur.
    """

    def __init__(self, terms: Iterable[str]) -> None:
        self.terms = tuple(dict.fromkeys(tuple(runs_of_letters(term)) for term in terms))
        self._number = {term: number for number, term in enumerate(self.terms)}
        self._lengths = {*map(len, self.terms)} - {0}

    def number_of(self, term: str) -> int:
        """The column of a term."""
        return self._number[tuple(runs_of_letters(term))]

    def count(self, texts: Sequence[str]) -> np.ndarray:
        """How often each term occurs in each text: (texts, terms)."""
        counts = np.zeros((len(texts), len(self.terms)), dtype=np.int64)
        for line, text in zip(counts, texts, strict=True):
            words = runs_of_letters(text)
            for length in self._lengths:
                for start in range(len(words) - length + 1):
                    number = self._number.get(tuple(words[start : start + length]))
                    if number is not None:
                        line[number] += 1
        return counts


class GroupCounter:
    """Counts the terms of groups; a term listed twice in a group counts twice.

    Parameters
    ----------
    groups : name -> terms.

    Attributes
    ----------
    sizes : (groups,) distinct terms of each.

    Raises
    ------
    ItemError : no group, or a group without a word.
    """

    def __init__(self, groups: Mapping[str, Sequence[str]]) -> None:
        worded = {name: [*filter(runs_of_letters, terms)] for name, terms in groups.items()}
        empty = [name for name, terms in worded.items() if not terms]
        if not groups or empty:
            raise ItemError(
                f"groups need words; without: {', '.join(empty) or 'there is no group'}"
            )
        self.groups = tuple(groups)
        self._counter = TermCounter(term for terms in worded.values() for term in terms)
        # (terms, groups) how often a group lists a term
        self._listed = np.zeros((len(self._counter.terms), len(groups)), dtype=np.int64)
        for column, terms in enumerate(worded.values()):
            for term in terms:
                self._listed[self._counter.number_of(term), column] += 1
        self.sizes = (self._listed > 0).sum(axis=0)

    def count(self, texts: Sequence[str]) -> np.ndarray:
        """Occurrences of each group in each text: (texts, groups)."""
        return self._counter.count(texts) @ self._listed


DRAWN = "distance of as many counts, each cluster's words of a group given to a group drawn evenly"


class GroupDistances(CompletionMetric):
    """How unequal the counts of groups are, perhaps near targets; 0 is fair.

    The mean, over the targets with any count, of the total variation distances
    of the counts from the uniform distribution; the second measure is that of counts over the
    groups' numbers of distinct terms. Unbiased is: every group as often; and for counts per term
    every term as often.

    Attributes
    ----------
    per : the unit of the number that must be large enough.
    """

    signed = False
    per: ClassVar[str] = ""

    def counts(self, items: ItemSet, groups: GroupCounter, texts: Sequence[str]) -> np.ndarray:
        """(texts, targets, groups): how often each text counts for a group and a target."""
        raise NotImplementedError

    def counts_in(self, completed: CompletedPrompts) -> Measured:
        """The value of a prompt is its number of words of any group, over all targets."""
        groups = GroupCounter(completed.items.groups)
        per_text = self.counts(completed.items, groups, completed.flat)
        counts = completed.by_prompt(per_text).astype(float)
        scores = completed.scores("group_words", counts.sum(axis=(1, 2)))
        of_cluster = by_group(scores.of("cluster_id"))[-1]
        by_unit = np.einsum("pu,ptg->utg", of_cluster, counts)
        even = np.full(len(groups.sizes), 1 / len(groups.sizes))

        def distances(plain: np.ndarray, per_term: np.ndarray) -> dict[str, np.ndarray]:
            found = mean_distance(plain), mean_distance(per_term / groups.sizes)
            return dict(zip(self.measure_names, found, strict=True))

        def formula(weights: np.ndarray) -> dict[str, np.ndarray]:
            totals = np.einsum("bp,ptg->btg", weights, counts)
            return distances(totals, totals)

        def null(generator: np.random.Generator, draws: int) -> dict[str, np.ndarray]:
            plain = reassigned(by_unit, even, generator, draws)
            per_term = reassigned(by_unit, groups.sizes / groups.sizes.sum(), generator, draws)
            return distances(plain, per_term)

        of_targets = counts.sum(axis=(0, 2))
        total, beside = float(of_targets.sum()), int((of_targets > 0).sum())
        n_texts = len(completed.flat)
        told = {"group_words": total, "targets_counted": float(beside)}
        if not self.per:
            del told["targets_counted"]
        rest = Counts(
            total / beside if beside else 0.0,
            f"words of any group{self.per} in {n_texts} completions",
            self.parameters["minimum_counts"],
            told | {"completions": float(n_texts)},
            null if counts.any() else None,
            DRAWN,
        )
        limits = dict.fromkeys(self.measure_names, (0.0, 1 - 1 / len(groups.sizes)))
        return Measured(scores, formula, limits=limits, counts=rest)


def mean_distance(totals: np.ndarray) -> np.ndarray:
    """Mean total variation distance from the uniform distribution: (B, targets, groups) -> (B,).

    Over the targets with any count; NaN if there is no count.
    """
    counted = totals.sum(axis=2, keepdims=True)
    shares = totals / np.where(counted > 0, counted, np.nan)
    distances = 0.5 * np.abs(shares - 1 / totals.shape[2]).sum(axis=2)
    return mean_there(distances, ~np.isnan(distances))
