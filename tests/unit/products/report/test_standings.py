"""Models side by side: marks on one scale, and what the claims say of pairs."""

import math

import pandas as pd
import pytest

from fairflow.products.report.standings import columns_of_study, models_table
from fairflow.scores.ranked import PRIMARY
from fairflow.studies.claims import claim as kinds
from fairflow.studies.claims import comparisons
from fairflow.studies.claims.claim import FAILED, Claim, Gate

NAN = math.nan
STUDY = {"name": "mine", "title": "Mine", "readings": {"weat_es": {"fair": 0}}}
LABELS = {"a": "A", "b": "B", "c": "C", "weat_es": "WEAT"}


def ranking(*rows, status="compared"):
    names = ("criterion", "model", "score", "score_low", "score_high", "value")
    found = pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows])
    return found.assign(
        source="computed", metric="weat_es", rank=found["score"].rank(), status=status, note="why"
    )


def frames(rows, **more):
    measured = {"metric": "weat_es", "measure": comparisons.COMPARABLE, PRIMARY: True}
    return {"ranking": rows, "scores": pd.DataFrame([measured]), **more}


def pair(subject, against, verdict, criterion="Gender"):
    place = {"criterion": criterion, "measure": "weat_es", "p_adjusted": 0.5}
    return Claim(kinds.COMPARISON, verdict, subject, against, **place)


THREE = ranking(
    ("Gender", "a", 1.0, 0.5, 1.5, 1.1),
    ("Gender", "b", 0.5, 0.2, 0.9, 0.5),
    ("Gender", "c", 0.4, 0.1, 0.7, 0.4),
)


def column(rows=THREE, claims=(), **more):
    (found,) = columns_of_study(frames(rows, **more), claims, STUDY, LABELS)
    return found


def test_badges_say_which_models_are_above_and_below_all_others():
    clear = [
        pair("a", "b", comparisons.MORE),
        pair("c", "a", comparisons.LESS),
        pair("b", "c", kinds.OPEN),
    ]
    found = {model: cell.badge for model, cell in column(claims=clear).cells.items()}
    assert found == {"a": "most", "b": "between", "c": "between"}
    settled = [*clear[:2], pair("b", "c", comparisons.MORE)]
    assert column(claims=settled).cells["c"].badge == "least"
    tied = column(claims=[pair("a", "b", kinds.OPEN), pair("a", "c", kinds.OPEN)]).cells["a"]
    assert (tied.badge, tied.note) == ("tied", "not told apart from B and C")
    of_another_topic = [pair("a", "b", comparisons.MORE, "Religion")]
    assert column(claims=of_another_topic).cells["a"].badge == ""


def test_a_model_that_fails_its_controls_says_so_with_its_value():
    rows = ranking(("Gender", "a", NAN, 0.1, 0.3, 0.2), status="fails_control")
    cell = column(rows).cells["a"]
    assert (cell.value, cell.badge, cell.note) == (0.2, "fails controls", "why")


def test_marks_of_all_criteria_are_on_one_scale_that_begins_at_0():
    rows = pd.concat([THREE, ranking(("Religion", "a", 1.2, 1.0, 1.9, 1.2))])
    rows = pd.concat([rows, ranking(("Religion", "b", 0.1, 0.0, 0.2, 0.1))])
    table = models_table(columns_of_study(frames(rows), (), STUDY, LABELS), LABELS)
    assert [one.heading for one in table.columns] == ["Gender", "Religion"]
    assert [one.ends for one in table.columns] == [(0.0, pytest.approx(1.995))] * 2
    assert table.columns[1].at(1.9) == pytest.approx(95.2)
    assert [*table.models.items()] == [("a", "A"), ("b", "B"), ("c", "C")]


def test_a_column_that_another_study_repeats_stands_once_and_other_ones_name_their_study():
    same = columns_of_study(frames(THREE), (), {**STUDY, "name": "same"}, LABELS)
    other = ranking(("Gender", "a", 2.0, 1.0, 3.0, 2.0), ("Gender", "b", 1.0, 0.0, 2.0, 1.0))
    others = columns_of_study(frames(other), (), {**STUDY, "name": "an_other"}, LABELS)
    table = models_table([column(), *same, *others], LABELS)
    assert [(one.study, one.heading) for one in table.columns] == [
        ("mine", "Gender"),
        ("an_other", "Gender (an other)"),
    ]


def test_quality_is_of_the_benchmark_that_most_models_have_whatever_study_measured_it():
    def measured(*rows):
        names = ("subject", "model", "value", "value_range_low", "value_range_high")
        return pd.DataFrame([dict(zip(names, row, strict=True)) for row in rows]).assign(other=None)

    few = measured(("RG-65", "a", 0.9, 0.8, 1.0), ("MEN", "b", 0.7, 0.6, 0.8))
    more = measured(("MEN", "a", 0.5, 0.4, 0.6))
    columns = [
        *columns_of_study(frames(THREE, quality=few), (), STUDY, LABELS),
        *columns_of_study(frames(THREE, quality=more), (), {**STUDY, "name": "more"}, LABELS),
    ]
    quality = models_table(columns, LABELS).columns[-1]
    assert (quality.heading, quality.metric) == ("Quality", "MEN")
    assert {model: cell.value for model, cell in quality.cells.items()} == {"a": 0.5, "b": 0.7}


def test_values_that_only_one_model_has_are_shown_where_nothing_else_is():
    alone = column(ranking(("Gender", "a", NAN, NAN, NAN, 0.3)))
    assert [one.heading for one in models_table([alone], LABELS).columns] == ["Gender"]
    assert alone.cells["a"].spoken == "0.30"


def test_a_debiased_model_whose_bias_is_hidden_is_not_simply_smaller():
    said = {"measure": "weat_es", "short": "smaller", "sentence": "It is."}
    hidden = Gate("hidden", FAILED)
    claims = [
        Claim(kinds.DEBIASED, "smaller", "a", "b", **said, gates=(hidden,)),
        Claim(kinds.DEBIASED, "smaller", "c", "b", **said),
    ]
    found = {model: cell.badge for model, cell in column(claims=claims).cells.items()}
    assert found == {"a": "smaller, hidden", "b": "", "c": "smaller"}
