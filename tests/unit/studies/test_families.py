"""Families of a study's tests: what is adjusted together, and what counts once."""

import numpy as np
import pandas as pd
import pytest

from fairflow.errors import FairflowError
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.distinct_tests import Sameness, adjust_families, name_tests


def scores(*rows, index=None):
    """Rows of (criterion, metric, model, digest, whether it is ranked by, p_value)."""
    columns = ["criterion", "metric", "model", "subquery_digest", PRIMARY, "p_value"]
    return pd.DataFrame(rows, columns=columns, index=index)


BY_MODEL = ["criterion", "metric", "model"]


def test_the_tests_of_a_family_are_adjusted_together_and_others_apart():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "n", "a", True, 0.04),
        ("Gender", "weat", "m", "b", True, 0.03),
    )
    found = adjust_families(table, BY_MODEL)
    assert found["family"].tolist() == [f"Gender / weat / {model}" for model in "mnm"]
    assert found["p_holm"].tolist() == pytest.approx([0.02, 0.04, 0.03])
    assert found["p_bh"].tolist() == pytest.approx([0.02, 0.04, 0.03])
    wider = adjust_families(table, ["criterion"])
    assert wider["p_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06])
    assert adjust_families(table, [])["p_holm"].tolist() == wider["p_holm"].tolist()
    assert set(adjust_families(table, [])["family"]) == {"all"}


def test_a_test_that_stands_in_several_queries_counts_once():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "m", "a", True, 0.012),  # the same test, drawn with another seed
        ("Gender", "weat", "m", "b", True, 0.5),
    )
    found = adjust_families(table, BY_MODEL)
    assert found["p_holm"].tolist() == pytest.approx([0.024, 0.024, 0.5])
    assert found["p_bh"].tolist() == pytest.approx([0.024, 0.024, 0.5])


# WEAT's sum and its effect size exchange one statistic; a twin has the vectors of its model.
SAME = Sameness(
    statistics={"weat": "weat", "effect size": "weat"},
    vectors={"twin": "m"},
    scaling={"rnd": True},
)


def repeated(**columns):
    """Two tests, a and b, each made by two variants on a model and on its twin."""
    return scores(
        *(
            ("Gender", metric, model, digest, True, p)
            for metric in ("weat", "effect size")
            for model in ("m", "twin")
            for digest, p in (("a", 0.01), ("b", 0.03))
        )
    ).assign(**columns)


def test_a_test_told_by_several_variants_and_a_twin_counts_once():
    found = adjust_families(repeated(), BY_MODEL, SAME)
    assert found["test_id"].nunique() == 2
    assert set(found["family"]) == {"Gender / weat, effect size / m, twin"}
    assert found["p_holm"].tolist() == pytest.approx([0.02, 0.03] * 4)
    assert found["p_bh"].tolist() == pytest.approx([0.02, 0.03] * 4)
    # As one family of all, too.
    assert adjust_families(repeated(), [], SAME)["p_holm"].tolist() == pytest.approx(
        [0.02, 0.03] * 4
    )


def test_one_sided_and_two_sided_readings_of_a_test_are_one_member_of_its_family():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01),
        ("Gender", "weat", "m", "b", True, 0.03),
        ("Gender", "effect size", "m", "a", True, 0.02),
        ("Gender", "effect size", "m", "b", True, 0.06),
        ("Gender", "rnd", "m", "a", True, 0.5),
    ).assign(alternative=["greater", "greater", "two-sided", "two-sided", "two-sided"])
    found = adjust_families(table, ["criterion"], SAME)
    # Three tests, not five; the right-sided ones are adjusted with the one test of rnd.
    assert found["p_holm"].tolist() == pytest.approx([0.03, 0.06, 0.06, 0.12, 0.5])
    assert found["test_id"].nunique() == 3


@pytest.mark.parametrize(
    ("change", "distinct"),
    [
        ({}, 1),
        ({"model": ["m", "twin"]}, 1),
        ({"model": ["m", "other"]}, 2),
        ({"metric": ["weat", "effect size"]}, 1),
        ({"metric": ["rnd", "rnd"], "model": ["m", "twin"]}, 2),  # length counts
        ({"oov_words": [["Billy"], []], "model": ["m", "twin"]}, 2),  # a part of the vectors
        ({"oov_words": [np.array(["Billy"]), ["Billy"]]}, 1),
        ({"matched_forms": [[{"word": "Jew", "form": "jew"}], []]}, 2),
        ({"p_statistic": ["difference", "ratio"]}, 2),
        ({"alternative": ["greater", "two-sided"]}, 1),
        ({"p_value": [0.1, 0.2]}, 1),  # drawn with two seeds
    ],
)
def test_rows_of_the_same_vectors_words_and_statistic_are_one_measurement(change, distinct):
    table = scores(*[("Gender", "weat", "m", "a", True, 0.1)] * 2).assign(**change)
    assert name_tests(table, SAME).nunique() == distinct


def test_an_unknown_column_is_refused_with_the_nearest_one():
    with pytest.raises(FairflowError, match=r"families: .*'metrik'\. Did you mean 'metric'"):
        adjust_families(scores(("G", "weat", "m", "a", True, 0.1)), ["metrik"])


def test_equal_words_on_two_models_are_two_tests():
    table = scores(
        ("Gender", "weat", "m", "a", True, 0.01), ("Gender", "weat", "n", "a", True, 0.02)
    )
    assert adjust_families(table, ["metric"])["p_holm"].tolist() == pytest.approx([0.02, 0.02])
