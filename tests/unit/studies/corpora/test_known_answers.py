"""Corpora with a known answer, from their texts to tables."""

import numpy as np
import pytest
from planted_corpora import SETS, draw_documents, planted_rates
from planted_tables import planted_tables

SIZE = len(SETS["women"])
# 100 documents of 2,000 tokens: the standard error of a log odds ratio is about .3.
SMALL = {"documents": 100, "tokens": 2_000}


def drawn(seed, log_odds, frequency=2, **size):
    size = SMALL | size
    rates = planted_rates(log_odds, size["tokens"], frequency)
    return draw_documents(np.random.default_rng(seed), rates, **size)


def slope(trends):
    return trends.set_index("contrast").loc["slope per decade"]


def test_a_planted_slope_is_found(tmp_path):
    decades = [drawn([1, decade], 0.4 * decade) for decade in range(5)]
    _, tables = planted_tables(tmp_path, decades)
    found = slope(tables["corpus_trends"])
    assert 0 < found["low"] < 0.4 < found["high"]
    assert found["p_value"] < 0.01


def test_no_slope_is_found_where_there_is_none(tmp_path):
    decades = [drawn([2, decade], 1.0) for decade in range(5)]
    _, tables = planted_tables(tmp_path, decades)
    found = slope(tables["corpus_trends"])
    assert found["low"] < 0 < found["high"]
    assert found["p_value"] > 0.05


def test_intervals_hold_the_planted_value_more_often_than_those_of_independent_co_occurrences(
    tmp_path,
):
    """Of 60 corpora; their number is .93 to .97 of 300 in tests/slow."""
    corpora = [drawn([3, number], 1.0, 4, documents=30, tokens=1_000) for number in range(60)]
    _, tables = planted_tables(tmp_path, corpora)
    found = tables["corpus_scores"]
    assert ((found["low"] < 1) & (found["high"] > 1)).mean() >= 0.85
    assert ((found["analytic_low"] < 1) & (found["analytic_high"] > 1)).mean() <= 0.8


def test_words_that_are_dealt_at_random_have_no_association(tmp_path):
    numbers, bounds = drawn(4, 1.5)
    noise = np.random.default_rng(4).permutation(numbers), bounds
    _, tables = planted_tables(tmp_path, [noise, (numbers, bounds)], shuffled=20)
    dealt, planted = tables["corpus_scores"].to_dict("records")
    assert dealt["low"] < 0 < dealt["high"]
    assert dealt["null_low"] < dealt["value"] < dealt["null_high"] < planted["value"]


def test_one_document_repeated_has_an_interval_of_no_width_and_is_a_duplicate(tmp_path):
    document = drawn(5, 0.5, documents=10)[0]
    copies = np.tile(document, 30), len(document) * np.arange(31)
    card, tables = planted_tables(tmp_path, [copies])
    assert card["notes"]["Kept, with the text of another document"]["number"] == 29
    (found,) = tables["corpus_scores"].to_dict("records")
    assert found["low"] == found["value"] == found["high"] != 0
    assert found["analytic_low"] < found["value"]


def test_a_set_that_never_occurs_leaves_no_value_but_its_reason(tmp_path):
    numbers, bounds = drawn(6, 0.5)
    without = np.where(numbers < SIZE, len(SETS) * SIZE, numbers)
    _, tables = planted_tables(tmp_path, [(without, bounds)])
    (found,) = tables["corpus_scores"].to_dict("records")
    assert np.isnan([found[name] for name in ("value", "low", "high", "analytic_low")]).all()
    assert "women" in found["reason"]
    assert found["n_first"] == 0
    words = tables["corpus_words"].set_index("set")["count"]
    assert words["women"].sum() == 0
    assert words["men"].sum() == pytest.approx(found["n_second"])
