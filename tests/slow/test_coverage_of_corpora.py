"""How often intervals hold the value of the population, and how often each claim is made of texts.

Corpora are planted texts, and go through the library from their texts to its tables. The intervals
of independent co-occurrences are printed next to those over documents, and of each world how often
each claim is made, the false ones and the true ones (pytest -s).
"""

import os

import numpy as np
import pandas as pd
import pytest
from planted_corpora import draw_documents, planted_rates, shuffled_texts
from planted_tables import planted_tables

SIMULATIONS = int(os.environ.get("SIMULATIONS", "300"))
# Subcorpora of one corpus.
TOGETHER = 10
DECADES = 5


def drawn(seed, log_odds, frequency, documents, tokens):
    rates = planted_rates(log_odds, tokens, frequency)
    return draw_documents(np.random.default_rng(seed), rates, documents, tokens)


def shares(table, planted, what):
    """How often the planted value is in the interval of a bootstrap, and in the analytic one."""
    found = [
        ((table[low] <= planted) & (planted <= table[high])).mean()
        for low, high in (("low", "high"), ("analytic_low", "analytic_high"))
        if low in table
    ]
    print(f"\n{what}: {', '.join(f'{share:.3f}' for share in found)}")
    return found


@pytest.mark.parametrize(
    ("documents", "tokens", "frequency", "log_odds"),
    [(20, 8_000, 1, 1.0), (50, 8_000, 1, 1.0), (200, 2_000, 2, 0.0)],
)
def test_coverage(tmp_path, documents, tokens, frequency, log_odds):
    tables = []
    for first in range(0, SIMULATIONS, TOGETHER):
        seeds = ([documents, number] for number in range(first, first + TOGETHER))
        corpora = [drawn(seed, log_odds, frequency, documents, tokens) for seed in seeds]
        tables.append(planted_tables(tmp_path, corpora)[1]["corpus_scores"])
    table = pd.concat(tables).dropna(subset="value")
    assert len(table) > 0.98 * SIMULATIONS
    over_documents, analytic = shares(table, log_odds, f"coverage, {documents} documents")
    assert 0.93 <= over_documents <= 0.97
    assert analytic < 0.9


@pytest.mark.parametrize(("planted", "least", "most"), [(0.0, 0.03, 0.07), (0.6, 0.75, 1.0)])
def test_slopes_over_five_decades(tmp_path, planted, least, most):
    """30 documents of 2,000 tokens a decade; a planted slope is found in most corpora."""
    slopes = []
    for number in range(SIMULATIONS):
        decades = [
            drawn([int(10 * planted), number, decade], 0.5 + planted * (decade - 2), 2, 30, 2_000)
            for decade in range(DECADES)
        ]
        trends = planted_tables(tmp_path, decades)[1]["corpus_trends"]
        slopes.append(trends.query("kind == 'slope'"))
    table = pd.concat(slopes).dropna(subset="value")
    (coverage,) = shares(table, planted, f"coverage of the slope {planted}")
    significant = (table["p_value"] < 0.05).mean()
    print(f"slope {planted} is significant in {significant:.3f}")
    assert coverage >= 0.93
    assert least <= significant <= most


# 30 documents of 2,000 tokens, or 15 authors of 4 documents of 1,000, in each of three parts.
AUTHORS = {"documents": 60, "tokens": 1_000, "of_author": 4}
CLAIMS = ["association", "slope", "difference"]
# The texts of a part, how they are tabulated, and the claims that are true; no claim is true of
# "by author", which is wrong more often than 5 % of the time as nobody says who the authors are.
WORLDS = {
    "shuffled": (lambda seed: shuffled_texts(seed, (0.8, 0.5, 0)[seed[-1]]), {}, []),
    "flat": (lambda seed: planted(seed, 1.0), {}, CLAIMS[:1]),
    "rising": (lambda seed: planted(seed, seed[-1] - 1.0), {}, CLAIMS),
    "by party": (lambda seed: planted(seed, 1.2 * (seed[-1] == 2)), {}, CLAIMS),
    "by author": (lambda seed: planted(seed, 0.0, **AUTHORS), {}, None),
    "by author, named": (
        lambda seed: planted(seed, 0.0, **AUTHORS),
        {"of_author": 4, "cluster": "author"},
        [],
    ),
}


def planted(seed, log_odds, documents=30, tokens=2_000, **how):
    rates = planted_rates(log_odds, tokens, 2)
    return draw_documents(np.random.default_rng(seed), rates, documents, tokens, **how)


@pytest.mark.parametrize("world", WORLDS)
def test_false_claims_are_at_most_one_in_twenty(tmp_path, world):
    texts, how, true = WORLDS[world]
    scores, trends = [], []
    for number in range(SIMULATIONS):
        parts = [texts([number, part]) for part in range(3)]
        tables = planted_tables(tmp_path, parts, shuffled=20, draws=60, **how)[1]
        scores.append(tables["corpus_scores"])
        trends.append(tables["corpus_trends"])
    scores, trends = pd.concat(scores), pd.concat(trends)
    rows = pd.concat([scores.assign(kind="association", p_value=scores["excess_p"]), trends])
    made = (rows.assign(made=rows["p_value"] < 0.05).groupby(["metric", "kind"])["made"]).mean()
    vectors = scores[scores["metric"] == "weat"].groupby("label")
    held = vectors.apply(
        lambda of: ((of["low"] < of["value"].mean()) & (of["high"] > of["value"].mean())).mean()
    )
    print(
        f"\n{world}\n{made.unstack()[CLAIMS].round(3)}\ncoverage of the effect size:",
        *held.round(3),
    )
    assert (abs(scores["high"].where(scores["metric"] == "weat", 0)) <= 2).all()
    # Two standard errors of a share of .05.
    chance = 0.05 + 2 * (0.05 * 0.95 / SIMULATIONS) ** 0.5
    if true is None:
        assert made["log_odds_ratio", "association"] > chance
    else:
        assert (made[~made.index.isin(true, level="kind")] <= chance).all()
        assert (held >= 0.9).all()
