"""A metric variant tells what is wrong with it before anything is computed."""

from types import SimpleNamespace

import pytest

from fairflow.planning.queries import PlannedQuery
from fairflow.queries.query import Query
from fairflow.scores.word_variant import WordVariant


@pytest.mark.parametrize(
    "variant",
    [
        WordVariant("a", "weat", "effect_size", {"convention": "wefe"}),
        WordVariant("b", "rnsb", "rnsb_of_mean", {"n_iterations": 5}),
        WordVariant("c", "mac", "mac", normalize=True),
    ],
)
def test_a_sound_variant_has_no_problems(variant):
    assert variant.problems() == []


@pytest.mark.parametrize(
    ("variant", "words"),
    [
        (WordVariant("a", "waet", "weat"), ["unknown metric 'waet'", "Did you mean 'weat'?"]),
        (WordVariant("a", "no.such.module", "weat"), ["no.such.module", "No module named"]),
        (WordVariant("a", "json", "weat"), ["unknown metric 'json'"]),
        (WordVariant("a", "json.decoder", "weat"), ["must define one subclass", "found 0"]),
        (WordVariant("a", "weat", "effect"), ["no measure 'effect'", "weat, effect_size"]),
        (WordVariant("a", "rnd", "rnd", {"distanse": "cos"}), ["'distanse'", "'distance'"]),
    ],
)
def test_a_problem_names_what_was_found_and_what_would_be_right(variant, words):
    (problem,) = variant.problems()
    assert [word for word in words if word not in problem] == []


@pytest.mark.parametrize(
    ("metric", "subqueries", "template", "fits"),
    [
        ("weat", False, (2, 2), True),
        ("weat", False, (2, 3), False),
        ("weat", True, (2, 3), True),
        ("weat", True, (4, 4), True),
        ("weat", True, (2, 1), False),
        ("rnsb", True, (5, 2), True),
        ("rnsb", False, (2, 1), False),
        ("mac", False, (7, 3), True),
        ("mac", False, (1, 0), False),
    ],
)
def test_a_template_fits_when_the_metric_takes_it_or_some_of_its_sets(
    metric, subqueries, template, fits
):
    problem = WordVariant("v", metric, metric, subqueries=subqueries).query_problem(template, ())
    assert (problem is None) == fits


def test_a_variant_tells_its_direction_and_whether_it_grows_with_length():
    ect = WordVariant("a", "ect", "ect")
    assert ect.direction == {"signed": False, "larger_is_fairer": True, "measures_bias": True}
    assert WordVariant("a", "ripa", "ripa").grows_with_length
    assert not WordVariant("a", "ripa", "ripa", normalize=True).grows_with_length


def planned(**entry):
    """A query of the plan with one target set, or as the entry has it."""
    return PlannedQuery("q", **{"targets": {"T": "f:t"}, "attributes": {}, "lookup": "l"} | entry)


TABLE = SimpleNamespace(kind="vectors", query_kinds=("words",))
NETWORK = SimpleNamespace(kind="masked", query_kinds=("words", "sentences"))
PAIRS = {"declared": {"pairs": [["a", "b"]]}}


@pytest.mark.parametrize(
    ("metric", "query", "fits"),
    [
        ("direct_bias", planned(**PAIRS), True),
        ("direct_bias", planned(), False),
        ("direct_bias", planned(**PAIRS, measured_by=("projection",)), False),
        ("direct_bias", planned(**PAIRS, measured_by=("direct_bias",)), True),
        ("indirect_bias", planned(**PAIRS), False),
        # A fault of the study, which says so, not a cell that is left out.
        ("mac", planned(), True),
        ("mac", planned(measured_by=("weat",)), False),
    ],
)
def test_a_query_is_left_out_by_metrics_that_need_more_or_that_it_is_not_for(metric, query, fits):
    assert WordVariant("v", metric, metric).is_applicable(TABLE, query) == fits


def test_the_vocabulary_is_that_of_a_table_of_vectors():
    query = planned(declared={"pairs": [["a", "b"]], "vocabulary": {"first": 5}})
    variant = WordVariant("v", "analogies", "mean_score")
    assert variant.is_applicable(TABLE, query)
    assert not variant.is_applicable(NETWORK, query)
    assert WordVariant("v", "projection", "projection").is_applicable(NETWORK, query)


def test_a_metric_of_any_number_of_sets_is_given_all_of_them():
    query = Query([["a"], ["b"], ["c"]], [["d"], ["e"], ["f"]])
    (whole,) = WordVariant("v", "mac", "mac", subqueries=True).split(query)
    assert whole == query
    parts = WordVariant("v", "rnsb", "rnsb", subqueries=True).split(query)
    assert [part.template for part in parts] == [(3, 2)] * 3
