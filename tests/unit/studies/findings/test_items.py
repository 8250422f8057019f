"""What scores of items found: value, interval and p against what is fair, and the ability."""

from __future__ import annotations

from typing import Any

import pandas as pd

from fairflow.statistics.outcome import Reading
from fairflow.studies.findings.finding import Results
from fairflow.studies.findings.items import answers_in_text
from fairflow.studies.findings.statements import findings as every_finding

NAN = float("nan")
LABELS = {"m": "Tiny", "n": "Large", "pairs": "Pairs of people", "texts": "Texts"}
LABELS |= {"crows": "CrowS-Pairs score - 50", "honest": "HONEST", "cps": "CPS", "weat": "WEAT"}
STUDY = {
    "labels": LABELS,
    "of_items": ["crows", "honest", "cps"],
    "signed": ["crows"],
    "readings": {
        "crows": Reading(0, "stereotypes are more probable", published_shift=50).facts,
        "honest": Reading(0, says="no completion hurts").facts,
        "cps": Reading(says="larger: more probable sentences").facts,
    },
    "ability": {"crows": {"measure": "lms", "interpretation": "100 is all sense"}},
}


def score(**more: Any) -> dict[str, Any]:
    """A StereoSet-like score of 61 with an interval from 55 to 67 and p = 0.01."""
    return {
        "model": "m",
        "metric": "crows",
        "criterion": "Pairs",
        "query": "pairs",
        "subquery": "pairs",
        "query_label": "Pairs of people",
        "measure": "preference",
        "is_primary": True,
        "value": 11.0,
        "ci_low": 5.0,
        "ci_high": 17.0,
        "ci_level": 0.95,
        "p_value": 0.01,
        "p_bh": 0.01,
        "p_null_band": NAN,
        "alternative": "two-sided",
        "test_id": "m",
        "statistics": "ok",
        "statistics_note": None,
        "words": [],
        "n_words": 117,
        "n_found": 117,
        "ci_low_both": NAN,
        "n_items": 117,
        "n_clusters": 59,
        "sampled_from": 1508.0,
        "status": "ok",
    } | more


ABILITY = score(measure="lms", is_primary=False, value=85.0, ci_low=80.0, ci_high=90.0, p_bh=NAN)
CHANCE = {"p_value": 0.2, "p_bh": 0.2}
UNTESTED = {"p_value": NAN, "p_bh": NAN}


def findings(study: dict[str, Any], frames: dict[str, pd.DataFrame]) -> list[Any]:
    return [one for one in every_finding(Results(frames, **study)) if one.leads]


def found(*rows: dict[str, Any]) -> list[Any]:
    return findings(STUDY, {"scores": pd.DataFrame(rows)})


def test_a_significant_score_is_given_in_words_against_50_with_interval_p_and_ability():
    (one,) = found(score(), ABILITY)
    assert one.sentence == (
        "Stereotypes are more probable in Tiny (significant): CrowS-Pairs score of Tiny on Pairs "
        "of people is 61 (50 would be fair)."
    )
    assert one.support == (
        "95% interval 55 to 67, p = 0.01, over 117 of 1,508 items in 59 clusters. Ability: lms 85, "
        "95% interval 80 to 90 (100 is all sense)."
    )


def test_a_score_that_is_not_significant_says_so():
    (one,) = found(score(**CHANCE))
    assert one.sentence == (
        "CrowS-Pairs score of Tiny on Pairs of people is 61 (50 would be fair): not significant."
    )
    assert "p = 0.2" in one.support
    assert "Above 50: stereotypes are more probable." in one.support
    assert "Ability" not in one.support


def test_an_adjusted_p_decides_and_is_given_where_it_differs():
    (one,) = found(score(p_bh=0.08))
    assert one.sentence.endswith(": not significant.")
    assert "p = 0.01 (adjusted 0.08)" in one.support


def test_a_label_that_ends_in_more_than_50_has_the_same_scale():
    labels = LABELS | {"crows": "CrowS-Pairs score - 50 (per bias)"}
    (one,) = findings(STUDY | {"labels": labels}, {"scores": pd.DataFrame([score(**CHANCE)])})
    assert one.sentence.startswith(
        "CrowS-Pairs score (per bias) of Tiny on Pairs of people is 61 (50"
    )


def test_a_score_below_50_is_no_preference_for_stereotypes():
    (within,) = found(score(ci_low=-1.0))
    assert " (holds 50: significant by the test alone), p = " in within.support
    (one,) = found(score(value=-11.0, ci_low=-17.0, ci_high=-5.0))
    assert one.sentence.endswith("is 39 (50 would be fair): significant.")


def test_a_score_without_a_test_says_so():
    (one,) = found(
        score(**UNTESTED, metric="honest", measure="score", query="texts", value=0.05, ci_low=0.02)
    )
    assert one.sentence == ("HONEST of Tiny on Texts is 0.05 (0 would be fair): not tested.")


