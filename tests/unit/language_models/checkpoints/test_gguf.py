"""A quantised model of one .gguf file becomes a folder with the numbers it was quantised to."""

from __future__ import annotations

import json

import numpy as np
import pytest
from gguf_files import TEXTS, naive_tokens, network, vocabulary, write_gguf

from fairflow.language_models.checkpoints.gguf import open_gguf
from fairflow.language_models.checkpoints.gguf_folder import dequantise
from fairflow.language_models.checkpoints.model_folder import ModelFolderError, folder_problem

ODD = (
    "12345 6 78",
    "a  b   c\td",
    "x  12",
    " leading and trailing ",
    "\n\nlines\r\n and \n more\n",
    "à la carte, naïve façade",
    "日本語の文 and العربية",
    "😀 👩‍🔬 flags 🇫🇷",
    "it's HE'LL we'd they're",
    "½ ² ٣ Ⅳ",
    "under_score-dash/slash\\back",
    "\u00a0non\u2009breaking\u200bspaces",
    "e\u0301 decomposed",
    "",
)


@pytest.fixture(scope="module", autouse=True)
def _needs(torch):
    """Every test of this file needs torch, and what reads a tokenizer of a .gguf file."""


def loaded(folder):
    import transformers

    from fairflow.language_models.inference.language_model import load_language_model

    assert transformers.__version__
    return load_language_model(folder, device="cpu")


def logits(made, ids):
    import torch

    with torch.no_grad():
        return made(torch.tensor([ids])).logits.numpy()


@pytest.mark.parametrize(
    ("architecture", "kind", "tied"),
    [
        ("llama", "Q4_1", True),
        ("llama", "Q8_0", True),
        ("llama", "F16", False),
        ("llama", "BF16", True),
        ("qwen2", "Q8_0", False),
    ],
)
def test_the_network_answers_as_one_of_the_dequantised_numbers(
    architecture, kind, tied, tmp_path, torch
):
    made = network(architecture, tied)
    pre = "qwen2" if architecture == "qwen2" else "smollm"
    exact = write_gguf(tmp_path / "m.gguf", made, kind, architecture, pre)
    dequantise(tmp_path / "m.gguf", tmp_path)
    made.load_state_dict({n: torch.tensor(w) for n, w in exact.items()}, strict=not tied)
    model = loaded(tmp_path)
    for name, weights in model.network.state_dict().items():
        assert torch.equal(weights, made.state_dict()[name]), name
    for ids in ([0, 5, 17, 301], list(range(40))):
        assert np.array_equal(logits(model.network, ids), logits(made, ids))
    assert folder_problem(tmp_path, "causal") is None


@pytest.mark.parametrize(
    ("kind", "message"),
    [("Q4_1", "Q4_1, 4 bits"), ("Q8_0", "Q8_0, 8 bits"), ("F16", None), ("BF16", None)],
)
def test_the_folder_says_to_how_many_bits_most_weights_were_quantised(kind, message, tmp_path):
    write_gguf(tmp_path / "m.gguf", network(), kind)
    listed = dequantise(tmp_path / "m.gguf", tmp_path)
    assert json.loads((tmp_path / "config.json").read_text()).get("quantisation") == message
    assert listed["quantisation"] == message
    assert listed["weights_by_type"] == {
        "F32": 5 * 64,
        kind: 320 * 64 + 2 * (2 * 64 * 64 + 2 * 64 * 32 + 3 * 64 * 96),
    }


@pytest.mark.parametrize("pre", ["gpt-2", "smollm", "llama-bpe", "qwen2"])
def test_texts_are_cut_as_the_tokens_and_pairs_of_the_file_define(pre, tmp_path):
    import unicodedata

    write_gguf(tmp_path / "m.gguf", network(), pre=pre)
    dequantise(tmp_path / "m.gguf", tmp_path)
    tokenizer = loaded(tmp_path).tokens.tokenizer
    tokens, merges = vocabulary()
    begin = ["<|begin|>"] if pre == "llama-bpe" else []
    for text in (*TEXTS, *ODD):
        plain = unicodedata.normalize("NFC", text) if pre == "qwen2" else text
        ids = tokenizer(text)["input_ids"]
        expected = begin + naive_tokens(plain, tokens, merges, pre)
        assert tokenizer.convert_ids_to_tokens(ids) == expected, text
        assert tokenizer.decode(ids, skip_special_tokens=True) == plain


