"""The verdict in words: true of one model, of two and of twelve, and silent without a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import pytest

from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.trust import how_far_trusted, reversals, trust_lines
from fairflow.studies.validity.trust import LINES, grade

NAN = math.nan
NUMBERS = {"yardstick": 0.62, "reliability": 0.81, "pairs": 0.66, "seeds": 0.97, "frequency": 0.02}
OF = {
    "yardstick": "correlation with ratings of gender",
    "reliability": "Cronbach's alpha over attribute words",
    "pairs": "Fleiss' kappa of 10 pairs (she/he and others)",
    "seeds": "share of scores that keep their sign with other published word sets",
    "frequency": "correlation of word values with log frequency",
}


def verdict(
    models: Mapping[str, Mapping[str, float]], criterion: str = "", reason: str = "no norm"
) -> list[dict[str, Any]]:
    """Rows of the table for models with these numbers, the others as in `NUMBERS`."""
    rows = []
    for model, numbers in models.items():
        for line, value in {**NUMBERS, **numbers}.items():
            known = not math.isnan(value)
            low = value - 0.1 if line == "yardstick" else NAN
            rows.append(
                {"criterion": criterion, "model": model, "line": line, "value": value, "low": low}
                | {"high": low + 0.2, "n": 7 * known, "of": OF[line] if known else ""}
                | {"grade": grade(line, value, low), "reason": "" if known else reason}
            )
    return rows


def study(*rows: dict[str, Any], subject: str = "", **tables: Any) -> Results:
    frame = pd.DataFrame(rows)
    labels = {model: f"Model {model.upper()}" for model in frame["model"].unique()}
    return Results({"trust": frame, **tables}, labels, subject=subject)


def told(results: Results) -> str:
    (one,) = how_far_trusted(results)
    assert len(one.evidence) == len(LINES)
    assert all(text.endswith(".") and "nan" not in text for text in (one.sentence, *one.evidence))
    return one.sentence


ALL_GOOD = "yardstick good (.62), reliability good (.81), pairs good (.66), seeds good (.97), "


def test_of_one_model_each_line_has_its_grade_and_number():
    assert told(study(*verdict({"a": {}}))) == (
        f"These numbers can be trusted as far as is known: {ALL_GOOD}frequency good (.02)."
    )
    lines = trust_lines(study(*verdict({"a": {"reliability": 0.41}})))
    assert lines["reliability"] == (
        "Reliability poor: Cronbach's alpha over attribute words is .41 in Model A (7 queries)."
    )
    assert lines["yardstick"] == (
        "Yardstick good: correlation with ratings of gender is .62 [.52, .72] in Model A (7 words)."
    )


@pytest.mark.parametrize(
    ("numbers", "begins"),
    [
        ({"seeds": 0.9}, "These numbers can be trusted with caution: "),
        ({"seeds": 0.9, "pairs": 0.1}, "These numbers can be trusted only in part: "),
        ({"yardstick": 0.02}, "No yardstick shows that these numbers are valid: yardstick poor"),
        ({"yardstick": NAN}, "These numbers can be trusted as far as is known: yardstick unknown,"),
        (
            dict.fromkeys(LINES, NAN),
            "How far these numbers can be trusted is unknown: yardstick un",
        ),
    ],
)
def test_the_answer_is_that_of_the_worst_known_line(numbers, begins):
    assert told(study(*verdict({"a": numbers}))).startswith(begins)


@pytest.mark.parametrize(("low", "invalid"), [(-0.1, True), (0.2, False)])
def test_a_model_that_agrees_with_one_norm_is_not_called_invalid_for_another(low, invalid):
    norms = pd.DataFrame([{"model": "a", "metric": "sc_weat", "pearson_low": low}])
    results = study(*verdict({"a": {"yardstick": 0.02}}), yardsticks=norms)
    assert told(results).startswith("No yardstick") == invalid


def test_what_is_unknown_has_its_reason():
    lines = trust_lines(study(*verdict({"a": {"yardstick": NAN}})))
    assert lines["yardstick"] == "Yardstick unknown: no norm."
    lines = trust_lines(study(*verdict({"a": {}, "b": {"yardstick": NAN}})))
    assert lines["yardstick"].endswith("in Model A (7 words); unknown in Model B: no norm.")


def test_long_lists_of_lost_words_stay_in_the_table():
    rows = verdict({"a": {}, "b": {"seeds": NAN}})
    for row in rows:
        if row["reason"]:
            row["reason"] = "A lost 9 of 9 words (a, b, c, d, e, f, g, h, i)"
    assert trust_lines(study(*rows))["seeds"].endswith("unknown in Model B: A lost 9 of 9 words.")


def test_of_two_models_the_worse_one_decides_and_is_named():
    results = study(*verdict({"a": {}, "b": {"reliability": 0.41}}))
    assert "reliability poor in Model B (.41), pairs good (.66)" in told(results)
    assert trust_lines(results)["reliability"] == (
        "Reliability poor: Cronbach's alpha over attribute words is .81 in Model A and .41 in "
        "Model B (7 queries)."
    )
    noise = study(*verdict({"a": {}, "b": {"yardstick": 0.0}}))
    assert told(noise).startswith("These numbers can be trusted only in part: yardstick poor in Mo")


def test_of_twelve_models_the_ends_are_named():
    models = {name: {"reliability": 0.3 + n / 20} for n, name in enumerate("abcdefghijkl")}
    results = study(*verdict(models))
    assert "reliability poor in 4 of 12 models, pairs good (.66)," in told(results)
    assert trust_lines(results)["reliability"] == (
        "Reliability poor: Cronbach's alpha over attribute words is .30 (Model A) to .85 (Model L) "
        "in 12 models (7 queries)."
    )


def test_of_a_subject_only_its_own_numbers_count():
    results = study(*verdict({"a": {}, "b": {"reliability": 0.41}}), subject="a")
    assert "reliability good (.81)" in told(results)


def test_criteria_with_a_worse_grade_are_named():
    rows = [*verdict({"a": {}}), *verdict({"a": {"reliability": 0.6}}, "Age")]
    rows += [*verdict({"a": {"reliability": 0.2}}, "Religion"), *verdict({"a": {}}, "Gender")]
    text = trust_lines(study(*rows))["reliability"]
    assert text.endswith("(7 queries); middling on Age; poor on Religion.")


def test_without_the_table_nothing_is_said():
    scores = {"model": "m", "metric": "weat", "value": NAN, "is_primary": True, "query": "q"}
    results = Results({"scores": pd.DataFrame([scores])}, {"m": "M"})
    assert [*how_far_trusted(results)] == []
    assert trust_lines(results) == {}


def swapped(values: Mapping[str, Sequence[float]], query: str = "q1") -> list[dict[str, Any]]:
    """Scores of models with published word sets s0, s1, ... in place of ours."""
    return [
        {"model": model, "metric": "es", "criterion": "Gender", "query": query, "role": "targets"}
        | {"concept": "gender", "seeds": f"s{n}", "value": value, "is_own": False}
        for model, of in values.items()
        for n, value in enumerate(of)
    ]


def compared(swaps: Sequence[dict[str, Any]], signed: Sequence[str] = ("es",)) -> Results:
    """Model B scores 1.0 on each of two queries, model A 0.6."""
    rows = [
        {"model": model, "metric": "es", "criterion": "Gender", "query": query, "subquery": query}
        | {"value": value, "is_primary": True}
        for model, value in (("a", 0.6), ("b", -1.0))
        for query in ("q1", "q2")
    ]
    frames = {"scores": pd.DataFrame(rows), "seed_swap": pd.DataFrame(swaps)}
    return Results(frames, {"a": "Model A", "b": "Model B"}, signed=signed)


def test_a_word_list_reverses_an_order_where_the_mean_over_all_queries_does():
    # Ours: A (0.6 + 0.6) / 2, B (1.0 + 1.0) / 2. With s1 A has (1.1 + 0.6) / 2, B (0.6 + 1) / 2.
    swaps = swapped({"a": [0.9, 1.1, -1.9, NAN], "b": [0.9, 0.6, 1.0, 1.0]})
    assert reversals(compared(swaps), "es", "Gender", "b", "a") == (2, 3)
    assert reversals(compared(swaps), "es", "Overall", "b", "a") == (2, 3)
    # A list that takes the place of ours in both queries counts once.
    both = [*swaps, *swapped({"a": [0.5] * 4, "b": [1.2] * 4}, "q2")]
    assert reversals(compared(both), "es", "Gender", "b", "a") == (1, 4)


def test_no_order_is_reversed_that_was_not_there():
    swaps = swapped({"a": [2.0], "b": [1.0]})
    assert reversals(compared(swaps), "es", "Gender", "a", "b") == (0, 0)
    assert reversals(compared(swaps, signed=()), "es", "Gender", "b", "a") == (0, 0)
    assert reversals(compared(swaps), "other", "Gender", "b", "a") == (0, 0)
    assert reversals(compared([]), "es", "Gender", "b", "a") == (0, 0)
    own = [{**row, "is_own": True} for row in swaps]
    assert reversals(compared(own), "es", "Gender", "b", "a") == (0, 0)
