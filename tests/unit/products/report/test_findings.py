"""Findings say who is more biased than whom, by what and how sure, and nothing more."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd
import pytest

from fairflow.products.report.findings import findings, published_findings
from fairflow.products.report.leaders import leader_tables, probability_text, rank_text

NAN = float("nan")
LABELS = {
    "a": "Model A",
    "b": "Model B",
    "c": "Model C",
    "weat": "WEAT",
    "weat_es": "effect size",
    "rnd": "RND",
}
SCORES = pd.DataFrame(
    {"headline": [True], "model": ["a"], "metric": ["weat"], "value": [1.0], "p_bh": [NAN]}
)


def ranking(metric: str, criterion: str, *models: str) -> list[dict[str, Any]]:
    """Models from the least biased, with scores 1, 2, ..."""
    names = {"source": "computed", "metric": metric, "criterion": criterion, "note": ""}
    return [
        {**names, "model": model, "rank": float(n), "score": float(n)}
        for n, model in enumerate(models, start=1)
    ]


def pair(
    less: str, more: str, chance: float, criterion: str = "Overall", wilcoxon: float = 0.01
) -> list[dict[str, Any]]:
    names = {"metric": "weat", "criterion": criterion, "wilcoxon_holm": wilcoxon, "n_queries": 6}
    return [
        {**names, "model": less, "other": more, "p_fairer": chance},
        {**names, "model": more, "other": less, "p_fairer": 1 - chance},
    ]


def place(model: str, rank: int, chance: float, criterion: str = "Overall") -> dict[str, Any]:
    names = {"metric": "weat", "criterion": criterion, "model": model}
    return {**names, "place": rank, "probability": chance}


def tables(**rows: list[dict[str, Any]]) -> dict[str, pd.DataFrame]:
    return {"scores": SCORES} | {name: pd.DataFrame(of) for name, of in rows.items()}


def found(frames: dict[str, pd.DataFrame], subject: str = "") -> list[Any]:
    return list(findings({"labels": LABELS, "subject": subject}, frames))


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
    assert first.claim == claim
    assert first.support == (
        f"By WEAT over all queries: 2 against 1 (the same order with probability {chance:.2f} had "
        "other words been drawn)."
    )
    assert first.table == "pairwise"
    told = "" if math.isnan(wilcoxon) else f" Over queries p = {wilcoxon:g} (Wilcoxon's test)."
    assert first.more == told


def test_a_metric_in_units_of_the_spread_of_associations_leads():
    rows = [*ranking("weat", "Overall", "a", "b"), *ranking("weat_es", "Overall", "b", "a")]
    both = pd.DataFrame(
        {"metric": ["weat", "weat_es"], "measure": ["weat", "effect_size"], "headline": True}
    )
    frames = tables(ranking=rows) | {"scores": both.assign(model="a", value=1.0, p_bh=NAN)}
    (first, *_) = found(frames)
    assert first.support.startswith("By effect size over all queries: 2 against 1")
    assert [table.metric for table in leader_tables(frames, LABELS)] == ["effect size", "WEAT"]


def test_a_test_that_few_queries_cannot_pass_is_not_told():
    few = [row | {"n_queries": 5} for row in pair("a", "b", 0.9)]
    (first,) = found(tables(ranking=ranking("weat", "Overall", "a", "b"), pairwise=few))
    assert first.more == ""


def test_without_draws_it_says_that_it_is_not_known_how_sure_an_order_is():
    (first,) = found(tables(ranking=ranking("weat", "Overall", "a", "b")))
    assert "how sure that is was not measured" in first.support


def test_other_criteria_are_told_by_whether_they_agree():
    names = ("Overall", "One", "Two", "Three")
    chances = (0.99, 0.95, 0.5, 0.05)
    rows = [row for name in names for row in ranking("weat", name, "a", "b")]
    pairs = [row for n, c in zip(names, chances, strict=True) for row in pair("a", "b", c, n)]
    (first,) = found(tables(ranking=rows, pairwise=pairs))
    assert first.more.startswith(
        "The same on One (0.95). The other way round on Three (0.95). Not told apart on Two (0.50)."
    )


def test_of_several_models_the_most_and_the_least_biased_are_named():
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b", "c"),
        rank_probabilities=[place("c", 3, 0.97), place("a", 1, 0.55)],
    )
    most, least = found(frames)
    assert most.claim == "Model C is the most biased of 3 models."
    assert least.claim == "Which of 3 models is the least biased is not settled: Model A is ahead."


def test_of_the_model_that_a_study_is_about_it_is_said_where_it_stands():
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b", "c"),
        pairwise=[*pair("a", "b", 0.9), *pair("b", "c", 0.6)],
        rank_probabilities=[place("b", 2, 0.7)],
    )
    (first,) = found(frames, subject="b")
    assert first.claim == (
        "Model B is more biased than Model A (0.90) and not told apart from Model C."
    )
    assert "it has place 2 of 3, counted from the least biased: 2" in first.support
    (unranked,) = found(tables(ranking=ranking("weat", "Overall", "a", "c")), subject="b")
    assert unranked.claim == "Model B has no rank."


def test_metrics_that_disagree_are_told():
    same = [*ranking("weat", "Overall", "a", "b"), *ranking("rnd", "Overall", "a", "b")]
    other = [*ranking("weat", "Overall", "a", "b"), *ranking("rnd", "Overall", "b", "a")]
    assert found(tables(ranking=same))[-1].claim == (
        "Both metrics that rank models name Model B the most biased."
    )
    told = found(tables(ranking=other))[-1]
    assert told.claim == "Metrics disagree on the most biased model."
    assert told.support == "Over all queries: WEAT Model B and RND Model A."


def tied(metric: str, *models: str) -> list[dict[str, Any]]:
    """Models whose scores are equal, so that they share the mean of their places."""
    mean = (len(models) + 1) / 2
    return [row | {"rank": mean, "score": 2.0} for row in ranking(metric, "Overall", *models)]


def test_two_equal_models_are_not_told_apart_and_no_metric_names_one():
    rows = [*tied("weat", "a", "b"), *tied("rnd", "a", "b")]
    first, last = found(tables(ranking=rows, pairwise=pair("a", "b", 0.5, wilcoxon=NAN)))
    assert first.claim == "Model A and Model B cannot be told apart."
    assert first.support == "By WEAT over all queries their scores are equal: 2."
    assert last.claim == "Neither metric that ranks models names one the most biased."
    assert last.support == "Over all queries the first are equal by WEAT and RND."


def test_a_metric_by_which_models_are_equal_names_none():
    first, last = found(
        tables(ranking=[*ranking("weat", "Overall", "a", "b"), *tied("rnd", *"ab")])
    )
    assert first.claim == "Model B is more biased than Model A."
    assert last.claim == "1 of 2 metrics that rank models names Model B the most biased."
    assert last.support == "Over all queries: WEAT. By RND several are equal."


def test_of_several_models_those_that_share_a_place_are_not_said_to_have_it():
    all_equal = found(tables(ranking=tied("weat", *"abc")))
    assert [one.claim for one in all_equal] == ["None of 3 models can be told from another."]
    first, *others = ranking("weat", "Overall", *"abc")
    rows = [first, *(row | {"rank": 2.5} for row in others)]
    most, least = found(tables(ranking=rows, rank_probabilities=[place("a", 1, 0.99)]))
    assert most.claim == (
        "Which of 3 models is the most biased is not settled: Model B and Model C are equal."
    )
    assert "(a place that they share)" in most.support
    assert least.claim == "Model A is the least biased of 3 models."
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
    rows = {"headline": True, "model": "a", "metric": "weat", "query": "q", "subquery": "q"}
    cases = [(2.0, 0.01, 0.01), (-3.0, 0.01, 0.5), (1.0, 0.5, 0.01), (NAN, 0.01, 0.01)]
    scores = pd.DataFrame(
        {**rows, "query_label": "Cats", "value": value, "p_bh": p, "p_random": band}
        | {"ci_low": value - 1, "ci_high": value + 1}
        for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert first.claim == "1 of 3 associations is beyond chance and beyond those of random words."
    assert first.support == "The strongest: Cats in Model A (2, 95% interval 1 to 3)."


def test_associations_without_a_band_of_random_words_are_told_beside_those_that_count():
    rows = {"headline": True, "model": "a", "metric": "weat", "query": "q", "subquery": "q"}
    cases = [(2.0, 0.5, 0.5), (4.0, 0.01, NAN), (3.0, 0.5, NAN)]
    scores = pd.DataFrame(
        {**rows, "query_label": "Cats", "value": value, "p_bh": p, "p_random": band}
        for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert first.claim.startswith("0 of 1 association")
    assert first.support == "2 more, 1 of them beyond chance, cannot be compared with random words."


def test_published_numbers_count_as_come_out_unless_they_differ():
    verdicts = ["match", "within tolerance", "differs", "differs", "not computed"]
    causes = ["", "", "unknown", "other model", ""]
    table = pd.DataFrame({"verdict": verdicts, "cause": causes, "measure": "weat"})
    (first,) = published_findings(table)
    assert first.claim == "2 of 4 published numbers come out again."
    assert first.support == (
        "2 do not, 1 for no known reason. 1 more are of models or metrics that this run lacks."
    )
    (second,) = published_findings(table[3:4])
    assert second.support == "1 does not, for a reason that the table gives. "
    assert list(published_findings(pd.DataFrame())) == []


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
