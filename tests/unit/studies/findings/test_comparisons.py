"""Findings say who is more biased than whom, by what and how sure, and nothing more."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from fairflow.products.report.leaders import leader_tables, rank_text
from fairflow.studies.audit_lines import audit_lines
from fairflow.studies.findings import comparisons
from fairflow.studies.findings.associations import associations_beyond_chance, failing_controls
from fairflow.studies.findings.debiasing import associations_reduced
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.statements import findings
from fairflow.studies.ranking import verdict
from fairflow.studies.wording import probability_text

NAN = float("nan")
LABELS = {
    "a": "Model A",
    "b": "Model B",
    "c": "Model C",
    "weat": "WEAT",
    "weat_es": "effect size",
    "rnd": "RND",
}
LEADING = (
    failing_controls,
    comparisons.place_of_subject,
    comparisons.order_of_models,
    associations_reduced,
    associations_beyond_chance,
    comparisons.agreement_of_metrics,
)
SCORE = {
    "is_primary": True, "model": "a", "metric": "weat", "measure": "weat", "value": 1.0,
    "p_bh": NAN, "p_value": NAN, "p_null_band": NAN, "ci_low": NAN, "ci_high": NAN,
    "ci_level": 0.95, "alternative": "two-sided", "status": "ok", "statistics_note": None,
    "query": "q", "subquery": "q", "query_label": "Cats",
}  # fmt: skip
SCORES = pd.DataFrame([SCORE])


def ranking(metric: str, criterion: str, *models: str) -> list[dict[str, Any]]:
    """Models from the least biased, with scores 1, 2, ..."""
    names = {"source": "computed", "metric": metric, "criterion": criterion, "note": ""}
    names["status"] = "compared"
    return [
        {**names, "model": model, "rank": float(n), "score": float(n)}
        for n, model in enumerate(models, start=1)
    ]


def pair(
    less: str, more: str, chance: float, criterion: str = "Overall", wilcoxon: float = 0.01
) -> list[dict[str, Any]]:
    names = {"metric": "weat", "criterion": criterion, "wilcoxon_holm": wilcoxon, "n_groups": 6}
    return [
        {**names, "model": model, "other": other, "p_fairer": p, "verdict": verdict(p, wilcoxon, 6)}
        for model, other, p in ((less, more, chance), (more, less, 1 - chance))
    ]


def place(model: str, rank: int, chance: float, criterion: str = "Overall") -> dict[str, Any]:
    names = {"metric": "weat", "criterion": criterion, "model": model}
    return {**names, "place": rank, "probability": chance}


def tables(**rows: list[dict[str, Any]]) -> dict[str, pd.DataFrame]:
    return {"scores": SCORES} | {name: pd.DataFrame(of) for name, of in rows.items()}


def found(frames: dict[str, pd.DataFrame], subject: str = "") -> list[Any]:
    results = Results(frames, LABELS, subject=subject)
    return [one for statement in LEADING for one in statement(results)]


@pytest.mark.parametrize(
    ("chance", "wilcoxon", "claim"),
    [
        (0.96, 0.01, "Model B is more biased than Model A."),
        (0.96, NAN, "Model B is more biased than Model A."),
        (0.96, 0.25, "Model B is probably more biased than Model A."),
        (0.92, 0.01, "Model B is probably more biased than Model A."),
        (0.92, 0.25, "Model B and Model A cannot be told apart."),
        (0.6, 0.01, "Model B and Model A cannot be told apart."),
    ],
)
def test_a_claim_is_as_strong_as_draws_of_words_and_queries_allow(
    chance: float, wilcoxon: float, claim: str
):
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b"),
        pairwise=pair("a", "b", chance, wilcoxon=wilcoxon),
    )
    (first,) = found(frames)
    assert first.sentence == claim
    assert first.support == (
        f"By WEAT over all queries: 2 against 1 (the same order with probability {chance:.2f} had "
        "other words been drawn)."
    )
    assert first.table == "pairwise"
    told = "" if math.isnan(wilcoxon) else f"Over queries p = {wilcoxon:g} (Wilcoxon's test)."
    assert first.detail == told


def test_a_metric_in_units_of_the_spread_of_associations_leads():
    rows = [*ranking("weat", "Overall", "a", "b"), *ranking("weat_es", "Overall", "b", "a")]
    both = pd.DataFrame(
        {"metric": ["weat", "weat_es"], "measure": ["weat", "effect_size"], "is_primary": True}
    )
    frames = tables(ranking=rows) | {"scores": both.assign(model="a", value=1.0, p_bh=NAN)}
    (first, *_) = found(frames)
    assert first.support.startswith("By effect size over all queries: 2 against 1")
    assert [table.metric for table in leader_tables(frames, LABELS)] == ["effect size", "WEAT"]


def test_a_test_that_few_queries_cannot_pass_is_not_told():
    few = [row | {"n_groups": 5} for row in pair("a", "b", 0.9)]
    (first,) = found(tables(ranking=ranking("weat", "Overall", "a", "b"), pairwise=few))
    assert first.detail == ""


def test_without_draws_it_says_that_it_is_not_known_how_sure_an_order_is():
    (first,) = found(tables(ranking=ranking("weat", "Overall", "a", "b")))
    assert "how sure that is was not measured" in first.support


def test_every_criterion_that_tells_models_apart_is_told_with_its_share_of_draws():
    chances = {"Overall": 0.99, "One": 0.92, "Two": 0.5, "Three": 0.05}
    pairs = [row for name, chance in chances.items() for row in pair("a", "b", chance, name)]
    (first,) = comparisons.told_apart(Results(tables(pairwise=pairs), LABELS))
    assert first.sentence == (
        "Model A is less biased than Model B by WEAT on Overall (0.99); Model B is less biased "
        "than Model A by WEAT on Three (0.95); Model A is probably less biased than Model B by "
        "WEAT on One (0.92) (in parentheses the share of draws in which the order is the same)."
    )


def test_of_several_models_the_most_and_the_least_biased_are_named():
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b", "c"),
        pairwise=[*pair("a", "c", 0.99), *pair("b", "c", 0.98), *pair("a", "b", 0.6)],
        rank_probabilities=[place("c", 3, 0.97), place("a", 1, 0.55)],
    )
    most, least = found(frames)
    assert most.sentence == "Model C is the most biased of 3 models."
    assert (
        least.sentence == "Which of 3 models is the least biased is not settled: Model A is ahead."
    )


def test_of_the_model_that_a_study_is_about_it_is_said_where_it_stands():
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b", "c"),
        pairwise=[*pair("a", "b", 0.9), *pair("b", "c", 0.6)],
        rank_probabilities=[place("b", 2, 0.7)],
    )
    (first,) = found(frames, subject="b")
    assert first.sentence == (
        "Model B is probably more biased than Model A (0.90) and not told apart from Model C."
    )
    assert "it has place 2 of 3, counted from the least biased: 2" in first.support
    (unranked,) = found(tables(ranking=ranking("weat", "Overall", "a", "c")), subject="b")
    assert unranked.sentence == "Model B has no rank."


def test_a_model_that_fails_a_control_query_is_the_first_finding_and_the_last_where_it_is_audited():
    remarks = {"a": "comes out", "b": "weat_1 fails (0.10, p 0.4)"}
    scores = pd.DataFrame(
        SCORE | {"model": model, "p_bh": 0.01, "control": remark, "control_query": False}
        for model, remark in remarks.items()
    )
    control = {"model": "b", "query": "weat_1", "value": 0.1, "p_value": 0.4, "status": "fails"}
    frames = tables(ranking=ranking("weat", "Overall", "a"), controls=[control | {"reason": None}])
    frames["scores"] = scores
    first, count, *_ = found(frames)
    assert first.sentence.startswith("Model B fails a control query")
    assert count.sentence == "1 of 1 association is beyond chance."
    told = findings(Results(frames | {"scores": scores.assign(test_id="m")}, LABELS, subject="b"))
    assert [one.sentence for one in told if one.leads] == [first.sentence]


def test_only_metrics_that_tell_models_apart_name_the_most_biased():
    by_weat = [*ranking("weat", "Overall", "a", "b"), *ranking("rnd", "Overall", "a", "b")]

    def said(chance: float) -> list[str]:
        others = [row | {"metric": "rnd"} for row in pair("a", "b", chance)]
        frames = tables(ranking=by_weat, pairwise=[*pair("a", "b", 0.97), *others])
        return [f"{one.sentence} {one.support}" for one in found(frames)[1:]]

    assert said(0.99) == [
        "Both metrics that tell models apart name Model B the most biased. Over all queries: WEAT "
        "and RND."
    ]
    assert said(0.01) == [
        "Metrics disagree on the most biased model. Over all queries: WEAT Model B and RND Model A."
    ]
    assert said(0.6) == []


def test_a_test_of_what_is_no_bias_is_no_association():
    rows = SCORE | {"value": 0.5, "p_bh": 0.01}
    ranks = ranking("weat", "Overall", "a")
    frames = tables(ranking=[row | {"status": "no_bias", "rank": NAN} for row in ranks])
    (first,) = found(frames | {"scores": pd.DataFrame([rows])})
    assert first.sentence == "1 of 1 value of WEAT is beyond chance."


def tied(metric: str, *models: str) -> list[dict[str, Any]]:
    """Models whose scores are equal, so that they share the mean of their places."""
    mean = (len(models) + 1) / 2
    return [row | {"rank": mean, "score": 2.0} for row in ranking(metric, "Overall", *models)]


def test_two_equal_models_are_not_told_apart_and_no_metric_names_one():
    rows = [*tied("weat", "a", "b"), *tied("rnd", "a", "b")]
    (first,) = found(tables(ranking=rows, pairwise=pair("a", "b", 0.5, wilcoxon=NAN)))
    assert first.sentence == "Model A and Model B cannot be told apart."
    assert first.support == "By WEAT over all queries their scores are equal: 2."


def test_of_several_models_those_that_share_a_place_are_not_said_to_have_it():
    all_equal = found(tables(ranking=tied("weat", *"abc")))
    assert [one.sentence for one in all_equal] == ["None of 3 models can be told from another."]
    first, *others = ranking("weat", "Overall", *"abc")
    rows = [first, *(row | {"rank": 2.5} for row in others)]
    pairs = [*pair("a", "b", 0.99), *pair("a", "c", 0.99), *pair("b", "c", 0.5)]
    most, least = found(
        tables(ranking=rows, pairwise=pairs, rank_probabilities=[place("a", 1, 0.99)])
    )
    assert most.sentence == (
        "Which of 3 models is the most biased is not settled: Model B and Model C are equal."
    )
    assert "(a place that they share)" in most.support
    assert least.sentence == "Model A is the least biased of 3 models."
    (stands,) = found(tables(ranking=rows), subject="b")
    assert "it has place 2 of 3" in stands.support
    assert stands.support.endswith("(shared with Model C).")


def test_a_shared_rank_has_no_probability_in_the_leader_table():
    chances = [place("a", 1, 0.5), place("a", 2, 0.5)]
    (table,) = leader_tables(
        tables(ranking=tied("weat", "a", "b"), rank_probabilities=chances), LABELS
    )
    assert [(row.ranks, row.chances) for row in table.rows] == [(("1-2",), ("tie",))] * 2


def test_associations_count_where_they_are_beyond_chance_and_random_words():
    cases = [(2.0, 0.01, 0.01), (-3.0, 0.01, 0.5), (1.0, 0.5, 0.01), (NAN, 0.01, 0.01)]
    scores = pd.DataFrame(
        {**SCORE, "value": value, "p_bh": p, "p_null_band": band}
        | {"ci_low": value - 1, "ci_high": value + 1}
        for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert (
        first.sentence == "1 of 3 associations is beyond chance and beyond those of random words."
    )
    assert first.support == "The strongest: Cats in Model A (2, 95% interval 1 to 3)."


def test_associations_without_a_band_of_random_words_are_told_beside_those_that_count():
    cases = [(2.0, 0.5, 0.5), (4.0, 0.01, NAN), (3.0, 0.5, NAN)]
    scores = pd.DataFrame(
        {**SCORE, "value": value, "p_bh": p, "p_null_band": band} for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert first.sentence == "1 of 3 associations is beyond chance."
    assert first.support.endswith(
        "2 of the 3, 1 of them beyond chance, cannot be compared with random words."
    )


def test_a_page_and_the_terminal_count_the_same_associations_without_control_queries():
    rows = SCORE | {"criterion": "All"}
    cases = [("weat_1", 1.9, 0.01, 0.01), ("jobs", 1.2, 0.01, 0.01), ("arts", 1.0, 0.01, 0.5)]
    cases += [("names", 0.9, 0.01, NAN), ("age", 0.5, 0.4, 0.01)]
    scores = pd.DataFrame(
        {**rows, "query": query, "query_label": query, "subquery": query, "test_id": query}
        | {"value": value, "p_value": p, "p_bh": p, "p_holm": p, "p_null_band": band}
        for query, value, p, band in cases
    )
    scores = scores.assign(control_query=scores["query"] == "weat_1", control="comes out")
    # A variant whose tests are the same ones.
    both = pd.concat([scores.assign(metric="rnd"), scores], ignore_index=True)
    ranks = pd.DataFrame(ranking("weat", "All", "a", "b"))
    first = next(
        one for one in found({"scores": both, "ranking": ranks}, "a") if one.table == "scores"
    )
    assert first.detail.startswith("By WEAT")
    assert first.sentence == "2 of 4 associations of Model A are beyond chance."
    columns = ["source", "criterion", "metric", "model", "score", "rank", "control", "status"]
    tables = {
        "scores": scores,
        "ranking": pd.DataFrame(columns=[*columns, "n_queries", "n_common", "note"]),
        "coverage": pd.DataFrame(columns=["model", "word_set", "words", "oov"]),
        "quality": pd.DataFrame(columns=["model", "other", "value", "n"]),
    }
    results = Results(tables, LABELS, subject="a")
    lines = audit_lines(results, "weat", "", {}, ["weat_1"], "", "")
    assert any(line.startswith("Found    2 associations beyond chance: jobs") for line in lines)


def test_debiasing_that_turns_a_sign_or_measured_chosen_words_says_so_in_the_headline():
    verdicts = {"one": "smaller", "two": "sign changed"}
    compared = pd.DataFrame(
        {"model": "b", "before_model": "a", "metric": "weat", "subquery_digest": query}
        | {"subquery": query, "before": 1.2, "after": -0.93, "verdict": verdict}
        for query, verdict in verdicts.items()
    )
    remaining = pd.DataFrame(
        {"model": model, "about": "residual bias", "test": "neighbours of all words", "n": 50}
        | {"value": 0.6, "value_range_low": 0.5, "difference_low": NAN, "difference_high": NAN}
        | {"subject": "", "note": "the words of the model were chosen: those of tests"}
        for model in "ab"
    )
    (first,) = found({"scores": SCORES, "before_after": compared, "residual_bias": remaining})
    assert first.sentence == "Debiasing makes 1 of 2 associations of Model A clearly smaller."
    assert first.caution.startswith(
        "Model B turns the sign of two (from 1.2 to -0.93 by WEAT): no reduction. In 1 of 1 the "
        "old bias can still be told from where words lie, among chosen words alone (those of "
        "tests), which do not stand for a wide vocabulary."
    )


def test_a_leader_table_has_ranks_with_their_chances_and_tells_who_has_none():
    without = {"source": "computed", "metric": "weat", "criterion": "One", "model": "c"}
    rows = [*ranking("weat", "One", "b", "a"), *ranking("weat", "Overall", "a", "b")]
    rows.append({**without, "rank": NAN, "score": 1.0, "note": "the same vectors as a, say"})
    coverage = pd.DataFrame({"model": ["a", "a"], "words": [2, 1], "found": [1, 1]})
    frames = tables(ranking=rows, rank_probabilities=[place("a", 1, 0.75)])
    (table,) = leader_tables(frames | {"coverage": coverage}, LABELS)
    assert (table.metric, table.criteria) == ("WEAT", ("Overall", "One"))
    assert [row.model for row in table.rows] == ["Model A", "Model B"]
    assert (table.rows[0].ranks, table.rows[0].chances) == (("1", "2"), ("0.75", ""))
    assert (table.rows[0].words, table.rows[1].words) == ("66.6%", "")
    assert table.unranked[0].note == "the same vectors as Model A, say"
    (with_subject,) = leader_tables(frames, LABELS, subject="c")
    assert [row.is_subject for row in with_subject.rows] == [False, False, True]


def test_ranks_and_probabilities_are_short_and_never_certain():
    assert [rank_text(2.0), rank_text(1.5, 2), rank_text(2.0, 3)] == ["2", "1-2", "1-3"]
    assert [probability_text(p) for p in (1.0, 0.0, 0.934, NAN)] == [">0.99", "<0.01", "0.93", ""]
