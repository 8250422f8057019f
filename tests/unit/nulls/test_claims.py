"""Claims on groups of two contrasts; `make test-slow` counts how often they are false."""

import pytest
from tests.unit.studies.claims.study import NAN, claims, said, score

PLACE = {"model": "a", "metric": "intersections", "query": "q1", "criterion": "Groups"}
ROW = PLACE | {
    "by": "race (one)", "quadrant": "first_first", "group": "White Men", "targets": "Traits",
    "n_words": 230, "value": 0.47, "ci_low": 0.4, "ci_high": 0.53, "ci_low_both": 0.2,
    "ci_high_both": 0.7, "null_low": 0.2, "null_high": 0.3, "p_null": 0.001, "p_adjusted": 0.004,
    "verdict": "more", "is_largest": True, "lists": "Traits, White, Black, Men, Women",
    "swap": "untested", "shared": 0.0, "reason": None,
}  # fmt: skip
OTHER = ROW | {"query": "q2", "by": "race (two)", "group": "Black Women", "shared": 0.95}


def test_a_group_is_told_with_its_share_that_of_random_words_and_its_list():
    (one,) = claims("intersection", intersections=[ROW])
    assert (one.verdict, one.value, one.low, one.high, one.p_adjusted) == (
        *("more", 0.47, 0.4, 0.53, 0.004),
    )
    assert one.sentence == (
        "Model A: 47% of Traits are nearest to White Men, more than of random words (20% to 30%), "
        "by race (one)."
    )


def test_sets_that_share_most_of_their_words_are_an_objection():
    one, two = claims("intersection", intersections=[ROW, OTHER])
    assert [each.failed for each in (one, two)] == [(), ("sets apart",)]
    assert two.sentence.endswith("; its sets share 95% of words.")


def test_a_query_without_shares_is_one_claim_and_makes_no_answer():
    lost = ROW | {"verdict": "undefined", "is_largest": False}
    lost |= dict.fromkeys(["value", "null_low", "null_high", "p_adjusted"], NAN)
    told = said([score(metric="intersections")], intersections=[lost] * 4)
    assert [one.verdict for one in told.claims if one.kind == "intersection"] == ["undefined"]
    assert "groups" not in told.page.answer


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        (
            "turned",
            "Model A: another published list gives another largest group: White Men by race (one), "
            "Black Women by race (two); its sets share 95% of words.",
        ),
        ("untested", "Model A: whether another published list gives another largest group is not"),
    ],
)
def test_lists_of_names_are_compared_once_for_each_model(verdict, sentence):
    rows = [row | {"swap": verdict} for row in (ROW, OTHER)]
    (one,) = claims("swap", intersections=rows)
    assert one.verdict == verdict
    assert one.sentence.startswith(sentence)


def test_lists_that_agree_name_the_group_alone():
    rows = [row | {"swap": "same", "group": "White Men"} for row in (ROW, OTHER)]
    (one,) = claims("swap", intersections=rows)
    assert "gives one largest group, White Men" in one.sentence


def test_the_page_of_such_a_study_has_the_groups_and_nothing_that_was_not_tested():
    rows = [row | {"swap": "turned"} for row in (ROW, OTHER | {"verdict": "as random words"})]
    told = said([score(metric="intersections", p_value=NAN, p_bh=NAN)], intersections=rows)
    assert told.page.answer == (
        "1 of 2 groups have more or fewer words than random ones; another list of names gives "
        "another largest one in 1 of 1 models."
    )
    assert [row.cells for row in told.page.rows] == [
        ("White Men by race (one)", "Model A", "47%", "20% to 30%", ".004", "more"),
        ("Black Women by race (two)", "Model A", "47%", "20% to 30%", ".004", "as random words"),
    ]
    assert [row.strength for row in told.page.rows] == [1, 0]
    assert {one.kind for one in told.claims} == {"intersection", "swap"}
    assert len(told.page.notes) == 1


def test_next_to_other_metrics_associations_stay():
    told = said([score(), score(query="q2", metric="intersections")], intersections=[ROW])
    assert "association" in {one.kind for one in told.claims}
