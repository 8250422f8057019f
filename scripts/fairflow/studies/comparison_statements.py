"""What a study lets one conclude about its models beside each other: statements for a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pandas as pd

from fairflow.studies.comparability import ALONE, NO_RIVALS, UNDEFINED
from fairflow.studies.controls import COMES_OUT, control_remarks, doubtful, failing
from fairflow.studies.wording import counted, listed

ALPHA = 0.05
# Pairs of models that are named; the others are counted.
MOST_NAMED = 3


def failing_controls(controls: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Which models fail a control query."""
    for model, remark in control_remarks(controls).items():
        if failing(remark):
            yield (
                f"{labels[model]} does not show what any sensible vectors show ({remark}): its "
                "small scores and good ranks are no sign of fairness."
            )


def unknown_controls(controls: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Of which models control queries say nothing, for want of words, say."""
    for model, remark in control_remarks(controls).items():
        if doubtful(remark) and not failing(remark):
            yield (
                f"Whether {labels[model]} shows what any sensible vectors show is not known: "
                f"{remark}."
            )


def controls_that_come_out(controls: pd.DataFrame) -> Iterator[str]:
    """That there is no doubt of that kind."""
    if len(controls) and (controls["status"] == COMES_OUT).all():
        names = listed(dict.fromkeys(controls["query"]))
        yield (
            f"Every model shows what any sensible vectors show (control queries {names}): "
            f"positive, with p < {ALPHA}."
        )


def same_vectors(vectors: Mapping[str, str], labels: Mapping[str, str]) -> Iterator[str]:
    """Which models are the same vectors, so that they are not compared.

    Parameters
    ----------
    vectors : model -> the name of its vectors.
    """
    groups: dict[str, list[str]] = {}
    for model, name in vectors.items():
        groups.setdefault(name, []).append(labels[model])
    for names in groups.values():
        if len(names) > 1:
            compared = "one alone is compared with other models"
            what = "no model is compared with another" if len(groups) == 1 else compared
            same = "are the same vectors, whole, in part or at another length"
            yield f"{listed(names)} {same}: {what}."


def not_ranked(ranking: pd.DataFrame, labels: Mapping[str, str]) -> Iterator[str]:
    """Where models that differ have no ranks, because they share too few (sub-)queries."""
    computed = ranking[ranking["source"] == "computed"]
    rivals = computed[~computed["status"].isin(NO_RIVALS)]
    for metric, rows in rivals.groupby("metric", sort=False):
        where = [
            str(criterion)
            for criterion, ranks in rows.groupby("criterion", sort=False)
            if ranks["model"].nunique() > 1
            and ranks["rank"].isna().all()
            and ranks["status"].isin([ALONE, UNDEFINED]).any()
        ]
        if where:
            yield (
                f"By {labels[metric]} nobody is ranked on {listed(where)}: too few (sub-)queries "
                "are defined by several models."
            )


def told_apart(
    pairwise: pd.DataFrame, ranking: pd.DataFrame, labels: Mapping[str, str]
) -> Iterator[str]:
    """Which models differ over queries, where none do, and where none could."""
    tested = pairwise.dropna(subset="wilcoxon_holm")
    tested = tested[tested["model"] < tested["other"]]  # each pair stands in both orders
    ranks = ranking[ranking["source"] == "computed"]
    ranks = ranks.set_index(["criterion", "metric", "model"])["rank"]
    none: dict[str, list[str]] = {"": [], "powerless": []}
    apart = []
    for (criterion, metric), rows in tested.groupby(["criterion", "metric"], sort=False):
        where = f"{labels[metric]} on {criterion}"
        significant = rows[rows["wilcoxon_holm"] < ALPHA]
        for row in significant.itertuples():
            pair = sorted((row.model, row.other), key=lambda m: ranks[criterion, metric, m])
            less, more = (labels[model] for model in pair)
            apart.append(f"{less} below {more} by {where} (p {row.wilcoxon_holm:.2g})")
        if significant.empty:
            # All differences of one sign give the smallest p that the test has.
            smallest = len(rows) * 2.0 ** (1 - rows["n_queries"].iloc[0])
            none["powerless" if smallest >= ALPHA else ""].append(where)
    if apart:
        more = f", and {counted(len(apart) - MOST_NAMED, 'other pair')}"
        yield (
            f"Over queries these models differ in association: {'; '.join(apart[:MOST_NAMED])}"
            f"{more if len(apart) > MOST_NAMED else ''} (Wilcoxon signed-rank, Holm-adjusted)."
        )
    rivals = [labels[model] for model in labels if model in {*tested["model"], *tested["other"]}]
    only = listed(rivals) if len(rivals) == 2 else ""
    if none[""]:
        yield (
            f"{f'{only} cannot' if only else 'No two models can'} be told apart over queries by "
            f"{listed(none[''])} (Wilcoxon signed-rank, Holm-adjusted): their order there may be "
            "chance."
        )
    if none["powerless"]:
        yield (
            f"By {listed(none['powerless'])} there are too few queries to tell "
            f"{only or 'any two models'} apart, whatever their scores."
        )


def length_statements(
    scale: pd.DataFrame, ranking: pd.DataFrame, labels: Mapping[str, str]
) -> Iterator[str]:
    """By which metrics nobody is compared, as they grow with length, and how far they follow it."""
    scaling = scale[scale["scales_with_length"].astype(bool)]
    rivals = ranking[(ranking["source"] == "computed") & ~ranking["status"].isin(NO_RIVALS)]
    if scaling.empty or rivals["model"].nunique() < 2:
        return
    names = listed(labels[m] for m in scaling["metric"].unique())
    yield (
        f"Values of {names} grow with the length of vectors: no models are ranked or compared by "
        "them."
    )
    explained = scaling.dropna(subset="norm_explains")
    for metric, rows in explained.groupby("metric", sort=False):
        ends = sorted(
            {f"{share:.0%}" for share in rows["norm_explains"].agg(["min", "max"])}, key=len
        )
        yield (
            f"The mean length of the vectors alone explains {' to '.join(ends)} of the variance of "
            f"the order of {rows['n_models'].max()} models by {labels[metric]}."
        )
