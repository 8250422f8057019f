"""What a comparison before and after lets one conclude: no model is said to be free of bias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import before_after as compared
from fairflow.studies import residual_bias as tests
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.residual_bias import QUALITY, RESIDUAL_BIAS, TESTS
from fairflow.studies.wording import counted, listed
from fairflow.vectors.word_frequency import CHOSEN

_TOLD = {
    compared.SMALLER: "smaller",
    compared.LARGER: "larger",
    compared.OTHER_SIGN: "of the other sign",
    compared.DIFFERS: "different but not clearly in size",
    compared.NOT_TOLD_APART: "not told apart",
    compared.UNTESTED: "not tested",
}
_HIDDEN = (
    "It was not measured whether bias is hidden rather than removed, as neighbourhoods of words "
    "may keep what a score no longer shows (Gonen & Goldberg 2019), nor what else was lost: no "
    "smaller score here says that a model is free of bias."
)
_MEASURED = (
    "A smaller score does not say that bias is gone rather than hidden: the sentences below and "
    "the table residual_bias show which bias the vectors still hold, and what was lost."
)
# Test -> how a sentence tells of it, how it tells the value before, and the measure of the metric
# hidden_bias that is the same quantity.
_TESTS = {
    tests.CLUSTERS: (
        "two clusters tell the side of the {n}most biased words in {after:.1%}",
        *(".1%", "cluster_accuracy"),
    ),
    tests.CLASSIFIER: (
        "a classifier that of {n}words in {after:.1%}",
        *(".1%", "classifier_accuracy"),
    ),
    tests.NEIGHBOURS: (
        "the bias of {n}words correlates with the sides of their neighbours by {after:.2f}",
        *(".2f", "neighbour_correlation"),
    ),
    tests.PROFESSIONS: ("that of {n}professions by {after:.2f}", ".2f", "target_correlation"),
    tests.DIRECT: (
        "professions lie along the direction of the pairs by {after:.2g} on average",
        *(".2g", ""),
    ),
}


@of_table("before_after")
def associations_reduced(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How many associations became smaller in each model after, and what that does not say."""
    labels, metric = results.labels, table["metric"].iloc[0]
    rows = table[table["metric"] == metric].drop_duplicates(["model", "subquery_digest"])
    became = rows["verdict"] == compared.SMALLER
    smaller = became.groupby(rows["model"], sort=False).sum().to_dict()
    before = labels[rows["before_model"].iloc[0]]
    told = listed(f"{labels[m].removeprefix(f'{before}, ')} {n}" for m, n in smaller.items())
    span = " to ".join(map(str, sorted({min(smaller.values()), max(smaller.values())})))
    n = counted(rows["subquery_digest"].nunique(), "association")
    remains = results.table("residual_bias")
    cautions = [*_sign_changes(table, labels)]
    if hidden := [one for one in bias_left(results) if one.verdict == RESIDUAL_BIAS]:
        lie = f"can still be told from where words lie{among_chosen(remains['note'])}"
        cautions.append(f"In {len(hidden)} of {len(smaller)} the old bias {lie}.")
    cautions.append(_HIDDEN if remains.empty else _MEASURED)
    yield Finding(
        f"Debiasing makes {span} of {n} of {before} clearly smaller.",
        f"Smaller by {labels[metric]}: {told} (p < {ALPHA} after Holm).",
        caution=" ".join(cautions),
        leads=True,
        numbers={"associations": rows["subquery_digest"].nunique(), "smaller": smaller},
    )


