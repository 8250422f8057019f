"""A quantised model of one .gguf file as a plain folder, which transformers opens.

Every number is dequantised once, to the float32 that the library `gguf` makes of it: a smaller
type would round it again, and float32 is what networks compute with here. Four bytes a number is
what the folder takes on disk. Safetensors are written tensor by tensor, so that a network need not
fit into memory: the length of a header (8 bytes), the header as JSON, then the numbers, one tensor
behind the other.

The tokenizer becomes a tokenizer.json of the library tokenizers: byte-level pairs alone (Radford et
al. 2019, the model "gpt2" of such files); they differ in how a text is cut before tokens are
merged, which `tokenizer.ggml.pre` names.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.files.atomic import atomic_path
from fairflow.language_models.checkpoints.gguf import (
    INSTEAD,
    NOT_WHOLE,
    GgufFile,
    GgufTensor,
    configuration,
    open_gguf,
    places,
)
from fairflow.language_models.checkpoints.model_folder import CONFIGURATION

# The numbers begin at a multiple of it.
ALIGNMENT = 8


WEIGHTS = "model.safetensors"


def dequantise(path: str | Path, folder: str | Path, origin: str | None = None) -> dict[str, Any]:
    """Write config.json, tokenizer and weights of a .gguf file into a folder that is there.

    One tensor, or a block of it, is in memory at a time. All that can be wrong with the file is
    found before anything is written. config.json says under `quantisation` what the weights have
    been through.

    Parameters
    ----------
    origin : how errors name the file; its path by default.

    Returns
    -------
    Facts for the list of the model's files: `quantisation` as in config.json (None
    of floating point), and `weights_by_type`, how many numbers the file keeps in each type.

    Raises
    ------
    ModelFolderError : not a GGUF file, not whole, or of an architecture, a tokenizer or a type of
        tensor that cannot be converted.
    """
    file, folder = open_gguf(path, origin), Path(folder)
    texts = {CONFIGURATION: configuration(file), **tokenizer_files(file)}
    tensors = places(file)
    for name, content in texts.items():
        with atomic_path(folder / name) as temporary:
            temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    _write_safetensors(folder / WEIGHTS, tensors)
    return {"quantisation": file.quantisation(), "weights_by_type": file.weights_by_type()}


def _write_safetensors(
    path: Path, tensors: Mapping[str, tuple[GgufTensor, np.ndarray | None]]
) -> None:
    """A file of float32 tensors, whole or not at all; the same tensors give the same bytes."""
    header: dict[str, Mapping[str, object]] = {"__metadata__": {"format": "pt"}}
    end = 0
    for name, (tensor, _) in tensors.items():
        start, end = end, end + 4 * math.prod(tensor.shape)
        header[name] = {"dtype": "F32", "shape": tensor.shape, "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    with atomic_path(path) as temporary, open(temporary, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for tensor, rows in tensors.values():
            for block in tensor.numbers(rows):
                file.write(np.ascontiguousarray(block, dtype="<f4").data)


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


@dataclass(frozen=True)
class Cut:
    """What is done to a text before tokens are merged.

    Attributes
    ----------
    pattern : its parts; "" cuts it into words as GPT-2 does.
    digits : whether every digit is then a separate part.
    composed : whether letters are composed with their accents (NFC) first.
    whole_words : whether a part that is a token is taken whole, whatever the pairs say.
    begins : whether a text begins with the token of its begin, where the file does not say.
    """

    pattern: str = ""
    digits: bool = False
    composed: bool = False
    whole_words: bool = False
    begins: bool = False


CUTS = {
    "gpt-2": Cut(),
    "smollm": Cut(digits=True),
    "llama-bpe": Cut(WORDS + r"\p{N}{1,3}" + SIGNS, whole_words=True, begins=True),
    "qwen2": Cut(WORDS + r"\p{N}" + SIGNS, composed=True),
}


def tokenizer_files(file: GgufFile) -> dict[str, dict[str, Any]]:
    """tokenizer.json and tokenizer_config.json.

    Raises
    ------
    ModelFolderError : another kind of tokenizer, tokens twice, pairs of tokens that are not there.
    """
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

    cut, tokens = _cut(file), _tokens(file)
    named = _named(file, tokens)
    never_cut = _never_cut(file, tokens)
    steps = [pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=not cut.pattern)]
    if cut.pattern:
        steps.insert(0, pre_tokenizers.Split(Regex(cut.pattern), "isolated"))
    if cut.digits:
        steps.insert(0, pre_tokenizers.Digits(individual_digits=True))
    ends = _ends(file, cut, named, tokens)
    merges = _merges(file, tokens)
    made = Tokenizer(models.BPE(tokens, merges, ignore_merges=cut.whole_words))
    made.pre_tokenizer, made.decoder = pre_tokenizers.Sequence(steps), decoders.ByteLevel()
    if cut.composed:
        made.normalizer = normalizers.NFC()
    made.add_tokens(never_cut)
    context = file.metadata.get(f"{file.metadata.get('general.architecture')}.context_length")
    template = file.metadata.get("tokenizer.chat_template")
    return {
        "tokenizer.json": json.loads(made.to_str()) | {"post_processor": ends},
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "clean_up_tokenization_spaces": False,
            "model_max_length": context,
            **named,
            **({"chat_template": template} if isinstance(template, str) else {}),
        },
    }


def _cut(file: GgufFile) -> Cut:
    model, pre = (file.metadata.get(f"tokenizer.ggml.{key}") for key in ("model", "pre"))
    if model != "gpt2" or not isinstance(pre, str) or pre not in CUTS:
        raise file.error(
            f"its tokenizer is {model!r} with texts cut as {pre!r}, which cannot be converted "
            f"(only 'gpt2' with one of {', '.join(sorted(CUTS))} can); {INSTEAD}"
        )
    return CUTS[pre]


def _tokens(file: GgufFile) -> dict[str, int]:
    """Number of each token."""
    listed = _strings(file, "tokenizer.ggml.tokens")
    tokens = {token: number for number, token in enumerate(listed)}
    if len(tokens) < len(listed):
        raise file.error(f"tokenizer.ggml.tokens lists a token twice; {NOT_WHOLE}")
    return tokens


def _merges(file: GgufFile, tokens: Mapping[str, int]) -> list[tuple[str, ...]]:
    merges = [tuple(pair.split(" ")) for pair in _strings(file, "tokenizer.ggml.merges")]
    for pair in merges:
        # At some others the library tokenizers panics.
        if len(pair) != 2 or not {*pair, "".join(pair)} <= tokens.keys():
            raise file.error(
                f"tokenizer.ggml.merges has {' '.join(pair)!r}, expected two tokens that make a "
                f"third, all three among tokenizer.ggml.tokens; {NOT_WHOLE}"
            )
    return merges


def _strings(file: GgufFile, key: str) -> list[str]:
    found = file.metadata.get(key)
    if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
        raise file.error(f"{key} must be a list of texts; {NOT_WHOLE}")
    return found


def _never_cut(file: GgufFile, tokens: Mapping[str, int]) -> list[Any]:
    from tokenizers import AddedToken

    types = file.metadata.get("tokenizer.ggml.token_type", [])
    if not isinstance(types, list) or len(types) not in (0, len(tokens)):
        raise file.error(
            f"tokenizer.ggml.token_type must have one number for each of {len(tokens)} tokens; "
            f"{NOT_WHOLE}"
        )
    return [
        AddedToken(token, normalized=False, special=kind == CONTROL)
        for token, kind in zip(tokens, types, strict=bool(types))
        if kind in (CONTROL, USER_DEFINED)
    ]


def _named(file: GgufFile, tokens: Mapping[str, int]) -> dict[str, str]:
    """Tokens with a role, by their name in tokenizer_config.json."""
    in_order, named = list(tokens), {}
    for key, name in NAMED.items():
        number = file.metadata.get(f"tokenizer.ggml.{key}")
        if number is None:
            continue
        if not isinstance(number, int) or not 0 <= number < len(tokens):
            raise file.error(
                f"tokenizer.ggml.{key} is {number!r}, but there are {len(tokens)} tokens; "
                f"{NOT_WHOLE}"
            )
        named[name] = in_order[number]
    return named


def _ends(
    file: GgufFile, cut: Cut, named: Mapping[str, str], tokens: Mapping[str, int]
) -> dict[str, Any] | None:
    """The tokens that are put before and behind a text, None without any."""
    added = {
        "bos_token": file.metadata.get("tokenizer.ggml.add_bos_token", cut.begins),
        "eos_token": file.metadata.get("tokenizer.ggml.add_eos_token", False),
    }
    roles = [role for role, on in added.items() if on]
    for role in roles:
        if role not in named:
            raise file.error(f"texts get the token {role}, but the file names none; {NOT_WHOLE}")

    def template(text: str, number: int) -> list[dict[str, Any]]:
        before, behind = (
            [{"SpecialToken": {"id": named[role], "type_id": number}}] if role in roles else []
            for role in added
        )
        return [*before, {"Sequence": {"id": text, "type_id": number}}, *behind]

    if not roles:
        return None
    return {
        "type": "TemplateProcessing",
        "single": template("A", 0),
        "pair": template("A", 0) + template("B", 1),
        "special_tokens": {
            token: {"id": token, "ids": [tokens[token]], "tokens": [token]}
            for token in sorted({named[role] for role in roles})
        },
    }
