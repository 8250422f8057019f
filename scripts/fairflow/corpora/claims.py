"""Claims on the texts of a corpus: associations beyond shuffled texts', and their change."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from operator import ge
from typing import Any

import pandas as pd

from fairflow.corpora.trends import parted
from fairflow.statistics.rank_tests import ALPHA, benjamini_hochberg
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTABLE, Claim, Gate, Results, number
from fairflow.studies.claims.extension import ClaimsOf, Labels, TableRow
from fairflow.studies.claims.words import P, answer, p_text
from fairflow.studies.wording import with_interval

# Kinds of claims.
IN_TEXTS, CHANGE_OF_TEXTS = "association in texts", "change of texts"
# The metric that is computed from counts alone.
LOG_ODDS = "log_odds_ratio"
BEYOND, RISES, FALLS, DIFFERS = "beyond", "rises", "falls", "differs"
# There is no value, for a reason that the table has.
UNDEFINED = "undefined"
UNKNOWN = (UNDEFINED, UNTESTABLE)
UNDATED = "undated documents"
# Fewer clusters of documents have an interval that is rough.
FEW_CLUSTERS = 10


def text_claims(results: Results) -> Iterator[Claim]:
    """Associations in each part of a corpus, and slopes and differences between the parts."""
    signed = [LOG_ODDS, *results.signed]
    scores, trends, words = parted(results.table("corpus_scores"))
    for row in judged(scores):
        if row["metric"] in signed:
            yield _claim(row, IN_TEXTS, row["verdict"], "excess", results)
    for row in _adjusted(trends, "p_value"):
        rises = number(row["value"]) > 0
        how = (RISES if rises else FALLS) if row["kind"] == "slope" else DIFFERS
        yield _claim(row, CHANGE_OF_TEXTS, _verdict(row, how, "value"), "value", results)
    undated = words[words["undated"] > 0] if len(words) else words
    for division, rows in undated.groupby("division", sort=False) if len(undated) else ():
        n = int(rows["undated"].iloc[0])
        facts = {"division": division}
        yield Claim(kinds.NOT_MEASURED, UNDATED, n=n, table="corpus_scores", facts=facts)


def judged(scores: pd.DataFrame) -> Iterator[Mapping[str, Any]]:
    """The rows of scores with "verdict": which exceed those of shuffled texts."""
    for row in _adjusted(scores, "excess_p"):
        far = row["excess_low"] > 0 or row["excess_high"] < 0
        yield {**row, "verdict": _verdict(row, BEYOND if far else OPEN, "excess")}


def _verdict(row: Mapping[str, Any], found: str, name: str) -> str:
    p = number(row["p_adjusted"])
    if math.isnan(p):
        return UNDEFINED if math.isnan(number(row[name])) else UNTESTABLE
    return found if p < ALPHA else OPEN


def _adjusted(table: pd.DataFrame, p: str) -> Iterator[Mapping[str, Any]]:
    """The rows with p adjusted over those of a measure: log odds ratios first, then by query."""
    if table.empty:
        return
    keys = ["embedding", "metric"]
    of = dict(iter(table.groupby(keys, sort=False, dropna=False)))
    for key in sorted(of, key=lambda name: name[1] != LOG_ODDS):
        rows = of[key]
        known = rows[p].notna()
        adjusted = pd.Series(float("nan"), rows.index)
        adjusted[known] = benjamini_hochberg(rows.loc[known, p].to_numpy(dtype=float))
        for _, own in rows.assign(p_adjusted=adjusted).groupby(["query", "subquery"], sort=False):
            yield from own.to_dict("records")


def _claim(row: Mapping[str, Any], kind: str, verdict: str, name: str, results: Results) -> Claim:
    low, high = ("excess_low", "excess_high") if name == "excess" else ("low", "high")
    clusters = number(row.get("n_clusters"))
    where = str(row["label"] if kind == IN_TEXTS else row["contrast"])
    sets = results.sets.get(str(row["query"]), ((), ()))
    names = zip(("targets", "attributes"), map(list, sets), strict=True)
    division = row["division"] if isinstance(row["division"], str) else ""
    return Claim(
        *(kind, verdict, where, "", division, str(row["query"]), str(row["metric"])),
        *(number(row[name]), number(row[low]), number(row[high]), number(row["p_adjusted"])),
        n=0 if pd.isna(clusters) else int(clusters),
        gates=(
            Gate.of("value", verdict != UNDEFINED, table="corpus_scores"),
            Gate.than(ge, "units", clusters, FEW_CLUSTERS),
        ),
        table="corpus_scores",
        rows={"division": division, "query": str(row["query"])},
        facts={"name": row["subquery"], "where": where, "embedding": row["embedding"]}
        # The sets that a value above 0 puts together.
        | (dict(names) if [*map(len, sets)] == [2, 2] else {})
        | {"smallest": number(row.get("smallest_effect")), "reason": row.get("reason")},
    )


class ClaimsOfTexts(ClaimsOf):
    """Associations and their change are judged by draws of documents, and by nothing else."""

    heads = {IN_TEXTS: ("Association in texts", "Where", "Value", P, "Beyond shuffled texts")}
    together = {IN_TEXTS: (CHANGE_OF_TEXTS, IN_TEXTS)}

    def claims(self, results: Results) -> Iterator[Claim]:
        """See `text_claims`."""
        return text_claims(results)

    def judges_alone(self, results: Results) -> bool:
        """Wherever there are texts."""
        return len(results.table("corpus_scores")) > 0

    def row(self, claim: Claim, labels: Labels) -> TableRow:
        """An association in a part of the corpus, or its change."""
        value = "" if math.isnan(claim.value) else _interval(claim)
        cells = claim.what, claim.subject, value, p_text(claim.p_adjusted), claim.short
        return TableRow(cells, int(claim.verdict not in (OPEN, *UNKNOWN)))

    def answer(self, of: Mapping[str, Sequence[Claim]], labels: Labels) -> str:
        """How many associations and changes exceed chance."""
        here, changes = of.get(IN_TEXTS, ()), of.get(CHANGE_OF_TEXTS, ())
        if not (here or changes):
            return ""
        return answer(
            "texts",
            k=sum(one.verdict == BEYOND for one in here),
            n=sum(one.verdict not in UNKNOWN for one in here),
            changed=sum(one.verdict not in (OPEN, *UNKNOWN) for one in changes),
            changes=sum(one.verdict not in UNKNOWN for one in changes),
        )

    def clauses(self, claim: Claim) -> Mapping[str, str]:
        """The interval of a change, and why there is no value or no interval."""
        if claim.kind not in (IN_TEXTS, CHANGE_OF_TEXTS):
            return {}
        reason = claim.facts.get("reason")
        why = f": {reason}" if reason and isinstance(reason, str) else ""
        return {"interval": _interval(claim), "why": why}

    def what(self, claim: Claim, name: str, labels: Labels) -> str:
        """'X (log odds ratio)', 'X (WEAT, pmi)'."""
        if claim.kind not in (IN_TEXTS, CHANGE_OF_TEXTS):
            return ""
        metric, embedding = labels.get(claim.measure, claim.measure), claim.facts.get("embedding")
        by = f", {embedding}" if isinstance(embedding, str) and claim.measure != LOG_ODDS else ""
        return f"{name} ({metric.replace('_', ' ')}{by})"


def _interval(claim: Claim) -> str:
    """With one more decimal of a change, as a slope is small next to its interval."""
    more = int(claim.kind == CHANGE_OF_TEXTS)
    return with_interval(claim.value, claim.low, claim.high, more=more)


EXTENSION = ClaimsOfTexts()
