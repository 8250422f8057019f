"""Ranks, mean scores and quality; associations that count; the leader table."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest

from fairflow.products.report.leaders import leader_tables, rank_text
from fairflow.studies.audit_page import audit_page
from fairflow.studies.findings import comparisons
from fairflow.studies.findings.associations import (
    distinct_tests,
    failing_controls,
    strongest_associations,
)
from fairflow.studies.findings.debiasing import associations_reduced
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.headline import headline
from fairflow.studies.findings.statements import findings
from fairflow.studies.ranking import verdict
from fairflow.studies.wording import percent_text

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
    headline,
    associations_reduced,
    strongest_associations,
)
SCORE = {
    "is_primary": True, "model": "a", "metric": "weat", "measure": "weat", "value": 1.0,
    "p_bh": NAN, "p_value": NAN, "p_null_band": NAN, "ci_low": NAN, "ci_high": NAN,
    "ci_level": 0.95, "alternative": "two-sided", "status": "ok", "statistics_note": None,
    "query": "q", "subquery": "q", "query_label": "Cats",
}  # fmt: skip
SCORES = pd.DataFrame([SCORE | {"model": model, "p_bh": 0.01} for model in "abc"])


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


def strength(chance: float, wilcoxon: float) -> str:
    frames = tables(
        ranking=ranking("weat", "Overall", "a", "b"),
        pairwise=pair("a", "b", chance, wilcoxon=wilcoxon),
    )
    (one,) = headline(Results(frames, LABELS))
    return one.sentence


SETTLED = "Model B is more biased than Model A over all queries."
PROBABLE = "Probably Model B, not settled: WEAT says so over all queries, but not clearly."
OPEN = "Not settled: Model B and Model A cannot be distinguished over all queries."


@pytest.mark.parametrize(
    ("chance", "wilcoxon", "claim"),
    [
        (0.96, 0.01, SETTLED),
        (0.96, NAN, SETTLED),
        (0.96, 0.25, PROBABLE),
        (0.92, 0.01, PROBABLE),
        (0.92, 0.25, OPEN),
        (0.6, 0.01, OPEN),
    ],
)
def test_a_claim_is_as_strong_as_word_resamples_and_queries_allow(
    chance: float, wilcoxon: float, claim: str
):
    assert strength(chance, wilcoxon) == claim


def test_the_metric_in_units_of_the_spread_of_associations_leads():
    rows = [*ranking("weat", "Overall", "a", "b"), *ranking("weat_es", "Overall", "b", "a")]
    both = pd.DataFrame(
        {"metric": ["weat", "weat_es"], "measure": ["weat", "effect_size"], "is_primary": True}
    )
    frames = tables(ranking=rows) | {"scores": both.assign(model="a", value=1.0, p_bh=NAN)}
    (scores,) = comparisons.mean_scores(Results(frames, LABELS))
    assert scores.sentence == (
        "Mean effect size, least biased first: over all queries Model B 1.00, Model A 2.00."
    )
    assert [table.metric for table in leader_tables(frames, LABELS)] == ["effect size", "WEAT"]


def test_a_test_that_few_queries_cannot_pass_is_not_evidence():
    def evidence(n_groups: int) -> str:
        pairs = [row | {"n_groups": n_groups} for row in pair("a", "b", 0.9)]
        frames = tables(ranking=ranking("weat", "Overall", "a", "b"), pairwise=pairs)
        (one,) = headline(Results(frames, LABELS))
        return " ".join(one.evidence)

    assert "Wilcoxon" not in evidence(5)
    assert evidence(6) == (
        "Share of resamples in which Model B has the larger mean WEAT: 90% over all queries. "
        "Wilcoxon's test over queries: p = 0.01 after Holm."
    )


def test_every_criterion_is_evidence_with_its_share_of_word_resamples():
    chances = {"Overall": 0.99, "One": 0.92, "Two": 0.5, "Three": 0.01}
    pairs = [row for name, chance in chances.items() for row in pair("a", "b", chance, name)]
    every = [row for name in chances for row in ranking("weat", name, "a", "b")]
    (one,) = headline(Results(tables(ranking=every, pairwise=pairs), LABELS))
    assert one.sentence == (
        "Probably Model B, not settled: WEAT says so over all queries, but not clearly; on Three "
        "Model A is more biased."
    )
    assert one.evidence[0].endswith(
        ": 99% over all queries, 92% on One, 50% on Two and 1% on Three."
    )


def test_the_subject_without_rank_is_said_to_have_none():
    frames = tables(ranking=ranking("weat", "Overall", "a", "c"))
    (unranked,) = headline(Results(frames, LABELS, subject="b"))
    assert unranked.sentence == "Model B has no rank."


QUALITY = {"subject": "MEN", "n": 900, "other": None}
QUALITY |= dict.fromkeys(["difference", "difference_low", "difference_high"], NAN)


def test_quality_is_given_for_each_model_and_a_poorer_one_is_named():
    rows = [QUALITY | {"model": model, "value": v} for model, v in (("a", 0.58), ("b", 0.66))]
    worse = {"difference": -0.08, "difference_low": -0.1, "difference_high": -0.06}
    rows += [QUALITY | {"model": "a", "other": "b", "value": 0.58} | worse]
    frames = tables(ranking=ranking("weat", "Overall", "a", "b"), quality=rows)
    (one,) = comparisons.quality_of_models(Results(frames, LABELS))
    assert one.sentence == (
        "Quality (agreement of cosines with human similarity ratings, MEN): Model A 0.58 and Model "
        "B 0.66."
    )
    assert one.caution == (
        "Model A has a lower quality than Model B (difference on the pairs that both have: "
        "-0.08 [-0.10, -0.06]). Weaker associations may mean a poorer model."
    )
    frames["quality"] = pd.DataFrame(rows[:2])
    (one,) = comparisons.quality_of_models(Results(frames, LABELS))
    assert one.caution == ""


def test_a_model_that_fails_a_control_query_is_the_first_finding_and_the_last_where_it_is_audited():
    scores = pd.DataFrame(
        SCORE | {"model": model, "p_bh": 0.01, "control_status": status, "control_query": False}
        for model, status in {"a": "passes", "b": "fails"}.items()
    )
    control = {"model": "b", "query": "weat_1", "value": 0.1, "p_value": 0.4, "status": "fails"}
    frames = tables(ranking=ranking("weat", "Overall", "a"), controls=[control | {"reason": None}])
    frames["scores"] = scores
    first, count = found(frames)
    assert first.sentence.startswith("Model B fails a sanity check")
    assert count.sentence == "1 of 1 association is significant."
    told = findings(Results(frames | {"scores": scores.assign(test_id="m")}, LABELS, subject="b"))
    assert [one.sentence for one in told if one.leads] == [first.sentence]


def test_a_test_of_what_is_no_bias_is_no_association():
    rows = SCORE | {"value": 0.5, "p_bh": 0.01}
    ranks = ranking("weat", "Overall", "a")
    frames = tables(ranking=[row | {"status": "no_bias", "rank": NAN} for row in ranks])
    (first,) = found(frames | {"scores": pd.DataFrame([rows])})
    assert first.sentence == "1 of 1 value of WEAT is significant."


def tied(metric: str, *models: str) -> list[dict[str, Any]]:
    """Models whose scores are equal, so that they share the mean of their places."""
    mean = (len(models) + 1) / 2
    return [row | {"rank": mean, "score": 2.0} for row in ranking(metric, "Overall", *models)]


def test_equal_models_are_not_distinguished():
    rows = [*tied("weat", "a", "b"), *tied("rnd", "a", "b")]
    frames = tables(ranking=rows, pairwise=pair("a", "b", 0.5, wilcoxon=NAN))
    (one,) = headline(Results(frames, LABELS))
    assert one.sentence == "Model B and Model A have equal scores."


def test_models_that_share_a_rank_are_not_said_to_have_it():
    first, *others = ranking("weat", "Overall", *"abc")
    rows = [first, *(row | {"rank": 2.5} for row in others)]
    pairs = [*pair("a", "b", 0.99), *pair("a", "c", 0.99), *pair("b", "c", 0.5)]
    (one,) = headline(Results(tables(ranking=rows, pairwise=pairs), LABELS))
    assert one.sentence == (
        "Of 3 models which of Model C and Model B is the most biased is not settled; Model A is "
        "the least biased."
    )


def test_a_shared_rank_has_no_probability_in_the_leader_table():
    chances = [place("a", 1, 0.5), place("a", 2, 0.5)]
    (table,) = leader_tables(
        tables(ranking=tied("weat", "a", "b"), rank_probabilities=chances), LABELS
    )
    assert [(row.ranks, row.chances) for row in table.rows] == [(("1-2",), ("tie",))] * 2


def test_associations_count_where_they_are_significant_and_outside_the_null_band():
    cases = [(2.0, 0.01, 0.01), (-3.0, 0.01, 0.5), (1.0, 0.5, 0.01), (NAN, 0.01, 0.01)]
    scores = pd.DataFrame(
        {**SCORE, "value": value, "p_bh": p, "p_null_band": band}
        | {"ci_low": value - 1, "ci_high": value + 1}
        for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert (
        first.sentence
        == "1 of 3 associations is significant and outside the null band of random words."
    )
    assert list(first.evidence) == ["Cats: +2.0 [1.0, 3.0]."]


def test_associations_without_a_null_band_are_counted():
    cases = [(2.0, 0.5, 0.5), (4.0, 0.01, NAN), (3.0, 0.5, NAN)]
    scores = pd.DataFrame(
        {**SCORE, "value": value, "p_bh": p, "p_null_band": band} for value, p, band in cases
    )
    (first,) = found({"scores": scores})
    assert first.sentence == (
        "1 of 3 associations is significant and, where there is a null band of random words, "
        "outside it."
    )
    assert first.caution == ("No null band was computed for 2 of the 3, 1 of them significant.")


def test_a_page_and_the_terminal_count_the_same_associations_without_control_queries():
    rows = SCORE | {"criterion": "All"}
    cases = [("weat_1", 1.9, 0.01, 0.01), ("jobs", 1.2, 0.01, 0.01), ("arts", 1.0, 0.01, 0.5)]
    cases += [("names", 0.9, 0.01, NAN), ("age", 0.5, 0.4, 0.01)]
    scores = pd.DataFrame(
        {**rows, "query": query, "query_label": query, "subquery": query, "test_id": query}
        | {"value": value, "p_value": p, "p_bh": p, "p_holm": p, "p_null_band": band}
        for query, value, p, band in cases
    )
    scores = scores.assign(control_query=scores["query"] == "weat_1", control_status="passes")
    scores = scores.assign(control="passes")
    # A variant whose tests are the same ones.
    both = pd.concat([scores.assign(metric="rnd"), scores], ignore_index=True)
    ranks = pd.DataFrame(ranking("weat", "All", "a", "b"))
    first = next(
        one for one in found({"scores": both, "ranking": ranks}, "a") if one.table == "scores"
    )
    assert first.detail.startswith("By WEAT")
    assert first.sentence == (
        "2 of 4 associations of Model A are significant and, where there is a null band of random "
        "words, outside it."
    )
    frames = {"scores": scores, "ranking": pd.DataFrame()}
    lines = audit_page(Results(frames, LABELS, subject="a"), [], [], {})
    told = "2 of 4 tests are significant and, where there is a null band, outside it (2 after Holm"
    assert f"  {told} over all 4)" in lines


def test_the_strongest_associations_name_their_poles():
    rows = [("jobs", 1.2), ("arts", -1.5), ("one", 0.9)]
    scores = pd.DataFrame(
        SCORE | {"query": query, "query_label": f"{query} [fr]", "subquery": query, "value": value}
        | {"p_bh": 0.01, "ci_low": value - 0.2, "ci_high": value + 0.1}
        for query, value in rows
    )  # fmt: skip
    scores["subquery"] = scores["subquery"].replace("arts", "arts [fr]")
    poles = {"jobs": [["Men", "Women"], ["Career", "Family"]]}
    poles |= {"arts": [["Men", "Women"], ["Maths", "Arts"]], "one": [["Men"], ["Maths", "Arts"]]}
    results = Results({"scores": scores}, LABELS, signed=["weat"], sets=poles)
    (one,) = strongest_associations(results)
    assert list(one.evidence) == [
        "Women is nearer to Maths than to Arts, compared with Men: +1.5 [1.4, 1.7].",
        "Men is nearer to Career than to Family, compared with Women: +1.2 [1.0, 1.3].",
        "one [fr]: +0.9 [0.7, 1.0].",
    ]


@pytest.mark.parametrize(
    ("numbers", "pattern", "clause"),
    [
        ((1.5, 0.001, 0.9, 0.03), "both nearer to Career, Men more so", True),
        ((1.5, 0.001, -0.2, 0.6), "Men nearer to Career, Women to neither", True),
        ((1.5, 0.001, -0.9, 0.03), "Men nearer to Career, Women to Family", False),
        ((NAN, NAN, NAN, NAN), NAN, False),
    ],
)
def test_an_association_that_is_not_one_to_each_says_what_is_behind_it(numbers, pattern, clause):
    scores = pd.DataFrame([
        SCORE | {"query": "jobs", "query_label": "jobs", "subquery": "jobs", "value": 1.2}
        | {"p_bh": 0.01, "ci_low": 1.0, "ci_high": 1.3}
    ])  # fmt: skip
    levels = dict(zip(("d_x", "p_x", "d_y", "p_y"), numbers, strict=True))
    rows = [{"model": "a", "query": "jobs", "pattern": pattern} | levels]
    rows.append({"model": "b", "query": "jobs", "pattern": "of another model"} | levels)
    frames = {"scores": scores, "eat_patterns": pd.DataFrame(rows)}
    poles = {"jobs": [["Men", "Women"], ["Career", "Family"]]}
    (one,) = strongest_associations(Results(frames, LABELS, signed=["weat"], sets=poles))
    behind = f" (taken alone: {pattern})" if clause else ""
    assert list(one.evidence) == [
        f"Men is nearer to Career than to Family, compared with Women: +1.2 [1.0, 1.3]{behind}."
    ]


FOUND_FROM = {"jobs": (8, 1.23), "arts": (25, 0.71), "tiny": (3, NAN), "other": (9, 0.1)}
POWER = [
    {"query": query, "n_first": n, "alternative": "two-sided", "smallest_effect": effect}
    | {"level": 0.05, "power": 0.8}
    for query, (n, effect) in FOUND_FROM.items()
]
OF_WEAT = "difference of mean associations"


def of_tests(*queries, p=0.5, statistic=OF_WEAT):
    rows = [
        SCORE | {"query": query, "query_label": query, "subquery": query, "test_id": query}
        | {"p_value": p, "p_bh": p, "p_holm": p, "p_statistic": statistic}
        for query in queries
    ]  # fmt: skip
    return {"scores": pd.DataFrame(rows), "power": pd.DataFrame(POWER)}


@pytest.mark.parametrize(
    ("queries", "says"),
    [
        (["jobs"], "these tests have 80% power only for associations above d = 1.2."),
        (
            ["jobs", "arts"],
            "these tests have 80% power only for associations above d = 0.7 to 1.2, depending on "
            "the number of words.",
        ),
        (["tiny"], "no association of so few words is found with 80% power."),
    ],
)
def test_where_nothing_is_found_the_study_says_what_its_tests_could_have_found(queries, says):
    expected = f"At p < 0.05, before correction, {says}"
    (one,) = strongest_associations(Results(of_tests(*queries), LABELS))
    assert one.sentence.startswith("0 of")
    assert one.caution == expected
    # Every statement that nothing was found has it; a reader sees it once.
    (first, *_) = distinct_tests(Results(of_tests(*queries), LABELS))
    assert first.caution == expected
    every = [one.caution for one in findings(Results(of_tests(*queries), LABELS))]
    assert every.count(expected) == 1


def test_what_a_test_could_have_found_is_not_said_where_it_does_not_matter_or_is_not_known():
    for frames in (
        of_tests("jobs", p=0.001),
        of_tests("jobs", statistic="mean relative distance"),
        of_tests("unlisted"),
        {"scores": of_tests("jobs")["scores"]},
    ):
        assert not any("power" in one.text for one in findings(Results(frames, LABELS)))


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
    first, *_ = found({"scores": SCORES, "before_after": compared, "residual_bias": remaining})
    assert first.caution.startswith(
        "Model B reverses the sign of two (from 1.2 to -0.93 by WEAT): no reduction. In 1 of 1 the "
        "old bias of words can still be predicted from their vectors, among chosen words only "
        "(those of tests), which do not represent a wide vocabulary."
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
    assert (table.rows[0].ranks, table.rows[0].chances) == (("1", "2"), ("75%", ""))
    assert (table.rows[0].words, table.rows[1].words) == ("66.6%", "")
    assert table.unranked[0].note == "the same vectors as Model A, say"
    (with_subject,) = leader_tables(frames, LABELS, subject="c")
    assert [row.is_subject for row in with_subject.rows] == [False, False, True]


def test_ranks_and_probabilities_are_short_and_never_certain():
    assert [rank_text(2.0), rank_text(1.5, 2), rank_text(2.0, 3)] == ["2", "1-2", "1-3"]
    assert [percent_text(p) for p in (1.0, 0.0, 0.934, NAN)] == [">99%", "<1%", "93%", ""]
