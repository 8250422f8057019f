"""What a comparison before and after lets one conclude: no model is said to be free of bias."""

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
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.residual_bias import (
    CLASSIFIER,
    CLUSTERS,
    DIRECT,
    KEPT,
    NEIGHBOURS,
    PROFESSIONS,
    REMAINS,
    TESTS,
)
from fairflow.studies.wording import counted, listed
from fairflow.vectors.word_frequency import CHOSEN

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
    "A smaller score does not say that bias is gone rather than hidden: the sentences below and "
    "the table what_remains show which bias the vectors still hold, and what was lost."
)
# How a sentence tells of a test.
_SHARES = {
    CLUSTERS: "two clusters tell the side of the {n}most biased words in {after:.1%}",
    CLASSIFIER: "a classifier that of {n}words in {after:.1%}",
}
_CORRELATIONS = {
    NEIGHBOURS: "the bias of {n}words correlates with the sides of their neighbours by {after:.2f}",
    PROFESSIONS: "that of {n}professions by {after:.2f}",
}
_LENGTHS = {DIRECT: "professions lie along the direction of the pairs by {after:.2g} on average"}
_TEXTS = {**_SHARES, **_CORRELATIONS, **_LENGTHS}
_FORMS = dict.fromkeys(_SHARES, ".1%") | dict.fromkeys(_CORRELATIONS, ".2f") | {DIRECT: ".2g"}
# The same quantities as the metric hidden_bias has them.
_MEASURES = {
    CLUSTERS: "cluster_accuracy",
    CLASSIFIER: "classifier_accuracy",
    NEIGHBOURS: "neighbour_correlation",
    PROFESSIONS: "target_correlation",
}


def associations_reduced(results: Results) -> Iterator[Finding]:
    """How many associations became smaller in each model after, and what that does not say."""
    table, labels = results.table("before_after"), results.labels
    if table.empty:
        return
    metric = table["metric"].iloc[0]
    rows = table[table["metric"] == metric].drop_duplicates(["model", "subquery_digest"])
    smaller = {
        str(model): int((group["verdict"] == SMALLER).sum())
        for model, group in rows.groupby("model", sort=False)
    }
    before = labels[rows["before_model"].iloc[0]]
    told = listed(f"{labels[m].removeprefix(f'{before}, ')} {n}" for m, n in smaller.items())
    span = " to ".join(
        dict.fromkeys(f"{n}" for n in (min(smaller.values()), max(smaller.values())))
    )
    n = counted(rows["subquery_digest"].nunique(), "association")
    remains = results.table("what_remains")
    hidden = [one for one in bias_left(results) if one.verdict == REMAINS]
    still = (
        f"In {len(hidden)} of {len(smaller)} the old bias can still be told from where words lie"
        f"{among_chosen(remains['note'])}."
        if hidden
        else ""
    )
    cautions = (*_sign_changes(table, labels), still, _HIDDEN if remains.empty else _MEASURED)
    yield Finding(
        f"Debiasing makes {span} of {n} of {before} clearly smaller.",
        f"Smaller by {labels[metric]}: {told} (p < {ALPHA} after Holm).",
        caution=" ".join(filter(None, cautions)),
        table="before_after",
        leads=True,
        numbers={"associations": int(rows["subquery_digest"].nunique()), "smaller": smaller},
    )


