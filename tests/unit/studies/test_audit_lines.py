"""What an audit found is told in nine lines, in words and with what is not sure."""

import math
import re

import pandas as pd
import pytest

from fairflow.studies.audit_lines import audit_lines
from fairflow.studies.findings.finding import Results
from fairflow.studies.ranking import verdict

LABELS = {"own": "vectors.txt", "ref": "Reference", "weat": "WEAT"}
SETS = {
    "jobs": [["Men", "Women"], ["Career", "Family"]],
    "arts": [["Men", "Women"], ["Maths", "Arts"]],
    "insects": [["Flowers", "Insects"], ["Pleasant", "Unpleasant"]],
}


def row(query, value, p_value=0.01, p_null_band=0.01, model="own", **more):
    return {
        "model": model, "metric": "weat", "criterion": "Gender", "query": query,
        "query_label": query, "subquery": query, "is_primary": True, "value": value,
        "ci_low": value - 0.5, "ci_high": value + 0.25, "ci_level": 0.95, "p_value": p_value,
        "p_bh": p_value * 2, "p_holm": p_value * 6, "p_null_band": p_null_band,
        "statistics_note": None,
        "control_query": query == "insects",
        "test_id": f"{model} {query}",
    } | more  # fmt: skip


def ranks(scores, own_rank):
    return pd.DataFrame(
        [
            {"source": "computed", "criterion": "Gender", "metric": "weat", "model": model,
             "score": score, "rank": rank, "control": control, "n_queries": 7, "n_common": 7,
             "status": "compared", "note": ""}
            for (model, score), rank, control in zip(
                scores.items(), (own_rank, 3 - own_rank), ("comes out", "comes out"), strict=True)
        ]
    )  # fmt: skip


def beside(p_fairer, other="ref"):
    return {"criterion": "Gender", "metric": "weat", "model": "own", "other": other,
            "p_fairer": p_fairer, "verdict": verdict(p_fairer)}  # fmt: skip


NOT_APART = (beside(0.8),)
COVERED = pd.DataFrame(
    [
        {"model": "own", "word_set": "Career", "words": 8, "oov": 0},
        {"model": "own", "word_set": "Arts", "words": 6, "oov": 4},
        {"model": "ref", "word_set": "Arts", "words": 6, "oov": 6},
    ]
)


QUALITY = pd.DataFrame(
    [
        {"model": "own", "subject": "MEN", "value": 0.3, "value_range_low": 0.25,
         "value_range_high": 0.35, "n": 900, "total": 2997},
        {"model": "ref", "subject": "MEN", "value": 0.65, "n": 2997, "total": 2997},
        {"model": "own", "other": "ref", "subject": "MEN", "value": 0.3, "n": 900,
         "difference": -0.3, "difference_low": -0.4, "difference_high": -0.2},
    ]
)  # fmt: skip


def results(tables, labels):
    frames = {name: pd.DataFrame(rows) for name, rows in tables.items()}
    return Results(frames | {"quality": QUALITY}, labels, subject="own")


@pytest.fixture
def told():
    """A function that gives the lines by their heads."""

    def lines(rows, ranking=None, pairwise=NOT_APART, labels=LABELS, covered=COVERED, **more):
        how = {
            "metric": "weat", "about": "vectors.txt is glove-text",
            "sets": SETS, "controls": ["insects"], "left_out": "", "report": "r/report.html",
        }  # fmt: skip
        ranking = ranks({"own": 0.5, "ref": 0.75}, 1) if ranking is None else ranking
        tables = {"scores": rows, "ranking": ranking, "pairwise": pairwise, "coverage": covered}
        made = audit_lines(results(tables, labels), **how | more)
        assert len(made) == 9
        return {line[:9].strip(): line[9:] for line in made}

    return lines


