"""Claims on the texts of a corpus: associations beyond shuffled texts', and their change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import ge
from typing import Any

import pandas as pd

from fairflow.statistics.rank_tests import ALPHA, benjamini_hochberg
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTABLE, Claim, Gate, Results, number
from fairflow.studies.corpora.trends import parted

# The metric that is computed from counts alone.
LOG_ODDS = "log_odds_ratio"
BEYOND, RISES, FALLS, DIFFERS = "beyond", "rises", "falls", "differs"
UNDATED = "undated documents"
# Fewer clusters of documents have an interval that is rough.
FEW_CLUSTERS = 10


def text_claims(results: Results) -> Iterator[Claim]:
    """Associations in each part of a corpus, and slopes and differences between the parts."""
    signed = [LOG_ODDS, *results.signed]
    scores, trends, words = parted(results.table("corpus_scores"))
    for row in _adjusted(scores, "excess_p"):
        if row["metric"] in signed:
            far = row["excess_low"] > 0 or row["excess_high"] < 0
            yield _claim(row, kinds.IN_TEXTS, BEYOND if far else OPEN, "excess", results)
    for row in _adjusted(trends, "p_value"):
        rises = number(row["value"]) > 0
        how = (RISES if rises else FALLS) if row["kind"] == "slope" else DIFFERS
        yield _claim(row, kinds.CHANGE_OF_TEXTS, how, "value", results)
    undated = words[words["undated"] > 0] if len(words) else words
    for division, rows in undated.groupby("division", sort=False) if len(undated) else ():
        n = int(rows["undated"].iloc[0])
        facts = {"division": division}
        yield Claim(kinds.NOT_MEASURED, UNDATED, n=n, table="corpus_scores", facts=facts)


def _adjusted(table: pd.DataFrame, p: str) -> Iterator[Mapping[str, Any]]:
    """The rows, log odds ratios first, with p adjusted over the rows of a measure."""
    if table.empty:
        return
    keys = ["embedding", "metric"]
    of = dict(iter(table.groupby(keys, sort=False, dropna=False)))
    for key in sorted(of, key=lambda name: name[1] != LOG_ODDS):
        rows = of[key]
        known = rows[p].notna()
        adjusted = pd.Series(float("nan"), rows.index)
        adjusted[known] = benjamini_hochberg(rows.loc[known, p].to_numpy(dtype=float))
        yield from rows.assign(p_adjusted=adjusted).to_dict("records")


def _claim(row: Mapping[str, Any], kind: str, verdict: str, name: str, results: Results) -> Claim:
    p = number(row["p_adjusted"])
    if not p < ALPHA:
        verdict = OPEN if p == p else UNTESTABLE
    low, high = ("excess_low", "excess_high") if name == "excess" else ("low", "high")
    clusters = number(row.get("n_clusters"))
    where = str(row["label"] if kind == kinds.IN_TEXTS else row["contrast"])
    sets = results.sets.get(str(row["query"]), ((), ()))
    names = zip(("targets", "attributes"), map(list, sets), strict=True)
    division = row["division"] if isinstance(row["division"], str) else ""
    return Claim(
        *(kind, verdict, where, "", division, str(row["query"]), str(row["metric"])),
        *(number(row[name]), number(row[low]), number(row[high]), p),
        n=0 if pd.isna(clusters) else int(clusters),
        gates=(Gate.than(ge, "units", clusters, FEW_CLUSTERS),),
        table="corpus_scores",
        rows={"division": division, "query": str(row["query"])},
        facts={"name": row["subquery"], "where": where, "embedding": row["embedding"]}
        # The sets that a value above 0 puts together.
        | (dict(names) if [*map(len, sets)] == [2, 2] else {})
        | {"smallest": number(row.get("smallest_effect")), "reason": row.get("reason")},
    )
