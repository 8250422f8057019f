"""From the scores of queries to one number per criterion, metric and model."""

import math

import numpy as np
import pandas as pd
import pytest
from tables_of_scores import DIRECTIONS, headline

from fairflow.studies.aggregation import OVERALL, Rules, aggregate, aggregate_interval
from fairflow.studies.comparability import IS_CONTROL
from fairflow.studies.score_table import tabulate

NAN = math.nan


def scores(*rows, metric="weat", criterion="Gender"):
    """Headline rows of (model, words that stand for the sub-query's digest, value)."""
    return pd.DataFrame([headline(*row, None, metric, criterion) for row in rows])


def by_model(table, aggregation="abs_avg", minimum_coverage=0.5, criterion="Gender"):
    rows = aggregate(table, Rules(aggregation, DIRECTIONS, minimum_coverage))
    return rows[rows["criterion"] == criterion].set_index("model")


@pytest.mark.parametrize(
    ("aggregation", "expected"), [("avg", -0.5), ("abs_avg", 1.5), ("sum", -1), ("abs_sum", 3)]
)
def test_the_rule_combines_the_queries_of_a_model(aggregation, expected):
    row = by_model(scores(("m", "a", 1.0), ("m", "b", -2.0)), aggregation).loc["m"]
    assert (row["value"], row["value_common"], row["aggregation"]) == (
        expected,
        expected,
        aggregation,
    )


def test_equal_subqueries_of_several_queries_count_once_by_their_words():
    table = scores(("m", "a", 1.0), ("m", "a", 1.0), ("m", "b", 4.0))
    table["query"] = ["first", "second", "third"]
    row = by_model(table).loc["m"]
    assert (row["value"], row["n_queries"]) == (2.5, 2)


def test_models_are_compared_on_the_queries_that_all_of_them_define():
    # Losing the query in which it is most biased must not put "loser" ahead.
    table = scores(
        ("loser", "a", NAN),
        ("loser", "b", 0.5),
        ("keeper", "a", 1.2),
        ("keeper", "b", 0.4),
    )
    rows = by_model(table)
    assert rows["value"].to_dict() == pytest.approx({"loser": 0.5, "keeper": 0.8})
    assert rows["value_common"].to_dict() == pytest.approx({"loser": 0.5, "keeper": 0.4})
    assert rows["n_common"].to_dict() == {"loser": 1, "keeper": 1}


def test_a_model_below_the_minimum_coverage_is_not_comparable_and_takes_nothing_from_others():
    table = scores(
        ("poor", "a", NAN),
        ("poor", "b", NAN),
        ("poor", "c", 0.1),
        ("rich", "a", 3.0),
        ("rich", "b", 2.0),
        ("rich", "c", 1.0),
    )
    rows = by_model(table, minimum_coverage=0.5)
    assert math.isnan(rows.loc["poor", "value_common"])
    assert rows.loc["poor", "n_common"] == 0
    assert rows.loc["poor", "value"] == pytest.approx(0.1)
    assert (rows.loc["rich", "value_common"], rows.loc["rich", "n_common"]) == (2, 3)


def test_of_models_of_the_same_vectors_one_is_compared_and_none_takes_queries_from_others():
    table = scores(
        ("part", "a", 3.0),
        ("part", "b", NAN),
        ("whole", "a", 3.0),
        ("whole", "b", 2.0),
        ("whole, unit", "a", 3.0),
        ("whole, unit", "b", 2.0),
        ("other", "a", 1.0),
        ("other", "b", 1.0),
    )
    vectors = dict.fromkeys(["part", "whole", "whole, unit"], "whole")
    rows = aggregate(table, Rules("abs_avg", DIRECTIONS, 0.5, vectors)).set_index("model")
    assert rows["n_common"].to_dict() == {"part": 0, "whole": 2, "whole, unit": 0, "other": 2}
    assert rows["status"].tolist() == ["same_vectors", "compared", "same_vectors", "compared"]
    assert rows.loc["part", "note"] == "the same vectors as whole, which is compared in its place"
    assert rows["value"].tolist() == [3, 2.5, 2.5, 1]  # of every model, as ever
    assert (by_model(table)["status"] == "compared").all()


def test_several_criteria_have_an_overall_that_counts_shared_subqueries_once():
    table = pd.concat(
        [
            scores(("m", "a", 1.0), ("m", "b", 2.0)),
            scores(("m", "b", 2.0), ("m", "c", 6.0), criterion="Religion"),
        ]
    )
    values = aggregate(table, Rules("avg", DIRECTIONS, 0.5)).set_index("criterion")["value"]
    assert values.to_dict() == {"Gender": 1.5, "Religion": 4, OVERALL: 3}


def test_tabulate_adds_criterion_label_and_adjusted_p_values_and_changes_nothing_else():
    before = scores(("m", "a", 1.0), ("m", "b", 2.0)).drop(columns="criterion")
    before["p_value"] = [0.01, 0.04]
    criteria = {"Gender": ["q-b"], "Religion": ["q-a"]}
    table = tabulate(before, criteria, {"q-a": "A", "q-b": "B"}, ["metric"])
    assert table["criterion"].tolist() == ["Religion", "Gender"]
    assert table["query_label"].tolist() == ["A", "B"]
    assert table["p_holm"].tolist() == [0.02, 0.04]
    pd.testing.assert_frame_equal(table[before.columns], before)