def test_the_strongest_associations_are_told_in_words_with_their_intervals(told):
    found = told([row("insects", 1.9), row("jobs", 0.5), row("arts", -0.75)])["Found"]
    assert found == (
        "2 associations beyond chance: Men with Arts, Women with Maths (arts) -0.75 "
        "[-1.25, -0.50]; Men with Career, Women with Family (jobs) +0.50 [0.00, 0.75]"
    )


def test_of_more_than_three_associations_beyond_chance_the_strongest_are_told(told):
    rows = [row(query, value) for query, value in zip("abcd", (0.4, 0.9, -0.7, 0.6), strict=True)]
    found = told(rows, sets={})["Found"]
    assert found.startswith("4 associations beyond chance, the strongest: b +0.90")
    assert found.count(";") == 2
    assert "a +0.40" not in found


def test_what_does_not_survive_correction_or_lies_in_the_null_band_is_not_found(told):
    rows = [row("jobs", 0.9, p_value=0.03), row("arts", 0.8, p_null_band=0.2), row("c", 0.3)]
    assert told(rows)["Found"] == "1 association beyond chance: c +0.30 [-0.20, 0.55]"
    assert told(rows[:2])["Found"] == (
        "nothing beyond chance; the largest, which may be chance: Men with Career, Women with "
        "Family (jobs) +0.90 [0.40, 1.15]; Men with Maths, Women with Arts (arts) +0.80 "
        "[0.30, 1.05]"
    )


def test_without_tests_or_scores_nothing_is_called_a_finding(told):
    untested = [row("jobs", 0.5, p_value=math.nan, p_null_band=math.nan)]
    assert told(untested)["Found"].startswith("not tested, and so perhaps chance: Men with Career")
    assert told([row("jobs", math.nan)])["Found"] == "nothing, as no query has a score"


def test_one_measurement_of_two_queries_is_told_once(told):
    rows = [row("jobs", 0.5), row("arts", 0.5, test_id="own jobs")]
    assert told(rows)["Found"].count(";") == 0


def test_how_sure_it_is_counts_tests_corrections_and_the_null_band(told):
    sure = told([row("jobs", 0.5), row("arts", 0.4, 0.03), row("insects", 1, 0.5, 0.6)])["Sure"]
    assert sure == (
        "2 of 2 tests have p < 0.05, of which 1 survive correction by Benjamini-Hochberg and 0 by "
        "Holm; in brackets intervals of 95%; 2 of 2 lie outside the null band of random target "
        "words of similar frequency"
    )


def test_without_a_null_band_the_reason_is_told(told):
    notes = ("Jobs lost 9 of 10 words", "no null band: no such words; a set has few words")
    rows = [row("jobs", 0.5, p_null_band=math.nan, statistics_note=note) for note in notes]
    assert told(rows)["Sure"].endswith("; no null band: no such words")


def test_where_it_stands_names_the_references_and_how_sure_that_is(told):
    assert told([row("jobs", 0.5)])["Stands"] == (
        "Gender 0.50 (0.75): not told apart from Reference; in parentheses Reference"
    )
    third = ranks({"own": 0.5, "ref": 0.75}, 1).iloc[[1]].assign(model="third", score=1, rank=3.0)
    ranking = pd.concat([ranks({"own": 0.5, "ref": 0.75}, 1), third])
    pairs = (beside(0.932), beside(0.98, "third"))
    more = {"ranking": ranking, "pairwise": pairs, "labels": LABELS | {"third": "Third"}}
    assert told([row("jobs", 0.5)], **more)["Stands"].startswith(
        "Gender 0.50 (0.75, 1.00): less biased than Third (0.98) and probably less biased than "
        "Reference (0.93); "
    )


def test_a_score_of_some_queries_says_of_how_many(told):
    ranking = ranks({"own": 0.5, "ref": 0.75}, 1).assign(n_common=6)
    said = told([row("jobs", 0.5)], ranking)["Stands"]
    assert said.startswith("Gender 0.50 on 6 of 7 queries (0.75): ")


