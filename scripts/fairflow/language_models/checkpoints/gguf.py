"""A quantised model of one .gguf file as a plain folder, which transformers opens.

transformers reads the network: every number is dequantised once, to the float32 that the library
`gguf` makes of it. It ignores what it does not know, such as scaled positions, so that all which
would change what the network computes is refused here.

The tokenizer becomes a tokenizer.json of the library tokenizers: byte-level pairs alone (Radford et
al. 2019, the model "gpt2" of such files); they differ in how a text is cut before tokens are
merged, which `tokenizer.ggml.pre` names. transformers cuts some of them otherwise, as it does not
separate the digits of SmolLM and does not begin the texts of Llama 3.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path
from fairflow.language_models.checkpoints.model_folder import ModelFolderError

INSTEAD = "bring this model as a folder with safetensors, or by its hub id (`folder` or `hub`)"
# What a file has to say of its network, and what it may: anything else would change what the
# network computes.
NEEDED = (
    *("block_count", "context_length", "embedding_length", "feed_forward_length"),
    *("attention.head_count", "attention.layer_norm_rms_epsilon"),
)
OF_A_HEAD = ("attention.key_length", "attention.value_length", "rope.dimension_count")
KNOWN = {*NEEDED, *OF_A_HEAD, "attention.head_count_kv", "rope.freq_base", "vocab_size"}
ARCHITECTURES = ("llama", "qwen2")

# `tokenizer.ggml.token_type` of tokens that are never cut: those of control, and the user's.
CONTROL, USER_DEFINED = 3, 4
# Key of the file -> key of tokenizer_config.json.
NAMED = {
    "bos_token_id": "bos_token",
    "eos_token_id": "eos_token",
    "unknown_token_id": "unk_token",
    "padding_token_id": "pad_token",
}
WORDS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|"
SIGNS = r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
# `tokenizer.ggml.pre` -> the parts that a text is cut into; "" cuts it into words as GPT-2 does.
CUTS = {
    "gpt-2": "",
    "smollm": "",
    "llama-bpe": WORDS + r"\p{N}{1,3}" + SIGNS,
    "qwen2": WORDS + r"\p{N}" + SIGNS,
}


def dequantise(path: str | Path, folder: str | Path, origin: str | None = None) -> dict[str, Any]:
    """Write config.json, tokenizer and weights of a .gguf file into a folder that is there.

    All that can be wrong with the file is found before anything is written.

    Parameters
    ----------
    origin : how errors name the file; its path by default.

    Returns
    -------
    Facts for the list of the model's files: `quantisation`, what the weights have been
    through, as in config.json (None of floating point).

    Raises
    ------
    ModelFolderError : not a GGUF file, not whole, or of an architecture, a tokenizer or a type of
        tensor that cannot be converted.
    """
    path, folder, origin = Path(path), Path(folder), origin or str(path)
    try:
        metadata, quantisation = _metadata(path)
        config, tensors = _network(path, metadata)
        tokenizer, tokenizer_config = _tokenizer(metadata)
    except ModelFolderError as error:
        raise ModelFolderError(f"{origin}: {error}; {INSTEAD}") from None
    except Exception as error:
        raise ModelFolderError(
            f"{origin} cannot be read as GGUF ({error}); the file is not whole or was changed: "
            "fetch it again"
        ) from error
    from safetensors.torch import save_file

    if quantisation:
        config.quantisation = quantisation
    config.save_pretrained(folder)
    with atomic_path(folder / "model.safetensors") as temporary:
        save_file(tensors, temporary, metadata={"format": "pt"})
    tokenizer.save(str(folder / "tokenizer.json"))
    text = json.dumps(tokenizer_config, indent=1) + "\n"
    (folder / "tokenizer_config.json").write_text(text, encoding="utf-8")
    return {"quantisation": quantisation}


def _metadata(path: Path) -> tuple[dict[str, Any], str | None]:
    """What the file says, arrays as lists, and how most of its weights are quantised."""
    from gguf import GGUFReader

    reader = GGUFReader(path)
    if reader.byte_order == "S":
        raise ModelFolderError("its numbers are big-endian")
    counts: Counter[str] = Counter()
    for tensor in reader.tensors:
        counts[tensor.tensor_type.name] += int(tensor.n_elements)
    kind = max(counts, key=lambda name: (counts[name], name))
    bits = re.search(r"\d+", kind)
    quantisation = None if re.match(r"B?F\d", kind) or not bits else f"{kind}, {bits[0]} bits"
    metadata = {key: field.contents() for key, field in reader.fields.items()}
    return metadata | {"tensors": len(reader.tensors)}, quantisation


def _network(path: Path, metadata: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The configuration of the network and its tensors by name, of the types of the network."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM
    from transformers.modeling_gguf_pytorch_utils import load_gguf_checkpoint

    name = metadata["general.architecture"]
    if name not in ARCHITECTURES:
        raise ModelFolderError(
            f"its architecture is {name!r}, which cannot be converted (only "
            f"{' and '.join(ARCHITECTURES)} can)"
        )
    start = f"{name}."
    says = {k.removeprefix(start): v for k, v in metadata.items() if k.startswith(start)}
    if unknown := [f"{name}.{key} ({says[key]!r})" for key in says if key not in KNOWN]:
        raise ModelFolderError(
            f"it says {', '.join(unknown)}, by which its network computes something else than is "
            "known here"
        )
    if missing := [f"{name}.{key}" for key in NEEDED if key not in says]:
        raise ModelFolderError(f"it does not say {', '.join(missing)}")
    head = says["embedding_length"] // says["attention.head_count"]
    if any(says.get(key, head) != head for key in OF_A_HEAD):
        raise ModelFolderError(
            f"its heads are not of {head} numbers each: {', '.join(OF_A_HEAD)} say otherwise"
        )
    config = AutoConfig.from_pretrained(path.parent, gguf_file=path.name)
    with torch.device("meta"):
        network = AutoModelForCausalLM.from_config(config)
    tensors = load_gguf_checkpoint(path, return_tensors=True, model_to_load=network)["tensors"]
    wanted = {key: weights.shape for key, weights in network.state_dict().items()}
    if config.tie_word_embeddings:
        del wanted["lm_head.weight"]
    found = {key: weights.shape for key, weights in tensors.items()}
    if wrong := sorted({key for key, _ in wanted.items() ^ found.items()}):
        raise ModelFolderError(
            f"its tensors are not those of its network: {', '.join(wrong[:5])} is missing or has "
            "another shape than by the metadata"
        )
    if metadata["tensors"] > len(found):
        raise ModelFolderError(
            f"{metadata['tensors'] - len(found)} of its tensors have no place in a network of "
            f"{name}, such as the factors of scaled positions (rope_freqs.weight)"
        )
    config.architectures, config.dtype = [type(network).__name__], "float32"
    return config, tensors


def _tokenizer(metadata: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The tokenizer, and what tokenizer_config.json says."""
    from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers
    from tokenizers import pre_tokenizers as cutting
    from tokenizers.processors import TemplateProcessing

    said = {key.removeprefix("tokenizer.ggml."): value for key, value in metadata.items()}
    model, pre = said.get("model"), said.get("pre")
    if model != "gpt2" or pre not in CUTS:
        raise ModelFolderError(
            f"its tokenizer is {model!r} with texts cut as {pre!r}, which cannot be converted "
            f"(only 'gpt2' with one of {', '.join(sorted(CUTS))} can)"
        )
    tokens = said["tokens"]
    named = {name: tokens[said[key]] for key, name in NAMED.items() if said.get(key) is not None}
    merges = [tuple(pair.split(" ")) for pair in said["merges"]]
    numbers = {token: number for number, token in enumerate(tokens)}
    made = Tokenizer(models.BPE(numbers, merges, ignore_merges=pre == "llama-bpe"))
    steps = [cutting.ByteLevel(add_prefix_space=False, use_regex=not CUTS[pre])]
    if CUTS[pre]:
        steps.insert(0, cutting.Split(Regex(CUTS[pre]), "isolated"))
    if pre == "smollm":
        steps.insert(0, cutting.Digits(individual_digits=True))
    made.pre_tokenizer, made.decoder = cutting.Sequence(steps), decoders.ByteLevel()
    if pre == "qwen2":
        made.normalizer = normalizers.NFC()
    kinds = zip(tokens, said.get("token_type", [0] * len(tokens)), strict=True)
    made.add_tokens(
        [
            AddedToken(token, normalized=False, special=kind == CONTROL)
            for token, kind in kinds
            if kind in (CONTROL, USER_DEFINED)
        ]
    )
    begin = [named["bos_token"]] if said.get("add_bos_token", pre == "llama-bpe") else []
    end = [named["eos_token"]] if said.get("add_eos_token", False) else []
    if begin or end:
        made.post_processor = TemplateProcessing(
            single=[*begin, "$A", *end],
            pair=[*begin, "$A", *end, *(f"{one}:1" for one in [*begin, "$B", *end])],
            special_tokens=[(token, numbers[token]) for token in sorted({*begin, *end})],
        )
    template = metadata.get("tokenizer.chat_template")
    return made, {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "clean_up_tokenization_spaces": False,
        "model_max_length": metadata[f"{metadata['general.architecture']}.context_length"],
        **named,
        **({"chat_template": template} if isinstance(template, str) else {}),
    }
