"""Which effects the test of a query can find, from the words that its scores rest on."""

import math

import pandas as pd
import pytest

from fairflow.statistics.smallest_effect import smallest_effect
from fairflow.studies.validity.evidence import Evidence
from fairflow.studies.validity.power import power


def score(query, first, second, model="m", alternative="two-sided", **more):
    words = [("X", f"x{n}") for n in range(first)] + [("Y", f"y{n}") for n in range(second)]
    return {
        "model": model, "query": query, "is_primary": True, "p_value": 0.2,
        "alternative": alternative, "p_statistic": "difference of mean associations",
        "words": [{"set": of, "word": word, "measure": "association"} for of, word in words],
    } | more  # fmt: skip


def rows(*scores, queries=("q",)):
    evidence = Evidence({}, {}, {}, dict.fromkeys(queries, "Gender"), {})
    return power(evidence, pd.DataFrame(scores)).to_dict("records")


def test_a_query_has_the_words_that_the_model_with_the_fewest_knows():
    (row,) = rows(score("q", 8, 7, "a"), score("q", 6, 8, "b"))
    assert (row["n_first"], row["n_second"]) == (6, 7)
    assert row["smallest_effect"] == smallest_effect(6, 7).value
    assert (row["level"], row["power"], row["reason"]) == (0.05, 0.8, "")


def test_each_alternative_of_the_study_has_a_row_and_one_side_sees_smaller_effects_than_two():
    one, two = rows(score("q", 8, 8, alternative="greater"), score("q", 8, 8))
    assert (one["alternative"], two["alternative"]) == ("greater", "two-sided")
    assert one["smallest_effect"] < two["smallest_effect"]


def test_words_of_both_sets_do_not_count_as_the_test_leaves_them_where_they_are():
    shared = [{"set": of, "word": f"both{n}"} for of in "XY" for n in range(3)]
    test = score("q", 8, 8)
    (row,) = rows(test | {"words": [*test["words"], *shared]})
    assert (row["n_first"], row["n_second"]) == (8, 8)


def test_sets_that_are_too_small_for_any_effect_say_so():
    (row,) = rows(score("q", 3, 3))
    assert math.isnan(row["smallest_effect"])
    assert row["reason"] == smallest_effect(3, 3).reason != ""


@pytest.mark.parametrize(
    "other",
    [{"p_statistic": "mean relative distance"}, {"p_value": math.nan}, {"is_primary": False}],
)
def test_a_query_without_the_test_has_a_row_with_a_reason(other):
    first, second = rows(score("q", 8, 8), score("p", 8, 8, **other), queries=("q", "p"))
    assert first["reason"] == ""
    assert second["reason"] == "no model has the test of WEAT"
    assert math.isnan(second["n_first"])