def _sign_changes(before_after: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """The associations whose sign a model turns, for each model."""
    turned = before_after[before_after["verdict"] == OTHER_SIGN]
    distinct = turned.drop_duplicates(["model", "metric", "subquery_digest"])
    for model, rows in distinct.groupby("model", sort=False):
        told = (
            f"{row['subquery']} (from {row['before']:.2g} to {row['after']:.2g} by "
            f"{labels[row['metric']]})"
            for row in rows.to_dict("records")
        )
        yield f"{labels[str(model)]} turns the sign of {listed(told)}: no reduction."


def changes_of_models(results: Results) -> Iterator[Finding]:
    """How each model differs from the one before, by each metric."""
    table = results.table("before_after")
    if len(table):
        for model, rows in table.groupby("model", sort=False):
            yield from _of_model(rows, results.labels[str(model)], results.labels)


def _of_model(rows: pd.DataFrame, label: str, labels: Mapping[str, str]) -> Iterator[Finding]:
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
        yield Finding(
            f"Associations in {label} beside those in {before}: {'; '.join(parts)} (over the same "
            f"resampled words, p < {ALPHA} after Holm over the queries of a metric).",
            table="before_after",
        )
    left_out = rows.loc[rows["verdict"] == NOT_COMPARABLE, "metric"].unique()
    if len(left_out):
        names = listed(labels[metric] for metric in left_out)
        yield Finding(
            f"{label} and {before} are not compared by {names}, whose values grow with the length "
            "of vectors.",
            table="before_after",
        )


def _largest(rows: pd.DataFrame) -> str:
    """The largest of the differences that are told apart; empty where there is none."""
    told = rows[rows["verdict"].isin([SMALLER, LARGER, OTHER_SIGN, DIFFERS])]
    if told.empty:
        return ""
    row = told.loc[told["difference"].abs().idxmax()]
    return (
        f", the largest difference told apart {row['difference']:.2g} (from {row['before']:.2g} to "
        f"{row['after']:.2g}), {row['ci_level']:.0%} interval {row['difference_low']:.2g} to "
        f"{row['difference_high']:.2g}"
    )


def bias_left(results: Results) -> Iterator[Finding]:
    """For each model after, whether its words still tell their old bias."""
    first, of_models = _before_and_after(results)
    chosen = among_chosen(results.table("what_remains")["note"]) if of_models else ""
    before = dict(zip(first["test"], first["value"], strict=True)) if of_models else {}
    for model, every in of_models.items():
        label, rows = results.labels[model], every[every["about"] == REMAINS].dropna(subset="value")
        of_test = {row["test"]: row for row in rows.to_dict("records")}
        parts = []
        for test, text in _TEXTS.items():
            if row := of_test.get(TESTS[test].label):
                told = text.format(n=f"{row['n']:,.0f} ", after=row["value"])
                parts.append(f"{told} (before {before[row['test']]:{_FORMS[test]}})")
        correlated = [of_test.get(TESTS[test].label) for test in _CORRELATIONS]
        clear = any(row and row["value_range_low"] > 0 for row in correlated)
        what = f"What was found of the old bias of words in {label}{chosen}"
        if clear:
            what = f"The old bias of words can still be told from where they lie in {label}{chosen}"
        elif any(correlated):
            what = (
                f"The old bias of words was not found again in the neighbours of {label}{chosen}, "
                "which does not show that it is gone"
            )
        if parts:
            text = f"{what}: {listed(parts)}."
            yield Finding(text, verdict=REMAINS if clear else "", table="what_remains")


def _before_and_after(results: Results) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """What remains in the model before, and by model in those after; empty without the table."""
    table = results.table("what_remains")
    if table.empty:
        return table, {}
    rows_of = {str(model): rows for model, rows in table.groupby("model", sort=False)}
    return rows_of.pop(next(iter(rows_of))), rows_of


def use_lost(results: Results) -> Iterator[Finding]:
    """For each model after, what it is worse and better at than the one before."""
    first, of_models = _before_and_after(results)
    for model, rows in of_models.items():
        kept = rows[rows["about"] == KEPT].dropna(subset=["difference_low", "difference_high"])
        if kept.empty:
            continue
        worse = kept[kept["difference_high"] < 0]
        better = kept[kept["difference_low"] > 0]
        same = len(kept) - len(worse) - len(better)
        covered, total = int(kept["covered"].sum()), int(kept["total"].sum())
        yield Finding(
            f"For what vectors are good for, {results.labels[model]} is {_named('worse', worse)}, "
            f"{_named('better', better)} and not told apart from "
            f"{results.labels[first['model'].iloc[0]]} in {same} of "
            f"{counted(len(kept), 'benchmark')} of word similarity and analogies (intervals "
            f"over the {covered} of {total} items that are in the model, not adjusted for their "
            "number).",
            table="what_remains",
            numbers={"model": model, "worse": len(worse), "better": len(better), "same": same},
        )


def _named(how: str, rows: pd.DataFrame) -> str:
    if rows.empty:
        return f"{how} in none"
    each = zip(rows["subject"], rows["difference"], strict=True)
    return f"{how} in {listed(f'{name} ({value:+.3f})' for name, value in each)}"


def not_measured(results: Results) -> Iterator[Finding]:
    """For each model after, what could not be measured, and why."""
    for model, rows in _before_and_after(results)[1].items():
        missing = rows[rows["value"].isna()]
        if missing.empty:
            continue
        names = listed(
            row["test"] if pd.isna(row["subject"]) or not row["subject"] else row["subject"]
            for row in missing.to_dict("records")
        )
        reasons = listed(dict.fromkeys(missing["note"].dropna()))
        text = f"Not measured of {results.labels[model]}: {names} ({reasons})."
        yield Finding(text, table="what_remains")


def hidden_bias(results: Results) -> Iterator[Finding]:
    """The measures of the metric hidden_bias, for each model and query, in the same words."""
    scores = results.frames["scores"]
    rows = scores[scores["measure"].isin([*_MEASURES.values()])].dropna(subset="value")
    for (model, _), of_model in rows.groupby(["model", "query"], sort=False):
        values = dict(zip(of_model["measure"], of_model["value"], strict=True))
        parts = [
            _TEXTS[test].format(n="unseen " * (test == CLASSIFIER), after=values[measure])
            for test, measure in _MEASURES.items()
            if measure in values
        ]
        chosen = among_chosen(of_model["statistics_note"])
        yield Finding(f"In {results.labels[str(model)]}{chosen} {listed(parts)}.")


def among_chosen(notes: pd.Series) -> str:
    """What the words of a curated vocabulary are, where notes tell it; else empty.

    Hard debiasing leaves two clusters that tell the side of far fewer words of such a vocabulary
    than of a wide one.
    """
    # A column without a single note is read as one of missing numbers.
    found = notes.dropna().astype(str).str.extract(f"{CHOSEN}([^;]*)")[0].dropna()
    if found.empty:
        return ""
    return f", among chosen words alone ({found.iloc[0]}), which do not stand for a wide vocabulary"
