"""What remains of a bias in models before and after debiasing, and what was lost, as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from fairflow.remains.findings import Answers, Finding, ModelFindings
from fairflow.remains.named_tests import TESTS
from fairflow.statistics.item_bootstrap import observed, percentile_interval, resampled
from fairflow.statistics.seeds import identity_seed

RESAMPLES = 1_000
COLUMNS = (
    *("model", "about", "test", "subject", "measure", "value", "spread"),
    *("value_range_low", "value_range_high", "range"),
    *("difference", "difference_low", "difference_high", "chance"),
    *("n", "covered", "total", "note"),
)


def what_remains(
    found: Sequence[ModelFindings],
    before: str,
    labels: Mapping[str, str],
    level: float,
    seed: int,
) -> pd.DataFrame:
    """One row for each model and test, those of the model before first.

    Differences are of the items that both models cover, over the same resamples of them.

    Parameters
    ----------
    found : the findings of each model, none where nothing could be measured.
    before : the model that the others are compared with.
    labels : of benchmarks. level : of intervals. seed : of their resamples.

    Returns
    -------
    model, about ("what remains" or "what is kept"), test, subject (the benchmark), measure; value;
    spread, the standard deviation of several runs or of resamples; value_range_low and _high, and
    as range what they are ends of; difference to the model before and its interval; chance, what
    vectors that know nothing would give; n that the value rests on, covered of total items, note.
    """
    of_model = {each.model: [_Drawn(f, seed) for f in each.findings] for each in found}
    first = {each.key: each for each in of_model.get(before, ())}
    rows = [
        {"model": model, **_row(drawn, first[drawn.key], labels, level)}
        for model in sorted(of_model, key=lambda name: name != before)
        for drawn in of_model[model]
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    own = frame["model"] == before
    frame.loc[own, ["difference", "difference_low", "difference_high"]] = np.nan
    return frame


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A finding, with the statistic of its answers and that of resampled ones."""

    finding: Finding
    seed: int

    @property
    def key(self) -> tuple[str, str]:
        """What stands for the same in another model."""
        return self.finding.test, self.finding.subject

    @property
    def value(self) -> float:
        given = self.finding.answers
        return observed(TESTS[self.finding.test].statistic, given.expected, given.given)

    @cached_property
    def draws(self) -> np.ndarray:
        given, seed = self.finding.answers, identity_seed(self.seed, "what remains", *self.key)
        statistic = TESTS[self.finding.test].statistic
        return resampled(statistic, given.expected, given.given, RESAMPLES, seed)

    def on(self, answers: Answers) -> _Drawn:
        """The same of other answers; itself where these are its own."""
        if answers is self.finding.answers:
            return self
        return replace(self, finding=replace(self.finding, answers=answers))


def _row(drawn: _Drawn, first: _Drawn, labels: Mapping[str, str], level: float) -> dict[str, Any]:
    finding, test = drawn.finding, TESTS[drawn.finding.test]
    known = {name: getattr(finding, name) for name in ("n", "covered", "total", "chance", "note")}
    named = {
        "about": test.about,
        "test": test.label,
        "subject": labels.get(finding.subject, finding.subject),
        "measure": test.measure,
    }
    if finding.is_undefined:
        return named | known
    if finding.answers is not None:
        return named | known | _of_answers(drawn, first, level)
    return named | known | _of_runs(finding, first.finding)


def _of_runs(finding: Finding, first: Finding) -> dict[str, Any]:
    value, value_before = (
        float(np.mean(each.runs)) if each.runs else each.value for each in (finding, first)
    )
    told = {"value": value, "difference": value - value_before}
    if len(finding.runs) > 1:
        told |= {"spread": float(np.std(finding.runs, ddof=1))}
        told |= {"value_range_low": min(finding.runs), "value_range_high": max(finding.runs)}
        told |= {"range": f"least and most of {len(finding.runs)} runs"}
    return told


def _of_answers(drawn: _Drawn, first: _Drawn, level: float) -> dict[str, Any]:
    low, high = percentile_interval(drawn.draws, level)
    defined = drawn.draws[~np.isnan(drawn.draws)]
    told = {
        "value": drawn.value,
        "spread": float(defined.std(ddof=1)) if len(defined) > 1 else math.nan,
        "value_range_low": low,
        "value_range_high": high,
        "range": f"{level:.0%} bootstrap interval over items",
    }
    if first.finding.answers is None or first is drawn:
        return told
    left, right = _in_common(first.finding.answers, drawn.finding.answers)
    before, after = first.on(left), drawn.on(right)
    low, high = percentile_interval(after.draws - before.draws, level)
    return told | {
        "difference": after.value - before.value,
        "difference_low": low,
        "difference_high": high,
    }


def _in_common(left: Answers, right: Answers) -> tuple[Answers, Answers]:
    """Both on the items that both cover, in one order; as they are where these are all."""
    if np.array_equal(left.items, right.items):
        return left, right
    items, at_left, at_right = np.intersect1d(left.items, right.items, return_indices=True)
    return tuple(
        Answers(items, answers.expected[at], answers.given[at])
        for answers, at in ((left, at_left), (right, at_right))
    )
