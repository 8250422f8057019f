"""Which models are the same vectors, and which of these is compared with others."""

import math

import pandas as pd
import pytest
from tables_of_scores import score

from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.scores.word_variant import WordVariant
from fairflow.studies.comparability import (
    IS_CONTROL,
    control_table,
    failing_models,
    linked,
    no_rivals,
    readable,
    repeated_models,
    vectors_of,
    with_controls,
)

OTHERS = {
    "whole": None,
    "part": "whole",
    "part, unit": "part",
    "debiased": None,
    "debiased, unit": "debiased",
    "one": "two",
    "two": "one",
}


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("whole", "whole"),
        ("part", "whole"),
        ("part, unit", "whole"),
        ("debiased", "debiased"),
        ("debiased, unit", "debiased"),
        ("a language model", "a language model"),
    ],
)
def test_parts_and_twins_of_unit_length_go_by_the_name_of_the_whole(model, name):
    assert vectors_of(model, OTHERS) == name


def scores(**defined):
    rows = [
        score(model, "q", 1.0 if i < count else math.nan)
        for model, count in defined.items()
        for i in range(4)
    ]
    return pd.DataFrame(rows)


def test_of_the_same_vectors_the_model_with_most_scores_is_compared_and_else_the_first():
    vectors = {"part": "v", "whole": "v", "unit": "v"}
    table = scores(part=2, whole=4, unit=4, other=3)
    assert repeated_models(table, vectors) == {"part": "whole", "unit": "whole"}
    assert repeated_models(table, {}) == {}


def test_what_comes_of_a_model_is_compared_with_nobody_and_stands_for_nobody():
    table = scores(base=4, unit=4, debiased=4, other=4)
    vectors = {"base": "base", "unit": "base", "debiased": "debiased", "other": "other"}
    alone = no_rivals(table, vectors, {"debiased": "base"})
    assert {model: (one.status, one.same_vectors_as) for model, one in alone.items()} == {
        "debiased": ("derived", ""),
        "unit": ("same_vectors", "base"),
    }
    note = "derived from base; not ranked with its source"
    assert (alone["debiased"].note, alone["debiased"].derived_from) == (note, "base")
    assert no_rivals(table, {}, {}) == {}


def test_what_shares_a_member_is_linked_and_so_are_those_that_another_joins():
    members = {"q1": {"man"}, "q2": {"aster"}, "q3": {"ant"}, "q4": {"ant", "man"}, "q5": set()}
    assert linked(members) == {"q1": "q1", "q4": "q1", "q3": "q1", "q2": "q2", "q5": "q5"}


# By the formulas of their papers; every other shipped variant is fair at 0.
FAIR = dict.fromkeys(["mac", "ect", "ect_unit_length"], 1)
FAIR |= dict.fromkeys(["explained_variance", "analogies", "wefat", "wefat_garg"])
FAIR |= dict.fromkeys(["wefat_garg_log_odds", "intersections"])


def test_every_shipped_variant_names_its_fair_value():
    keys = ("metric", "measure", "parameters")
    for name, entry in read_yaml(shipped_configuration() / "metrics.yaml").items():
        variant = WordVariant(name, **{key: entry[key] for key in keys if key in entry})
        assert variant.reading.fair == FAIR.get(name, 0), name


NAN = math.nan


def of_controls(*rows):
    """Rows of (model, query, value, p), as of score files."""
    how = {"metric": "weat_es_caliskan", "alternative": "greater", "statistics": "full"}
    frame = pd.DataFrame([score(*row, p_value=p, **how) for *row, p in rows])
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
    (row,) = control_table(of_controls(("m", "weat_1", value, p)), {"weat_1": "Flowers"}).to_dict(
        "records"
    )
    assert row["status"] == status
    assert row["query_label"] == "Flowers"


def test_a_test_of_few_words_that_finds_nothing_is_no_failure():
    few = of_controls(("m", "weat_1", 1.2, 0.03)).assign(statistics="few_words")
    (row,) = control_table(few, {}).to_dict("records")
    assert (row["status"], row["reason"]) == ("not tested", "a set has fewer than 10 words")


def test_every_score_of_vectors_carries_what_control_queries_say_of_its_model():
    rows = [("weat", "m", "a"), ("honest", "m", "a"), ("weat", "n", "a"), ("weat", "m", "weat_1")]
    table = pd.DataFrame(rows, columns=["metric", "model", "query"])
    controls = control_table(of_controls(("m", "weat_1", -0.1, 0.6)), {})
    found = with_controls(table, controls, ["weat_1"], of_others=["honest"])
    fails = "weat_1 fails (-0.10, p 0.6)"
    assert found["control"].tolist() == [
        fails, "none: the metric does not rest on vectors", "none", fails,
    ]  # fmt: skip
    assert found["control_status"].tolist() == ["fails", "not of vectors", "none", "fails"]
    assert found[IS_CONTROL].tolist() == [False, False, False, True]
    assert failing_models(found) == {"m": fails}
    assert list(readable(found).index) == [1, 2]
