"""A cell in two models: the same words in both, and how far the score differs."""

import math
from dataclasses import replace

import numpy as np
import pyarrow.parquet as pq
import pytest

from fairflow.files.parquet import write_parquet_rows
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.paired_cell import SCHEMA, compare_cell
from fairflow.scores.records import ranked
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordScorer, score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics

SETTINGS = Statistics(resamples=500, joint_draws=0, random_sets=1)
WEAT = WordVariant("weat", "weat", "weat")
RND = WordVariant("rnd", "rnd", "rnd", subqueries=True)
RNSB = WordVariant("rnsb", "rnsb", "rnsb", {"n_iterations": 3})
QUERY = Query(
    [["steep", "far"], ["flat", "up"]],
    [["east", "north"], ["flat", "far"]],
    ["S", "F"],
    ["E", "N"],
)


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(east=[1, 0], north=[0, 1], steep=[3, 4], flat=[4, 3], far=[5, 0], up=[0, 2])


@pytest.fixture(scope="module")
def turned(model_of):
    """East and north are exchanged."""
    return model_of(east=[0, 1], north=[1, 0], steep=[3, 4], flat=[4, 3], far=[5, 0], up=[0, 2])


def cells(variant):
    return Cell("old", variant.name, "q"), Cell("new", variant.name, "q")


def compare(before, after, variant, query, threshold=0.2):
    lookup = Lookup(lost_vocabulary_threshold=threshold)
    slices = [model.look_up(query, lookup) for model in (before, after)]
    return list(compare_cell(slices, variant, cells(variant), 1, SETTINGS))


def test_by_hand_of_the_story_of_east_and_north(model, turned):
    query = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]], ["S", "F"], ["E", "N"])
    (found,) = compare(model, turned, WEAT, query)
    # Associations -0.2, 1 and 0.2, -1; exchanged, each has the other sign.
    assert found["before"] == pytest.approx(1.6)
    assert found["after"] == pytest.approx(-1.6)
    assert found["difference"] == pytest.approx(-3.2)
    assert found["absolute_difference"] == pytest.approx(0)
    names = ("before_model", "model", "metric", "query", "subquery", "subquery_digest")
    expected = ["old", "new", "weat", "q", query.query_name, query.digest]
    assert [found[name] for name in names] == expected
    assert (found["n_words"], found["excluded"]) == (6, [])


@pytest.mark.parametrize("variant", [WEAT, RND, RNSB], ids=lambda v: v.name)
def test_the_values_are_those_of_the_scores(model, turned, variant):
    found = compare(model, turned, variant, QUERY)
    for number, (one, name) in enumerate(((model, "before"), (turned, "after"))):
        scored = score_cell(one.look_up(QUERY, Lookup()), variant, cells(variant)[number], 1)
        scores = [record.value for record in ranked(scored)]
        assert [f[name] for f in found] == scores


def test_only_words_that_both_models_hold_are_compared(model, model_of):
    fewer = model_of(east=[1, 0], north=[0, 1], steep=[3, 4], flat=[4, 3], up=[0, 2])
    query = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]])
    (found,) = compare(model, fewer, WEAT, query, threshold=0.5)
    assert found["excluded"] == ["far"]
    assert found["n_words"] == 5
    assert [found[f"difference{end}"] for end in ("", "_low", "_high")] == [0, 0, 0]
    (undefined,) = compare(model, fewer, WEAT, query, threshold=0.2)
    assert math.isnan(undefined["difference"])
    assert undefined["note"].startswith("old: Target set 0 lost 1 of 2 words (far)")


def test_a_metric_without_statistic_has_a_difference_without_interval(model, turned, monkeypatch):
    whole = WordScorer.evaluated
    monkeypatch.setattr(
        WordScorer, "evaluated", lambda *given: replace(whole(*given), resampling=None)
    )
    (found,) = compare(model, turned, WEAT, QUERY)
    assert math.isfinite(found["difference"])
    assert math.isnan(found["difference_low"])
    assert found["note"] == "WEAT resamples nothing, so that it has no test and no interval"


def test_words_that_share_a_vector_in_one_model_alone_leave_no_interval(model, model_of):
    merged = model_of(east=[1, 0], north=[0, 1], steep=[3, 4], flat=[4, 3], far=[3, 4], up=[0, 2])
    query = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]])
    (found,) = compare(model, merged, WEAT, query)
    assert math.isfinite(found["difference"])
    assert math.isnan(found["difference_low"])
    assert found["note"] == "the words do not stand for the same units in both models"


def test_the_file_holds_a_row_for_each_difference(model, turned, tmp_path):
    found = compare(model, turned, RND, QUERY)
    paths = [tmp_path / "one.parquet", tmp_path / "two.parquet"]
    for path in paths:
        write_parquet_rows(found, SCHEMA, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    first, second = pq.read_table(paths[0]).to_pylist()
    assert first["difference"] == found[0]["difference"]
    assert first["difference_high"] == found[0]["difference_high"]
    assert (first["resampled"], first["n_resamples"]) == ("target and attribute words", 500)
    assert (second["difference"], second["p_value"]) == (0, 1)
    assert np.isfinite(first["before_low"])
