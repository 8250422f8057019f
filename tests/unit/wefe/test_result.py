import copy
import json
import pickle

import pandas as pd
import pytest

from fairflow.wefe.metrics import WEAT
from fairflow.wefe.query import Query
from fairflow.wefe.result import as_result

NEAR = {"a": [1, 0], "b": [0, 1], "c": [1, 0.1], "d": [0.3, 1]}
ENTRIES = {
    "query_name": "Men and Women wrt Career",
    "result": 0.25,
    "rnsb": 0.25,
    "rnsb_sd": 0.5,
    "negative_sentiment_distribution": {"he": 0.75, "she": 0.25},
    "targets_eval": {"Men": {"he": {"Career": 0.5}}},
    "status": "ok",
    "reason": None,
    "audit": [{"name": "Men"}],
}


@pytest.fixture
def result():
    return as_result(ENTRIES)


@pytest.fixture
def values(result):
    return result["negative_sentiment_distribution"]


def test_a_result_is_a_dictionary_that_prints_the_entries_of_wefe(result):
    assert isinstance(result, dict)
    assert str(result) == (
        "{'query_name': 'Men and Women wrt Career', 'result': 0.25, 'rnsb': 0.25, "
        "'negative_sentiment_distribution': {'he': 0.75, 'she': 0.25}, "
        "'targets_eval': {'Men': {'he': {'Career': 0.5}}}}"
    )


def test_an_undefined_result_prints_its_numbers_as_nan():
    assert str(as_result({"result": float("nan"), "word_values": {}})) == (
        "{'result': nan, 'word_values': {}}"
    )


def test_a_result_survives_json_pickle_and_copies(result):
    assert json.loads(json.dumps(result)) == ENTRIES
    assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == result == ENTRIES


def test_a_table_of_words_and_numbers_has_a_row_per_word(values):
    pd.testing.assert_frame_equal(
        pd.DataFrame(values, columns=["Word", "Share"]),
        pd.DataFrame({"Word": ["he", "she"], "Share": [0.75, 0.25]}),
    )
    assert pd.DataFrame(values).values.tolist() == [["he", 0.75], ["she", 0.25]]


def test_words_and_numbers_are_a_dictionary(values):
    assert isinstance(values, dict)
    assert list(values.keys()) == ["he", "she"]
    assert list(values.values()) == [0.75, 0.25]
    assert {**values} == dict(values) == {"he": 0.75, "she": 0.25}
    with pytest.raises(KeyError, match="they"):
        values["they"]
    with pytest.raises(KeyError):
        values[2]


def test_a_metric_prints_the_entries_of_wefe(model_of):
    result = WEAT().run_query(Query([["a"], ["b"]], [["c"], ["d"]]), model_of(**NEAR))
    assert repr(result).startswith("{'query_name': ")
    assert "<" not in repr(result)
