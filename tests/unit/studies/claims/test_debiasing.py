"""Claims on models before and after."""

import pytest
from tests.unit.studies.claims.study import claims, said, score

SIZE = {
    "before_model": "a", "model": "b", "metric": "weat", "n_associations": 9,
    "n_clearly_smaller": 4, "before": 0.9, "after": 0.4, "absolute_difference": -0.5,
    "absolute_difference_low": -0.7, "absolute_difference_high": -0.3, "verdict": "smaller",
    "measure": "mean size",
}  # fmt: skip
CHANGE = {"before_model": "a", "model": "b", "metric": "weat", "query": "q1"}
CHANGE |= {"subquery_digest": "one", "verdict": "smaller"}
BENCHMARK = {"model": "b", "other": "a", "difference_low": -0.2, "difference_high": -0.1}


def debiased(size=None, change=None, hidden=None, quality=()):
    rows = [CHANGE | (change or {}), SIZE | (size or {})]
    of_words = {"metric": "hidden_bias", "measure": "neighbour_correlation", "n_words": 300}
    scores = [score(), *([score("b", value=hidden, **of_words)] if hidden is not None else [])]
    return claims("debiased", scores, quality=quality, before_after=rows)[0]


@pytest.mark.parametrize(
    ("verdict", "claimed"),
    [("smaller", "smaller"), ("larger", "larger"), ("not distinguishable", "open")],
)
def test_the_mean_size_of_all_associations_decides(verdict, claimed):
    one = debiased({"verdict": verdict})
    assert (one.verdict, one.subject, one.against) == (claimed, "b", "a")
    assert (one.value, one.low, one.high, one.n) == (-0.5, -0.7, -0.3, 9)


@pytest.mark.parametrize(
    ("found", "gate", "said_of_it"),
    [
        ({"change": {"verdict": "sign changed"}}, "signs", "1 changed sign."),
        ({"hidden": 0.2}, "hidden", "old bias can be predicted."),
        (
            {"quality": [BENCHMARK, BENCHMARK | {"difference_high": 0.1}]},
            "quality",
            "worse on 1 of 2 benchmarks.",
        ),
    ],
)
def test_what_speaks_against_a_reduction_is_said_with_it(found, gate, said_of_it):
    one = debiased(**found)
    assert one.failed == (gate,)
    assert one.sentence.endswith(f"; {said_of_it}")


def test_a_correlation_that_may_be_chance_predicts_nothing():
    assert debiased(hidden=0.1).gate("hidden") == "passed"


def test_the_answer_names_the_models_whose_associations_become_smaller():
    page = said(
        before_after=[
            *(CHANGE, CHANGE | {"model": "c"}, SIZE),
            SIZE | {"model": "c", "verdict": "not distinguishable"},
        ],
    ).page
    assert page.answer == (
        "Associations become smaller on average with Model B; the old bias can still be predicted "
        "with 0 of 2."
    )
    assert page.rows[0].cells == (
        "Model B",
        "0.90 to 0.40",
        "-0.5 [-0.7, -0.3]",
        "smaller",
        "4 of 9",
        "",
    )


def test_what_was_not_measured_is_unknown_and_neither_passes_nor_fails():
    assert [debiased().gate(name) for name in ("signs", "hidden", "quality")] == [
        "passed",
        "unknown",
        "unknown",
    ]
