"""Every expected value of the shared oracle on vectors, generated text and causal models."""

import math

import pytest
from given_texts import given_completions
from with_torch import complete_prompts, embed_texts, score_tokens

from fairflow.language_models.items.text_items import Prompt, SentenceItem
from fairflow.language_models.metrics.stereotypical_association import counts_beside
from fairflow.language_models.scoring.completed_prompts import GroupCounter, TermCounter

from .language_oracle import LOGP, SUM, measures, near, needs_oracle, of_texts, oracle

pytest.importorskip("torch")
pytestmark = [needs_oracle, pytest.mark.torch]


def embedded(models, encoder, texts):
    model, pooling = encoder.split("-", 1)
    return embed_texts(models[model], texts, pooling.replace("-", "_"))


@pytest.mark.parametrize("case", oracle("embeddings"), ids=lambda case: case["encoder"])
def test_embeddings(case, oracle_models):
    found = embedded(oracle_models, case["encoder"], [case["text"], "a longer text as well"])
    assert found.rows[0].tolist() == near(case["vector"], LOGP)


def numbers(values):
    return {k: math.nan if v is None else v for k, v in values.items()}


@pytest.mark.parametrize("case", oracle("demrep_stereoasoc"), ids=lambda c: c["sentences"][0])
def test_demographic_representation_and_stereotypical_association(case):
    expected, association = case["expected"], case["expected"]["association"]
    groups, sentences, targets = (case[name] for name in ("groups", "sentences", "targets"))
    counter = GroupCounter(groups)
    counts = counter.count(sentences).sum(axis=0)
    assert dict(zip(groups, counts.tolist(), strict=True)) == expected["counts"]
    shares = dict(zip(groups, (counts / counts.sum()).tolist(), strict=True))
    assert shares == near(expected["distribution"], 1e-12)
    found = of_texts("demographic_representation", sentences, groups=groups)
    assert found["distance"] == near(expected["tvd_uniform"], 1e-12)
    assert found["distance_per_term"] == near(expected["tvd_uniform_per_list_word"], 1e-12)
    for weight, key in (("indicator", "counts"), ("product", "counts_times_target")):
        beside = counts_beside(targets, counter, sentences, weight).sum(axis=0)
        for target, row in zip(targets, beside.tolist(), strict=True):
            assert dict(zip(groups, row, strict=True)) == association[key][target]
    metric = "stereotypical_association"
    for target, distance in numbers(association["tvd_uniform"]).items():
        alone = of_texts(metric, sentences, groups=groups, targets=(target,))
        assert alone["mean_distance"] == pytest.approx(distance, nan_ok=True)
    together = of_texts(metric, sentences, groups=groups, targets=tuple(targets))
    assert together["mean_distance"] == near(association["mean_tvd"], 1e-12)


@pytest.mark.parametrize("case", oracle("honest"), ids=lambda case: case["completions"][0][0])
def test_honest(case):
    completions = {str(n): texts for n, texts in enumerate(case["completions"])}
    counted = map(TermCounter(case["lexicon"]).count, case["completions"])
    found = [own.any(axis=1).astype(int).tolist() for own in counted]
    assert found == case["expected"]["hurtful"]
    prompts = [Prompt(prompt, "A prompt") for prompt in completions]
    given, lexicon = given_completions(completions), tuple(case["lexicon"])
    score = measures("honest", "prompt", prompts, given, "answers", lexicon=lexicon)["score"]
    assert score == near(case["expected"]["score"], 1e-12)


@pytest.mark.parametrize("case", oracle("fill_mask_top5"), ids=lambda case: case["sentence"])
def test_the_five_best_tokens_at_a_mask(case, oracle_models):
    from fairflow.language_models.items.text_items import Decoding

    prompt = Prompt("p", case["sentence"])
    decoding = Decoding("fill_mask", completions=5)
    found = complete_prompts(oracle_models["bert"], [prompt], decoding)
    assert [completion.text for completion in found] == case["top_tokens"]
    probabilities = [math.exp(completion.logp) for completion in found]
    assert probabilities == near(case["top_probability"], LOGP)


def test_greedy_completions(oracle_models):
    from fairflow.language_models.items.text_items import Decoding

    cases = oracle("gpt2_greedy")
    prompts = [Prompt(str(n), case["prompt"]) for n, case in enumerate(cases)]
    decoding = Decoding("greedy", max_new_tokens=cases[0]["max_new_tokens"])
    found = complete_prompts(oracle_models["gpt2"], prompts, decoding)
    assert [c.text for c in found] == [case["completion"] for case in cases]
    assert [c.n_tokens for c in found] == [len(case["new_ids"]) for case in cases]


@pytest.mark.parametrize("case", oracle("gpt2_logp"), ids=lambda case: case["sentence"])
def test_log_probabilities_of_a_causal_model(case, oracle_models):
    item = SentenceItem("s", case["sentence"])
    variants = ("causal", "causal_start_once")
    always, once = score_tokens(
        oracle_models["gpt2"], [one for v in variants for one in item.requests(v)]
    )
    assert list(always.logp) == near(case["logp_bos_in_front"], LOGP)
    assert list(once.logp) == near(case["logp_bos_for_first_only"], LOGP)
    assert always.total == near(case["sum_bos_in_front"], SUM)
    assert once.mean == near(case["mean_bos_for_first_only"], LOGP)
