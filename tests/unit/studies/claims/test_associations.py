"""Claims on scores of words, each where a study supports it and nowhere else."""

import pytest
from tests.unit.studies.claims.study import NAN, claims, ranks, said, score, verdicts


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ({}, "significant"),
        ({"p_null_band": NAN}, "significant"),
        ({"p_null_band": 0.2}, "as random words"),
        ({"p_bh": 0.2}, "open"),
        ({"p_bh": NAN}, "untested"),
        # No p below .05 is possible with so few words, whatever they are.
        ({"p_smallest": 0.057, "p_bh": 0.9}, "untestable"),
    ],
)
def test_an_association_needs_a_test_and_more_than_random_words(columns, verdict):
    assert verdicts("association", [score(**columns)]) == [verdict]


def test_the_sets_are_named_as_the_sign_orders_them():
    rows = [score(), score("b", value=-0.7, ci_low=-0.9, ci_high=-0.2)]
    strong, weak = claims("association", rows)
    assert (strong.subject, strong.what) == ("b", "Women with Career, Men with Family")
    assert (strong.value, strong.low) == (-0.7, -0.9)
    assert weak.sentence == "In Model A: Men with Career, Women with Family, +0.5 [0.1, 0.9]."


def control(status="passes", model="a", **columns):
    row = {"model": model, "query": "q1", "metric": "weat", "value": 1.2, "p_value": 0.001}
    return row | {"status": status} | columns


@pytest.mark.parametrize(
    ("statuses", "verdict"),
    [
        (["passes", "passes"], "passes"),
        (["passes", "fails"], "fails"),
        (["undefined", "fails"], "fails"),
        (["passes", "undefined"], "not known"),
        (["not tested"], "not known"),
    ],
)
def test_a_model_passes_every_control_or_fails_one(statuses, verdict):
    assert verdicts("control", controls=[control(one) for one in statuses]) == [verdict]


def test_nothing_else_is_said_of_a_model_that_fails():
    row = score(control_status="fails", control="q1 fails")
    found = said([row], controls=[control("fails", value=0.2, p_value=0.4)], subject="a")
    assert {one.kind for one in found.claims} == {"control"}
    assert found.page.answer == (
        "Model A fails a sanity check that any sensible vectors pass (Query 1: 0.2, p 0.4): "
        "its other scores say nothing, and it has no rank."
    )
    assert not found.page.rows


@pytest.mark.parametrize(
    ("verdicts_", "sentence"),
    [
        (["match"] * 2, "2 of 2 published numbers reproduced."),
        (
            ["match", "within tolerance", "differs", "differs"],
            "2 of 4 published numbers reproduced, 2 different (2 for no known reason).",
        ),
        (["match", "not computed"], "1 of 1 published numbers reproduced; 1 not computed here."),
        (["not computed"], "None of 1 published numbers is computed here."),
    ],
)
def test_published_numbers_are_reproduced_or_differ_with_a_cause(verdicts_, sentence):
    rows = [{"measure": "weat", "verdict": one, "cause": "unknown"} for one in verdicts_]
    (one,) = claims("reproduced", published=rows)
    assert one.sentence == sentence


def test_scores_without_value_name_some_of_the_missing_words():
    words = ["axe", "bow", "cup", "den", "elm", "fig", "gem"]
    lost = {"value": NAN, "status": "lost_vocabulary"}
    rows = [score(), score(query="q2", oov_words=words[:4], **lost)]
    rows += [score("b", oov_words=words, **lost)]
    rows += [score("b", "q2", value=NAN, status="shared_words", oov_words=["hat"])]
    (one,) = claims("not measured", rows)
    assert one.short == "3 of 4 scores not measured"
    assert one.sentence == (
        "Not measured: 3 of 4 scores (words missing from the model and two sets share words); "
        "missing: axe, bow, cup, den, elm and 2 more."
    )
    assert one.facts["lost"] == words
    assert said(rows[1:]).page.answer == "No score has a value."


def test_words_that_share_a_vector_are_named_by_the_set_with_most():
    sets = [
        {"model": "a", "word_set": "Career", "found": 8, "duplicated": 0, "distinct": 6},
        {"model": "a", "word_set": "Family", "found": 8, "duplicated": 0, "distinct": 8},
    ]
    (one,) = claims("not measured", coverage=sets)
    assert one.sentence == (
        "In Model A words share a vector in 1 of 2 sets, most in Career: 8 words, 6 vectors."
    )


def test_an_answer_counts_distinct_tests_once_by_one_correction():
    rows = [score(), score(test_id="a q1", subquery="again"), score("b", p_bh=0.3)]
    page = said(rows).page
    assert page.answer == ("1 of 2 associations are significant and larger than with random words.")
    without = said([score(p_null_band=NAN)]).page
    assert without.answer == ("1 of 1 associations are significant.")


@pytest.mark.parametrize("p", [0.001, NAN])
def test_a_query_without_two_and_two_sets_has_its_label(p):
    row = score(query="q2", query_label="Query 2", p_value=p, p_bh=p)
    (one,) = claims("association", [row])
    assert one.what == "Query 2"
    assert "Query 2" in one.sentence


def test_a_metric_of_the_users_code_is_told_with_the_scores_of_the_models():
    (one,) = claims("own metric", ranking=ranks("a", "b", metric="rnd"), own_metrics=["rnd"])
    assert one.sentence == "By RND over all queries: Model A 0.1 and Model B 0.2."
    assert claims("own metric", ranking=ranks("a", "b", metric="rnd")) == []


def test_a_p_of_the_other_direction_than_the_row_names_says_so():
    asked = {"value": -0.5, "p_bh": 0.93, "ci_low": -0.9, "ci_high": 0.1}
    (row,) = said([score(alternative="greater", **asked)]).page.rows
    assert row.cells[0] == "Women with Career, Men with Family"
    assert row.cells[3] == ".93 (other way)"
    (both,) = said([score(**asked)]).page.rows
    assert both.cells[3] == ".93"


def test_where_nothing_is_tested_the_answer_is_the_range_of_the_values():
    untested = {"p_value": NAN, "p_holm": NAN, "p_bh": NAN}
    rows = [score(model, value=value, **untested) for model, value in (("a", 0.171), ("b", 0.327))]
    assert said(rows).page.answer == "WEAT: 0.171 to 0.327 in 2 models; not tested."