def _sign_changes(before_after: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """The associations whose sign a model turns, for each model."""
    turned = before_after[before_after["verdict"] == compared.OTHER_SIGN]
    distinct = turned.drop_duplicates(["model", "metric", "subquery_digest"])
    for model, rows in distinct.groupby("model", sort=False):
        told = (
            f"{row['subquery']} (from {row['before']:.2g} to {row['after']:.2g} by "
            f"{labels[row['metric']]})"
            for row in rows.to_dict("records")
        )
        yield f"{labels[str(model)]} turns the sign of {listed(told)}: no reduction."


@of_table("before_after")
def changes_of_models(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """How each model differs from the one before, by each metric."""
    labels, before = results.labels, results.labels[table["before_model"].iloc[0]]
    for model, rows in table.groupby("model", sort=False):
        parts, label = [], labels[str(model)]
        of_length = rows["verdict"] == compared.NOT_COMPARABLE
        for metric, group in rows[~of_length].groupby("metric", sort=False):
            distinct = group.drop_duplicates("subquery_digest")
            counts = distinct["verdict"].value_counts(sort=False)
            told = [f"{counts[name]} {text}" for name, text in _TOLD.items() if name in counts]
            of_queries = f"of {counted(len(distinct), 'query', 'queries')} {listed(told)}"
            parts.append(f"by {labels[str(metric)]}, {of_queries}{_largest(distinct)}")
        if parts:
            yield Finding(
                f"Associations in {label} beside those in {before}: {'; '.join(parts)} (over the "
                f"same resampled words, p < {ALPHA} after Holm over the queries of a metric)."
            )
        if of_length.any():
            names = listed(labels[metric] for metric in rows.loc[of_length, "metric"].unique())
            yield Finding(
                f"{label} and {before} are not compared by {names}, whose values grow with the "
                "length of vectors."
            )


def _largest(rows: pd.DataFrame) -> str:
    """The largest of the differences that are told apart; empty where there is none."""
    told = rows[~rows["verdict"].isin([compared.NOT_TOLD_APART, compared.UNTESTED])]
    if told.empty:
        return ""
    row = told.loc[told["difference"].abs().idxmax()]
    return (
        f", the largest difference told apart {row['difference']:.2g} (from {row['before']:.2g} to "
        f"{row['after']:.2g}), {row['ci_level']:.0%} interval {row['difference_low']:.2g} to "
        f"{row['difference_high']:.2g}"
    )


@of_table("residual_bias")
def bias_left(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, whether its words still tell their old bias."""
    chosen = among_chosen(table["note"])
    first, of_models = _before_and_after(table)
    before = dict(zip(first["test"], first["value"], strict=True))
    for model, every in of_models.items():
        label, rows = (
            results.labels[model],
            every[every["about"] == RESIDUAL_BIAS].dropna(subset="value"),
        )
        of_test = {row["test"]: row for row in rows.to_dict("records")}
        parts = []
        for test, (text, form, _) in _TESTS.items():
            if row := of_test.get(TESTS[test].label):
                told = text.format(n=f"{row['n']:,.0f} ", after=row["value"])
                parts.append(f"{told} (before {before[row['test']]:{form}})")
        correlated = [of_test.get(TESTS[t].label) for t in (tests.NEIGHBOURS, tests.PROFESSIONS)]
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
            yield Finding(f"{what}: {listed(parts)}.", verdict=RESIDUAL_BIAS if clear else "")


def _before_and_after(table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The rows of the model before, which is the first, and by model those of the others."""
    (_, first), *after = table.groupby("model", sort=False)
    return first, dict(after)


@of_table("residual_bias")
def use_lost(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, what it is worse and better at than the one before."""
    first, of_models = _before_and_after(table)
    for model, rows in of_models.items():
        kept = rows[rows["about"] == QUALITY].dropna(subset=["difference_low", "difference_high"])
        if kept.empty:
            continue
        worse, better = kept[kept["difference_high"] < 0], kept[kept["difference_low"] > 0]
        same = len(kept) - len(worse) - len(better)
        covered, total = int(kept["covered"].sum()), int(kept["total"].sum())
        yield Finding(
            f"For what vectors are good for, {results.labels[model]} is {_named('worse', worse)}, "
            f"{_named('better', better)} and not told apart from "
            f"{results.labels[first['model'].iloc[0]]} in {same} of "
            f"{counted(len(kept), 'benchmark')} of word similarity and analogies (intervals "
            f"over the {covered} of {total} items that are in the model, not adjusted for their "
            "number).",
            numbers={"model": model, "worse": len(worse), "better": len(better), "same": same},
        )


def _named(how: str, rows: pd.DataFrame) -> str:
    if rows.empty:
        return f"{how} in none"
    each = zip(rows["subject"], rows["difference"], strict=True)
    return f"{how} in {listed(f'{name} ({value:+.3f})' for name, value in each)}"


@of_table("residual_bias")
def not_measured(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, what could not be measured, and why."""
    for model, rows in _before_and_after(table)[1].items():
        missing = rows[rows["value"].isna()]
        if len(missing):
            names = listed(missing["subject"].replace("", None).fillna(missing["test"]))
            reasons = listed(missing["note"].dropna().unique())
            yield Finding(f"Not measured of {results.labels[model]}: {names} ({reasons}).")


def hidden_bias(results: Results) -> Iterator[Finding]:
    """The measures of the metric hidden_bias, for each model and query, in the same words."""
    scores = results.frames["scores"]
    measures = [measure for *_, measure in _TESTS.values() if measure]
    rows = scores[scores["measure"].isin(measures)].dropna(subset="value")
    for (model, _), of_model in rows.groupby(["model", "query"], sort=False):
        values = dict(zip(of_model["measure"], of_model["value"], strict=True))
        parts = [
            text.format(n="unseen " * (test == tests.CLASSIFIER), after=values[measure])
            for test, (text, _, measure) in _TESTS.items()
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
