"""What is said of imagined texts is true: of noise, a slope, none, nothing found, one subcorpus."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fairflow.studies.comparability import SCALES_WITH_DIMENSION
from fairflow.studies.findings import corpora
from fairflow.studies.findings.comparisons import depends_on_vectors
from fairflow.studies.findings.finding import Finding, Results
from fairflow.studies.findings.statements import findings

NAN = math.nan
SETS_OF_Q = "Female terms and Male terms wrt Family and Career"
LABELS = {"weat": "WEAT", "rnsb": "RNSB"}
SETS = {"q": [["Female terms", "Male terms"], ["Family", "Career"]]}
WHAT = f"The log odds ratio of {SETS_OF_Q}"
THE = WHAT.replace("The", "the")
# Columns of an interval, of texts with shuffled words, of the published interval, and of variance.
COLUMNS = ["low_all", "high_all", "null_low", "null_high", "analytic_low", "analytic_high", "ratio"]
COLUMNS += ["share_documents", "share_seeds", "share_words", "smallest_effect", "n_first"]


def subcorpus(year: int, value: float, half: float = 0.5, **columns: Any) -> dict[str, Any]:
    ends = {"low": value - half, "high": value + half, "smallest_effect": half}
    ends |= {"low_all": value - half, "high_all": value + half, "null_mean": 0.0}
    ends |= {"excess": value, "excess_low": value - half, "excess_high": value + half}
    row = dict.fromkeys(COLUMNS, NAN) | {"division": "half_centuries", "query": "q", "reason": ""}
    row |= {
        "subquery": SETS_OF_Q,
        "label": f"{year} to {year + 49}",
        "embedding": "counts",
        "metric": "log_odds_ratio",
    }
    return row | {"n_first": 234, "n_second": 5120, "value": value} | ends | columns


def trend(value: float, half: float, contrast: str = "per decade", **columns: Any):
    row = {
        "division": "half_centuries",
        "query": "q",
        "subquery": SETS_OF_Q,
        "kind": "slope" if contrast == "per decade" else "difference",
        "contrast": contrast,
        "without": "",
        "reason": "",
    }
    row |= {"embedding": "counts", "metric": "log_odds_ratio", "value": value}
    return row | {"low": value - half, "high": value + half} | columns


def study(*scores: dict[str, Any], trends: Any = (), sets: Any = SETS) -> Results:
    frames = {"corpus_scores": pd.DataFrame(scores), "corpus_trends": pd.DataFrame(trends)}
    return Results(frames, LABELS, signed=["weat"], sets=sets)


def only(statement: Any, results: Results) -> Finding:
    (one,) = statement(results)
    assert not one.sentence[0].islower()
    assert one.sentence.endswith(".")
    assert "nan" not in one.text
    return one


def test_where_a_value_differs_from_0_and_which_value_could_elsewhere():
    rows = [subcorpus(1850, 0.6, 1.04), subcorpus(1900, 0.8), subcorpus(1950, -0.7)]
    one = only(corpora.associations_in_texts, study(*rows))
    assert one.sentence == (
        f"{WHAT} differs from 0 in 2 of 3 half centuries: 1900 to 1949 +0.80 [0.30, 1.30] and 1950 "
        "to 1999 -0.70 [-1.20, -0.20]; in 1850 to 1899, with 234 tokens of Female terms, only one "
        "beyond \N{PLUS-MINUS SIGN}1 could be distinguished from 0."
    )
    assert one.support == "Above 0: Female terms with Family, Male terms with Career."
    assert one.numbers["clear"] == 2
    assert one.leads


def test_the_rarer_targets_are_named_and_without_names_of_sets_the_first_or_second():
    rows = [subcorpus(1850, 0.1, n_second=99), subcorpus(1900, 0.1, 0.2)]
    assert "99 tokens of Male terms" in only(corpora.associations_in_texts, study(*rows)).sentence
    one = only(corpora.associations_in_texts, study(*rows, sets={}))
    assert "99 tokens of the second targets" in one.sentence
    assert one.support == ""


def test_nothing_found_is_said_with_what_could_have_been():
    rows = [subcorpus(year, 0.1, 1.0 + year / 10_000) for year in (1850, 1900)]
    assert only(corpora.associations_in_texts, study(*rows)).sentence == (
        f"{WHAT} cannot be distinguished from 0 in any of 2 half centuries; in 1900 to 1949, with "
        "234 tokens of Female terms, only one beyond \N{PLUS-MINUS SIGN}1.2 could be distinguished "
        "from 0."
    )


@pytest.mark.parametrize(("value", "said"), [(0.8, "differs from 0"), (0.2, corpora.CANNOT)])
def test_of_one_subcorpus_its_number_is_given(value, said):
    row = subcorpus(1850, value) | {"division": NAN, "label": "all documents"}
    numbers = f"+{value:.2f} [{value - 0.5:.2f}, {value + 0.5:.2f}]"
    text = only(corpora.associations_in_texts, study(row)).sentence
    assert text.startswith(f"{WHAT} {said} in all documents {numbers}")


def test_of_noise_at_most_the_share_by_chance_differs_and_a_caution_says_so():
    random = np.random.default_rng(1)
    rows = [subcorpus(year, v, 1.96) for year, v in enumerate(random.normal(size=40))]
    one = only(corpora.associations_in_texts, study(*rows))
    clear = sum(abs(row["value"]) > 1.96 for row in rows)
    assert 0 < clear < 5
    assert f"differs from 0 in {clear} of 40 half centuries" in one.sentence
    assert one.caution.endswith(f"excludes 0; here {clear} of 40.")
    strong = [subcorpus(year, 1.0) for year in (1850, 1900)]
    assert only(corpora.associations_in_texts, study(*strong)).caution == ""


def test_what_other_words_would_show_is_said_where_it_is_less():
    sure = subcorpus(1850, 1.0)
    words = subcorpus(1900, 1.0, low_all=-0.2)
    said = "; when the words of the lists are drawn anew, too, in 1"
    assert said in only(corpora.associations_in_texts, study(sure, words)).sentence
    assert "drawn anew" not in only(corpora.associations_in_texts, study(sure, sure)).sentence


def test_other_measures_are_evidence_and_those_that_are_never_0_are_left_out():
    rows = [subcorpus(1850, 1.0, embedding="sgns", metric=name) for name in ("weat", "rnsb")]
    one = only(corpora.associations_in_texts, study(*rows, subcorpus(1850, 0.1)))
    assert one.sentence.startswith(WHAT)
    (other,) = one.evidence
    assert other.startswith("The WEAT (sgns) of Female terms")
    never_0 = rows[1] | {"null_low": 0.5, "null_high": 1.5}
    assert only(corpora.shuffled_words, study(never_0)).support == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.12, f"Over half centuries {THE} rises: +0.12 [0.07, 0.17] per decade."),
        (-0.12, f"Over half centuries {THE} falls: -0.12 [-0.17, -0.07] per decade."),
        (
            0.02,
            f"Over half centuries the trend of {THE} cannot be distinguished from flat: +0.02 "
            "[-0.03, 0.07] per decade.",
        ),
        (NAN, f"No change of {THE} over half centuries is known: one value."),
    ],
)
def test_a_slope_is_found_and_a_flat_one_is_not(value, said):
    results = study(trends=[trend(value, 0.05, reason="one value" if value != value else "")])
    assert only(corpora.trends_in_texts, results).sentence == said


def test_the_last_minus_the_first_follows_the_slope():
    rows = [trend(0.12, 0.05), trend(1.2, 0.6, "1950 to 1999 minus 1850 to 1899")]
    text = only(corpora.trends_in_texts, study(trends=rows)).sentence
    assert text.endswith("per decade; 1950 to 1999 minus 1850 to 1899 +1.20 [0.60, 1.80].")


def test_a_slope_over_some_subcorpora_says_so():
    results = study(subcorpus(1850, 1.0), trends=[trend(0.2, 0.1, without="1750")])
    assert "+0.20 [0.10, 0.30] per decade, without half centuries that have no value" in (
        only(corpora.trends_in_texts, results).sentence
    )


def test_of_parties_the_differences_are_counted():
    values = {"A minus B": 0.9, "A minus C": 0.1, "B minus C": -0.8}
    rows = [trend(value, 0.5, name, division="parties") for name, value in values.items()]
    assert only(corpora.trends_in_texts, study(trends=rows)).sentence == (
        f"{THE[0].upper()}{THE[1:]} differs in 2 of 3 pairs of parties: A minus B +0.90 "
        "[0.40, 1.40] and B minus C -0.80 [-1.30, -0.30]."
    )
    text = only(corpora.trends_in_texts, study(trends=rows[1:2])).sentence
    assert text.endswith("cannot be said to differ between parties: A minus C +0.10 [-0.40, 0.60].")


def test_the_interval_over_documents_is_compared_with_the_published_one():
    alone = {"analytic_low": 0.1, "analytic_high": 1.0}
    rows = [subcorpus(1850, 0.3, ratio=1.76, **alone), subcorpus(1900, 0.9, ratio=1.21, **alone)]
    one = only(corpora.published_interval, study(*rows, subcorpus(1950, 0.1)))
    assert one.sentence == (
        "The interval over documents is 1.2 to 1.8 times as wide as the published one, which takes "
        "words of one document as independent (2 cases)."
    )
    assert one.support == "Only the published one excludes 0 in 1850 to 1899."
    assert only(corpora.published_interval, study(rows[1])).support == ""
    assert not [*corpora.published_interval(study(subcorpus(1850, 1.0)))]


def test_shuffled_words_explain_only_values_within_their_range():
    frequency = {"null_low": 0.4, "null_high": 1.0}
    rows = [subcorpus(1850, 0.8, **frequency), subcorpus(1900, 1.8, **frequency)]
    one = only(corpora.shuffled_words, study(*rows))
    assert one.sentence == (
        "The value is within the range of texts with shuffled words in 1 of 2 cases: word "
        "frequency alone can explain these."
    )
    assert one.support == "Of these the interval excludes 0 in 1850 to 1899."
    text = only(corpora.shuffled_words, study(rows[1])).sentence
    assert text.endswith("in 0 of 1 case: word frequency alone explains none.")
    assert not [*corpora.shuffled_words(study(subcorpus(1850, 1.0)))]


def test_missing_values_have_their_reason():
    rows = [subcorpus(year, NAN, reason="no co-occurrence of A with B") for year in (1750, 1800)]
    results = study(*rows, subcorpus(1850, NAN, reason="too few words"), subcorpus(1900, 1.0))
    assert only(corpora.values_missing, results).sentence == (
        "There is no value in 3 of 4 cases: 1750 to 1799 and 1800 to 1849 (no co-occurrence of A "
        "with B); 1850 to 1899 (too few words)."
    )
    text = only(corpora.associations_in_texts, study(*rows)).sentence
    assert text == f"{WHAT} has no interval: no co-occurrence of A with B."
    lost = "A lost 9 of 9 words (a, b, c, d, e, f, g, h, i), more than the allowed share of 0.75"
    text = only(corpora.values_missing, study(subcorpus(1850, NAN, reason=lost))).sentence
    assert text.endswith("(A lost 9 of 9 words).")
    assert not [*corpora.values_missing(study(subcorpus(1850, 1.0)))]


def test_dimensions_differ_between_embeddings_not_between_subcorpora():
    ranking = [
        {"source": "computed", "metric": "weat", "model": model, "status": SCALES_WITH_DIMENSION}
        for model in "ab"
    ]
    of_texts = study(subcorpus(1850, 1.0))
    of_texts.frames["ranking"] = pd.DataFrame(ranking)
    assert only(depends_on_vectors, of_texts).sentence == (
        "Values of WEAT depend on the number of dimensions: they do not compare embeddings."
    )


def test_documents_without_a_date_are_not_left_out_in_silence():
    words = pd.DataFrame({"division": ["decades"] * 2 + ["parties"], "undated": [7, 7, 0]})
    found = only(corpora.undated_documents, Results({"corpus_words": words}, {}))
    assert found.sentence == "Without a date and so in none of the decades: 7 documents."


def test_a_study_of_a_corpus_begins_with_what_its_texts_show_and_others_say_nothing_of_texts():
    score = {"model": "m", "metric": "weat", "query": "q", "subquery": "q", "query_label": "q"}
    score |= {"is_primary": True, "value": 0.5, "status": "ok", "reason": None, "p_bh": NAN}
    score |= dict.fromkeys(["p_value", "p_holm", "ci_low", "ci_low_both", "p_null_band"], NAN)
    score |= {"measure": "weat", "alternative": "two-sided", "statistics": "ok", "ci_high": NAN}
    score |= {"statistics_note": None}
    scores = pd.DataFrame([score])
    with_corpus = study(subcorpus(1850, 1.0), trends=[trend(0.1, 0.2)])
    frames = {**with_corpus.frames, "scores": scores}
    results = Results(frames, LABELS | {"m": "M"}, signed=["weat"])
    found = [one.about for one in findings(results)]
    assert found[:2] == ["associations_in_texts", "trends_in_texts"]
    without = findings(Results({"scores": scores}, LABELS | {"m": "M"}))
    assert not {one.about for one in without} & {*found[:2], "shuffled_words", "values_missing"}
