"""Corpora with a known answer, from their texts to tables."""

import numpy as np
import pytest
from planted_corpora import draw_documents, planted_rates, shuffled_texts
from planted_tables import planted_tables

NAMES = "corpus_scores", "corpus_trends"
# 100 documents of 2,000 tokens: the standard error of a log odds ratio is about .3.
SMALL = {"documents": 100, "tokens": 2_000}


def drawn(seed, log_odds, frequency=2, **size):
    size = SMALL | size
    rates = planted_rates(log_odds, size["tokens"], frequency)
    return draw_documents(np.random.default_rng(seed), rates, **size)


def slope(trends):
    return trends.set_index("kind").loc["slope"]


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


def test_shuffled_texts_have_no_association_and_no_trend_in_vectors(tmp_path):
    """Of 4 corpora; how often this holds is in tests/slow, for these and other texts."""
    for number in range(4):
        texts = [shuffled_texts([number, part], share) for part, share in enumerate((0.8, 0.5, 0))]
        tables = planted_tables(tmp_path, texts, shuffled=10, draws=30)[1]
        scores, trends = (tables[name].query("metric == 'weat'") for name in NAMES)
        assert scores["excess"].to_numpy() == pytest.approx(scores["value"] - scores["null_mean"])
        assert (scores["high"].abs() <= 2).all()
        assert (scores["excess_p"] > 0.01).all()
        assert (trends["p_value"] > 0.01).all()


def test_documents_of_few_authors_tell_less_than_as_many_of_their_own(tmp_path):
    texts = [drawn(8, 0.0, of_author=10)]
    alone, named = (
        planted_tables(tmp_path, texts, of_author=10, cluster=cluster)[1][NAMES[0]].iloc[0]
        for cluster in ("", "author")
    )
    assert (alone["n_clusters"], named["n_clusters"], named["n_documents"]) == (100, 10, 100)
    assert alone["value"] == named["value"]
    assert named["high"] - named["low"] > 1.3 * (alone["high"] - alone["low"])
