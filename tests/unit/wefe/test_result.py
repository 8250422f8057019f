import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest

from fairflow.wefe.result import as_result

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


def test_what_wefe_does_not_have_comes_last_and_is_there_for_who_asks(result):
    assert list(result)[-4:] == ["rnsb_sd", "status", "reason", "audit"]
    assert result["status"] == "ok"
    assert result["rnsb_sd"] == 0.5


def test_an_undefined_result_prints_its_numbers_as_nan():
    assert str(as_result({"result": float("nan"), "word_values": {}})) == (
        "{'result': nan, 'word_values': {}}"
    )


def test_numbers_are_those_of_numpy_at_any_depth(result):
    assert result["result"].round(1) == 0.2
    assert isinstance(result["targets_eval"]["Men"]["he"]["Career"], np.float64)


def test_a_result_survives_json_pickle_and_copies(result):
    assert json.loads(json.dumps(result)) == ENTRIES
    assert pickle.loads(pickle.dumps(result)) == copy.deepcopy(result) == result == ENTRIES


def test_a_table_of_words_and_numbers_has_a_row_per_word(values):
    pd.testing.assert_frame_equal(
        pd.DataFrame(values, columns=["Word", "Share"]),
        pd.DataFrame({"Word": ["he", "she"], "Share": [0.75, 0.25]}),
    )
    assert pd.DataFrame(values).values.tolist() == [["he", 0.75], ["she", 0.25]]


def test_other_tables_of_words_and_numbers_are_those_of_a_dictionary(values):
    plain = dict(values)
    pd.testing.assert_series_equal(pd.Series(values), pd.Series(plain))
    for make in (
        lambda data: pd.DataFrame(data, index=[0]),
        lambda data: pd.DataFrame([data, data]),
        lambda data: pd.DataFrame(data.items(), columns=["Word", "Share"]),
        lambda data: pd.DataFrame.from_dict(data, orient="index"),
        lambda data: pd.DataFrame({"first": data, "second": data}),
        lambda data: pd.DataFrame(data, columns=["a", "b", "c"]),
    ):
        pd.testing.assert_frame_equal(make(values), make(plain))


def test_words_and_numbers_are_a_dictionary(values):
    assert isinstance(values, dict)
    assert list(values.keys()) == ["he", "she"]
    assert list(values.values()) == [0.75, 0.25]
    assert {**values} == dict(values) == {"he": 0.75, "she": 0.25}
    with pytest.raises(KeyError, match="they"):
        values["they"]
    with pytest.raises(KeyError):
        values[2]


class Printer:
    """The part of IPython's pretty printer that is used."""

    def pretty(self, value):
        self.value = value


def test_a_notebook_shows_a_result_as_print_does(result):
    printer = Printer()
    result._repr_pretty_(printer, cycle=False)
    assert repr(printer.value) == repr(result)
    assert type(printer.value) is dict


def test_equal_results_are_equal_though_a_value_is_undefined():
    first, second = (as_result(ENTRIES | {"rnsb_sd": float("nan")}) for _ in range(2))
    assert first == second
