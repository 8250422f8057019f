"""Conclusions on residual bias and lost quality; no model is called free of bias."""

import math

import pandas as pd

from fairflow.studies.findings.debiasing import bias_left, hidden_bias, not_measured, use_lost
from fairflow.studies.findings.finding import Results
from fairflow.studies.residual_bias import CLASSIFIER, CLUSTERS, DIRECT, NEIGHBOURS, TESTS

LABELS = {"old": "Old", "new": "New"}


def row(model, test, value, low=math.nan, high=math.nan, **more):
    named = TESTS[test]
    known = {"model": model, "about": named.about, "test": named.label, "subject": "", "n": 100}
    ends = {"value_range_low": low, "value_range_high": high, "covered": 40, "total": 50}
    no_difference = {
        "difference": math.nan,
        "difference_low": math.nan,
        "difference_high": math.nan,
    }
    return {**known, **ends, **no_difference, "value": value, "note": "", **more}


CHOSEN = "the words of the model were chosen: those of published tests"


def benchmark(name, difference, low, high):
    ends = {"difference": difference, "difference_low": low, "difference_high": high}
    return row("new", "similarity", 0.5, subject=name, **ends)


def found(*rows):
    before = [row("old", "clusters", 0.99), row("old", "neighbours", 0.7)]
    before += [row("old", "classifier", 0.98), row("old", "direct_bias", 0.07)]
    return sentences(pd.DataFrame([*before, *rows]))


def sentences(residual_bias):
    results = Results({"residual_bias": residual_bias}, LABELS)
    statements = (bias_left, use_lost, not_measured)
    return [one.text for statement in statements for one in statement(results)]


def hidden_statements(scores):
    return [one.text for one in hidden_bias(Results({"scores": scores}, LABELS))]


def test_bias_that_neighbours_predict_is_given_with_the_value_before():
    (sentence,) = found(
        row("new", CLUSTERS, 0.92),
        row("new", CLASSIFIER, 0.89),
        row("new", NEIGHBOURS, 0.69, 0.6, 0.7),
        row("new", DIRECT, 0.001),
    )
    assert sentence == (
        "The old bias of words can still be predicted from their vectors in New: two clusters "
        "recover the direction of the 100 most biased words in 92% (before 99%), a classifier "
        "recovers that of 100 words in 89% (before 98%), the old bias of 100 words correlates with "
        "the bias of their neighbours by 0.69 (before 0.70) and the mean direct bias of "
        "professions is 0.001 (before 0.07)."
    )


def test_numbers_of_a_curated_vocabulary_are_marked_as_such():
    (sentence,) = found(row("new", CLUSTERS, 0.6, note=CHOSEN), row("new", NEIGHBOURS, 0.6, 0.5))
    assert sentence.startswith(
        "The old bias of words can still be predicted from their vectors in New, among chosen "
        "words only (those of published tests), which do not represent a wide vocabulary: two"
    )


def test_the_metric_has_the_same_sentences_as_the_table():
    values = {"cluster_accuracy": 0.919, "neighbour_correlation": 0.686, "result": 1.0}
    rows = [
        {"model": "new", "query": "q", "measure": name, "value": value, "statistics_note": note}
        for name, value in values.items()
        for note in ["no test; no null band: " + CHOSEN]
    ]
    (curated,) = hidden_statements(pd.DataFrame(rows))
    assert curated.startswith("In New, among chosen words only (those of published tests), which")
    wide = pd.DataFrame(rows).assign(statistics_note=math.nan)
    assert hidden_statements(wide) == [
        "In New two clusters recover the direction of the most biased words in 92% and the old "
        "bias of words correlates with the bias of their neighbours by 0.69."
    ]


def test_bias_that_is_not_found_is_not_said_to_be_removed():
    (sentence,) = found(row("new", NEIGHBOURS, 0.01, -0.02, 0.04))
    assert "was not found in the neighbours of New, which does not show that" in sentence


def test_without_neighbours_nothing_is_said_of_them():
    (sentence,) = found(row("new", DIRECT, 0.01))
    assert sentence.startswith("The old bias of words in New: the mean direct bias of professions")


def test_benchmarks_are_counted_by_what_became_of_them():
    (sentence,) = found(
        benchmark("MEN", -0.02, -0.03, -0.01),
        benchmark("RW", 0.03, 0.01, 0.05),
        benchmark("RG-65", 0.01, -0.1, 0.1),
    )
    assert sentence == (
        "Quality of New: worse on MEN (-0.020), better on RW (+0.030) and not clearly different "
        "from Old on 1 of 3 benchmarks of word similarity and analogies (intervals over the 120 of "
        "150 items in the vocabulary, not adjusted for the number of benchmarks)."
    )


def test_what_was_not_measured_is_named_with_its_reason():
    why = "the model before lacks he, between which words lean"
    (sentence,) = found(
        row("new", CLUSTERS, math.nan, note=why),
        row("new", NEIGHBOURS, math.nan, note=why),
        row("new", "similarity", math.nan, subject="MEN", note="only 3 items"),
    )
    assert sentence == (
        "Not measured in New: clusters of the most biased words, neighbours of all words and MEN "
        f"({why} and only 3 items)."
    )


def test_a_study_without_the_table_says_nothing_of_it():
    assert sentences(pd.DataFrame()) == []