def test_tokens_of_control_are_never_cut_and_have_their_roles(tmp_path):
    write_gguf(
        tmp_path / "m.gguf",
        network(),
        add=lambda writer: (writer.add_chat_template("{{ 1 }}"), writer.add_add_eos_token(True)),
    )
    dequantise(tmp_path / "m.gguf", tmp_path)
    tokenizer = loaded(tmp_path).tokens.tokenizer
    assert tokenizer("<|begin|>a")["input_ids"] == [0, tokenizer.convert_tokens_to_ids("a"), 1]
    assert (tokenizer.bos_token, tokenizer.eos_token, tokenizer.pad_token) == (
        "<|begin|>",
        "<|end|>",
        "<|end|>",
    )
    assert tokenizer.chat_template == "{{ 1 }}"
    assert tokenizer.model_max_length == 64


def test_the_facts_of_the_model_tell_its_quantisation(tmp_path):
    from fairflow.language_models.inference.model_facts import model_facts

    write_gguf(tmp_path / "m.gguf", network(), "Q4_1")
    dequantise(tmp_path / "m.gguf", tmp_path)
    facts = model_facts(loaded(tmp_path))
    assert (facts["quantisation"], facts["parameters"]) == ("Q4_1, 4 bits", 82240)


def test_errors_name_the_file_as_it_is_told(tmp_path):
    (tmp_path / "m.gguf").write_bytes(b"GGUF")
    with pytest.raises(ModelFolderError, match=r"^m.gguf of a.whl cannot be read as GGUF"):
        dequantise(tmp_path / "m.gguf", tmp_path, "m.gguf of a.whl")


def test_the_same_file_gives_the_same_bytes(tmp_path):
    write_gguf(tmp_path / "m.gguf", network())
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        dequantise(tmp_path / "m.gguf", tmp_path / name)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert sorted(one) == [
        "config.json",
        "model.safetensors",
        "tokenizer.json",
        "tokenizer_config.json",
    ]


def test_large_tensors_are_read_in_blocks_of_rows(tmp_path, monkeypatch):
    write_gguf(tmp_path / "m.gguf", network())
    tensor = open_gguf(tmp_path / "m.gguf").tensors["blk.0.attn_q.weight"]
    whole = np.concatenate([*tensor.numbers()])
    monkeypatch.setattr("fairflow.language_models.checkpoints.gguf.BLOCK", 4 * 64 * 10)
    blocks = [*tensor.numbers()]
    assert [len(block) for block in blocks] == [10, 10, 10, 10, 10, 10, 4]
    assert np.array_equal(np.concatenate(blocks), whole)
    turned = np.concatenate([*tensor.numbers(np.arange(64)[::-1])])
    assert np.array_equal(turned, whole[::-1])


def without(name):
    return lambda tensors: tensors.pop(name)


def longer(tensors):
    numbers, kind = tensors["blk.1.ffn_up.weight"]
    tensors["blk.1.ffn_up.weight"] = (np.repeat(numbers, 2, axis=0), kind)


def unknown_type(tensors):
    import gguf

    numbers = np.zeros((96, 64), np.int8)
    tensors["blk.1.ffn_up.weight"] = (numbers, gguf.GGMLQuantizationType.I8)


