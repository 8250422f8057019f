"""How often intervals over documents hold the log odds ratio of the population; false slopes.

Corpora are planted texts, and go through the library from their texts to its tables. The intervals
of independent co-occurrences are printed next to those over documents (pytest -s).
"""

import os

import numpy as np
import pandas as pd
import pytest
from planted_corpora import draw_documents, planted_rates
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
        slopes.append(trends.query("contrast == 'slope per decade'"))
    table = pd.concat(slopes).dropna(subset="value")
    (coverage,) = shares(table, planted, f"coverage of the slope {planted}")
    significant = (table["p_value"] < 0.05).mean()
    print(f"slope {planted} is significant in {significant:.3f}")
    assert coverage >= 0.93
    assert least <= significant <= most
