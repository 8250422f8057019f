"""Slopes and differences over subcorpora: each is a weighted sum of values and of draws."""

import math

import numpy as np
import pytest

from fairflow.corpora.subcorpora import Subcorpus
from fairflow.studies.corpora.draws import Drawn, spread
from fairflow.studies.corpora.trends import corpus_trends

YEARS = (1825.0, 1875.0, 1925.0, 1950.0)


def part(label, position=math.nan, division="times"):
    return Subcorpus(division, label.lower(), label, position)


def drawn(value, draws=(), documents=30, reason=""):
    return Drawn(("pmi", "weat", "q", "A"), value, documents, reason, documents=np.array(draws))


def trends(*found):
    return corpus_trends([*found], 0.95).to_dict("records")


def noisy(value, seed):
    return drawn(value, np.random.default_rng(seed).normal(value, 0.1, 60), 20 + seed)


def test_a_planted_slope_is_found_for_a_decade():
    line = [0.5 + 0.03 * year for year in YEARS]
    parts = [(part(str(year), year), noisy(value, n)) for n, (year, value) in
             enumerate(zip(YEARS, line, strict=True))]  # fmt: skip
    slope, difference = trends(*parts)
    assert slope["contrast"] == "slope per decade"
    assert slope["value"] == pytest.approx(0.3)
    assert slope["low"] < 0.3 < slope["high"]
    assert slope["p_value"] < 1e-6
    assert (slope["n_draws"], slope["reason"]) == (60, "")
    assert difference["contrast"] == "1950.0 minus 1825.0"
    assert difference["value"] == pytest.approx(0.03 * 125)


def test_each_draw_gives_one_slope_and_the_smallest_subcorpus_counts():
    parts = [(part(str(year), year), noisy(0.0, n)) for n, year in enumerate(YEARS)]
    slope, difference = trends(*parts)
    draws = np.stack([each.documents for _, each in parts])
    fitted = [10 * np.polyfit(YEARS, column, 1)[0] for column in draws.T]
    assert slope["standard_error"] == pytest.approx(spread(0.0, np.array(fitted), 20)[0])
    changes = draws[-1] - draws[0]
    assert difference["high"] == pytest.approx(spread(0.0, changes, 20).high)


def test_flat_values_are_seldom_called_a_trend():
    found = []
    for run in range(400):
        random = np.random.default_rng(run)
        values = random.normal(0, 0.1, 4)
        each = [
            (part(str(year), year), drawn(value, random.normal(value, 0.1, 100), 50))
            for year, value in zip(YEARS, values, strict=True)
        ]
        found.append(trends(*each)[0]["p_value"] < 0.05)
    assert 0.03 <= np.mean(found) <= 0.07


def test_subcorpora_by_values_are_compared_in_pairs():
    parts = [(part(label), noisy(value, n)) for n, (label, value) in
             enumerate({"A": 1.0, "B": 0.4, "C": 0.1}.items())]  # fmt: skip
    rows = trends(*parts)
    assert {row["contrast"]: round(row["value"], 6) for row in rows} == {
        "A minus B": 0.6,
        "A minus C": 0.9,
        "B minus C": 0.3,
    }


def test_two_subcorpora_by_date_have_no_slope_and_no_division_has_no_trend():
    pair = [(part(str(year), year), noisy(0.0, 1)) for year in YEARS[:2]]
    assert [row["contrast"] for row in trends(*pair)] == ["1875.0 minus 1825.0"]
    assert trends((part("all documents", division=""), noisy(0.0, 1))) == []


def test_a_slope_leaves_out_a_subcorpus_without_a_value_and_says_so():
    parts = [(part(str(year), year), noisy(0.01 * year, 1)) for year in YEARS]
    parts[0] = (parts[0][0], drawn(math.nan, [math.nan] * 60, reason="no word of Female"))
    slope, difference = trends(*parts)
    assert slope["value"] == pytest.approx(0.1)
    assert slope["reason"] == "without 1825.0: no word of Female"
    assert math.isnan(difference["value"])
    assert difference["reason"] == "1825.0: no word of Female"
    few = trends(*parts[:3])[0]
    assert math.isnan(few["value"])
    assert few["reason"].startswith("fewer than 3 subcorpora with a value: without 1825.0")


def test_one_document_gives_no_interval_and_the_reason_says_so():
    parts = [(part(str(year), year), noisy(0.01 * year, 1)) for year in YEARS]
    parts[0] = (parts[0][0], drawn(1.0, documents=1))
    for row in trends(*parts):
        assert math.isnan(row["low"])
        assert row["reason"] == "1825.0: one document, no interval"


def test_draws_without_a_value_in_one_subcorpus_are_left_out_of_the_contrast():
    parts = [(part(str(year), year), noisy(0.0, 1)) for year in YEARS[:2]]
    parts[0][1].documents[:4] = math.nan
    (difference,) = trends(*parts)
    assert difference["n_draws"] == 56


def test_values_without_draws_have_a_trend_without_an_interval():
    parts = [(part(str(year), year), drawn(0.01 * year)) for year in YEARS]
    slope = trends(*parts)[0]
    assert slope["value"] == pytest.approx(0.1)
    assert math.isnan(slope["low"])
    assert slope["n_draws"] == 0
