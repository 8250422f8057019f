"""Bad queries raise before anything runs; bad items are rows with a reason."""

import math

import pytest
from with_torch import score_tokens

from fairflow.language_models.errors import ItemError, LanguageModelError
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import SentenceItem
from fairflow.language_models.metrics.cbs import CBS
from fairflow.language_models.metrics.lpbs import LPBS
from fairflow.language_models.metrics.pseudo_log_likelihood import PseudoLogLikelihood

from .language_oracle import measures

TEMPLATE = "{target} is a {fill}."


def test_an_unknown_word_makes_its_item_invalid(masked):
    item = SlotItem("i", "t", TEMPLATE, (("he",), ("she",)), "ноль")
    found = LPBS().scores([item], score_tokens(masked, item.requests()))
    assert found.statuses == ("unknown",)
    assert "'ноль'" in found.reasons[0]
    assert found.ok.tolist() == [False]
    assert math.isnan(found.values[0])
    assert math.isnan(
        measures("lpbs", "slot", [item], score_tokens(masked, item.requests()))["mean"]
    )


@pytest.mark.parametrize("text", ["", "   "])
def test_an_empty_sentence_is_an_invalid_item(text, masked):
    items = [SentenceItem("empty", text), SentenceItem("good", "He is here.")]
    requests = [one for item in items for one in item.requests("masked")]
    found = PseudoLogLikelihood().scores(items, score_tokens(masked, requests))
    assert found.statuses == ("empty", "ok")
    assert len(found.scored_values) == 1


def test_a_sentence_longer_than_the_model_is_an_invalid_item_and_never_cut(masked, causal):
    item = SentenceItem("long", "he " * 31)
    (found,) = score_tokens(masked, item.requests("unmasked"))
    assert (found.status, found.reason) == ("too_long", "33 tokens, the model takes 32")
    just = SentenceItem("just", "he " * 30)
    assert score_tokens(masked, just.requests("unmasked"))[0].status == "ok"
    long = SentenceItem("long", "he" + " he" * 31)
    assert score_tokens(causal, long.requests("causal"))[0].status == "too_long"
    assert score_tokens(causal, long.requests("causal_start_once"))[0].status == "ok"


def test_a_kept_word_that_is_absent_makes_its_item_invalid(masked):
    items = [
        SentenceItem("i", "The man was here.", kept=("woman",)),
        SentenceItem("j", "The man was here.", kept=("man",)),
    ]
    requests = [request for item in items for request in item.requests("masked")]
    found = PseudoLogLikelihood().scores(items, score_tokens(masked, requests))
    assert found.statuses == ("target_absent", "ok")
    assert found.reasons[0] == "'woman' is not in 'The man was here.'"


def test_every_occurrence_of_a_kept_word_stays_whatever_its_case(masked):
    item = SentenceItem("i", "She is kind and she is here.", kept=("she",))
    assert "she" not in score_tokens(masked, item.requests("masked"))[0].tokens


def test_one_group_has_no_variance(masked):
    item = SlotItem("i", "t", TEMPLATE, (("he",),), "nurse")
    assert CBS().scores([item], score_tokens(masked, item.requests())).statuses == ("degenerate",)


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{target} is here.", "found target"),
        ("He is here.", "found no slot"),
        ("{target} {target} {fill}", "found target, target, fill"),
        ("{target} {fill} {other}", "found target, fill, other"),
    ],
)
def test_slots_are_checked_before_anything_runs(template, message):
    with pytest.raises(ItemError, match=message):
        SlotItem("i", "t", template, (("he",), ("she",)), "nurse")


def test_a_device_that_is_not_there_is_named(torch, tmp_path):
    from fairflow.language_models.inference.language_model import chosen_device, load_language_model

    assert chosen_device("auto").type in ("cpu", "cuda", "mps")
    if not torch.cuda.is_available():
        with pytest.raises(LanguageModelError, match="'cuda' is not there"):
            chosen_device("cuda")
    with pytest.raises(LanguageModelError, match="'tpu' is not there"):
        chosen_device("tpu")
    with pytest.raises(LanguageModelError, match=r"config.json is missing"):
        load_language_model(tmp_path)
