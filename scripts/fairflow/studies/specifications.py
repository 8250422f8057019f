"""A multiverse of two models: how often each has more bias, and which choice matters most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from fairflow.studies.comparability import FEW_QUERIES, GROWS_WITH_LENGTH, SCALES_WITH_DIMENSION
from fairflow.studies.multiverse import COUNTED, NEITHER, NOT_SCORED, REPEATED, Specification
from fairflow.studies.wording import listed

CHOICES = Specification._fields
NO_CHOICE = "none"
# Fewer pairs of specifications do not show that a choice decides.
FEWEST_PAIRS = 3
# Why one specification is not counted, and why several are not.
_EXCLUDED = {
    GROWS_WITH_LENGTH: ("grows with the length of vectors", "grow with the length of vectors"),
    SCALES_WITH_DIMENSION: (
        "depends on the dimension of vectors",
        "depend on the dimension of vectors",
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

    A choice is judged by the pairs of counted specifications that differ in this choice only
    (metrics differ with their variants) and that each find one of the models more biased. If f of n
    pairs point to different models, the share of the choice is f / n. Among the choices with at
    least `FEWEST_PAIRS` pairs the one with the largest share `most_influential_choice`.

    Parameters
    ----------
    curve : from `specification_curve`. absent : studies that would contribute, but are not in this
        run.

    Returns
    -------
    Columns criterion, model, other, n_specifications (counted), n_model, n_other, n_neither
    (specifications in which it has the larger bias), share_model (n_model / n_specifications),
    median_relative_difference, n_clear (with an interval over queries that excludes 0; NaN
    without intervals), most_influential_choice (choices with the largest share, "none" if no pair
    differs), n_sign_changes_CHOICE (f) and n_pairs_CHOICE (n) for each of `CHOICES`, n_excluded,
    note (why these are not counted).
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
    """Choice -> how many pairs of specifications point to different models, and how many there are.

    Parameters
    ----------
    chosen : counted rows of one criterion and pair of models.
    """
    rows = chosen[chosen["more_biased"] != NEITHER]
    made = [Specification(*values) for values in rows[[*CHOICES]].itertuples(index=False)]
    numbers = dict.fromkeys(CHOICES, (0, 0))
    for (first, one), (second, two) in combinations(zip(made, rows["more_biased"], strict=True), 2):
        for choice in CHOICES:
            if first.agrees(second, but=choice):
                flips, pairs = numbers[choice]
                numbers[choice] = flips + (one != two), pairs + 1
    return numbers


def _note(rows: pd.DataFrame, absent: Sequence[str]) -> str:
    counts = rows.loc[rows["status"] != COUNTED, "status"].value_counts(sort=False)
    notes = [f"{number} {_EXCLUDED[status][number > 1]}" for status, number in counts.items()]
    if absent:
        notes.append(f"scores of {listed(absent)} are not in this run")
    return "; ".join(notes)


def most_influential(row: Mapping[str, Any]) -> str:
    """The most influential choice: 'the metric (4 of 12 pairs)'; "" if no choice matters."""
    if row["most_influential_choice"] in (None, NO_CHOICE) or pd.isna(
        row["most_influential_choice"]
    ):
        return ""
    choices = str(row["most_influential_choice"]).split(", ")
    flips = [
        f"{row[f'n_sign_changes_{choice}']} of {row[f'n_pairs_{choice}']} pairs"
        for choice in choices
    ]
    return listed(f"{_NAMES[c]} ({pairs})" for c, pairs in zip(choices, flips, strict=True))