def test_a_model_that_fails_a_control_query_is_compared_with_nobody():
    # Noise has small scores; one query only it defines.
    table = scores(("m", "a", 1.0), ("m", "b", NAN), ("noise", "a", 0.1), ("noise", "b", 0.1))
    fails = "weat_1 fails (0.10, p 0.4)"
    control = table["model"].map({"m": "passes", "noise": fails})
    status = control.str.replace(fails, "fails")
    told = {"control": control, "control_status": status, IS_CONTROL: False}
    rows = by_model(table.assign(**told))
    assert rows.loc["noise", ["status", "note", "n_common"]].tolist() == ["fails_control", fails, 0]
    assert math.isnan(rows.loc["noise", "value_common"])
    assert rows.loc["m", "control"] == "passes"
    assert rows.loc["m", "value_common"] == 1.0


def test_control_queries_enter_no_mean_by_which_models_are_compared():
    table = scores(("m", "a", 1.0), ("m", "b", 5.0)).assign(control="passes")
    rows = by_model(table.assign(**{IS_CONTROL: table["subquery_digest"] == "b"}))
    assert rows.loc["m", ["value_common", "n_queries", "n_common"]].tolist() == [1.0, 1, 1]
    # As a publication has it that counts them.
    assert rows.loc["m", "value"] == 3.0


def test_a_metric_without_sign_is_never_made_absolute():
    # An ECT of -0.9 is worse than one of 0.1; its absolute value would look better.
    table = scores(("m", "a", -0.9), ("m", "b", 0.1), metric="ect")
    row = by_model(table, "abs_avg").loc["m"]
    assert row["value"] == pytest.approx(-0.4)
    assert row["aggregation"] == "avg"
    assert by_model(table, "abs_sum").loc["m", "value"] == pytest.approx(-0.8)


def test_an_undefined_query_is_left_out_of_the_value_and_named():
    row = by_model(scores(("m", "a", 1.0), ("m", "b", NAN), ("m", "c", 2.0))).loc["m"]
    assert (row["value"], row["n_queries"], row["n_defined"]) == (1.5, 3, 2)
    assert row["undefined"] == "about b"


def test_a_model_at_the_minimum_coverage_is_comparable():
    table = scores(
        *((m, f"q{i}", NAN if m == "m" and i < 3 else 1.0) for m in "mn" for i in range(10))
    )
    assert by_model(table, minimum_coverage=0.7).loc["m", "n_common"] == 7
    assert by_model(table, minimum_coverage=0.71).loc["m", "n_common"] == 0


@pytest.mark.parametrize("aggregation", ["avg", "abs_avg", "sum", "abs_sum"])
def test_nothing_adds_up_to_nothing_and_not_to_zero(aggregation):
    row = by_model(scores(("m", "a", NAN), ("m", "b", NAN)), aggregation).loc["m"]
    assert math.isnan(row["value"])
    assert math.isnan(row["value_common"])
    assert row["n_defined"] == 0


def test_subqueries_of_one_name_and_other_words_both_count():
    table = scores(("m", "arts", 1.0), ("m", "arts 2", 4.0))
    table["subquery"] = "Male terms and Female terms wrt Arts"
    row = by_model(table).loc["m"]
    assert (row["value"], row["n_queries"]) == (2.5, 2)


def test_an_aggregate_has_the_interval_of_its_resamples_moved_to_it():
    # The sizes of 201 resamples: 0.9 to 1.1 and 1.9 to 2.1, whose mean of 1.5 is moved to 2.
    steps = np.linspace(-0.1, 0.1, 201)
    draws = [1 + steps, -2 - steps]
    counted = pd.DataFrame({"query": ["a", "b"], "value": [1.5, -2.5], "draws": draws})
    low, high = aggregate_interval(2.0, counted, "abs_avg", {})
    assert (low, high) == pytest.approx((2 - 0.095, 2 + 0.095))
    signed = aggregate_interval(-0.5, counted.assign(draws=[1 + steps, steps]), "avg", {})
    assert signed == pytest.approx((-0.5 - 0.095, -0.5 + 0.095))


@pytest.mark.parametrize("draws", [[[0.1, 0.2], []], [[0.1, 0.2], [0.1, 0.2, 0.3]], [[], []]])
def test_an_aggregate_has_no_interval_where_a_query_has_no_resamples(draws):
    counted = pd.DataFrame({"query": ["a", "b"], "value": [1.0, 2.0], "draws": draws})
    assert np.isnan(aggregate_interval(1.5, counted, "abs_avg", {})).all()


def test_an_interval_of_sizes_does_not_go_below_0():
    draws = [np.linspace(-1, 1, 101)]
    counted = pd.DataFrame({"query": ["a"], "value": [0.05], "draws": draws})
    low, high = aggregate_interval(0.05, counted, "abs_avg", {})
    assert low == 0 < high