def test_a_criterion_on_which_it_has_no_score_is_named_with_the_reason(told):
    lacking = ranks({"own": math.nan, "ref": 0.75}, math.nan)
    lacking.loc[0, ["status", "note"]] = ["few_queries", "defines fewer than 50% of the queries"]
    others = [lacking.assign(criterion=name) for name in ("Ethnicity", "Religion")]
    ranking = pd.concat([ranks({"own": 0.5, "ref": 0.75}, 1), *others])
    why = "Ethnicity and Religion not ranked: defines fewer than 50% of the queries"
    assert f"Reference; {why}; in par" in told([row("jobs", 0.5)], ranking)["Stands"]
    assert told([row("jobs", 0.5)], pd.concat(others))["Stands"] == why


@pytest.mark.parametrize(
    ("other", "own_score", "says"),
    [
        ("ref", 0.5, "Gender 0.50 (the same); in parentheses Reference"),
        ("own", math.nan, "Gender not ranked: the same vectors as Reference, which is compared"),
    ],
)
def test_a_reference_of_the_same_vectors_is_called_the_same(told, other, own_score, says):
    ranking = ranks({"own": own_score, "ref": 0.75}, 1).set_index("model")
    note = "the same vectors as ref, which is compared in its place"
    ranking.loc[other, ["score", "rank", "status", "note"]] = [
        math.nan, math.nan, "same_vectors", note,
    ]  # fmt: skip
    none = (beside(0.8, "third") | {"model": "third"},)
    said = told([row("jobs", 0.5)], ranking.reset_index(), pairwise=none)["Stands"]
    assert said.startswith(says)


def test_what_is_missing_counts_words_and_names_queries(told):
    missing = told([row("jobs", 0.5), row("arts", math.nan)])["Missing"]
    assert missing == "4 of 14 words of 2 sets, most of Arts (4 of 6); no score for 1 query: arts"
    every = told([row("jobs", 0.5)])["Missing"]
    assert every.endswith("every query has a score")


@pytest.mark.parametrize(("lost", "says_it"), [(3, False), (4, True)])
def test_where_most_words_are_missing_the_language_of_the_lists_is_told(told, lost, says_it):
    covered = pd.DataFrame([{"model": "own", "word_set": "Arts", "words": 6, "oov": lost}])
    missing = told([row("jobs", 0.5)], covered=covered)["Missing"]
    assert ("are English; are these vectors of another language?" in missing) == says_it


def test_no_line_lists_more_than_five_words(told):
    words = [f"word{number}" for number in range(200)]
    reason = f"Jobs lost 200 of 300 words ({', '.join(words)}), more than the allowed share of 0.2"
    others = (reason, f"words of several target sets: {', '.join(words)}")
    rows = [
        row(f"q{number}", math.nan, metric="bias", reason=reason)
        for number, reason in enumerate(others)
    ]
    said = told([row("jobs", 0.5), *rows], labels=LABELS | {"bias": "Bias"})
    assert "Bias without value: Jobs lost 200 of 300 words and Bias" in said["Stands"]
    assert max(len(re.findall(r"word\d+", line)) for line in said.values()) == 5


def test_the_control_queries_that_come_out_are_told_in_words(told):
    assert told([row("jobs", 0.5)])["Control"] == (
        "it shows what any sensible vectors show: Flowers with Pleasant, Insects with Unpleasant "
        "(insects)"
    )
    assert told([row("jobs", 0.5)], controls=["own"])["Control"].endswith("vectors show: own")


def test_without_a_control_query_none_is_claimed(told):
    ranking = ranks({"own": 0.5, "ref": 0.75}, 1)
    for remark in ("none", "none: the metric does not rest on vectors", math.nan):
        said = told([row("jobs", 0.5)], ranking.assign(control=remark))["Control"]
        assert said == "no control query was asked"


