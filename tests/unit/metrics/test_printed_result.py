"""A result says the most important in one line and in a small table, and is a dictionary."""

import copy
import math
import pickle

import pytest

from fairflow.metrics import MAC, WEAT
from fairflow.queries.query import Query


@pytest.fixture
def model(model_of):
    return model_of(he=[1, 0.2], him=[1, 0], she=[0.1, 1], her=[0, 1], work=[1, 0.1], home=[0.3, 1])


@pytest.fixture
def query():
    return Query([["he", "him"], ["she", "her", "hers"]], [["work"], ["home"]], ["M", "F"])


OPTIONS = {"lost_vocabulary_threshold": 0.5, "calculate_p_value": True, "calculate_intervals": True}


def test_it_prints_the_effect_size_with_its_interval_first_then_p_sum_and_lost_words(model, query):
    result = WEAT().run_query(query, model, **OPTIONS, interval_level=0.9)

    def shown(measure: str) -> str:
        low, high = result["intervals"][measure]["targets"]
        return f"{result[measure]:.4g} (90% interval {low:.4g} to {high:.4g})"

    assert repr(result) == (
        f"<WEAT of {query.query_name}: effect size {shown('effect_size')}, "
        f"p {result['p_value']:.4g}, weat {shown('weat')}, 1 of 7 words lost (hers)>"
    )


def test_what_was_not_asked_for_is_not_printed(model, query):
    result = MAC().run_query(query, model, lost_vocabulary_threshold=0.5)
    assert repr(result) == (
        f"<MAC of {query.query_name}: {result['mac']:.4g}, 1 of 7 words lost (hers)>"
    )


def test_what_is_both_result_and_effect_size_is_said_once(model, query):
    options = {"lost_vocabulary_threshold": 0.5, "return_effect_size": True}
    result = WEAT().run_query(query, model, **options)
    assert repr(result) == (
        f"<WEAT of {query.query_name}: effect size {result['effect_size']:.4g}, "
        "1 of 7 words lost (hers)>"
    )


def test_an_undefined_value_says_why(model, query):
    result = WEAT().run_query(query, model)
    assert math.isnan(result["result"])
    assert "undefined, because F lost 1 of 3 words (hers)" in repr(result)


def test_a_notebook_shows_a_table_in_which_no_name_is_markup(model, query):
    named = Query(query.target_sets, query.attribute_sets, ["<b>M</b>", "F"])
    html = WEAT().run_query(named, model, lost_vocabulary_threshold=0.5)._repr_html_()
    assert html.startswith("<table><tr>")
    assert "&lt;b&gt;M&lt;/b&gt;" in html
    assert "1 of 7 words lost (hers)" in html


def test_it_is_a_dictionary_that_can_be_copied_and_kept(model, query):
    result = MAC().run_query(query, model, lost_vocabulary_threshold=0.5)
    assert isinstance(result, dict)
    assert repr(dict(result)).startswith("{'query_name': ")
    for again in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert again == result
        assert repr(again) == repr(result)
