"""The same request gives the same numbers, whatever is around it."""

import logging

import numpy as np
import pytest
from with_torch import score_tokens

from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import SentenceItem

TEXTS = [
    "He is here.",
    "The receptionist was a very good woman and the doctor was a kind man.",
    "It",
    "Mary wanted to be an engineer.",
    "The chinese kid got terrible results.",
    "Anna did a good job there and John did a very bad job here.",
]


def requests_of(variant="masked"):
    return [
        one for n, text in enumerate(TEXTS) for one in SentenceItem(str(n), text).requests(variant)
    ]


def numbers(texts):
    return {text.text_id: text.logp.tolist() for text in texts}


@pytest.mark.parametrize("variant", ["masked", "unmasked"])
def test_the_order_of_items_does_not_matter(variant, masked):
    requests = requests_of(variant)
    assert numbers(score_tokens(masked, requests)) == numbers(score_tokens(masked, requests[::-1]))


@pytest.mark.parametrize("variant", ["masked", "unmasked"])
def test_the_batch_budget_changes_values_by_less_than_1e_5(variant, masked):
    requests = requests_of(variant)
    whole = np.concatenate([text.logp for text in score_tokens(masked, requests)])
    for budget in (1, 20, 100):
        parts = np.concatenate(
            [t.logp for t in score_tokens(masked, requests, token_budget=budget)]
        )
        assert np.abs(whole - parts).max() < 1e-5


def test_a_model_in_train_mode_gives_the_same_numbers_and_stays_in_it(masked):
    expected = numbers(score_tokens(masked, requests_of()))
    masked.network.train()
    try:
        assert numbers(score_tokens(masked, requests_of())) == expected
        assert masked.network.training
        assert all(part.training for part in masked.network.modules())
    finally:
        masked.network.eval()


def test_a_network_is_left_as_it_was(masked):
    score_tokens(masked, requests_of("unmasked"), attention=True)
    for part in masked.network.modules():
        assert "forward" not in vars(part)
        assert not part._forward_pre_hooks
    assert masked.network.config._attn_implementation == "sdpa"


def test_weights_that_change_are_noticed(torch):
    from ..models import masked_model

    model = masked_model()
    first = score_tokens(model, requests_of())[0].logp
    with torch.no_grad():
        model.body.encoder.layer[0].intermediate.dense.weight.mul_(2.0)
    assert np.abs(score_tokens(model, requests_of())[0].logp - first).max() > 1e-3


def test_equal_rows_are_computed_once(masked, monkeypatch):
    from fairflow.language_models.inference import network_rows as module

    groups = {"men": ["he", "john"], "women": ["she", "mary"]}
    items = SlotItem.from_entry(
        {
            "templates": ["{target} is a {fill}."],
            "groups": groups,
            "fills": ["nurse", "doctor", "kid"],
        }
    )
    requests = [r for item in items for r in item.requests()]
    score_tokens(masked, requests)
    rows, states = [], []
    plain, head = module.on_device, module.Head.logits
    monkeypatch.setattr(module, "on_device", lambda m, own: (rows.extend(own), plain(m, own))[1])
    monkeypatch.setattr(module.Head, "logits", lambda h, own: (states.extend(own), head(h, own))[1])
    assert len(score_tokens(masked, requests)) == 24
    # Three fills and one prior; the four targets are read at the same masks.
    assert (len(rows), len(states)) == (4, 4)


def test_out_of_memory_halves_the_budget_and_says_so(masked, torch, monkeypatch, caplog):
    from fairflow.language_models.inference import network_rows as module

    expected = numbers(score_tokens(masked, requests_of()))
    plain = module.on_device

    def small_device(model, rows):
        if len(rows) * max(map(len, rows)) > 64:
            raise torch.OutOfMemoryError("no more")
        return plain(model, rows)

    monkeypatch.setattr(module, "on_device", small_device)
    with caplog.at_level(logging.WARNING):
        found = numbers(score_tokens(masked, requests_of()))
    for text, values in expected.items():
        assert found[text] == pytest.approx(values, abs=1e-5)
    assert "out of memory: going on with" in caplog.text

    def no_device(model, rows):
        raise torch.OutOfMemoryError("nothing at all")

    monkeypatch.setattr(module, "on_device", no_device)
    with pytest.raises(torch.OutOfMemoryError):
        score_tokens(masked, requests_of())


def test_batches_hold_every_row_once_within_budget_and_padding(torch):
    from fairflow.language_models.inference.network_rows import cut_batches

    lengths = sorted([3] * 40 + [4] * 7 + [9] * 20 + [30, 31])
    batches = cut_batches(lengths, 60)
    assert [i for batch in batches for i in range(batch.start, batch.stop)] == list(range(69))
    for batch in batches:
        own = lengths[batch]
        assert len(own) * max(own) <= 60 or len(own) == 1
        assert sum(own) >= 0.85 * len(own) * max(own)
    assert cut_batches([], 10) == []
