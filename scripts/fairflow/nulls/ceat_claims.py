"""Claims on words in contexts: which associations hold for other words and contexts, too."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from fairflow.statistics.rank_tests import ALPHA, benjamini_hochberg
from fairflow.studies.claims.associations import SIGNIFICANT
from fairflow.studies.claims.claim import OPEN, UNTESTED, Claim, Results
from fairflow.studies.claims.extension import Labels, TableRow
from fairflow.studies.claims.words import P, answer, p_text
from fairflow.studies.wording import with_interval

IN_CONTEXTS = "in contexts"
HEAD = ("Words in contexts", "Model", "Contexts", "d", P, "Authors' p", "Associated")


def context_claims(results: Results) -> Iterator[Claim]:
    """A claim for each query and model, p corrected over all of them (Benjamini & Hochberg).

    The value is d of the pairs of sets that it puts together, and so not below 0.
    """
    table = results.table("ceat")
    if table.empty:
        return
    adjusted = benjamini_hochberg(table["p_value"].to_numpy(float))
    for row, p in zip(table.to_dict("records"), adjusted, strict=True):
        verdict = UNTESTED if math.isnan(p) else SIGNIFICANT if p < ALPHA else OPEN
        targets, attributes = map(list, results.sets[row["query"]])
        d, low, high = row["effect"], row["low"], row["high"]
        if d < 0:
            targets, d, low, high = targets[::-1], -d, -high, -low
        facts = {"targets": targets, "attributes": attributes, "why": row["reason"]}
        yield Claim(
            *(IN_CONTEXTS, verdict, row["model"], "", "", row["query"], ""),
            *(d, low, high, float(p)),
            n=int(row["contexts"]),
            table="ceat",
            rows={"model": row["model"], "query": row["query"]},
            facts=facts | {"authors_p": row["authors_p"]},
        )


def context_clauses(claim: Claim) -> Mapping[str, str]:
    """The authors' p where it says otherwise."""
    if claim.kind != IN_CONTEXTS:
        return {}
    p, found = claim.facts["authors_p"], claim.verdict == SIGNIFICANT
    otherwise = claim.verdict != UNTESTED and (p < ALPHA) != found
    return {"authors": f" (the authors' p: {_small(p)})" if otherwise else ""}


def context_row(claim: Claim, labels: Labels) -> TableRow:
    """A query and a model as a row of the table `HEAD`."""
    d = "" if math.isnan(claim.value) else with_interval(claim.value, claim.low, claim.high)
    known = "" if math.isnan(claim.facts["authors_p"]) else _small(claim.facts["authors_p"])
    model = labels.get(claim.subject, claim.subject)
    cells = claim.what, model, str(claim.n), d, p_text(claim.p_adjusted), known, claim.short
    return TableRow(cells, int(claim.verdict == SIGNIFICANT))


def context_answer(of: Mapping[str, Sequence[Claim]]) -> str:
    """How many associations hold, and how many would by the authors' p; "" without any."""
    every = [one for one in of.get(IN_CONTEXTS, ()) if one.verdict != UNTESTED]
    found = sum(one.verdict == SIGNIFICANT for one in every)
    authors = sum(one.facts["authors_p"] < ALPHA for one in every)
    return answer("contexts", k=found, n=len(every), authors=authors) if every else ""


def _small(p: float) -> str:
    """'.03', '1e-7', '<1e-99'."""
    return p_text(p) if p >= 0.001 else f"{p:.0e}".replace("e-0", "e-") if p > 1e-99 else "<1e-99"
