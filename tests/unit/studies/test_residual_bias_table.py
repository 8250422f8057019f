"""The table of what remains: values, their ranges, and paired differences to the model before."""

import math

import numpy as np
import pytest

from fairflow.studies.before_after import RESIDUAL_BIAS_COLUMNS, quality, residual_bias
from fairflow.studies.benchmarks import Answers
from fairflow.studies.residual_bias import Finding, ModelFindings, undefined

ITEMS = np.arange(30)
SCORES = np.random.default_rng(1).normal(size=30)


def similarity(given, items=ITEMS):
    answers = Answers(items, SCORES[items], given)
    return Finding(
        "similarity", "RG65", answers=answers, n=len(items), covered=len(items), total=65
    )


def table(*models):
    found = [ModelFindings(name, tuple(findings)) for name, findings in models]
    return residual_bias(found, "before", {"RG65": "Rubenstein"}, 0.95, 2020)


def clusters(*runs):
    return Finding("clusters", runs=runs, n=1000, chance=0.5)


def test_runs_have_their_mean_their_spread_and_their_ends():
    rows = table(("after", [clusters(0.8, 0.6)]), ("before", [clusters(1.0, 0.9)]))
    assert rows["model"].tolist() == ["before", "after"]
    after = rows.iloc[1]
    ends = after[["value_range_low", "value_range_high"]].tolist()
    assert [after["value"], *ends] == pytest.approx([0.7, 0.6, 0.8])
    assert after["spread"] == pytest.approx(np.std([0.8, 0.6], ddof=1))
    assert after["range"] == "least and most of 2 runs"
    assert after["difference"] == pytest.approx(-0.25)
    assert math.isnan(rows["difference"][0])
    assert math.isnan(after["difference_low"])


def test_answers_have_an_interval_and_their_difference_a_paired_one():
    noise = np.random.default_rng(2).normal(size=30)
    before, after = SCORES + noise, SCORES + 1.1 * noise
    rows = table(("before", [similarity(before)]), ("after", [similarity(after)]))
    row = rows.iloc[1]
    low, high = row["value_range_low"], row["value_range_high"]
    assert low < row["value"] < high
    assert row["difference"] == pytest.approx(row["value"] - rows["value"][0])
    assert row["difference_low"] <= row["difference"] <= row["difference_high"]
    # The same items in both: the difference is far surer than either value.
    assert row["difference_high"] - row["difference_low"] < (high - low) / 3
    assert row["range"] == "95% bootstrap interval over items"
    assert row[["about", "test", "subject", "measure"]].tolist() == [
        "quality",
        "word similarity",
        "Rubenstein",
        "Spearman correlation",
    ]


def test_models_are_compared_on_the_items_that_both_cover():
    fewer = ITEMS[5:]
    rows = table(("before", [similarity(SCORES)]), ("after", [similarity(SCORES[5:], fewer)]))
    assert rows.loc[1, ["value", "difference"]].tolist() == pytest.approx([1, 0])
    assert rows.loc[1, ["covered", "total"]].tolist() == [25, 65]


def test_a_test_that_could_not_be_made_is_a_row_with_its_reason():
    rows = table(
        ("before", [clusters(1.0)]), ("after", undefined(["clusters"], "no word", total=4))
    )
    assert math.isnan(rows["value"][1])
    assert rows.loc[1, ["note", "total"]].tolist() == ["no word", 4]
    assert rows.columns.tolist() == list(RESIDUAL_BIAS_COLUMNS)


def test_what_the_model_before_lacks_has_no_difference():
    rows = table(
        ("before", undefined(["similarity"], "no word", subject="RG65")),
        ("after", [similarity(SCORES)]),
    )
    assert rows["value"][1] == pytest.approx(1)
    assert math.isnan(rows["difference"][1])


def test_quality_is_compared_on_the_pairs_that_both_models_hold():
    noisy = SCORES + 2 * np.random.default_rng(3).normal(size=30)
    half = np.arange(15)
    found = [
        ModelFindings("good", (similarity(SCORES),), {}),
        ModelFindings("noisy", (similarity(noisy),), {}),
        ModelFindings("small", (similarity(SCORES[half], half),), {}),
    ]
    rows = quality(found, {"RG65": "Rubenstein"}, 0.95, 2020)
    assert len(rows) == 9
    own = rows[rows["other"].isna()].set_index("model")
    assert own.loc["good", ["value", "n", "subject"]].tolist() == [1.0, 30, "Rubenstein"]
    assert own["difference"].isna().all()
    pairs = rows.dropna(subset="other").set_index(["model", "other"])
    assert pairs.loc[("noisy", "good"), "difference_high"] < 0
    assert pairs.loc[("good", "noisy"), "difference_low"] > 0
    # On the pairs that the small model holds the two are the same.
    assert pairs.loc[("small", "good"), "difference"] == 0
    assert quality([], {}, 0.95, 1).empty
