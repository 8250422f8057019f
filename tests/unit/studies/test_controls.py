"""Control queries: do associations that any sensible vectors show come out?"""

import math

import pandas as pd
import pytest

from fairflow.studies.comparability import (
    control_table,
    failing_models,
    readable,
    with_controls,
)

NAN = math.nan


def scores(*rows):
    """Rows of (model, query, value, p), as of score files."""
    frame = pd.DataFrame(rows, columns=["model", "query", "value", "p_value"])
    frame = frame.assign(
        metric="weat_es_caliskan", alternative="greater", is_primary=True, statistics="full"
    )
    frame["oov_words"] = [[] if value == value else ["ant", "bee"] for value in frame["value"]]
    reason = "Insects lost 2 of 2 words"
    frame["reason"] = [None if value == value else reason for value in frame["value"]]
    return frame.assign(statistics_note="only one set")


@pytest.mark.parametrize(
    ("value", "p", "status"),
    [
        (1.5, 0.001, "passes"),
        (1.5, 0.01, "fails"),
        (0.2, 0.3, "fails"),
        (-1.5, 0.001, "fails"),  # two-sided: clear, but in the wrong direction
        (-0.1, 0.6, "fails"),
        (NAN, NAN, "undefined"),
        (1.5, NAN, "not tested"),
    ],
)
def test_a_control_comes_out_when_it_is_positive_and_significant(value, p, status):
    (row,) = control_table(scores(("m", "weat_1", value, p)), {"weat_1": "Flowers"}).to_dict(
        "records"
    )
    assert row["status"] == status
    assert row["query_label"] == "Flowers"


def test_a_test_of_few_words_that_finds_nothing_is_no_failure():
    few = scores(("m", "weat_1", 1.2, 0.03)).assign(statistics="few_words")
    (row,) = control_table(few, {}).to_dict("records")
    assert (row["status"], row["reason"]) == ("not tested", "a set has fewer than 10 words")


def test_every_score_of_vectors_carries_what_control_queries_say_of_its_model():
    rows = [("weat", "m", "a"), ("honest", "m", "a"), ("weat", "n", "a"), ("weat", "m", "weat_1")]
    table = pd.DataFrame(rows, columns=["metric", "model", "query"])
    controls = control_table(scores(("m", "weat_1", -0.1, 0.6)), {})
    found = with_controls(table, controls, ["weat_1"], of_items=["honest"])
    fails = "weat_1 fails (-0.10, p 0.6)"
    assert found["control"].tolist() == [
        fails, "none: the metric does not rest on vectors", "none", fails,
    ]  # fmt: skip
    assert found["control_status"].tolist() == ["fails", "not of vectors", "none", "fails"]
    assert found["control_query"].tolist() == [False, False, False, True]
    assert failing_models(found) == {"m": fails}
    assert list(readable(found).index) == [1, 2]
