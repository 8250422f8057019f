"""Batched scores against the plain formulas, sentence by sentence in double precision."""

import numpy as np
import pytest
from with_torch import embed_texts, score_tokens

from fairflow.language_models.items.choice_items import CandidateItem
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.metrics.cbs import CBS
from fairflow.language_models.metrics.lpbs import LPBS
from fairflow.language_models.metrics.stereoset import StereoSet
from fairflow.language_models.slices.answers import POOLINGS

from .language_oracle import LOGP, SUM, measures, near

SENTENCE = "The receptionist is a very good woman."


def logp(model, ids):
    from .models import full_logp

    return full_logp(model, ids)


def tokens(model, text):
    return model.tokens.tokenizer(text)["input_ids"]


def test_each_token_is_masked_alone(masked):
    text = score_tokens(masked, SentenceItem("s", SENTENCE).requests("masked"))[0]
    ids, mask = tokens(masked, SENTENCE), masked.tokens.mask_id
    expected = [
        logp(masked, [*ids[:p], mask, *ids[p + 1 :]])[p, ids[p]] for p in range(1, len(ids) - 1)
    ]
    assert list(text.positions) == list(range(1, len(ids) - 1))
    assert list(text.logp) == near(expected, LOGP)


def test_nothing_is_masked_for_aul_and_attention_is_a_mean_over_layers_heads_queries(masked, torch):
    text = score_tokens(masked, SentenceItem("s", SENTENCE).requests("unmasked"), attention=True)[0]
    ids = tokens(masked, SENTENCE)
    expected = logp(masked, ids)[range(len(ids)), ids]
    assert list(text.logp) == near(expected[1:-1].tolist(), LOGP)
    masked.network.set_attn_implementation("eager")
    with torch.inference_mode():
        found = masked.network(input_ids=torch.tensor([ids]), output_attentions=True).attentions
    masked.network.set_attn_implementation("sdpa")
    weights = np.mean([layer[0].mean(dim=(0, 1)).numpy() for layer in found], axis=0)
    assert list(text.attention) == near(weights[1:-1].tolist(), LOGP)
    assert weights.sum() == near(1, LOGP)


def test_lpbs_reads_both_probabilities_at_the_target_s_own_masks(masked):
    item = SlotItem("i", "t", "{target} is a {fill}.", (("he",), ("mary anna",)), "receptionist")
    found = LPBS().scores([item], score_tokens(masked, item.requests()))
    ids, mask = tokens(masked, "he is a receptionist."), masked.tokens.mask_id
    fill = ids[4:-2]
    he, mary, anna = ids[1], *tokens(masked, "mary anna")[1:3]
    head, tail = ids[2:4], ids[-2:]
    posterior = logp(masked, [ids[0], mask, *head, *fill, *tail])[1, he]
    prior = logp(masked, [ids[0], mask, *head, mask, *tail])[1, he]
    given = logp(masked, [ids[0], mask, mask, *head, *fill, *tail])
    before = logp(masked, [ids[0], mask, mask, *head, mask, *tail])
    other = given[1, mary] + given[2, anna] - before[1, mary] - before[2, anna]
    assert found.columns["logp_1"][0] == near(posterior, LOGP)
    assert found.columns["logp_prior_1"][0] == near(prior, LOGP)
    assert found.values[0] == near(posterior - prior - other, SUM)
    assert (found.columns["n_tokens_1"][0], found.columns["n_tokens_2"][0]) == (1, 2)


def test_probabilities_of_a_group_s_words_are_added(masked):
    sets = SlotItem("i", "t", "{target} is a {fill}.", (("he", "john"), ("she",)), "nurse")
    alone = [
        SlotItem(word, "t", "{target} is a {fill}.", ((word,), ("she",)), "nurse")
        for word in ("he", "john")
    ]
    together = LPBS().scores([sets], score_tokens(masked, sets.requests()))
    apart = LPBS().scores(
        alone, score_tokens(masked, [r for item in alone for r in item.requests()])
    )
    for name in ("logp_1", "logp_prior_1"):
        total = np.logaddexp.reduce(apart.columns[name])
        assert together.columns[name][0] == near(total, LOGP)


