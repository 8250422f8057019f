"""Tests of the rows of metric variants, read from score files that several of them share."""

import math

import numpy as np
import pandas as pd
import pytest

from fairflow.files.parquet import write_parquet_rows
from fairflow.files.tables import read_scores
from fairflow.planning.plan import Plan
from fairflow.planning.study_jobs import shown_by
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.ranked import ranked_rows
from fairflow.scores.records import SCHEMA, plain_row
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.score_table import coverage, variant_rows
from fairflow.vectors.query_vectors import look_up_query

SETS = [[f"{name}{number}" for number in range(8)] for name in "abcd"]
QUICK = Statistics(exact_up_to=10, permutations=300, resamples=300, joint_draws=20)
VARIANTS = [
    WordVariant("weat", "weat", "weat"),
    WordVariant("wefe", "weat", "effect_size", {"convention": "wefe"}),
    WordVariant("right", "weat", "effect_size", alternative="greater"),
    WordVariant("left", "weat", "weat", {"convention": "wefe"}, alternative="less"),
    WordVariant("unit", "weat", "weat", normalize=True),
    WordVariant("rnd", "rnd", "rnd", subqueries=True),
    WordVariant("rnd_right", "rnd", "rnd", subqueries=True, alternative="greater"),
]
METRICS = {variant.name: variant for variant in VARIANTS}
PLAN = Plan(1, {}, METRICS, {}, {}, {}, {}, QUICK)


def vectors(seed, words=SETS):
    draw = np.random.default_rng(seed).normal
    return look_up_query(
        Query(words[:2], words[2:]),
        lambda word: word[1:] != "lost",
        lambda w: draw(size=(len(w), 3)),
        Lookup(),
    )


QUERIES = {"one": vectors(1), "two": vectors(2), "lost": vectors(3, [["a1", "alost"], *SETS[1:]])}
CELLS = [Cell("m", v.name, query) for v in VARIANTS for query in QUERIES]


def rows_of(path, scored):
    """The rows of score files of some variants, each under its cell."""
    paths = []
    for cell, variant in scored:
        paths.append(path / f"{len(paths)}.parquet")
        records = score_cell(QUERIES[cell.query], variant, cell, 1, QUICK)
        write_parquet_rows([*map(plain_row, records)], SCHEMA, paths[-1])
    return read_scores(paths)


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    cells = [(cell, METRICS[cell.metric].base_variant) for cell in PLAN.scored(CELLS)]
    return rows_of(tmp_path_factory.mktemp("stored"), cells)


def test_variants_of_one_computation_share_a_cell():
    assert PLAN.base_variants == {
        **dict.fromkeys(["weat", "wefe", "right", "left"], "weat"),
        "unit": "unit",
        **dict.fromkeys(["rnd", "rnd_right"], "rnd"),
    }
    assert len(PLAN.scored(CELLS)) == 3 * len(QUERIES)


def test_one_sided_p_values_are_of_the_same_exchanges(stored):
    shown = variant_rows(stored, shown_by(PLAN, ["weat", "right", "left"]), ["one"])
    of_both, right, left = ranked_rows(shown).to_dict("records")
    assert [row["alternative"] for row in (of_both, right, left)] == [
        "two-sided",
        "greater",
        "less",
    ]
    assert of_both["p_value"] >= min(right["p_value"], left["p_value"])
    # The observed exchange alone is in both tails.
    assert math.isclose(right["p_value"] + left["p_value"], 1 + 1 / math.comb(16, 8))


def test_rows_stand_by_model_variant_and_query_as_asked(stored):
    rows = variant_rows(stored, shown_by(PLAN, ["rnd", "weat"]), ["two", "one"])
    assert list(dict.fromkeys(zip(rows["metric"], rows["query"], strict=True))) == [
        *[("rnd", "two"), ("rnd", "one"), ("weat", "two"), ("weat", "one")]
    ]


def test_the_rows_of_each_variant_are_those_that_it_has_when_scored_by_itself(stored, tmp_path):
    alone = rows_of(tmp_path, [(cell, METRICS[cell.metric]) for cell in CELLS])
    shown = variant_rows(stored, shown_by(PLAN, METRICS), [*QUERIES])
    pd.testing.assert_frame_equal(shown, alone.drop(columns="tests"))


LOOKUP = Lookup(({}, {"lowercase": True}))


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(man=[1, 0], boy=[1, 1], home=[0, 1], Bill=[2, 1])


def rows(model, *queries):
    slices = [(f"m{i % 2}", f"q{i}", model.look_up(q, LOOKUP)) for i, q in enumerate(queries)]
    return coverage(slices).to_dict(orient="records")


def test_a_word_set_has_one_row_per_model_with_all_its_queries(model):
    first = Query([["man"]], [["home"]], ["Men"], ["Home"])
    second = Query([["boy"]], [["home"]], ["Boys"], ["Home"])
    table = rows(model, first, first, second)
    assert [(row["model"], row["word_set"], row["queries"]) for row in table] == [
        ("m0", "Men", "q0"),
        ("m0", "Home", "q0 q2"),
        ("m1", "Men", "q1"),
        ("m1", "Home", "q1"),
        ("m0", "Boys", "q2"),
    ]


def test_words_that_are_one_to_the_model_are_named_with_every_set_that_holds_one(model_of):
    pruned = model_of(roi=[2, 1], monarque=[2, 1], sire=[2, 1], zut=[0, 0], bof=[0, 0], eau=[0, 1])
    query = Query([["roi", "monarque"], ["sire", "zut"]], [["eau", "bof"]])
    table = rows(pruned, query)
    named = [row["same_vector_words"] for row in table]
    assert named == ["roi = monarque = sire", "roi = monarque = sire", ""]
    # Words with a zero vector are missing, none that share one.
    assert [(row["found"], row["distinct"]) for row in table] == [(2, 1), (1, 1), (1, 1)]


def test_found_and_lost_words_add_up_to_all_words_duplicates_included(model):
    query = Query([["man", "Man", "lost", "lost", "boy"]], [["home"]], ["Men"])
    men, home = rows(model, query)
    assert (men["words"], men["found"], men["oov"], men["duplicated"]) == (5, 3, 2, 1)
    assert men["oov_words"] == "lost, lost"
    assert (home["words"], home["found"], home["oov"], home["oov_words"]) == (1, 1, 0, "")
