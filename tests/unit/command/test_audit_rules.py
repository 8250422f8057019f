"""Rules on an audit: what they mean, and what no rule can be about."""

import pytest

from fairflow.command.audit import decided, parsed, value_of
from fairflow.errors import FairflowError

DATA = {
    "control": "passes",
    "counts": {"significant": 13, "tests": 33, "not measured": 0, "quality": None},
    "values": [
        {
            "metric": "weat_es",
            "metric_label": "WEAT effect size",
            "where": where,
            "where_label": label,
            "value": value,
            "note": note,
        }
        for where, label, value, note in (
            ("Gender", "Gender", 0.73, ""),
            ("Religion", "Religion", None, "fewer than half of the queries are defined"),
            ("weat_6", "Male names and Female names wrt Career and Family", 1.76, ""),
        )
    ],
}


@pytest.mark.parametrize(
    ("text", "value", "holds"),
    [
        ("WEAT effect size on Gender > 0.8", 0.73, False),
        ("WEAT effect size on Gender > 0.7", 0.73, True),
        ("weat_es on gender>=.73", 0.73, True),
        ("weat-es on WEAT:6 > 1.5", 1.76, True),
        ("significant > 10", 13, True),
        ("tests < 33", 33, False),
        ("not measured > 0", 0, False),
    ],
)
def test_a_rule_compares_what_was_measured(text, value, holds):
    rule = parsed(text)
    assert value_of(rule, DATA) == value
    assert bool(decided([rule], DATA)[0]) == holds


def test_a_rule_that_holds_is_told_with_the_number():
    rules = [parsed("significant > 10"), parsed("weat_es on Gender > 1")]
    assert decided(rules, DATA) == (["significant > 10: it is 13"], [])


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Gender", "expected MEASURE > NUMBER"),
        ("weat_es on Gender > high", "expected MEASURE > NUMBER"),
        ("weat_es on Gender == 1", "expected MEASURE > NUMBER"),
        ("", "expected MEASURE > NUMBER"),
        ("weat_es > 1", "expected MEASURE > NUMBER"),
    ],
)
def test_what_is_no_rule_is_refused_before_anything_runs(text, says):
    with pytest.raises(FairflowError, match=says):
        parsed(text)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("weat_es on Religion > 1", "cannot be decided: fewer than half of the queries"),
        ("quality < 0.5", "cannot be decided: it was not measured"),
        ("weat_es on Gendr > 1", "no 'weat es on gendr'. Did you mean 'weat es on gender'"),
        ("ripa on Gender > 1", "no 'ripa on gender'. "),
    ],
)
def test_a_rule_on_what_was_not_measured_fails_loudly_beside_the_others(text, says):
    holds, (error,) = decided([parsed(text), parsed("significant > 10")], DATA)
    assert says in str(error)
    assert holds == ["significant > 10: it is 13"]


def test_where_nothing_was_tested_no_rule_on_significance_is_decided():
    fails = "weat_1 fails (0.10, p 0.4)"
    counts = {"significant": None, "tests": 0, "not measured": 0, "quality": 0.1}
    rules = [parsed(text) for text in ("significant > 10", "tests < 1", "quality < 0.5")]
    holds, (error,) = decided(rules, DATA | {"control": fails, "counts": counts})
    assert str(error).endswith(f"cannot be decided: nothing was tested (sanity checks: {fails})")
    assert len(holds) == 2
