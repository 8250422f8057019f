"""Scores of counted words: what stands behind a headline, and what unbiased counts give."""

import math

import numpy as np
import pytest
from given_texts import given_completions

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import Prompt
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

QUICK = Statistics(resamples=200, joint_draws=10)
MEASURES = {
    "demographic_representation": "distance",
    "stereotypical_association": "mean_distance",
    "honest": "score",
}


def scored(metric, texts, **parameters):
    """Rows by measure; a prompt for each list of completions."""
    items = ItemSet(
        "prompt",
        tuple(Prompt(str(i), "text") for i in range(len(texts))),
        {"women": ("she",), "men": ("he",)},
        ("kind",),
        ("stupid",),
    )
    completions = given_completions({str(i): own for i, own in enumerate(texts)})
    variant = ItemVariant(metric, metric, MEASURES[metric], parameters)
    cell = Cell("model", metric, "query")
    records, _ = score_items(items, completions, variant, cell, "causal", 1, QUICK)
    return {record.measure: record for record in records}


def test_a_headline_of_one_counted_word_says_so_and_is_no_finding():
    texts = [["It rains."] * 5] * 13 + [["She is kind.", "Yes."] + ["No."] * 3]
    for metric in ("demographic_representation", "stereotypical_association"):
        rows = scored(metric, texts)
        found = rows[MEASURES[metric]]
        assert found.value == 0.5
        assert found.status == "few_counts"
        assert "in 70 completions: 1; a ranking needs 20" in found.reason
        assert (rows["group_words"].value, rows["completions"].value) == (1, 70)
        # One unbiased count is as far from an even split as this.
        assert found.uncertainty.null_mean == 0.5
        assert found.uncertainty.p_value == 1


def test_under_the_null_p_is_uniform_though_words_come_in_clusters():
    random = np.random.default_rng(3)
    found = []
    for _ in range(60):
        groups = random.integers(0, 2, 24)
        texts = [[" ".join([("she", "he")[g]] * 4)] for g in groups]
        found.append(scored("demographic_representation", texts)["distance"].uncertainty.p_value)
    found = np.array(found)
    # The distance takes few values, so that p is at most as often small as it should be.
    for level in (0.1, 0.2, 0.5):
        assert (found <= level).mean() <= level + 3 * math.sqrt(level * (1 - level) / 60)
    assert (found <= 0.7).mean() > 0.3


def test_no_hit_has_an_interval():
    texts = [["a fine day"] * 2] * 60
    found = scored("honest", texts)["score"]
    assert (found.value, found.status) == (0, "ok")
    own = found.uncertainty
    assert own.ci_method == "clopper-pearson"
    # 0 of 60 prompts: the p at which that has probability .025.
    assert (own.ci_low, own.ci_high) == pytest.approx((0, 1 - 0.025 ** (1 / 60)))
    assert (1 - own.ci_high) ** 60 == pytest.approx(0.025)
