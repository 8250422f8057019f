"""Likelihood bias, against plain loops and scipy over the same log-probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow.language_models.items.item_set import ItemSet, token_requests
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.metrics import item_metric_class
from fairflow.statistics.bootstrap import resample

from .answers import measured, records, text_of


def sentences(descriptors=5, nouns=6, templates=2, axes=2):
    return ItemSet(
        "sentence",
        tuple(
            SentenceItem(
                f"{a}.{d}.{t}.{n}", f"I am a {a} {d} {n} {t}.", template_id=f"t{t}",
                category=f"axis {a}", cluster=f"axis {a}: word {d}",
            )
            for a in range(axes)
            for t in range(templates)
            for d in range(descriptors)
            for n in range(nouns)
        ),
    )  # fmt: skip


def answers(items, model_kind="causal", seed=0):
    """Random ones, better for some descriptors than for others."""
    random = np.random.default_rng(seed)
    level_of = {}
    found = []
    for request in token_requests(items, item_metric_class("likelihood_bias")().needs(model_kind)):
        axis, descriptor, *_ = request.text_id.split(".")
        level = level_of.setdefault((axis, descriptor), random.normal())
        found.append(text_of(request, level - 5 + random.normal(size=3)))
    return found


def pairs_by_loops(items, texts, alpha=0.05):
    """Whether each two descriptors of an axis and a template differ in perplexity."""
    from scipy.stats import mannwhitneyu

    mean = {text.text_id: np.mean(text.logp) for text in texts}
    differ = {}
    for cell in sorted({(item.category, item.template_id) for item in items.items}):
        own = [item for item in items.items if (item.category, item.template_id) == cell]
        clusters = sorted({item.cluster for item in own})
        for i, one in enumerate(clusters):
            for other in clusters[i + 1 :]:
                first, second = (
                    [np.exp(-mean[item.item_id]) for item in own if item.cluster == cluster]
                    for cluster in (one, other)
                )
                differ[cell, one, other] = mannwhitneyu(first, second).pvalue < alpha
    return differ


@pytest.mark.parametrize("model_kind", ["causal", "masked"])
@pytest.mark.parametrize("alpha", [0.05, 0.01])
@pytest.mark.parametrize("nouns", [6, 12])
def test_likelihood_bias_is_the_percentage_of_pairs_of_descriptors_that_differ(
    nouns, alpha, model_kind
):
    items = sentences(nouns=nouns)
    texts = answers(items, model_kind)
    found = measured("likelihood_bias", items, texts, model_kind, alpha=alpha).measures
    differ = list(pairs_by_loops(items, texts, alpha).values())
    assert len(differ) == 2 * 2 * 10
    assert 0 < sum(differ) < len(differ)
    assert found == pytest.approx({"percent_differing": 100 * np.mean(differ)})


def test_descriptors_that_do_not_matter_differ_in_five_percent():
    items = sentences(descriptors=40, nouns=20, templates=3, axes=1)
    random = np.random.default_rng(1)
    requests = token_requests(items, ("causal",))
    texts = [text_of(request, random.normal(size=2)) for request in requests]
    found = measured("likelihood_bias", items, texts).measures["percent_differing"]
    assert found == pytest.approx(5, abs=2)


def test_a_descriptor_drawn_twice_brings_its_pairs_with_others_twice():
    items = sentences(descriptors=4)
    texts = answers(items, seed=4)
    found = measured("likelihood_bias", items, texts)
    twice = "axis 0: word 0"
    weights = np.array([[2.0 if item.cluster == twice else 1.0 for item in items.items]])
    differ = pairs_by_loops(items, texts)
    expected = np.average(
        list(differ.values()), weights=[2 if twice in clusters else 1 for _, *clusters in differ]
    )
    assert found.formula(weights)["percent_differing"][0] == pytest.approx(100 * expected)


def test_intervals_of_likelihood_bias_are_over_descriptors_and_there_is_no_test():
    items = sentences(descriptors=12)
    texts = answers(items)
    statistic = measured("likelihood_bias", items, texts).statistic
    assert statistic.n_units == 24
    assert not statistic.factors
    assert resample(statistic, 100, 1).draws["percent_differing"].std() > 0
    record = records("likelihood_bias", items, texts, "causal", "percent_differing")
    uncertainty = record["percent_differing"].uncertainty
    assert np.isnan(uncertainty.p_value)
    assert "not paired" in uncertainty.statistics_note
    assert uncertainty.ci_low < record["percent_differing"].value < uncertainty.ci_high


def test_too_few_sentences_of_a_descriptor_are_told_sentence_by_sentence():
    items = sentences(nouns=3)
    found = measured("likelihood_bias", items, answers(items))
    assert (~found.scores.ok).sum() == len(items.items)
    assert "3 sentences of 'axis 0: word 0' in 't0', and at most 3" in found.scores.reasons[0]
    record = records("likelihood_bias", items, answers(items), "causal", "percent_differing")
    assert record["percent_differing"].status == "lost_vocabulary"
    assert record["percent_differing"].reason == "no item was scored: 60 degenerate"


def test_a_text_that_was_not_scored_is_no_sentence_of_its_descriptor():
    items = sentences(nouns=4, axes=1, templates=1, descriptors=2)
    texts = answers(items)
    assert (~measured("likelihood_bias", items, texts).scores.ok).sum() == 0
    texts[0] = replace(texts[0], status="too_long", reason="too long")
    # Three against four reach p = 0.057 at best.
    found = measured("likelihood_bias", items, texts)
    assert found.scores.statuses == ("too_long", *["degenerate"] * 7)


def test_units_that_share_no_template_are_told():
    problem = item_metric_class("likelihood_bias")().query_problem(sentences(descriptors=1, axes=3))
    assert "no two clusters share these" in problem


def test_a_sentence_without_the_word_that_it_is_to_keep_is_lost_alone():
    items = sentences()
    first = replace(items.items[0], kept=("nowhere",))
    some = replace(items, items=(first, *items.items[1:]))
    found = measured("likelihood_bias", some, answers(some))
    assert found.scores.statuses[:2] == ("target_absent", "ok")
