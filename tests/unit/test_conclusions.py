"""What may be concluded is said in numbers that are those of the tables."""

import math

import pandas as pd
import pytest

from fairflow.conclusions import conclusions

LABELS = {"m": "Model M", "n": "Model N", "weat": "WEAT", "rnd": "RND"}
NAN = math.nan
FRIEDMAN = ["criterion", "metric", "n_models", "n_queries", "critical_difference"]


def score(model="m", metric="weat", query="q1", **columns):
    row = {
        "model": model,
        "metric": metric,
        "query": query,
        "headline": True,
        "value": 0.5,
        "p_value": 0.01,
        "p_holm": 0.02,
        "p_bh": 0.02,
        "ci_low": 0.1,
        "ci_high": 0.9,
        "ci_low_both": -0.1,
        "ci_high_both": 1.1,
        "p_random": 0.5,
        "statistics": "ok",
    }
    return row | columns


def paragraph(scores, pairwise=(), friedman=(), scale=(), ranks=(1.0, 2.0), of_items=()):
    ranking = pd.DataFrame(
        {"source": "computed", "criterion": "Gender", "model": ["m", "n"], "rank": ranks}
    )
    return conclusions(
        "A study",
        pd.DataFrame(scores),
        ranking,
        pd.DataFrame(pairwise, columns=["criterion", "metric", "wilcoxon_holm"]),
        pd.DataFrame(
            friedman,
            columns=["criterion", "metric", "n_models", "n_queries", "critical_difference"],
        ),
        pd.DataFrame(scale, columns=["metric", "scales_with_length", "norm_explains"]).astype(
            {"scales_with_length": bool}
        ),
        LABELS,
        signed=["weat", "rnd"],
        of_items=of_items,
    )


def test_it_counts_models_queries_tests_and_intervals():
    text = paragraph(
        [
            score(),
            score("n", p_value=0.2, p_holm=0.2, p_bh=0.2, ci_low=-0.2, statistics="few_words"),
            score(query="q2", value=NAN, p_value=NAN, p_random=NAN, ci_low=NAN, statistics="none"),
        ]
    )
    assert text.startswith("## A study\n\n2 models were measured by WEAT on 2 queries.")
    assert "ranked: Gender 2" in text
    assert "1 of 3 scores are undefined" in text
    assert "Of 2 permutation tests 1 have p < 0.05, 1 with the false discovery rate" in text
    assert "1 scores rest on sets of fewer than ten words" in text
    assert "other target words been chosen, 1 of 2 signed scores would keep their sign" in text
    assert "had the attribute words been others too, 0 of 2" in text
    assert "2 of 2 scores are no further out than those of random target words" in text
    assert text.count("\n\n") == 1


def test_without_statistics_it_says_that_nothing_can_be_said_about_chance():
    nothing = dict.fromkeys(["p_value", "ci_low", "ci_low_both", "p_random"], NAN)
    text = paragraph([score(**nothing, statistics="none")])
    assert "nothing can be said about chance" in text
    assert "interval" not in text


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.2, "their order may be chance"),
        (0.01, "can be told apart over queries in Gender by WEAT"),
    ],
)
def test_it_says_whether_models_can_be_told_apart(p, said):
    assert said in paragraph([score()], pairwise=[("Gender", "weat", p)])


def test_it_names_the_critical_difference_or_says_that_there_is_none():
    known = paragraph([score()], friedman=[("Gender", "weat", 7, 24, 1.8384)])
    assert "(Gender: 1.84 for 7 models on 24 (sub-)queries)" in known
    assert "there is no critical difference" in paragraph([score()])


def test_metrics_that_grow_with_length_are_marked_and_the_others_too():
    text = paragraph([score()], scale=[("weat", False, 0.1), ("rnd", True, 0.75)])
    assert "Values of RND grow with the length of vectors and are not comparable" in text
    assert "explains 75% to 75% of the variance of ranks" in text
    assert "Values of WEAT do not depend on length" in text


def test_items_are_not_called_words():
    rows = [score(), score(metric="rnd", ci_low=-1, statistics="few_words")]
    scale = [("weat", False, NAN), ("rnd", False, NAN)]
    text = paragraph(rows, scale=scale, of_items=["rnd"])
    assert "Had other target words been chosen, 1 of 1 signed" in text
    assert "Had other items been written, 0 of 1 signed" in text
    assert "1 scores rest on fewer than ten items" in text
    assert "Values of WEAT do not depend on length" in text
    assert "or what it makes of these sentences and prompts" in text
