"""The metrics of items as the workflow runs them: weighted formulas, tests, records, plans."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.item_set import (
    read_items,
    write_items,
)
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.metrics import ITEM_METRICS, item_metric_class
from fairflow.scores.variant import Cell
from fairflow.statistics.bootstrap import resample

from .answers import FEW, measured, random_texts, scored

FOLDER = Path(__file__).parents[3] / "workflow/language_models"
QUERIES = yaml.safe_load((FOLDER / "language_queries.yaml").read_text("utf-8"))
ITEMS = {
    name: items_of(entry)
    for name, entry in QUERIES["queries"].items()
    if entry["kind"] != "association"
}


@pytest.mark.parametrize(
    ("name", "query", "tested"),
    [
        ("lpbs", "jobs_of_two", ["mean"]),
        ("crows_pairs_score", "people_pairs", ["preference", "metric_score"]),
        ("stereoset", "people_blanks", ["preference", "ss"]),
    ],
)
def test_a_p_value_stands_only_with_the_measures_whose_statistic_was_exchanged(name, query, tested):
    metric = item_metric_class(name)
    items = ITEMS[query]
    records, _ = score_items(
        items,
        scored(items, name, "masked"),
        ItemVariant(name, name, metric.measure_names[0]),
        Cell("model", name, query),
        "masked", 1, FEW,
    )  # fmt: skip
    found = {record.measure: record.uncertainty for record in records}
    assert [one for one, own in found.items() if not np.isnan(own.p_value)] == tested
    for one in set(found) - set(tested):
        assert "no test of this measure" in found[one].statistics_note


def test_a_term_that_is_drawn_twice_counts_twice_in_stereoset():
    items = ITEMS["people_blanks"]
    found = measured("stereoset", items, scored(items, "stereoset", "masked"), "masked")
    terms = np.array([item.target for item in items.items])
    prefers = found.scores.values > 0
    shares = {term: prefers[terms == term].mean() for term in dict.fromkeys(terms)}
    first, *others = shares
    weights = np.where(terms == first, 2.0, 1.0)[np.newaxis]
    expected = (2 * shares[first] + sum(shares[one] for one in others)) / (2 + len(others))
    assert found.formula(weights)["ss"] == pytest.approx(100 * expected)
    drawn = resample(found.statistic, 50, 1).draws["ss"]
    assert drawn.std() > 0


def test_every_metric_declares_what_the_workflow_asks():
    for name in ITEM_METRICS.names:
        metric = item_metric_class(name)
        assert metric.measure_names
        assert metric.problems({}, metric.measure_names[0]) == []
        assert metric.problems({"nonsense": 1}, "nonsense")
        assert metric.ability in ("", *metric.measure_names)


def test_items_that_cannot_be_read_are_rows_with_a_reason_and_change_no_number(tmp_path):
    items = ITEMS["people_pairs"]
    category = items.categories[0]
    lost = (InvalidItem("x", "line 3: sent_more is empty", category),)
    more = replace(items, invalid=lost)
    write_items(more, tmp_path / "items.json")
    assert read_items(tmp_path / "items.json") == more
    variant = ItemVariant("aul", "aul_preference", "preference", by_category=True)
    cell = Cell("model", "aul", "people_pairs")
    slice_ = random_texts(items, ("unmasked",))
    before, rows = score_items(items, slice_, variant, cell, "masked", 1, FEW)
    after, more_rows = score_items(more, slice_, variant, cell, "masked", 1, FEW)
    assert more_rows[:-1] == rows
    assert more_rows[-1] == {
        "model": "model", "query": "people_pairs", "metric": "aul", "item": "x", "template": "x",
        "category": category, "status": "unreadable", "reason": "line 3: sent_more is empty",
    }  # fmt: skip
    counted = ("n_words", "n_oov", "oov_words")
    for old, new in zip(before, after, strict=True):
        same = replace(old, **{name: getattr(new, name) for name in counted})
        assert repr(same) == repr(new)
        extra = int(old.subquery == f"people_pairs: {category}")
        assert (new.n_words, new.n_oov) == (old.n_words + extra, old.n_oov + extra)
        assert new.oov_words == old.oov_words + ["x"] * extra
