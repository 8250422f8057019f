"""Slopes and differences over subcorpora: each is a weighted sum of values and of draws."""

import math

import numpy as np
import pytest

from fairflow.corpora.draws import Drawn
from fairflow.corpora.sample import Subcorpus
from fairflow.corpora.trends import corpus_trends

YEARS = (1825.0, 1875.0, 1925.0, 1950.0)


def part(label, position=math.nan, division="times"):
    return Subcorpus(division, label.lower(), label, position)


def drawn(value, draws=(), units=30, reason="", **more):
    more = {"without_association": 0.0} | more
    key = ("pmi", "weat", "q", "A")
    return Drawn(key, value, units, reason, documents=np.array(draws), **more)


def trends(*found):
    return corpus_trends([*found], 0.95).to_dict("records")


def noisy(value, seed):
    return drawn(value, np.random.default_rng(seed).normal(value, 0.1, 60), 20 + seed)


def test_a_planted_slope_is_found_for_a_decade():
    line = [0.5 + 0.03 * year for year in YEARS]
    parts = [(part(str(year), year), noisy(value, n)) for n, (year, value) in
             enumerate(zip(YEARS, line, strict=True))]  # fmt: skip
    slope, difference = trends(*parts)
    assert (slope["kind"], slope["contrast"]) == ("slope", "per decade")
    assert slope["value"] == pytest.approx(0.3)
    assert slope["low"] < 0.3 < slope["high"]
    assert slope["p_value"] < 1e-6
    assert [slope[name] for name in ("n_draws", "n_clusters", "reason")] == [60, 20, ""]
    assert (difference["kind"], difference["contrast"]) == ("difference", "1950.0 minus 1825.0")
    assert difference["value"] == pytest.approx(0.03 * 125)


def test_a_slope_of_shuffled_texts_is_no_trend():
    """As of the State of the Union: what falls by itself is subtracted, with its variance."""
    parts = [(part(str(year), year), noisy(-0.004 * year, n)) for n, year in enumerate(YEARS)]
    falling = [
        np.random.default_rng(n).normal(-0.004 * year, 0.05, 20) for n, year in enumerate(YEARS)
    ]
    shuffled = [
        (each, one._replace(shuffled=noise, without_association=math.nan))
        for (each, one), noise in zip(parts, falling, strict=True)
    ]
    (alone, _), (slope, difference) = trends(*parts), trends(*shuffled)
    assert alone["p_value"] < 0.05 < slope["p_value"]
    fitted = 10 * np.polyfit(YEARS, [noise.mean() for noise in falling], 1)[0]
    assert (slope["observed"], slope["null_mean"]) == pytest.approx((-0.04, fitted))
    assert slope["value"] == pytest.approx(-0.04 - fitted)
    assert slope["standard_error"] > alone["standard_error"]
    assert difference["value"] == pytest.approx(-0.5 - falling[-1].mean() + falling[0].mean())


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