def test_of_several_models_the_significant_ones_are_named_and_each_is_given():
    (one,) = found(score(), score(model="n", value=1.0, ci_low=-4.0, ci_high=6.0, **CHANCE))
    where, told = one.sentence.split(": ")
    assert where == "CrowS-Pairs score on Pairs of people (50 would be fair)"
    assert told == "1 of 2 scores (Tiny) is significant."
    assert "Large: 51, 95% interval 46 to 56, p = 0.2, over 117 of 1,508 items" in one.support


def test_scores_by_category_are_parts_of_one_finding():
    parts = [
        score(metric="honest", measure="score", query="texts", subquery=f"texts: {name}", **more)
        for name, more in (("women", {"value": 0.1}), ("men", {"value": 0.3}))
    ]
    (one,) = found(*(part | UNTESTED for part in parts))
    assert one.sentence.startswith("HONEST on Texts (0 would be fair): 0.1 (women) and 0.3 (men);")


def test_of_many_scores_the_claim_names_the_ends_and_the_support_the_values_alone():
    parts = [
        score(metric="honest", measure="score", query="texts", subquery=f"texts: {n}", value=n / 10)
        for n in (3, 1, *range(4, 9), 2, 9)
    ]
    (one,) = found(*(part | UNTESTED for part in parts))
    assert "9 scores from 0.1 (1) to 0.9 (9); not tested." in one.sentence
    assert one.support.startswith("Each: 0.3 (3), 0.1 (1), 0.4 (4), ")
    assert "interval" not in one.support


def test_the_same_items_by_two_metrics_that_say_the_same_have_one_headline():
    of_pairs = LABELS | {"likelihood": "Likelihood of pairs - 50"}
    readings = STUDY["readings"] | {"likelihood": STUDY["readings"]["crows"]}
    study = STUDY | {"labels": of_pairs, "readings": readings, "of_items": ["crows", "likelihood"]}
    second = score(metric="likelihood", value=9.0)
    (one,) = findings(study, {"scores": pd.DataFrame([score(), second])})
    assert "CrowS-Pairs score of Tiny on Pairs of people is 61" in one.sentence
    assert one.support.endswith("The same items by Likelihood of pairs: 59 (Tiny).")
    for other in ({"n_items": 60}, {"measure": "bias_disambiguated"}):
        rows = [score(), score(metric="likelihood", value=9.0, **other)]
        assert len([*findings(study, {"scores": pd.DataFrame(rows)})]) == 2


def test_a_score_without_a_fair_value_or_with_too_few_counts_is_no_finding():
    assert not found(score(metric="cps", measure="mean"))
    assert not found(score(status="few_counts"))
    assert not found(score(value=NAN))


def test_significant_scores_come_first_and_untested_ones_last():
    untested = score(metric="honest", measure="score", query="texts") | UNTESTED
    clear = score(query="clear")
    told = [one.sentence for one in found(untested, score(**CHANCE), clear)]
    assert [("(significant)" in claim, "not tested" in claim) for claim in told] == [
        (True, False),
        (False, False),
        (False, True),
    ]


def test_scores_of_words_are_not_reported_as_items():
    (one,) = found(score(metric="weat", measure="effect_size"))
    assert one.sentence == "1 of 1 association is significant."


def outcomes(model: str, read: float, refused: float = 0.0) -> list[dict[str, Any]]:
    """The shares of the outcomes of a model's answers, in percent."""
    about = {"model": model, "query": "texts", "subquery": "texts", "n_items": 40}
    shares = {"answers_read": read, "answers_refused": refused}
    return [
        score(**about, measure=name, value=share, is_primary=False)
        for name, share in shares.items()
    ]


def test_answers_that_were_not_read_are_told_and_complete_ones_once():
    frames = {"scores": pd.DataFrame([*outcomes("m", 45.0, 55.0), *outcomes("n", 100.0)])}
    part, whole = answers_in_text(Results(frames, **STUDY))
    assert part.sentence == (
        "CrowS-Pairs score - 50: 45% of 40 answers of Tiny to Texts could be read (95% "
        "interval 5 to 17, 55% refused); too few for a ranking. The others have no score."
    )
    assert whole.sentence == "All answers of Large to Texts could be read."


def test_bounds_of_a_score_stand_beside_what_was_read():
    about = {"query": "texts", "subquery": "texts", "is_primary": False}
    values = {"bias": 10.0, "bias_lost_fair": 8.0, "bias_lost_biased": 28.0}
    rows = [score(**about, measure=name, value=value) for name, value in values.items()]
    frames = {"scores": pd.DataFrame([*outcomes("m", 80.0, 20.0), *rows])}
    (one,) = answers_in_text(Results(frames, **STUDY))
    assert one.sentence.endswith(
        ", but would change its score: bias lost fair 8, bias lost biased 28."
    )


def test_scores_of_answers_count_answers():
    rows = [score(query="texts", subquery="texts", sampled_from=NAN), *outcomes("m", 100.0)]
    assert any("over 117 answers in 59 clusters" in one.support for one in found(*rows))
