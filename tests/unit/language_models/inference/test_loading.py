"""What loading a model says, and where it says it."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from with_torch import complete_prompts, embed_texts, load_language_model, model_facts, score_tokens

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.items.item import TokenRequest
from fairflow.language_models.items.text_items import Decoding, Prompt, SentenceItem

pytest.importorskip("torch")

pytestmark = pytest.mark.torch


def test_weights_that_are_not_needed_are_told_in_the_log_and_not_on_the_terminal(
    masked, tmp_path, capfd, caplog
):
    masked.network.save_pretrained(tmp_path)
    masked.tokens.tokenizer.save_pretrained(tmp_path)
    path = tmp_path / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"architectures": ["BertModel"]}))
    capfd.readouterr()

    assert load_language_model(tmp_path, device="cpu").kind == "encoder"

    assert "UNEXPECTED" in caplog.text
    assert capfd.readouterr().err == ""


TEMPLATE = (
    "{{ bos_token }}{% for one in messages %}<user>{{ one['content'] }}</user>{% endfor %}"
    "{% if add_generation_prompt %}<bot>{% endif %}"
)
ASKED = "<user>Who was here?</user><bot>"
PLAIN = "<u>{{ messages[0]['content'] }}<b>"
DATED = "{{ strftime_now('%Y-%m-%d') }} {{ date_string }} {{ messages[0]['content'] }}"


@pytest.fixture
def chat(causal, monkeypatch):
    """The causal model, asked in a chat template."""
    monkeypatch.setattr(causal.tokens.tokenizer, "chat_template", TEMPLATE)
    return replace(causal, chat=True)


def test_a_question_is_asked_in_the_chat_template_and_its_answer_is_what_the_model_replies(
    chat, causal
):
    start = causal.tokens.tokenizer.bos_token
    context = f"{start}{ASKED}"
    plain = TokenRequest("q", f"{context}The man.", "continuation", context=context)
    question = TokenRequest.continuation("q", "Who was here?", " The man.")
    (in_chat,), (expected,) = score_tokens(chat, [question]), score_tokens(causal, [plain])
    assert in_chat.text == f"{start}{ASKED}The man."
    assert in_chat.tokens == expected.tokens
    assert in_chat.logp.tolist() == expected.logp.tolist()


def test_a_sentence_whose_own_likelihood_is_asked_is_read_as_it_is(chat, causal):
    request = TokenRequest("s", "The man was here.", "causal")
    (in_chat,), (plain,) = score_tokens(chat, [request]), score_tokens(causal, [request])
    assert in_chat.text == "The man was here."
    assert in_chat.logp.tolist() == plain.logp.tolist()


def test_a_tokenizer_that_starts_texts_itself_does_not_start_a_chat_twice(chat, monkeypatch):
    tokenizer = chat.tokens.tokenizer
    started = SimpleNamespace(input_ids=[tokenizer.bos_token_id, 5])
    monkeypatch.setattr(type(tokenizer), "__call__", lambda *_, **__: started)
    assert chat.asked("Who was here?") == ASKED


@pytest.fixture
def folder(causal, tmp_path):
    causal.network.save_pretrained(tmp_path)
    causal.tokens.tokenizer.save_pretrained(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("{{ raise_exception('no system') }}", "message of the user .no system.: write chat_templ"),
        ("{% for one in messages %}", "cannot be filled"),
        ("<user>Hello</user>", "leaves the message out"),
        ("{% set f = '%d' %}{{ strftime_now(f) }}Who?", "it tells the date of today"),
    ],
)
def test_a_chat_template_that_cannot_be_filled_is_said_with_the_way_out(template, message, folder):
    (folder / "chat_template.jinja").write_text(template)
    with pytest.raises(LanguageModelError, match=message):
        load_language_model(folder, "cpu").asked("Who?", message=True)
    plain = load_language_model(folder, "cpu", chat_template=False)
    assert plain.asked("Who?", message=True) == "Who?"


@pytest.mark.parametrize(
    ("template", "setting", "text", "message", "told"),
    [
        (None, None, "Who?", "Who?", "plain text, having no chat template"),
        (None, False, "Who?", "Who?", "plain text, having no chat template"),
        (PLAIN, None, "Who?", "<u>Who?<b>", "plain text; messages: chat template"),
        (PLAIN, True, "<u>Who?<b>", "<u>Who?<b>", "chat template"),
        (PLAIN, False, "Who?", "Who?", "plain text"),
        # Runs can be repeated on another day.
        (DATED, None, "Who?", "2024-07-26 26 Jul 2024 Who?",
         "plain text; messages: chat template with the date 26 Jul 2024"),
    ],
)  # fmt: skip
def test_messages_are_put_into_a_chat_template_where_there_is_one(
    template, setting, text, message, told, folder
):
    if template:
        (folder / "chat_template.jinja").write_text(template)
    model = load_language_model(folder, "cpu", chat_template=setting)
    assert (model.asked("Who?"), model.asked("Who?", message=True)) == (text, message)
    assert model_facts(model)["asked"] == model.how_asked == told


def test_a_chat_template_that_is_asked_for_must_be_there(folder):
    with pytest.raises(
        LanguageModelError, match=r"neither tokenizer_config.json nor chat_template"
    ):
        load_language_model(folder, "cpu", chat_template=True)


def test_messages_are_completed_in_the_template_and_prompts_as_they_are(causal, chat):
    asked, decoding = [Prompt("p", "Who was here?")], Decoding("greedy", max_new_tokens=3)
    usual = replace(chat, chat=None)
    assert complete_prompts(usual, asked, decoding, messages=True) == complete_prompts(
        chat, asked, decoding
    )
    assert complete_prompts(usual, asked, decoding) == complete_prompts(causal, asked, decoding)


def test_a_network_computes_with_the_numbers_that_are_asked_for(folder, torch):
    request = TokenRequest("s", "The man was here.", "causal")
    usual, half = (
        load_language_model(folder, "cpu"),
        load_language_model(folder, "cpu", dtype="bfloat16"),
    )
    assert (usual.network.dtype, half.network.dtype) == (torch.float32, torch.bfloat16)
    (exact,), (rounded,) = score_tokens(usual, [request]), score_tokens(half, [request])
    assert rounded.logp == pytest.approx(exact.logp, rel=0.1)
    assert rounded.logp.tolist() != exact.logp.tolist()


def test_a_checkpoint_without_a_head_is_an_encoder_and_scores_nothing(masked, tmp_path):
    from fairflow.language_models.errors import LanguageModelError

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
    facts = [model_facts(model) for model in (masked, causal)]
    names = ("kind", "tokenizer", "lower_cases", "mask", "max_tokens", "layers")
    assert [facts[0][name] for name in names] == ["masked", "WordPiece", True, "[MASK]", 32, 2]
    assert [facts[1][name] for name in names] == ["causal", "BPE", False, None, 32, 2]
