"""Conclusions on models before and after: no model is said to be free of bias."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.statistics.rank_tests import ALPHA
from fairflow.studies import before_after as compared
from fairflow.studies import residual_bias as tests
from fairflow.studies.findings.finding import Finding, Results, of_table
from fairflow.studies.residual_bias import QUALITY, RESIDUAL_BIAS, TESTS
from fairflow.studies.wording import counted, listed, with_interval
from fairflow.vectors.word_frequency import CHOSEN

_VERDICTS = {
    compared.SMALLER: "smaller",
    compared.LARGER: "larger",
    compared.OTHER_SIGN: "of the other sign",
    compared.DIFFERS: "different but not clearly in size",
    compared.NOT_DISTINGUISHABLE: "not clearly different",
    compared.UNTESTED: "not tested",
}
_HIDDEN = (
    "A smaller score does not show that a model is free of bias: whether the bias is hidden, as "
    "neighbourhoods of words may keep what a score no longer shows (Gonen & Goldberg 2019), and "
    "what else was lost was not measured."
)
_MEASURED = (
    "A smaller score does not show that bias is removed rather than hidden: see residual_bias.csv "
    "for the bias that remains and the quality that was lost."
)
# Test -> its sentence, the format of the value before, and the measure of the metric hidden_bias
# with the same meaning.
_TESTS = {
    tests.CLUSTERS: (
        "two clusters recover the direction of the {n}most biased words in {after:.0%}",
        *(".0%", "cluster_accuracy"),
    ),
    tests.CLASSIFIER: (
        "a classifier recovers that of {n}words in {after:.0%}",
        *(".0%", "classifier_accuracy"),
    ),
    tests.NEIGHBOURS: (
        "the old bias of {n}words correlates with the bias of their neighbours by {after:.2f}",
        *(".2f", "neighbour_correlation"),
    ),
    tests.PROFESSIONS: (
        "the old bias of {n}professions by {after:.2f}",
        ".2f",
        "target_correlation",
    ),
    tests.DIRECT: (
        "the mean direct bias of professions is {after:.2g}",
        *(".2g", ""),
    ),
}


@of_table("before_after")
def associations_reduced(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """In which models the associations are smaller in size, and what that does not show."""
    labels, metric = results.labels, table["metric"].iloc[0]
    before = labels[table["before_model"].iloc[0]]
    sizes = results.table("size_changes")
    rows = sizes[sizes["metric"] == metric] if len(sizes) else sizes
    residual = results.table("residual_bias")
    cautions = [*_sign_changes(table, labels)]
    n_models = table["model"].nunique()
    if hidden := [one for one in bias_left(results) if one.verdict == RESIDUAL_BIAS]:
        still = f"can still be predicted from their vectors{among_chosen(residual['note'])}"
        cautions.append(f"In {len(hidden)} of {n_models} the old bias of words {still}.")
    cautions.append(_HIDDEN if residual.empty else _MEASURED)
    names = {m: labels[m].removeprefix(f"{before}, ") for m in table["model"].unique()}
    yield Finding(
        f"{_reduced(rows, names)} ({labels[metric]}, before: {before}).",
        caution=" ".join(cautions),
        table="size_changes",
        leads=True,
        evidence=tuple(_size_change(row, names) for row in rows.to_dict("records")),
        numbers={"models": {row.model: row.verdict for row in rows.itertuples()}},
    )


def _reduced(rows: pd.DataFrame, names: Mapping[str, str]) -> str:
    """'Associations are smaller on average with A and B, not clearly with C'."""
    models: dict[str, list[str]] = {}
    for row in rows.itertuples():
        models.setdefault(row.verdict, []).append(names[row.model])
    how = {
        compared.SMALLER: "smaller in size",
        compared.LARGER: "larger in size",
        compared.NOT_DISTINGUISHABLE: "not clearly changed in size",
    }
    parts = [f"{text} with {listed(models[v])}" for v, text in how.items() if v in models]
    if parts:
        return f"Associations are on average {', '.join(parts)}"
    return "Whether associations became smaller was not tested"


def _size_change(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """The mean size before and after; why single associations may not be clearly smaller."""
    change = with_interval(row["change"], row["change_low"], row["change_high"])
    n, smaller, clear = row["n_associations"], row["n_smaller"], row["n_clearly_smaller"]
    few = ", as a single query has few words" if clear < smaller else ""
    return (
        f"{names[row['model']]}: mean size {row['mean_size_before']:.2f} before, "
        f"{row['mean_size_after']:.2f} after (change {change}); {smaller} of "
        f"{counted(n, 'association')} smaller, {clear} clearly so alone{few}."
    )


def _sign_changes(before_after: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """The associations whose sign a model reverses, for each model."""
    turned = before_after[before_after["verdict"] == compared.OTHER_SIGN]
    distinct = turned.drop_duplicates(["model", "metric", "subquery_digest"])
    for model, rows in distinct.groupby("model", sort=False):
        reversed_ = (
            f"{row['subquery']} (from {row['before']:.2g} to {row['after']:.2g} by "
            f"{labels[row['metric']]})"
            for row in rows.to_dict("records")
        )
        yield f"{labels[str(model)]} reverses the sign of {listed(reversed_)}: no reduction."


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
            found = [f"{counts[name]} {text}" for name, text in _VERDICTS.items() if name in counts]
            of_queries = f"of {counted(len(distinct), 'query', 'queries')} {listed(found)}"
            parts.append(f"by {labels[str(metric)]}, {of_queries}{_largest(distinct)}")
        if parts:
            yield Finding(
                f"{label} compared with {before}: {'; '.join(parts)} (over the same resampled "
                f"words, p < {ALPHA} after Holm over the queries of a metric)."
            )
        if of_length.any():
            names = listed(labels[metric] for metric in rows.loc[of_length, "metric"].unique())
            yield Finding(
                f"{label} and {before} are not compared by {names}, whose values grow with the "
                "length of vectors."
            )


def _largest(rows: pd.DataFrame) -> str:
    """The largest clear difference; "" without one."""
    clear = rows[~rows["verdict"].isin([compared.NOT_DISTINGUISHABLE, compared.UNTESTED])]
    if clear.empty:
        return ""
    row = clear.loc[clear["difference"].abs().idxmax()]
    return (
        f", the largest clear difference {row['difference']:.2g} (from {row['before']:.2g} to "
        f"{row['after']:.2g}), {row['ci_level']:.0%} interval {row['difference_low']:.2g} to "
        f"{row['difference_high']:.2g}"
    )


@of_table("residual_bias")
def bias_left(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, whether the old bias of words can still be predicted."""
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
                sentence = text.format(n=f"{row['n']:,.0f} ", after=row["value"])
                parts.append(f"{sentence} (before {before[row['test']]:{form}})")
        correlated = [of_test.get(TESTS[t].label) for t in (tests.NEIGHBOURS, tests.PROFESSIONS)]
        clear = any(row and row["value_range_low"] > 0 for row in correlated)
        what = f"The old bias of words in {label}{chosen}"
        if clear:
            still = "can still be predicted from their vectors"
            what = f"The old bias of words {still} in {label}{chosen}"
        elif any(correlated):
            what = (
                f"The old bias of words was not found in the neighbours of {label}{chosen}, which "
                "does not show that it is removed"
            )
        if parts:
            yield Finding(f"{what}: {listed(parts)}.", verdict=RESIDUAL_BIAS if clear else "")


