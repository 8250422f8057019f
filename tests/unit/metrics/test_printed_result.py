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


def test_it_prints_value_p_interval_and_lost_words_in_one_line(model, query):
    result = WEAT().run_query(
        query,
        model,
        lost_vocabulary_threshold=0.5,
        calculate_p_value=True,
        calculate_intervals=True,
        interval_level=0.9,
    )
    low, high = result["intervals"]["weat"]["targets"]
    assert repr(result) == (
        f"<WEAT of {query.query_name}: {result['weat']:.4g}, p {result['p_value']:.4g}, "
        f"90% interval {low:.4g} to {high:.4g}, 1 of 7 words lost (hers)>"
    )


def test_what_was_not_asked_for_is_not_printed(model, query):
    result = WEAT().run_query(query, model, lost_vocabulary_threshold=0.5)
    assert repr(result) == (
        f"<WEAT of {query.query_name}: {result['weat']:.4g}, 1 of 7 words lost (hers)>"
    )


def test_the_measure_is_named_where_it_is_not_the_metric(model, query):
    options = {"lost_vocabulary_threshold": 0.5, "return_effect_size": True}
    result = WEAT().run_query(query, model, **options)
    assert repr(result).startswith(f"<WEAT (effect_size) of {query.query_name}: ")
    assert f"{result['effect_size']:.4g}" in repr(result)


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
