"""What a multiverse says of two models: which has more bias how often, and what choice decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from fairflow.studies.comparability import FEW_QUERIES, GROWS_WITH_LENGTH, SCALES_WITH_DIMENSION
from fairflow.studies.findings.comparisons import MOST_NAMED
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.multiverse import COUNTED, NEITHER, NOT_SCORED, REPEATED, Specification
from fairflow.studies.wording import counted, listed

CHOICES = Specification._fields
NO_CHOICE = "none"
# Fewer pairs of specifications do not show that a choice decides.
FEWEST_PAIRS = 3
# Of the notes that speak of studies, not of specifications.
_IN_RUN = "this run"
# Why one specification is not counted, and why several are not.
_EXCLUDED = {
    GROWS_WITH_LENGTH: ("grows with the length of vectors", "grow with the length of vectors"),
    SCALES_WITH_DIMENSION: (
        "hangs on the dimension of vectors",
        "hang on the dimension of vectors",
    ),
    FEW_QUERIES: ("has too few queries in common", "have too few queries in common"),
    NOT_SCORED: ("is not scored for both", "are not scored for both"),
    REPEATED: ("repeats another in another unit", "repeat others in another unit"),
}
_NAMES = {
    "metric": "the metric",
    "variant": "the variant of the metric",
    "normalisation": "the length of vectors",
    "aggregation": "the aggregation",
    "lists": "the word lists",
    "lookup": "the look-up",
}
_PAIR = ["criterion", "model", "other"]
SUMMARY_COLUMNS = (
    *(*_PAIR, "n_specifications", "n_model", "n_other", "n_neither", "share_model"),
    *("median_relative_difference", "n_clear", "most_influential_choice"),
    *(f"{what}_{choice}" for choice in CHOICES for what in ("n_sign_changes", "n_pairs")),
    *("n_excluded", "note"),
)


def specification_summary(curve: pd.DataFrame, absent: Sequence[str] = ()) -> pd.DataFrame:
    """One row for each criterion and pair of models.

    A choice is judged by the pairs of counted specifications that differ in it and in no other
    choice (metrics differ with their variants), and in which one of the models has the larger
    bias: with n of these pairs, f of which point to different models, it decides f / n. Of all
    choices with at least `FEWEST_PAIRS` the largest share makes the
    `most_influential_choice`.

    Parameters
    ----------
    curve : from `specification_curve`. absent : studies that were to contribute, but are not in
        this run.

    Returns
    -------
    Columns criterion, model, other, n_specifications (counted), n_model, n_other, n_neither (how
    many say that which one has the larger bias), share_model (n_model / n_specifications),
    median_relative_difference, n_clear (with an interval over queries that excludes 0; NaN
    without intervals), most_influential_choice (choices with the largest share, "none" if none of
    their pairs change sign), n_sign_changes_CHOICE (f) and n_pairs_CHOICE (n) for each of
    `CHOICES`, n_excluded, note (why these are not counted).
    """
    groups = curve.groupby(_PAIR, sort=False)
    rows = [{**dict(zip(_PAIR, key, strict=True)), **_row(g, absent)} for key, g in groups]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _row(rows: pd.DataFrame, absent: Sequence[str]) -> dict[str, Any]:
    model, other = rows["model"].iloc[0], rows["other"].iloc[0]
    chosen = rows[rows["status"] == COUNTED]
    more = chosen["more_biased"]
    clear = chosen["relative_difference_low"] > 0
    clear |= chosen["relative_difference_high"] < 0
    flips = choice_flips(chosen)
    shares = {choice: f / n for choice, (f, n) in flips.items() if n >= FEWEST_PAIRS}
    most = max(shares.values(), default=0.0)
    deciding = [choice for choice, share in shares.items() if share == most > 0]
    return {
        "n_specifications": len(chosen),
        "n_model": int((more == model).sum()),
        "n_other": int((more == other).sum()),
        "n_neither": int((more == NEITHER).sum()),
        "share_model": (more == model).mean() if len(chosen) else float("nan"),
        "median_relative_difference": chosen["relative_difference"].median(),
        "n_clear": clear.sum() if chosen["relative_difference_low"].notna().any() else float("nan"),
        "most_influential_choice": ", ".join(deciding) or (NO_CHOICE if len(chosen) else None),
        **{f"n_sign_changes_{choice}": f for choice, (f, _) in flips.items()},
        **{f"n_pairs_{choice}": n for choice, (_, n) in flips.items()},
        "n_excluded": len(rows) - len(chosen),
        "note": _note(rows, absent),
    }


def choice_flips(chosen: pd.DataFrame) -> dict[str, tuple[int, int]]:
    """Choice -> how many pairs of specifications point to different models, of how many.

    Parameters
    ----------
    chosen : counted rows of one criterion and pair of models.
    """
    told = chosen[chosen["more_biased"] != NEITHER]
    made = [Specification(*values) for values in told[[*CHOICES]].itertuples(index=False)]
    numbers = dict.fromkeys(CHOICES, (0, 0))
    for (first, one), (second, two) in combinations(zip(made, told["more_biased"], strict=True), 2):
        for choice in CHOICES:
            if first.agrees(second, but=choice):
                flips, pairs = numbers[choice]
                numbers[choice] = flips + (one != two), pairs + 1
    return numbers


def _note(rows: pd.DataFrame, absent: Sequence[str]) -> str:
    counts = rows.loc[rows["status"] != COUNTED, "status"].value_counts(sort=False)
    told = [f"{number} {_EXCLUDED[status][number > 1]}" for status, number in counts.items()]
    if absent:
        told.append(f"scores of {listed(absent)} are not in this run")
    return "; ".join(told)


def choices_told(row: Mapping[str, Any]) -> str:
    """What decides, with its counts: 'the metric (4 of 12 pairs)'; empty if nothing does."""
    if row["most_influential_choice"] in (None, NO_CHOICE) or pd.isna(
        row["most_influential_choice"]
    ):
        return ""
    choices = str(row["most_influential_choice"]).split(", ")
    flips = [
        f"{row[f'n_sign_changes_{choice}']} of {row[f'n_pairs_{choice}']} pairs"
        for choice in choices
    ]
    return listed(f"{_NAMES[c]} ({told})" for c, told in zip(choices, flips, strict=True))


@of_table("specification_summary")
def specifications(results: Results, summary: pd.DataFrame) -> Iterator[Finding]:
    """How often which of two models shows more bias, by criterion, and which choice decides it."""
    told = summary[summary["n_specifications"] > 0]
    pairs = list(told.groupby(["model", "other"], sort=False))
    for (model, other), rows in pairs[:MOST_NAMED]:
        yield Finding(_of_specifications(rows, results.labels[model], results.labels[other]))
    if len(pairs) > MOST_NAMED:
        rest = counted(len(pairs) - MOST_NAMED, "further pair")
        yield Finding(f"{rest} of models: see the table specification_summary.")
    if pairs:
        yield Finding(
            "What a result hangs on is told by pairs of specifications that differ in one choice "
            "alone: how many of them point to different models. Specifications share scores and "
            "words and are not independent, so that no share of them is a probability. Where all "
            "agree, none of these choices makes the order; whether other queries or words would "
            "give it is what tests over queries and draws of words tell."
        )
    parts = summary["note"].dropna().astype(str).str.split("; ").explode().unique()
    for part in parts:
        if _IN_RUN in part:
            yield Finding(f"Fewer specifications than the study asks for: {part}.")


def _of_specifications(rows: pd.DataFrame, model: str, other: str) -> str:
    told = []
    for row in rows.to_dict("records"):
        leads = row["n_model"] >= row["n_other"]
        n = row["n_model"] if leads else row["n_other"]
        decides = choices_told(row)
        excluded = [part for part in str(row["note"]).split("; ") if part and _IN_RUN not in part]
        without = f"; not counted: {listed(excluded)}" if excluded else ""
        told.append(
            f"on {row['criterion']} {model if leads else other} shows more bias in {n} of "
            f"{counted(row['n_specifications'], 'specification')} ({_clear(row)}{without})"
            f"{f', which hangs most on {decides}' if decides else ''}"
        )
    return f"{model} beside {other}, by all choices that could be defended: {'; '.join(told)}."


def _clear(row: Mapping[str, Any]) -> str:
    """In how many specifications chance over queries does not explain the difference."""
    if pd.isna(row["n_clear"]):
        return "too few queries share no words for an interval over queries"
    total = row["n_specifications"]
    return f"of these {total} the interval over queries excludes 0 in {row['n_clear']:.0f}"
