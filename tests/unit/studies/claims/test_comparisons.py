"""Which of two models has the larger mean association, and what must hold for it to be said."""

import pytest
from tests.unit.studies.claims.study import NAN, claims, pair, ranks, said, score

TWO = [score("a"), score("b")]
QUALITY = {"model": "a", "other": "b", "subject": "MEN", "n": 3000, "difference": -0.3}


def comparison(scores=TWO, pairs=None, **tables):
    rows = {"ranking": ranks("a", "b"), "pairwise": pair("b", "a") if pairs is None else pairs}
    return claims("comparison", scores, **rows | tables)


def test_a_larger_mean_with_an_adjusted_p_below_05_is_more_bias():
    (one,) = comparison()
    assert (one.subject, one.verdict, one.against) == ("b", "more biased", "a")
    assert one.sentence == "Model B shows more bias than Model A over all queries."
    assert (one.value, one.low, one.high, one.p_adjusted, one.n) == (0.3, 0.1, 0.5, 0.01, 9)


@pytest.mark.parametrize(
    ("columns", "verdict"),
    [
        ({"p_bh": 0.06}, "open"),
        ({"p_bh": NAN}, "untested"),
        # Over queries there is no difference; of fewer than six that test says nothing.
        ({"wilcoxon_holm": 0.3}, "open"),
        ({"wilcoxon_holm": 0.3, "n_groups": 5}, "more biased"),
        ({"difference": 0.0}, "equal"),
    ],
)
def test_chance_over_words_and_over_queries_decides(columns, verdict):
    assert comparison(pairs=pair("b", "a", **columns))[0].verdict == verdict


@pytest.mark.parametrize(
    ("weak", "verdict"),
    [
        (["a"], "more biased"),
        # The model with the larger mean has no association: its mean is noise.
        (["b"], "open"),
        (["a", "b"], "no association"),
    ],
)
def test_a_mean_without_any_significant_association_is_no_more_bias(weak, verdict):
    rows = [score(model, p_bh=0.5 if model in weak else 0.01) for model in "ab"]
    assert comparison(rows)[0].verdict == verdict


def test_weaker_associations_in_a_poorer_model_are_no_sign_of_less_bias():
    poorer = [QUALITY | {"difference_low": -0.4, "difference_high": -0.2}]
    (one,) = comparison(quality=poorer)
    assert one.verdict == "poorer"
    assert one.failed == ("quality",)
    assert one.sentence == (
        "Model A has weaker associations than Model B over all queries, but it is the poorer "
        "model: that is no sign of less bias."
    )
    equal = [QUALITY | {"difference_low": -0.4, "difference_high": 0.1}]
    assert comparison(quality=equal)[0].verdict == "more biased"


def test_metrics_that_contradict_each_other_settle_nothing():
    against = pair("a", "b", metric="rnd")
    (one,) = comparison(pairs=[*pair("b", "a"), *against])
    assert one.verdict == "metrics disagree"
    unclear = pair("a", "b", metric="rnd", p_bh=0.2)
    assert comparison(pairs=[*pair("b", "a"), *unclear])[0].verdict == "more biased"


def test_a_topic_with_the_reverse_order_is_named():
    ranking = [*ranks("a", "b"), *ranks("b", "a", criterion="Race")]
    pairs = [*pair("b", "a"), *pair("a", "b", criterion="Race")]
    overall, race = comparison(ranking=ranking, pairs=pairs)
    assert overall.verdict == "topics disagree"
    assert overall.facts["topics"] == ["Race"]
    assert (race.subject, race.verdict, race.criterion) == ("a", "more biased", "Race")


def test_the_answer_names_the_extremes_that_are_above_or_below_all_others():
    rows = [score(model) for model in "abc"]
    pairs = [*pair("c", "b"), *pair("c", "a"), *pair("b", "a", p_bh=0.4)]
    page = said(rows, ranking=ranks("a", "b", "c"), pairwise=pairs).page
    assert page.answer == (
        "3 of 3 associations are significant and larger than with random words; Model C shows the "
        "most bias of 3 models."
    )
    assert [row.cells for row in page.rows] == [
        ("Model C", "0.40", "Model B and Model A", "none", "none"),
        ("Model B", "0.40", "none", "Model C", "Model A"),
        ("Model A", "0.10", "none", "Model C", "Model B"),
    ]


def test_the_answer_says_how_many_pairs_differ_where_no_model_is_extreme():
    rows = [score(model) for model in "abc"]
    pairs = [*pair("c", "a"), *pair("b", "a", p_bh=0.4), *pair("c", "b", p_bh=0.4)]
    page = said(rows, ranking=ranks("a", "b", "c"), pairwise=pairs).page
    assert page.answer.endswith(
        "; which of 3 models shows the most bias is not settled: 1 of 3 pairs differ."
    )


def test_a_study_of_one_model_speaks_of_that_model():
    (one,) = comparison(subject="a")
    assert (one.subject, one.verdict) == ("a", "less biased")


def test_a_model_against_several_is_put_beside_each_as_its_pair_says():
    rows = [score(model) for model in "abc"]
    pairs = [*pair("c", "a"), *pair("b", "c", p_bh=0.4)]
    page = said(rows, subject="c", ranking=ranks("a", "b", "c"), pairwise=pairs).page
    assert page.answer == "Model C is more biased than Model A; not told apart from Model B."


def test_an_association_like_those_of_random_words_does_not_count():
    rows = [score(model, p_null_band=0.4) for model in "ab"]
    assert comparison(rows)[0].verdict == "no association"


def test_models_with_the_same_vectors_are_not_compared():
    (one,) = comparison(ranking=[], pairs=[], vectors={"a": "v", "b": "v"})
    assert (one.verdict, one.subject, one.against) == ("same vectors", "b", "a")


@pytest.mark.parametrize("status", ["scales_with_dimension", "grows_with_length", "no_bias"])
def test_a_metric_that_compares_no_models_says_why(status):
    (one,) = comparison(ranking=ranks("a", "b", status=status, rank=NAN), pairs=[])
    assert (one.verdict, one.measure) == (status, "weat")
