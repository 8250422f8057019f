"""What a study has of queries with two contrasts."""

from shipped import plan_of

from fairflow.nulls import CROSSED
from fairflow.planning import study_jobs  # noqa: F401  # It registers the job.
from fairflow.planning.registry import Jobs

LISTS = ("weat_5", "weat_7", "garg")


def test_the_shipped_study_crosses_race_and_gender_by_three_lists_of_names():
    plan = plan_of("nulls")
    how = Jobs(plan).of("tables", study="nulls").how[CROSSED]
    assert how == {
        "by": {
            "traits_names_weat_5": ["race (WEAT 5)"],
            "traits_names_weat_7": ["race (WEAT 7)"],
            "traits_names_garg": ["race (Garg et al.)"],
        },
        # nelson and howard alone are in one set each.
        "shared": {f"traits_names_{name}": 0.95 * (name == "garg") for name in LISTS},
        "random_words": 400,
    }
    assert [*plan.queries["traits_names_garg"].attributes] == ["White", "Black", "Men", "Women"]


def test_a_study_without_such_queries_has_no_such_table():
    assert CROSSED not in plan_of("garg_2018").studies["garg_2018"].parts
