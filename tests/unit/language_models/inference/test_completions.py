"""Completions: the same for a prompt whatever the others in its batch."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml
from jsonschema import Draft202012Validator
from with_torch import complete_prompts

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.items.text_items import Decoding, Prompt

PROMPTS = [Prompt("a", "The man"), Prompt("b", "She was a very good"), Prompt("c", "The kid")]
SAMPLE = Decoding("sample", completions=3, max_new_tokens=5, seed=4)


def by_id(completions):
    return {(c.prompt_id, c.rank): (c.text, c.seed) for c in completions}


def test_samples_depend_on_their_seed_alone(causal):
    together = complete_prompts(causal, PROMPTS, SAMPLE)
    assert by_id(together) == by_id(complete_prompts(causal, PROMPTS[::-1], SAMPLE))
    alone = complete_prompts(causal, PROMPTS[1:2], SAMPLE, token_budget=1)
    assert by_id(alone).items() <= by_id(together).items()
    assert len({c.seed for c in together}) == 9
    other = complete_prompts(causal, PROMPTS, Decoding("sample", 3, 5, seed=5))
    assert by_id(other) != by_id(together)
    assert json.loads(together[0].decoding)["seed"] == 4


def test_greedy_takes_the_most_probable_token_each_time(causal):
    from ..models import full_logp

    found = complete_prompts(causal, PROMPTS, Decoding("greedy", max_new_tokens=4))
    for prompt, completion in zip(PROMPTS, found, strict=True):
        ids = causal.tokens.tokenizer(prompt.text)["input_ids"]
        new, total = [], 0.0
        for _ in range(4):
            logp = full_logp(causal, [*ids, *new])[-1]
            total += logp.max()
            if logp.argmax() == causal.tokens.start_id():
                break
            new.append(int(logp.argmax()))
        assert completion.text == causal.tokens.tokenizer.decode(new)
        assert completion.n_tokens == len(new)
        assert completion.logp == pytest.approx(total, abs=1e-4)
        assert not completion.text.startswith(prompt.text)


def test_a_prompt_too_long_for_its_completion_is_invalid(causal):
    found = complete_prompts(causal, [Prompt("p", "The man" * 8)], Decoding(max_new_tokens=30))
    assert [(c.status, c.text) for c in found] == [("too_long", None)]


def test_the_best_tokens_at_a_mask_are_words(masked):
    decoding = Decoding("fill_mask", completions=7)
    prompts = [Prompt("p", "He is a [MASK]."), Prompt("q", "The [MASK] was here.")]
    found = complete_prompts(masked, prompts, decoding)
    assert [c.rank for c in found] == [*range(7), *range(7)]
    assert not any(c.text.startswith(("##", "[")) for c in found)
    logp = [c.logp for c in found[:7]]
    assert logp == sorted(logp, reverse=True)
    everything = complete_prompts(masked, prompts, Decoding("fill_mask", 7, whole_words=False))
    assert everything[0].logp >= found[0].logp


def test_methods_fit_their_models(masked, causal):
    with pytest.raises(LanguageModelError, match="needs a causal"):
        complete_prompts(masked, PROMPTS, SAMPLE)
    with pytest.raises(LanguageModelError, match="needs a masked"):
        complete_prompts(causal, PROMPTS, Decoding("fill_mask"))


@pytest.mark.parametrize(
    ("options", "sound"),
    [
        ({"method": "sample", "temperature": 0.5, "top_p": 1, "top_k": 0}, True),
        ({"method": "beam"}, False),
        ({"temperature": 0}, False),
        ({"top_p": 0}, False),
        ({"top_p": 1.5}, False),
        ({"top_k": -1}, False),
        ({"max_new_tokens": 0}, False),
    ],
)
def test_the_schema_knows_the_ranges_of_a_decoding(options, sound):
    path = Path(__file__).parents[4] / "workflow/schemas/language_queries.schema.yaml"
    schema = yaml.safe_load(path.read_text("utf-8"))["$defs"]["decoding"]
    assert Draft202012Validator(schema).is_valid(options) == sound


def test_draws_follow_the_probabilities_that_are_left():
    logits = np.log([0.1, 0.6, 0.3])
    numbers = (np.arange(1000) + 0.5) / 1000

    def counts(**options):
        decoding = Decoding("sample", **options)
        return np.bincount([decoding.draw(logits, u) for u in numbers], minlength=3).tolist()

    assert counts() == [100, 600, 300]
    assert counts(top_k=2) == [0, 667, 333]
    assert counts(top_p=0.6) == [0, 1000, 0]
    assert counts(temperature=0.01) == [0, 1000, 0]