def _before_and_after(table: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, pd.DataFrame]]:
    """The rows of the model before, which is the first, and those of each other model."""
    (_, first), *after = table.groupby("model", sort=False)
    return first, dict(after)


@of_table("residual_bias")
def use_lost(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, on which benchmarks it is worse or better than the one before."""
    first, of_models = _before_and_after(table)
    for model, rows in of_models.items():
        kept = rows[rows["about"] == QUALITY].dropna(subset=["difference_low", "difference_high"])
        if kept.empty:
            continue
        worse, better = kept[kept["difference_high"] < 0], kept[kept["difference_low"] > 0]
        same = len(kept) - len(worse) - len(better)
        covered, total = int(kept["covered"].sum()), int(kept["total"].sum())
        yield Finding(
            f"Quality of {results.labels[model]}: {_named('worse', worse)}, "
            f"{_named('better', better)} and not clearly different from "
            f"{results.labels[first['model'].iloc[0]]} on {same} of "
            f"{counted(len(kept), 'benchmark')} of word similarity and analogies (intervals over "
            f"the {covered:,} of {total:,} items in the vocabulary, not adjusted for the number of "
            "benchmarks).",
            numbers={"model": model, "worse": len(worse), "better": len(better), "same": same},
        )


def _named(how: str, rows: pd.DataFrame) -> str:
    if rows.empty:
        return f"{how} on no benchmark"
    each = zip(rows["subject"], rows["difference"], strict=True)
    return f"{how} on {listed(f'{name} ({value:+.3f})' for name, value in each)}"


@of_table("residual_bias")
def not_measured(results: Results, table: pd.DataFrame) -> Iterator[Finding]:
    """For each model after, what could not be measured, and why."""
    for model, rows in _before_and_after(table)[1].items():
        missing = rows[rows["value"].isna()]
        if len(missing):
            names = listed(missing["subject"].replace("", None).fillna(missing["test"]))
            reasons = listed(missing["note"].dropna().unique())
            yield Finding(f"Not measured in {results.labels[model]}: {names} ({reasons}).")


def hidden_bias(results: Results) -> Iterator[Finding]:
    """The measures of the metric hidden_bias, for each model and query, in the same sentences."""
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
    """How the words of a curated vocabulary were chosen, if notes say so; else "".

    After hard debiasing two clusters recover the direction of far fewer words in such a vocabulary
    than in a wide one.
    """
    # A column without any note is read as missing numbers.
    found = notes.dropna().astype(str).str.extract(f"{CHOSEN}([^;]*)")[0].dropna()
    if found.empty:
        return ""
    return f", among chosen words only ({found.iloc[0]}), which do not represent a wide vocabulary"
