"""Conclusions on scores that may measure the grammatical gender of nouns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.queries.known_languages import language_name
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.wording import counted, listed_briefly

# Without a direction all cosines change a little, even of words without grammar.
CLEAR = 0.1


def grammatical_gender(results: Results) -> Iterator[Finding]:
    """Which scores may be grammar, by language; what they are without its direction.

    The share that was grammar is 1 - sum without / sum with, of WEAT's sum of associations. An
    effect size has no share: divided by its spread, it is nearly as large where 9 of 10 parts of
    the association are grammar.
    """
    rows = results.every_headline.dropna(subset="value")
    rows = rows[rows["query"].isin([*results.gendered])]
    if results.subject:
        rows = rows[rows["model"] == results.subject]
    for tag, own in rows.groupby(rows["query"].map(results.gendered), sort=False):
        labels = [*own["query_label"].unique()]
        compared = dict(_compared(results, own))
        lost = " Without that direction meaning is lost, too, and some grammar may be left."
        yield Finding(
            f"Nouns in {language_name(tag)} have a grammatical gender: "
            f"{counted(len(labels), 'query', 'queries')} about men and women may measure grammar.",
            "Vectors of feminine nouns may be near words for women by grammar alone (Zhou et al. "
            "2019; Omrani Sabbaghi & Caliskan 2022).",
            f"Such a score alone shows no stereotype.{lost if compared else ''}",
            f"By name: {listed_briefly(labels)}.",
            leads=True,
            evidence=(*compared,),
            numbers={"language": tag, "shares": [*compared.values()]},
        )


def _compared(results: Results, rows: pd.DataFrame) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each score with and without the direction of grammatical gender, and the share it was."""
    key, labels = ["metric", "query", "subquery"], results.labels
    rows = rows[rows["metric"].isin([*results.signed])].drop_duplicates(["model", *key])
    scores = results.table("scores")
    sums = scores[scores["measure"] == "weat"].drop_duplicates(["model", *key])
    rows = rows.merge(
        sums[["model", *key, "value"]], "left", ["model", *key], suffixes=("", "_sum")
    )
    # Other metrics than WEAT are sums or means themselves.
    rows["sum"] = rows["value_sum"].fillna(rows["value"])
    for model, base in results.without_gender.items():
        with_it, without = (rows[rows["model"] == name] for name in (base, model))
        both = with_it.merge(without[[*key, "value", "sum"]], on=key, suffixes=("", "_without"))
        for row in both[both["sum"] != 0].to_dict("records"):
            share = 1 - row["sum_without"] / row["sum"]
            text = (
                f"{row['query_label']} ({labels[row['metric']]}, {labels[base]}): "
                f"{row['value']:+.2f} with and {row['value_without']:+.2f} without the direction "
                f"of grammatical gender; {_of_share(share, row)}."
            )
            yield text, {"model": model, "query": row["query"], "share": share}


def _of_share(share: float, row: Mapping[str, Any]) -> str:
    """What a share says: nothing where the score with grammar may be chance."""
    if not (row["ci_low"] > 0 or row["ci_high"] < 0):
        interval = f"[{row['ci_low']:.2f}, {row['ci_high']:.2f}]"
        return f"the interval of the first, {interval}, holds 0, so that no share of it is known"
    if abs(share) < CLEAR:
        return "next to nothing of it was grammar"
    if share < 0:
        return "grammar made it smaller"
    return f"{share:.0%} of the association was grammar" if share <= 1 else "grammar made its sign"
