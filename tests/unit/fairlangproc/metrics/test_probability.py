"""Probabilities of words and tokens through the compatibility layer."""

import math

import numpy as np
import pytest
from language_oracle import LOGP, SUM, near

from fairflow.language_models.errors import ItemError

SENTENCE = "[MASK] is a [MASK]."
TARGETS, FILLS = [("he", "she"), ("john", "mary")], ["nurse", "receptionist"]


@pytest.fixture
def compat(torch):
    from fairflow.fairlangproc.metrics import probability

    return probability


@pytest.fixture
def logp(masked):
    """A function: text -> (positions, vocabulary) by the plain network in double precision."""
    from models import full_logp

    return lambda text: full_logp(masked, masked.tokens.tokenizer(text)["input_ids"])


@pytest.fixture
def sentence_ids(masked):
    tokenizer = masked.tokens.tokenizer
    ids = tokenizer(["The man was here."], return_tensors="pt")["input_ids"]
    return ids, {"cls_id": tokenizer.cls_token_id, "pad_id": tokenizer.pad_token_id}


def test_cps_and_aul_add_up_and_average_what_the_plain_network_gives(compat, both, masked):
    from models import full_logp

    text, mask = "The man was here.", both[1].mask_token_id
    ids, man = both[1](text)["input_ids"], both[1].convert_tokens_to_ids("man")
    inner = range(1, len(ids) - 1)
    rows = {p: [*ids[:p], mask, *ids[p + 1 :]] for p in inner if ids[p] != man}
    expected = sum(full_logp(masked, row)[p, ids[p]] for p, row in rows.items())
    assert compat.CPS(*both, [text], ["man"]) == near([expected], SUM)
    plain = full_logp(masked, ids)[inner, ids[1:-1]]
    assert compat.AUL(*both, [text]) == near([plain.mean()], LOGP)


def test_the_probability_of_a_word_is_read_at_its_mask(compat, both, logp):
    he, nurse = both[1].convert_tokens_to_ids(["he", "nurse"])
    found = compat.MaskProbability(*both, [SENTENCE] * 2, ["he", "nurse"], [0, 1])
    plain = logp(SENTENCE)
    # [CLS] [MASK] is a [MASK] . [SEP]
    assert found.log().tolist() == near([plain[1, he], plain[4, nurse]], LOGP)
    (one,) = compat.MaskProbability(*both, ["[MASK] is a nurse."], ["he"], [7], 1).log().tolist()
    assert one == near(logp("[MASK] is a nurse.")[1, he], LOGP)


def test_a_word_of_several_tokens_has_the_product_of_their_probabilities(compat, both, logp):
    tokens = both[1].convert_tokens_to_ids(both[1].tokenize("receptionist"))
    found = compat.MaskProbability(*both, ["He is a [MASK]."], ["receptionist"], [0], how_many=1)
    plain = logp(f"He is a {'[MASK]' * len(tokens)}.")
    assert found.log().item() == near(sum(plain[4 + n, p] for n, p in enumerate(tokens)), SUM)


def test_quotients_are_posterior_over_prior_and_make_lpbs_and_cbs(compat, both):
    asked = ([SENTENCE] * 2, TARGETS, FILLS, [0, 0])
    first, second = compat.MaskProbabilityQuotient(*both, *asked)
    given = compat.MaskProbability(*both, ["[MASK] is a nurse."], ["he"], [0], 1)
    prior = compat.MaskProbability(*both, [SENTENCE], ["he"], [0])
    assert first[0].item() == near((given / prior).item(), 1e-5)
    assert (first.log() - second.log()).tolist() == near(compat.LPBS(*both, *asked).tolist(), SUM)
    variances = np.log([first.numpy(), second.numpy()]).var(axis=0, ddof=1)
    assert compat.CBS(*both, *asked[:3], None).tolist() == near(variances.tolist(), SUM)


def test_ids_of_a_sentence_give_cps_and_aul(compat, both, sentence_ids):
    ids, special = sentence_ids
    man = both[1].convert_tokens_to_ids("man")
    row = ids[0].tolist() + [special["pad_id"]] * 3
    for given in (ids, ids[0], row):
        masked = compat.MaskedPseudoLogLikelihood(
            both[0], given, target_id=man, mask_id=both[1].mask_token_id, **special
        )
        assert masked == near(compat.CPS(*both, ["The man was here."], ["man"])[0], SUM)
        unmasked = compat.UnMaskedPseudoLogLikelihood(both[0], given, **special)
        assert unmasked == near(compat.AUL(*both, ["The man was here."])[0], LOGP)


def test_a_word_that_cannot_be_scored_is_nan_with_a_warning(compat, both, caplog):
    found = compat.MaskProbability(*both, [SENTENCE] * 2, ["ноль", "he"], [0, 0])
    assert [math.isnan(value) for value in found.tolist()] == [True, False]
    assert "MaskProbability: sentence 0 is not scored" in caplog.text
    (only, other) = compat.MaskProbabilityQuotient(
        *both, [SENTENCE], [("he", "ноль")], FILLS[:1], [0]
    )
    assert math.isnan(only.item())
    assert math.isnan(other.item())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["He is a [MASK]."], ["he"], [0]), "has 1 masks, 2 are expected"),
        (([SENTENCE], ["he"], [2]), "the word's is number 2, from 0"),
        (([SENTENCE], ["he", "she"], [0]), "1 sentences, 2 target_words"),
    ],
)
def test_probabilities_of_arguments_that_do_not_fit_are_refused(arguments, message, compat, both):
    with pytest.raises(ItemError, match=message):
        compat.MaskProbability(*both, *arguments)
