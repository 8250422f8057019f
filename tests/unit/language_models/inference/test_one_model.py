"""One network gives vectors, probabilities and completions, and reports what it is."""

import numpy as np
import pytest

from fairflow.language_models.items.text_items import SentenceItem


def test_a_checkpoint_without_a_head_is_an_encoder_and_scores_nothing(masked, tmp_path):
    from fairflow.language_models.errors import LanguageModelError
    from fairflow.language_models.inference.embed_texts import embed_texts
    from fairflow.language_models.inference.language_model import load_language_model
    from fairflow.language_models.inference.score_tokens import score_tokens

    masked.network.base_model.save_pretrained(tmp_path)
    masked.tokens.tokenizer.save_pretrained(tmp_path)
    encoder = load_language_model(tmp_path, device="cpu")
    assert encoder.kind == "encoder"
    texts = ["She was kind.", "He"]
    vectors = [embed_texts(model, texts, "cls").rows for model in (encoder, masked)]
    np.testing.assert_allclose(*vectors, rtol=1e-5, atol=1e-6)
    with pytest.raises(LanguageModelError, match="needs a masked language model"):
        score_tokens(encoder, SentenceItem("s", "She").requests("masked"))


def test_facts_of_a_model_tell_its_casing_and_tokenizer(masked, causal):
    from fairflow.language_models.inference.model_facts import model_facts

    facts = [model_facts(model) for model in (masked, causal)]
    names = ("kind", "tokenizer", "lower_cases", "mask", "max_tokens", "layers")
    assert [facts[0][name] for name in names] == ["masked", "WordPiece", True, "[MASK]", 32, 2]
    assert [facts[1][name] for name in names] == ["causal", "BPE", False, None, 32, 2]