def with_factors(tensors):
    tensors["rope_freqs.weight"] = (np.ones(8, np.float32), None)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (without("blk.1.ffn_up.weight"), "the tensor blk.1.ffn_up.weight is missing; the file is"),
        (without("token_embd.weight"), "the tensor token_embd.weight is missing"),
        (longer, r"blk.1.ffn_up.weight has the shape \(192, 64\), by the metadata it has \(96, 64"),
        (unknown_type, "blk.1.ffn_up.weight is of type I8: .* bring this model as a folder"),
        (with_factors, "holds rope_freqs.weight, which has no place in a network of llama"),
    ],
)
def test_tensors_that_are_not_those_of_the_network_are_refused(change, message, tmp_path):
    write_gguf(tmp_path / "m.gguf", network(), change=change)
    (tmp_path / "made").mkdir()
    with pytest.raises(ModelFolderError, match=message):
        dequantise(tmp_path / "m.gguf", tmp_path / "made")
    assert not any((tmp_path / "made").iterdir())


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (lambda w: w.add_logit_scale(2.0), r"it says llama.logit_scale \(2.0\), by which its netw"),
        (lambda w: w.add_rope_dimension_count(8), "heads of 16 numbers .16 of a value, 8 with"),
        (lambda w: w.add_vocab_size(400), "token_embd.weight has the shape"),
    ],
)
def test_metadata_that_would_change_the_network_is_refused(add, message, tmp_path):
    write_gguf(tmp_path / "m.gguf", network(), add=add)
    with pytest.raises(ModelFolderError, match=message):
        dequantise(tmp_path / "m.gguf", tmp_path)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"tokenizer.ggml.pre": "chatglm-bpe"}, "cut as 'chatglm-bpe', which cannot be converted"),
        ({"tokenizer.ggml.model": "llama"}, "its tokenizer is 'llama'"),
        ({"tokenizer.ggml.tokens": ["a", "a"]}, "lists a token twice"),
        ({"tokenizer.ggml.merges": 4}, "tokenizer.ggml.merges must be a list of texts"),
        ({"tokenizer.ggml.token_type": 4}, "token_type must have one number"),
        ({"llama.vocab_size": 300}, "320 tokens are more than llama.vocab_size 300"),
        ({"tokenizer.ggml.merges": ["q zz"]}, "merges has 'q zz', expected two tokens that make"),
        ({"tokenizer.ggml.merges": ["abc"]}, "merges has 'abc'"),
        (
            {"tokenizer.ggml.token_type": [1]},
            "token_type must have one number for each of 320 tokens",
        ),
        ({"tokenizer.ggml.eos_token_id": 999}, "eos_token_id is 999, but there are 320 tokens"),
        ({"llama.block_count": 0}, "llama.block_count must be a whole number from 1 on, got 0"),
        ({"llama.attention.head_count": [4, 4]}, "must be a whole number"),
        ({"llama.rope.freq_base": "far"}, "must be a number above 0, got 'far'"),
        (
            {"general.architecture": "mamba"},
            r"is 'mamba', .*only llama and qwen2 can\); bring this",
        ),
    ],
)
def test_metadata_that_cannot_be_followed_names_its_key(keys, message, tmp_path, monkeypatch):
    write_gguf(tmp_path / "m.gguf", network())
    opened = open_gguf(tmp_path / "m.gguf")
    changed = type(opened)(opened.origin, {**opened.metadata, **keys}, opened.tensors)
    monkeypatch.setattr(
        "fairflow.language_models.checkpoints.gguf_folder.open_gguf", lambda *_: changed
    )
    with pytest.raises(ModelFolderError, match=message):
        dequantise(tmp_path / "m.gguf", tmp_path)


@pytest.mark.parametrize("kept", [3, 4, 20, 400, 5000, 20000, -1])
def test_a_file_that_is_cut_off_is_refused(kept, tmp_path):
    write_gguf(tmp_path / "m.gguf", network())
    (tmp_path / "cut.gguf").write_bytes((tmp_path / "m.gguf").read_bytes()[:kept])
    with pytest.raises(ModelFolderError, match=r"cut.gguf cannot be read as GGUF"):
        dequantise(tmp_path / "cut.gguf", tmp_path)


def test_what_is_no_gguf_file_is_refused(tmp_path):
    (tmp_path / "m.gguf").write_bytes(b"PK\x03\x04 an archive")
    with pytest.raises(
        ModelFolderError, match=r"m.gguf cannot be read as GGUF \(GGUF magic invalid"
    ):
        dequantise(tmp_path / "m.gguf", tmp_path)
    with pytest.raises(
        ModelFolderError, match=r"none.gguf cannot be read as GGUF \(.*No such file"
    ):
        dequantise(tmp_path / "none.gguf", tmp_path)


def test_a_file_of_big_endian_numbers_is_refused(tmp_path):
    import gguf

    writer = gguf.GGUFWriter(tmp_path / "m.gguf", "llama", endianess=gguf.GGUFEndian.BIG)
    writer.add_tensor("token_embd.weight", np.ones((2, 4), np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with pytest.raises(ModelFolderError, match="big-endian; bring the little-endian file"):
        dequantise(tmp_path / "m.gguf", tmp_path)
