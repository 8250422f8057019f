"""The quality of vectors by benchmarks, and its differences between models."""

import numpy as np
import pytest

from fairflow.studies.benchmarks import Benchmark, BenchmarkAnswers
from fairflow.studies.quality import (
    COLUMNS,
    Finding,
    quality,
    quality_findings,
    read_findings,
    write_findings,
)
from fairflow.vectors.word_rows import word_rows

ITEMS = np.arange(30)
SCORES = np.random.default_rng(1).normal(size=30)
NOISE = np.random.default_rng(3).normal(size=30)
WORDS = [f"word{letter}" for letter in "abcdefghijkl"]
MODEL = dict(zip([*WORDS, "zero"], np.random.default_rng(2).normal(size=(13, 4)), strict=True))


def similarity(given, items=ITEMS):
    return [Finding("RG65", "similarity", 65, BenchmarkAnswers(items, SCORES[items], given))]


def table(**found):
    rows = quality(found.items(), {"RG65": "Rubenstein"}, 0.95, 2020)
    return rows.set_index(["model", "other"])


def test_a_difference_is_paired_over_the_same_items():
    rows = table(good=similarity(SCORES + NOISE), near=similarity(SCORES + 1.1 * NOISE))
    row, other = rows.loc[("near", None)], rows.loc[("near", "good")]
    assert row["value_range_low"] < row["value"] < row["value_range_high"]
    assert row[["subject", "n", "total"]].tolist() == ["Rubenstein", 30, 65]
    assert np.isnan(row["difference"])
    assert other["difference_low"] <= other["difference"] <= other["difference_high"]
    # The same items in both: the difference is far surer than either value.
    width = row["value_range_high"] - row["value_range_low"]
    assert other["difference_high"] - other["difference_low"] < width / 3


def test_models_are_compared_on_the_items_that_both_cover():
    half = np.arange(15)
    rows = table(
        good=similarity(SCORES),
        noisy=similarity(SCORES + 2 * NOISE),
        small=similarity(SCORES[half], half),
    )
    assert len(rows) == 9
    assert rows.loc[("noisy", "good"), "difference_high"] < 0
    assert rows.loc[("good", "noisy"), "difference_low"] > 0
    assert rows.loc[("small", "good"), ["n", "difference"]].tolist() == [15, 0]


def test_a_benchmark_of_which_hardly_an_item_is_there_has_no_value_and_says_so(tmp_path):
    benchmarks = {
        "few": Benchmark("similarity", (("wordb", "worda"), ("zero", "absent")), (1.0, 2.0)),
        "questions": Benchmark("analogies", (tuple(WORDS[:4]),) * 10),
    }
    found = quality_findings(word_rows(MODEL), benchmarks)
    write_findings("m", found, tmp_path / "m.npz")
    name, read = read_findings(tmp_path / "m.npz")
    labels = {"few": "Few", "questions": "Questions"}
    rows = quality([(name, read)], labels, 0.95, 1)
    assert rows.columns.tolist() == list(COLUMNS)
    assert rows["value"].isna().tolist() == [True, False]
    assert rows["note"].tolist() == [
        "only 1 of its items have all words in the model",
        "answers are chosen from 13 words",
    ]
    # Benchmarks without a label are left out, and no model is no row.
    assert quality([(name, read)], {"few": "Few"}, 0.95, 1)["subject"].tolist() == ["Few"]
    assert quality([], {}, 0.95, 1).empty


@pytest.mark.parametrize("lacking", [0, 25])
def test_what_another_model_lacks_has_no_difference(lacking):
    few = np.arange(30 - lacking)
    rows = table(a=similarity(SCORES), b=similarity(SCORES[few], few))
    assert np.isnan(rows.loc[("a", "b"), "difference"]) == bool(lacking)
