"""What a comparison before and after lets one conclude: statements for a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.studies.before_after import (
    ALPHA,
    DIFFERS,
    LARGER,
    NOT_COMPARABLE,
    NOT_TOLD_APART,
    OTHER_SIGN,
    SMALLER,
    UNTESTED,
)
from fairflow.studies.wording import counted, listed

_TOLD = {
    SMALLER: "smaller",
    LARGER: "larger",
    OTHER_SIGN: "of the other sign",
    DIFFERS: "different but not clearly in size",
    NOT_TOLD_APART: "not told apart",
    UNTESTED: "not tested",
}
_HIDDEN = (
    "It was not measured whether bias is hidden rather than removed, as neighbourhoods of words "
    "may keep what a score no longer shows (Gonen & Goldberg 2019), nor what else was lost: no "
    "smaller score here says that a model is free of bias."
)
_MEASURED = (
    "A smaller score does not say that bias is gone rather than hidden: what remains in each "
    "model, and what was lost, stands in the table what_remains."
)


def before_after_statements(
    before_after: pd.DataFrame | None,
    what_remains: pd.DataFrame | None,
    labels: Mapping[str, str],
) -> Iterator[str]:
    """How each model differs from the one before, and what that does not say.

    Parameters
    ----------
    before_after, what_remains : tables of the study, None where it has none.
    """
    if before_after is None or before_after.empty:
        return
    for model, rows in before_after.groupby("model", sort=False):
        yield from _of_model(rows, labels[str(model)], labels)
    yield _HIDDEN if what_remains is None or what_remains.empty else _MEASURED


def _of_model(rows: pd.DataFrame, label: str, labels: Mapping[str, str]) -> Iterator[str]:
    before = labels[rows["before_model"].iloc[0]]
    parts = []
    comparable = rows[rows["verdict"] != NOT_COMPARABLE]
    for metric, group in comparable.groupby("metric", sort=False):
        distinct = group.drop_duplicates("subquery_digest")
        counts = distinct["verdict"].value_counts(sort=False)
        told = [f"{counts[name]} {text}" for name, text in _TOLD.items() if name in counts]
        of_queries = f"of {counted(len(distinct), 'query', 'queries')} {listed(told)}"
        parts.append(f"by {labels[str(metric)]}, {of_queries}{_largest(distinct)}")
    if parts:
        yield (
            f"Associations in {label} beside those in {before}: {'; '.join(parts)} (over the same "
            f"resampled words, p < {ALPHA} after Holm over the queries of a metric)."
        )
    left_out = rows.loc[rows["verdict"] == NOT_COMPARABLE, "metric"].unique()
    if len(left_out):
        names = listed(labels[metric] for metric in left_out)
        yield (
            f"{label} and {before} are not compared by {names}, whose values grow with the length "
            "of vectors."
        )


def _largest(rows: pd.DataFrame) -> str:
    """The largest difference with its interval; empty where there is no interval."""
    told = rows.dropna(subset="difference_low")
    if told.empty:
        return ""
    row = told.loc[told["difference"].abs().idxmax()]
    return (
        f", the largest difference {row['difference']:.2g} (from {row['before']:.2g} to "
        f"{row['after']:.2g}), {row['ci_level']:.0%} interval {row['difference_low']:.2g} to "
        f"{row['difference_high']:.2g}"
    )
