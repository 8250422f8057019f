"""GEST, against plain loops over the same log-probabilities."""

from dataclasses import replace

import numpy as np
import pytest

from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.metrics import item_metric_class

from .answers import measured, scored, scores_of

# Of uneven numbers: about women (1, 2, 7) and about men (8, 16).
STEREOTYPES = ["1"] * 3 + ["2", "7", "8"] + ["16"] * 2


def stereotypes(number=40):
    return ItemSet(
        "pair",
        tuple(
            PairItem(
                str(i), f"one {i}", f"other {i}", category=STEREOTYPES[i % len(STEREOTYPES)],
                template_id=f"t{i % 2}", cluster=f"s{i // 2}",
            )
            for i in range(number)
        ),
    )  # fmt: skip


@pytest.mark.parametrize("model_kind", ["causal", "masked"])
def test_gest_is_the_difference_of_the_masculine_rates_of_stereotypes(model_kind):
    items = stereotypes()
    texts = scored(items, "gest", model_kind)
    scores = scores_of(texts, model_kind, shared=False)
    rates = {}
    for item in items.items:
        about_men = int(item.category) >= 8
        masculine, feminine = ("more", "less") if about_men else ("less", "more")
        rate = scores[item.item_id, masculine] - scores[item.item_id, feminine]
        rates.setdefault(int(item.category), []).append(rate)
    q = {name: np.mean(values) for name, values in rates.items()}
    of_men = np.mean([q[name] for name in (8, 16)])
    of_women = np.mean([q[name] for name in (1, 2, 7)])
    found = measured("gest", items, texts, model_kind)
    expected = {"g_s": of_men - of_women, "q_masculine": of_men, "q_feminine": of_women}
    assert found.measures == pytest.approx(expected)
    assert found.signs.mean() == pytest.approx(found.measures["g_s"])


def test_a_model_that_prefers_men_in_all_sentences_has_no_stereotypes():
    items = stereotypes()
    texts = []
    for text in scored(items, "gest", "causal"):
        item, side = text.text_id.split("/")
        about_men = int(items.items[int(item)].category) >= 8
        masculine = about_men == (side == "more")
        texts.append(replace(text, logp=np.array([-1.0 if masculine else -3.0])))
    found = measured("gest", items, texts).measures
    assert found == pytest.approx({"g_s": 0, "q_masculine": 2, "q_feminine": 2})


def test_a_stereotype_that_was_not_drawn_does_not_count():
    items = stereotypes(8)
    found = measured("gest", items, scored(items, "gest", "causal"))
    kept = np.array([item.category != "7" for item in items.items])
    difference = found.scores.values
    without = found.formula(kept[np.newaxis].astype(float))
    assert without["q_feminine"][0] == pytest.approx(
        -np.mean([difference[:3].mean(), difference[3]])
    )


def test_gest_needs_stereotypes_of_both_genders():
    metric = item_metric_class("gest")()
    items = stereotypes()
    women = ItemSet("pair", tuple(item for item in items.items if int(item.category) < 8))
    assert "none in the query is about men" in metric.query_problem(women)
    assert metric.query_problem(items) is None
    strange = ItemSet("pair", (replace(items.items[0], category="17"), *items.items[1:]))
    found = measured("gest", strange, scored(strange, "gest", "causal"))
    assert found.scores.reasons[0] == "the category must be a stereotype, 1 to 16, got '17'"
