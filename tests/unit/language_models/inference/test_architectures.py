"""Any masked model of transformers: heads, positions, masks and spaces differ, formulas do not."""

import pytest
from with_torch import prepared, score_tokens

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.items.slot_item import SlotItem
from fairflow.language_models.items.text_items import SentenceItem

from ..language_oracle import LOGP, near

TEXTS = ["He is here.", "The receptionist was a very good woman.", "Mary wanted to be kind."]


@pytest.fixture(scope="module")
def byte_tokenizer(torch):
    """A tokenizer of RoBERTa's kind: spaces belong to the next word, <mask> eats the one before."""
    import transformers
    from tokenizers import AddedToken, processors

    from ..models import SENTENCES
    from ..tiny_tokenizers import tiny_tokenizer

    plain = tiny_tokenizer("causal", SENTENCES, 400, 32)._tokenizer
    names = ("<s>", "<pad>", "</s>", "<unk>")
    plain.add_special_tokens([*names, AddedToken("<mask>", lstrip=True)])
    ids = {name: plain.token_to_id(name) for name in names}
    plain.post_processor = processors.RobertaProcessing(
        sep=("</s>", ids["</s>"]), cls_token=("<s>", ids["<s>"]), add_prefix_space=False
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=plain,
        bos_token="<s>",
        cls_token="<s>",
        eos_token="</s>",
        sep_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
        mask_token="<mask>",
    )


@pytest.fixture(scope="module")
def roberta(byte_tokenizer):
    from ..models import masked_network

    network = masked_network(byte_tokenizer, "Roberta", pad_token_id=1)
    return prepared(network, byte_tokenizer)


def plain(model, text):
    """Masked log-probabilities of the inner tokens by the whole network."""
    from ..models import full_logp

    ids, mask = model.tokens.tokenizer(text)["input_ids"], model.tokens.mask_id
    rows = [[*ids[:p], mask, *ids[p + 1 :]] for p in range(1, len(ids) - 1)]
    return [full_logp(model, row)[p, ids[p]] for p, row in enumerate(rows, start=1)]


@pytest.mark.parametrize(
    ("architecture", "options"),
    [
        ("Bert", {"tie_word_embeddings": False}),
        ("DistilBert", {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 32}),
        ("Albert", {"embedding_size": 8}),
        ("Electra", {"embedding_size": 8}),
        ("MobileBert", {"embedding_size": 8, "intra_bottleneck_size": 8}),
        ("DebertaV2", {"relative_attention": True, "pos_att_type": ["p2c", "c2p"]}),
    ],
)
def test_every_head_gives_the_log_probabilities_of_the_whole_network(architecture, options, masked):
    from ..models import masked_network

    tokenizer = masked.tokens.tokenizer
    model = prepared(masked_network(tokenizer, architecture, **options), tokenizer)
    texts = score_tokens(
        model, [one for text in TEXTS for one in SentenceItem(text, text).requests("masked")]
    )
    for text in texts:
        assert text.logp.tolist() == near(plain(model, text.text), LOGP)


def test_a_network_without_attention_weights_is_refused_where_they_are_needed(masked):
    from ..models import masked_network

    tokenizer = masked.tokens.tokenizer
    model = prepared(masked_network(tokenizer, "FNet", tpu_short_seq_length=32), tokenizer)
    requests = SentenceItem("s", TEXTS[1]).requests("unmasked")
    assert score_tokens(model, requests)[0].status == "ok"
    with pytest.raises(LanguageModelError, match=r"^FNetForMaskedLM gives no attention weights"):
        score_tokens(model, requests, attention=True)


def test_a_network_whose_head_cannot_be_taken_alone_is_run_whole(masked, monkeypatch):
    from fairflow.language_models.inference import network_parts

    expected = score_tokens(masked, SentenceItem("s", TEXTS[1]).requests("masked"))[0]
    monkeypatch.setattr(network_parts.Head, "fits", lambda *_: False)
    found = score_tokens(masked, SentenceItem("s", TEXTS[1]).requests("masked"))[0]
    assert found.logp.tolist() == near(expected.logp.tolist(), 1e-5)


def test_roberta_has_two_positions_less_than_its_table(roberta):
    assert roberta.network.config.max_position_embeddings == 32
    assert roberta.tokens.max_tokens == 30
    item = SentenceItem("s", "a" + " a" * 27)
    assert score_tokens(roberta, item.requests("masked"))[0].status == "ok"
    longer = SentenceItem("s", item.text + " a")
    assert score_tokens(roberta, longer.requests("masked"))[0].status == "too_long"


def test_spaces_and_case_belong_to_a_word_in_its_sentence(byte_tokenizer):
    from fairflow.language_models.inference.tokens import Tokens

    text = Tokens(byte_tokenizer).encode(["He said that he is (he)."])[0]
    words = [text.within(span) for span in ((0, 2), (13, 15), (20, 22))]
    assert len({tuple(text.ids[p] for p in word) for word in words}) >= 2
    for word, span in zip(words, ((0, 2), (13, 15), (20, 22)), strict=True):
        assert (text.spans[word[0]][0], text.spans[word[-1]][1]) == span


def test_a_slot_s_mask_replaces_the_word_with_its_space(byte_tokenizer):
    from fairflow.language_models.inference.score_tokens import wanted_tokens
    from fairflow.language_models.inference.tokens import Tokens

    tokens, rows = Tokens(byte_tokenizer), {}
    item = SlotItem("i", "t", "So {target} is a {fill}.", (("he",),), "nurse")
    posterior, prior = item.requests()
    text = tokens.encode([posterior.text])[0]
    for request in (posterior, prior):
        rows |= {tuple(row): None for _, row, _ in wanted_tokens(request, text, tokens, None)}
    masked = tokens.encode(["So <mask> is a nurse.", "So [MASK] is a <mask>."])
    assert len(text.within(posterior.word)) == 1
    assert [*rows] == [one.ids for one in masked]


def test_a_slow_tokenizer_is_refused():
    from fairflow.language_models.errors import LanguageModelError
    from fairflow.language_models.inference.tokens import Tokens

    with pytest.raises(LanguageModelError, match="load the model's fast tokenizer"):
        Tokens(object())
