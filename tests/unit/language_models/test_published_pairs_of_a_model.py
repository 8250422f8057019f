"""Metrics of published pairs on tiny networks, against the plain formulas in double precision."""

import numpy as np
import pytest

from fairflow.language_models.items.item_set import ItemSet, token_requests
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.metrics import item_metric_class

PAIRS = ItemSet(
    "pair",
    (
        PairItem("0", "she was a good nurse .", "he was a good nurse .", cluster="nurse",
                 value=0.9),
        PairItem("1", "The doctor is kind and she did very good .",
                 "The doctor is kind and he did very good .", cluster="doctor", value=0.4),
        PairItem("2", "the engineer and her job .", "the engineer and his job .", cluster="e",
                 value=0.1),
    ),
)  # fmt: skip


def measured(name, items, model, kind):
    from fairflow.language_models.inference.score_tokens import score_tokens

    metric = item_metric_class(name)()
    texts = score_tokens(model, token_requests(items, metric.needs(kind)))
    return metric.measure(items, texts, kind)


def logp(model, ids):
    from .models import full_logp

    return full_logp(model, ids)


@pytest.mark.parametrize("name", ["pair_likelihood", "share_correlation"])
def test_versions_differ_by_their_log_likelihoods_of_a_causal_model(causal, name):
    def likelihood(sentence):
        ids = causal.tokens.tokenizer(sentence, add_special_tokens=False)["input_ids"]
        start = causal.tokens.tokenizer.bos_token_id
        rows = logp(causal, [start, *ids])
        return sum(rows[place, token] for place, token in enumerate(ids))

    expected = [likelihood(item.more) - likelihood(item.less) for item in PAIRS.items]
    found = measured(name, PAIRS, causal, "causal").scores
    np.testing.assert_allclose(found.values, expected, rtol=1e-5, atol=1e-5)


def test_the_log_odds_of_a_masked_model_are_those_of_the_pronoun_at_its_mask(masked):
    tokenizer, mask = masked.tokens.tokenizer, masked.tokens.mask_id
    odds = []
    for item in PAIRS.items[:2]:
        one, other = (tokenizer(text)["input_ids"] for text in (item.more, item.less))
        (place,) = np.flatnonzero(np.array(one) != np.array(other))
        row = logp(masked, [*one[:place], mask, *one[place + 1 :]])[place]
        odds.append(row[one[place]] - row[other[place]])
    found = measured("share_correlation", PAIRS, masked, "masked").scores
    np.testing.assert_allclose(found.values[:2], odds, rtol=1e-5, atol=1e-5)