def test_of_a_model_that_fails_a_control_nothing_else_is_told():
    rows = [row("jobs", 0.5, control="weat_1 fails (0.10, p 0.4)")]
    ranking = ranks({"own": 0.5, "ref": 0.75}, 1)
    about = "vectors.txt is glove-text"
    tables = {"scores": rows, "ranking": ranking, "pairwise": (), "coverage": COVERED}
    lines = audit_lines(results(tables, LABELS), "weat", about, SETS, [], "", "r.html")
    assert [line[:9].strip() for line in lines] == ["Model", "Control", "Missing", "Look at"]
    assert "(weat_1 fails (0.10, p 0.4)): its vectors do not carry the meaning" in lines[1]


def test_a_control_that_could_not_be_measured_is_no_failure(told):
    ranking = ranks({"own": 0.5, "ref": 0.75}, 1)
    remark = "weat_1 undefined (Flowers lost 11 of 25 words); weat_2 comes out (1.49, p 1.6e-09)"
    said = told([row("jobs", 0.5)], ranking.assign(control=remark), controls=["weat_1", "weat_2"])
    assert said["Control"] == (
        f"1 of 2 control queries comes out, the other could not be measured: {remark}"
    )
    remark = "weat_1 undefined (Flowers lost 11 of 25 words)"
    said = told([row("jobs", 0.5)], ranking.assign(control=remark))
    assert said["Control"] == f"not known, as no control query could be measured: {remark}"


def test_what_was_asked_is_counted_by_criterion_with_what_was_left_out(told):
    asked = told([row("jobs", 0.5), row("arts", 1)], left_out="others are not asked")["Asked"]
    assert asked == "2 queries (Gender 2) by WEAT; others are not asked"


def test_other_metrics_are_told_behind_the_place_with_those_of_the_reference_models(told):
    other = {"metric": "direct_bias"}
    rows = [
        row("jobs", 1.0),
        row("professions", 0.25, **other),
        row("professions", 0.125, model="ref", **other),
        row("sports", math.nan, reason="no pair was found", **other),
    ]
    stands = told(rows, labels=LABELS | {"direct_bias": "Direct bias"})["Stands"]
    assert stands.endswith(
        "; besides, Direct bias 0.25 [-0.25, 0.50] (Reference 0.12) and "
        "Direct bias without value: no pair was found"
    )
    assert "besides" not in told([row("jobs", 1.0)])["Stands"]
    ranking = ranks({"own": 0.5, "ref": 0.75}, 1)
    hangs = ranking.assign(metric="direct_bias", status="scales_with_dimension", rank=math.nan)
    both = {
        "labels": LABELS | {"direct_bias": "Direct bias"},
        "ranking": pd.concat([ranking, hangs]),
    }
    assert "; besides, Direct bias 0.25 [-0.25, 0.50] and" in told(rows, **both)["Stands"]


def test_other_metrics_of_the_same_queries_are_left_to_the_report(told):
    rows = [row("jobs", 1.0), row("jobs", 0.5, metric="rnd")]
    assert "besides" not in told(rows, labels=LABELS | {"rnd": "RND"})["Stands"]


def test_of_many_other_measures_the_first_five_are_told(told):
    others = [row(f"q{number}", 0.5, metric="rnd") for number in range(8)]
    stands = told([row("jobs", 1.0), *others], labels=LABELS | {"rnd": "RND"})["Stands"]
    assert stands.count("RND 0.50") == 5
    assert stands.endswith(" and 3 more, see the report")


def test_how_good_the_vectors_are_is_told_beside_the_others(told):
    assert told([row("jobs", 0.5)])["Quality"] == (
        "its cosines of 900 of 2,997 pairs of words agree with the similarity that people see "
        "(MEN) by a correlation of 0.30 [0.25, 0.35] (Reference 0.65). vectors.txt is also a "
        "poorer model than Reference: its cosines agree less with the similarity that people see "
        "(MEN, correlation 0.30, difference -0.30 [-0.40, -0.20])."
    )