def test_cbs_is_the_variance_over_groups_and_with_two_groups_half_the_square_of_lpbs(masked):
    items = SlotItem.from_entry(
        {
            "templates": ["{target} is a {fill}."],
            "groups": {"m": ["he"], "w": ["she"]},
            "fills": ["nurse", "kid"],
        }
    )
    texts = score_tokens(masked, [r for item in items for r in item.requests()])
    difference = LPBS().scores(items, texts).values
    found = CBS().scores(items, texts)
    assert list(found.values) == near((difference**2 / 2).tolist(), 1e-12)
    assert measures("cbs", "slot", items, texts)["mean"] == near(found.values.mean(), 1e-12)
    assert list(CBS(ddof=0).scores(items, texts).values) == near(
        (difference**2 / 4).tolist(), 1e-12
    )


def test_stereoset_reveals_tokens_from_left_to_right(masked):
    sentences = {
        "stereotype": "She is a receptionist!",
        "anti-stereotype": "She is a doctor!",
        "unrelated": "She is a be!",
    }
    item = CandidateItem("i", "she", "gender", "She is a BLANK!", sentences)
    found = StereoSet().scores([item], score_tokens(masked, item.requests()))
    ids, mask = tokens(masked, sentences["stereotype"]), masked.tokens.mask_id
    word = range(4, len(ids) - 2)
    expected = [np.exp(logp(masked, [*ids[:p], mask, *ids[-2:]])[p, ids[p]]) for p in word]
    assert found.columns["stereotype"][0] == near(np.mean(expected), LOGP)
    assert found.ok.sum() == 1


def test_a_causal_model_reads_from_left_to_right_after_a_start(causal):
    item = SentenceItem("s", "The man was here.")
    variants = ("causal", "causal_start_once")
    always, once = score_tokens(
        causal, [one for variant in variants for one in item.requests(variant)]
    )
    ids, start = tokens(causal, item.text), causal.tokens.start_id()
    whole = logp(causal, [start, *ids])
    expected = [whole[n, token] for n, token in enumerate(ids)]
    assert list(always.logp) == near(expected, LOGP)
    bare = logp(causal, ids)
    later = [bare[n, token] for n, token in enumerate(ids[1:])]
    assert list(once.logp) == near([expected[0], *later], LOGP)


def pooled(states, inner):
    """Every pooling of the hidden states of one text: (positions, dims) -> (dims,)."""
    n = len(states)
    return {
        "cls": states[0],
        "mean": states.sum(0) / n,
        "mean_inner": inner.sum(0) / len(inner),
        "last": inner[-1],
        "max": states.max(0),
        "mean_sqrt_len": states.sum(0) / np.sqrt(n),
        "weightedmean": np.arange(1, n + 1) @ states / (n * (n + 1) / 2),
        "lasttoken": states[-1],
    }


@pytest.mark.parametrize("pooling", list(POOLINGS))
@pytest.mark.parametrize("layer", [-1, 0, 1])
@pytest.mark.parametrize("which", ["masked", "causal"])
def test_embeddings_are_pooled_hidden_states(pooling, layer, which, torch, request):
    model = request.getfixturevalue(which)
    texts = ["The man was here.", "A receptionist", "He"]
    found = embed_texts(model, texts, pooling, layer)
    for row, text in zip(found.rows, texts, strict=True):
        ids = torch.tensor([tokens(model, text)])
        with torch.inference_mode():
            states = model.body(input_ids=ids, output_hidden_states=True).hidden_states[layer][0]
        inner = states[1:-1] if which == "masked" else states
        expected = pooled(states.numpy(), inner.numpy())[pooling]
        assert row.tolist() == near(expected.tolist(), LOGP)


def test_a_word_in_two_blanks_is_scored_in_the_last_with_the_other_behind_one_mask(masked):
    sentences = {
        "stereotype": "She is receptionist and receptionist!",
        "anti-stereotype": "She is doctor and doctor!",
        "unrelated": "She is be and be!",
    }
    item = CandidateItem("i", "she", "gender", "She is BLANK and BLANK!", sentences)
    found = StereoSet().scores([item], score_tokens(masked, item.requests()))
    ids, mask = tokens(masked, sentences["stereotype"]), masked.tokens.mask_id
    length = (len(ids) - 6) // 2
    assert length > 1
    word = ids[3 : 3 + length]
    rows = [[*ids[:3], mask, ids[3 + length], *word[:n], mask, *ids[-2:]] for n in range(length)]
    expected = [np.exp(logp(masked, row)[5 + n, word[n]]) for n, row in enumerate(rows)]
    assert found.columns["stereotype"][0] == near(np.mean(expected), LOGP)
