"""Claims on languages: which scores may be grammatical gender, and what lists do not compare."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from fairflow.queries.languages import language_name
from fairflow.studies.claims.associations import named
from fairflow.studies.claims.claim import Claim, Results
from fairflow.studies.claims.extension import ClaimsOf

LANGUAGE = "language"
GRAMMAR, MEANING, HIDES, UNCLEAR, GENDERED, LISTS = VERDICTS = (
    *("grammar", "no grammar", "hides", "unclear", "gendered", "lists of several languages"),
)
# Without a direction all cosines change a little, even of words without grammar.
CLEAR = 0.1


class ClaimsOfLanguages(ClaimsOf):
    """Notes on grammar and on lists."""

    noted = {LANGUAGE: VERDICTS}

    def notes(self, results: Results) -> Iterator[Claim]:
        """Claims on grammar."""
        return language_claims(results)

    def clauses(self, claim: Claim) -> dict[str, str]:
        """The name of the language."""
        facts = claim.facts
        return {"language": language_name(facts["language"])} if "language" in facts else {}


def language_claims(results: Results) -> Iterator[Claim]:
    """Which scores may be grammatical gender, and which share of a score was.

    The share is 1 - sum without the direction of grammatical gender / sum with it, of WEAT's sum of
    associations. An effect size has no share: divided by its spread, it is nearly as large where 9
    of 10 parts of the association are grammar (Omrani Sabbaghi & Caliskan 2022).
    """
    gendered = results.further.get("gendered", {})
    rows = results.every_headline.dropna(subset="value")
    rows = rows[rows["query"].isin([*gendered])]
    rows = rows[rows["model"] == results.subject] if results.subject else rows
    for tag, own in rows.groupby(rows["query"].map(gendered), sort=False):
        n = own["query"].nunique()
        yield Claim(LANGUAGE, GENDERED, results.subject, n=n, facts={"language": tag})
        yield from _without_gender(results, own)
    if len({tuple(own) for _, own, _ in results.unspoken}) > 1 and not results.subject:
        yield Claim(LANGUAGE, LISTS)


def _without_gender(results: Results, rows: pd.DataFrame) -> Iterator[Claim]:
    key = ["metric", "query", "subquery"]
    rows = rows[rows["metric"].isin([*results.signed])].drop_duplicates(["model", *key])
    scores = results.table("scores")
    sums = scores[scores["measure"] == "weat"].drop_duplicates(["model", *key])
    rows = rows.merge(
        sums[["model", *key, "value"]], "left", ["model", *key], suffixes=("", "_sum")
    )
    # Other metrics than WEAT are sums or means themselves.
    rows["sum"] = rows["value_sum"].fillna(rows["value"])
    for model, base in results.again.items():
        with_it, without = (rows[rows["model"] == name] for name in (base, model))
        both = with_it.merge(without[[*key, "value", "sum"]], on=key, suffixes=("", "_without"))
        for row in both[both["sum"] != 0].to_dict("records"):
            share = 1 - row["sum_without"] / row["sum"]
            yield Claim(
                *(LANGUAGE, _of_share(share, row), base, model, row["criterion"]),
                *(row["query"], row["metric"], share),
                facts=named(row, results) | {"with": row["value"], "without": row["value_without"]},
            )


def _of_share(share: float, row: Mapping[str, Any]) -> str:
    """What a share says: nothing where the score with grammar may be chance."""
    if not (row["ci_low"] > 0 or row["ci_high"] < 0):
        return UNCLEAR
    if abs(share) < CLEAR:
        return MEANING
    return HIDES if share < 0 or share > 1 else GRAMMAR


EXTENSION = ClaimsOfLanguages()
