"""Which models are the same vectors, and which of these is compared with others."""

import math

import pandas as pd
import pytest

from fairflow.files.configuration_files import read_yaml, shipped_configuration
from fairflow.scores.item_cell import ItemVariant
from fairflow.scores.word_cell import WordVariant
from fairflow.studies.comparability import (
    linked,
    no_rivals,
    repeated_models,
    vectors_of,
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
        (model, 1.0 if i < count else math.nan)
        for model, count in defined.items()
        for i in range(4)
    ]
    return pd.DataFrame(rows, columns=["model", "value"]).assign(is_primary=True)


def test_of_the_same_vectors_the_model_with_most_scores_is_compared_and_else_the_first():
    vectors = {"part": "v", "whole": "v", "unit": "v"}
    table = scores(part=2, whole=4, unit=4, other=3)
    assert repeated_models(table, vectors) == {"part": "whole", "unit": "whole"}
    assert repeated_models(table, {}) == {}


def test_what_comes_of_a_model_is_compared_with_nobody_and_stands_for_nobody():
    rows = [(model, True, 1.0) for model in ("base", "unit", "debiased", "other")]
    table = pd.DataFrame(rows, columns=["model", "is_primary", "value"])
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
FAIR |= dict.fromkeys(["wefat_garg_log_odds", "cps", "log_likelihood"])


@pytest.mark.parametrize(
    ("file", "variant_class"), [("metrics", WordVariant), ("language_metrics", ItemVariant)]
)
def test_every_shipped_variant_names_its_fair_value(file, variant_class):
    keys = ("metric", "measure", "parameters")
    for name, entry in read_yaml(shipped_configuration() / f"{file}.yaml").items():
        variant = variant_class(name, **{key: entry[key] for key in keys if key in entry})
        assert variant.reading.fair == FAIR.get(name, 0), name
