"""What follows a context: tokenised with it, scored after it, the context read once."""

from copy import deepcopy
from types import SimpleNamespace

import numpy as np
import pytest
from with_torch import prepared, score_tokens

from fairflow.language_models.items.item import TokenRequest

from ..language_oracle import needs_oracle

CONTEXTS = ["He is a very good", "The woman was here. The man was", "In the beginning God created"]
RESTS = [" nurse.", " kind and strong", " heaven", " doctor doctor doctor"]


def requests(contexts=CONTEXTS, rests=RESTS):
    return [
        TokenRequest.continuation(f"{c}/{r}", context, rest)
        for c, context in enumerate(contexts)
        for r, rest in enumerate(rests)
    ]


def full_logp(model, ids):
    from ..models import full_logp

    return full_logp(model, ids)


def naive(model, context, rest):
    """The tokens of context + rest behind as many as the context has, by the network as it is."""
    import torch

    tokenizer = model.tokens.tokenizer
    whole = tokenizer.encode(context + rest)
    n = len(tokenizer.encode(context.rstrip()))
    with torch.inference_mode():
        logits = model.network(input_ids=torch.tensor([whole])).logits[0].double()
    logp = torch.log_softmax(logits, dim=-1)
    return whole[n:], [logp[p - 1, whole[p]].item() for p in range(n, len(whole))]


@needs_oracle
@pytest.mark.parametrize("token_budget", [None, 1, 60])
def test_it_is_a_forward_pass_of_the_whole_text_whatever_the_batch(token_budget, oracle_models):
    model, asked = oracle_models["gpt2"], requests()
    pairs = [(context, rest) for context in CONTEXTS for rest in RESTS]
    for found, pair in zip(
        score_tokens(model, asked, token_budget=token_budget), pairs, strict=True
    ):
        ids, logp = naive(model, *pair)
        assert list(found.token_ids) == ids
        np.testing.assert_allclose(found.logp, logp, atol=1e-5, rtol=0)


def test_a_context_is_read_once(causal):
    from ..models import ids_read

    whole = causal.tokens.encode([CONTEXTS[0] + rest for rest in RESTS])
    n = len(causal.tokens.encode(CONTEXTS[:1])[0].ids) - 1
    longest = max(len(text.ids) for text in whole) - 1
    asked = requests(CONTEXTS[:1])
    score_tokens(causal, asked)  # What may be done is tried out once.
    read = ids_read(causal, lambda: score_tokens(causal, asked))
    assert sum(read) == n + len(RESTS) * (longest - n)


def test_the_score_of_an_answer_is_the_same_beside_others(causal):
    alone = [score_tokens(causal, [one])[0] for one in requests()]
    for own, beside in zip(alone, score_tokens(causal, requests()), strict=True):
        np.testing.assert_allclose(beside.logp, own.logp, atol=1e-5, rtol=0)


def test_a_network_that_cannot_go_on_from_a_start_reads_whole_texts(causal, monkeypatch):
    from fairflow.language_models.inference import network_parts, network_rows

    def refuse(*_):
        raise AttributeError("no such cache")

    before = score_tokens(causal, requests())
    monkeypatch.setattr(network_rows, "copy", SimpleNamespace(deepcopy=refuse))
    monkeypatch.setattr(network_parts, "_outcomes", {})
    assert not network_rows.can_cache_prefix(causal)
    for own, whole in zip(before, score_tokens(causal, requests()), strict=True):
        np.testing.assert_allclose(own.logp, whole.logp, atol=1e-5, rtol=0)


def test_white_space_at_a_context_s_end_is_the_beginning_of_what_follows(causal):
    within = score_tokens(causal, [TokenRequest.continuation("a", "He is ", "here")])[0]
    behind = score_tokens(causal, [TokenRequest.continuation("a", "He is", " here")])[0]
    assert within.tokens == behind.tokens
    assert within.logp.tolist() == behind.logp.tolist()


@pytest.mark.parametrize("context", ["He is", ""])
def test_what_a_tokenizer_puts_in_front_of_a_text_stays_there(context, causal):
    from tokenizers.processors import TemplateProcessing

    tokenizer = deepcopy(causal.tokens.tokenizer)
    start = (tokenizer.bos_token, tokenizer.bos_token_id)
    tokenizer.backend_tokenizer.post_processor = TemplateProcessing(
        single=f"{start[0]} $A {start[0]}", special_tokens=[start]
    )
    (found,) = score_tokens(
        prepared(causal.network, tokenizer), [TokenRequest.continuation("a", context, " a nurse")]
    )
    ids, _ = naive(causal, context, " a nurse")
    row = [start[1], *causal.tokens.tokenizer.encode(context), *ids]
    logp = full_logp(causal, row)
    expected = [logp[p - 1, row[p]] for p in range(len(row) - len(ids), len(row))]
    assert list(found.token_ids) == ids
    np.testing.assert_allclose(found.logp, expected, atol=1e-5, rtol=0)


def test_starts_are_those_of_several_rows_by_length(torch):
    from fairflow.language_models.inference.network_rows import shared_prefixes

    rows = [(1, 2, 3), (1, 2, 4), (5, 6, 7), (9, 8, 1), (9, 8, 2), (4, 4), (3, 3)]
    groups, alone = shared_prefixes(rows, [2, 2, 2, 2, 2, 0, 0])
    assert groups == [{(1, 2): [0, 1], (9, 8): [3, 4]}]
    assert alone == [2, 5, 6]
