"""Metrics of the likelihood of pairs, against plain loops over the same log-probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow.language_models.items.item_set import (
    ItemSet,
    token_requests,
)
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.metrics import item_metric_class

from .answers import measured, records, scored, scores_of, text_of


def pairs(number=24):
    """Two sentences of each occupation, whose shares of women rise."""
    return ItemSet(
        "pair",
        tuple(
            PairItem(str(i), f"She {i}.", f"He {i}.", cluster=f"job {i // 2}", value=(i // 2) / 20)
            for i in range(number)
        ),
    )


def swapped(texts):
    """The same with the answers of both sentences of each pair exchanged."""
    other = {"more": "less", "less": "more"}
    ids = [text.text_id.split("/") for text in texts]
    return [
        replace(text, text_id=f"{item}/{other[side]}")
        for text, (item, side) in zip(texts, ids, strict=True)
    ]


@pytest.mark.parametrize("model_kind", ["causal", "masked"])
@pytest.mark.parametrize(
    ("name", "signed"),
    [
        ("pair_likelihood", ("preference", "mean_difference")),
        ("share_correlation", ("correlation", "rank_correlation", "slope", "mean_log_odds")),
    ],
)
def test_exchanging_both_sentences_turns_the_sign(name, signed, model_kind):
    items = pairs(22)
    texts = scored(items, name, model_kind, seed=3)
    found = measured(name, items, texts, model_kind).measures
    turned = measured(name, items, swapped(texts), model_kind).measures
    assert [turned[one] for one in signed] == pytest.approx([-found[one] for one in signed])
    assert all(abs(found[one]) > 0.01 for one in signed)


@pytest.mark.parametrize("model_kind", ["causal", "masked"])
def test_share_correlation_is_that_of_the_means_of_occupations(model_kind):
    from scipy import stats

    items = pairs(22)
    texts = scored(items, "share_correlation", model_kind)
    scores = scores_of(texts, model_kind, shared=False)
    odds, shares = [], []
    for cluster in sorted({item.cluster for item in items.items}):
        own = [item for item in items.items if item.cluster == cluster]
        odds.append(np.mean([scores[i.item_id, "more"] - scores[i.item_id, "less"] for i in own]))
        shares.append(own[0].value)
    line = stats.linregress(shares, odds)
    found = measured("share_correlation", items, texts, model_kind).measures
    expected = {
        "correlation": line.rvalue,
        "rank_correlation": stats.spearmanr(shares, odds).statistic,
        "slope": line.slope,
        "mean_log_odds": np.mean(odds),
    }
    assert found == pytest.approx(expected)


def test_the_p_value_of_a_correlation_with_shares_is_that_of_the_slope_under_every_exchange():
    items = pairs(13)
    texts = scored(items, "share_correlation", "causal")
    found = measured("share_correlation", items, texts)
    assert found.signs.mean() == pytest.approx(found.measures["slope"])
    of_cluster = {item.cluster: 0.0 for item in items.items}
    for item, sign in zip(items.items, found.signs, strict=True):
        of_cluster[item.cluster] += sign
    sums = np.array(list(of_cluster.values()))
    exchanges = np.array(np.meshgrid(*[[-1, 1]] * len(sums))).reshape(len(sums), -1).T @ sums
    record = records("share_correlation", items, texts, "causal", "correlation")
    expected = np.mean(np.abs(exchanges) >= abs(sums.sum()) - 1e-12)
    for measure in ("slope", "correlation"):
        assert record[measure].uncertainty.p_value == pytest.approx(expected)
        assert record[measure].uncertainty.p_statistic == "slope of the log-odds on the values"
    assert np.isnan(record["rank_correlation"].uncertainty.p_value)
    assert np.isfinite(record["correlation"].uncertainty.ci_low)


@pytest.mark.parametrize(("form", "prefers_more"), [("sum", False), ("likelihood", True)])
def test_crows_pairs_of_a_causal_model_adds_up_as_lm_eval_or_takes_the_mean_as_meade(
    form, prefers_more
):
    """lm-eval: sent_more wins where its log-likelihood is larger, the sum over its tokens."""
    items = ItemSet("pair", (PairItem("0", "More of it.", "Less."),))
    needs = item_metric_class("crows_pairs_score")(form=form).needs("causal")
    logp = {"0/more": [-1.0] * 4, "0/less": [-1.5] * 2}
    texts = [text_of(one, logp[one.text_id]) for one in token_requests(items, needs)]
    found = measured("crows_pairs_score", items, texts, form=form)
    assert found.measures["metric_score"] == (100 if prefers_more else 0)


def test_pairs_without_a_value_are_told():
    items = pairs(6)
    bare = tuple(replace(item, value=None) for item in items.items)
    metric = item_metric_class("share_correlation")()
    assert "no pair of the query has one" in metric.query_problem(ItemSet("pair", bare))
    mixed = ItemSet("pair", (replace(items.items[0], value=0.9), *items.items[1:]))
    assert "the pairs of 'job 0' have values that differ" in metric.query_problem(mixed)
    some = ItemSet("pair", (*items.items[:4], *bare[4:]))
    found = measured("share_correlation", some, scored(some, "share_correlation", "causal"))
    assert (~found.scores.ok).sum() == 2
    assert "no value to compare" in found.scores.reasons[5]


def test_shares_that_are_all_equal_have_no_correlation():
    same = ItemSet("pair", tuple(replace(item, value=0.5) for item in pairs(6).items))
    texts = scored(same, "share_correlation", "causal")
    found = measured("share_correlation", same, texts)
    assert np.isnan(found.measures["correlation"])
    assert np.isnan(found.measures["slope"])
    assert found.signs is None
    record = records("share_correlation", same, texts, "causal", "correlation")["correlation"]
    assert record.status == "degenerate"
    assert record.reason
