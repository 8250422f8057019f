"""Claims on models before and after: no model is said to be free of bias."""

from __future__ import annotations

from collections.abc import Iterator
from operator import le

import numpy as np

from fairflow.statistics.intervals import fisher_z, student_interval
from fairflow.studies import before_after as compared
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims.claim import OPEN, UNTESTED, Claim, Gate, Results, number

# Of the metric hidden_bias.
NEIGHBOURS = "neighbour_correlation"
# The others are called as in the table.
_VERDICTS = {compared.NOT_DISTINGUISHABLE: OPEN, compared.UNTESTED: UNTESTED}


def debiased_claims(results: Results) -> Iterator[Claim]:
    """Of each model after: how the mean size of its associations changed, and at what price.

    An association whose sign is reversed is not reduced; a bias that the vectors of words still
    predict is not removed (Gonen & Goldberg 2019); a lower quality makes every association smaller.
    """
    table = results.table("before_after")
    if table.empty or not (is_size := table["measure"] == compared.MEAN_SIZE).any():
        return
    sizes, changes = table[is_size], table[~is_size]
    metric = str(changes["metric"].iloc[0])
    for row in sizes[sizes["metric"] == metric].to_dict("records"):
        model, before = str(row["model"]), str(row["before_model"])
        own = changes[(changes["model"] == model) & (changes["metric"] == metric)]
        own = own.drop_duplicates("subquery_digest")
        reversed_ = own.loc[own["verdict"] == compared.OTHER_SIGN, "query"]
        worse, benchmarks = _quality_lost(results, model, before)
        predicted = _predictable(results, model)
        value, low, high = (number(row[f"absolute_difference{e}"]) for e in ("", "_low", "_high"))
        verdict = str(_VERDICTS.get(row["verdict"], row["verdict"]))
        yield Claim(
            *(kinds.DEBIASED, verdict, model, before, "", "", metric),
            *(value, low, high),
            n=int(row["n_associations"]),
            gates=(
                Gate.of("signs", reversed_.empty, len(reversed_), 0, table="before_after"),
                Gate.than(le, "hidden", predicted, 0, table="scores"),
                Gate.of("quality", worse == 0 if benchmarks else None, table="quality"),
            ),
            table="before_after",
            rows={"model": model, "metric": metric},
            facts={"before": number(row["before"])}
            | {"after": number(row["after"]), "clear": int(row["n_clearly_smaller"])}
            | {"reversed": [*reversed_], "worse": worse, "benchmarks": benchmarks},
        )


def _quality_lost(results: Results, model: str, before: str) -> tuple[int, int]:
    """On how many benchmarks a model is clearly worse than the one before, and of how many."""
    table = results.table("quality")
    if table.empty:
        return 0, 0
    rows = table[(table["model"] == model) & (table["other"] == before)]
    rows = rows.dropna(subset=["difference_low", "difference_high"])
    return int((rows["difference_high"] < 0).sum()), len(rows)


def _predictable(results: Results, model: str) -> float:
    """The lower end of the correlation of old bias with that of neighbours; NaN where unknown.

    By Fisher's z, of as many words as the query names: those of its vocabulary are more.
    """
    rows = results.every_headline
    rows = rows[(rows["model"] == model) & (rows["measure"] == NEIGHBOURS)].dropna(subset="value")
    errors = 1 / np.sqrt(np.maximum(rows["n_words"] - 3, 1))
    low, _ = student_interval(rows["value"], errors, scale=fisher_z())
    return number(low.max())
