"""The tokenizer that a GGUF file tells of, as tokenizer.json of the library tokenizers.

Byte-level pairs alone (Radford et al. 2019, the model "gpt2" of such files); they differ in how a
text is cut before pieces are merged, which `tokenizer.ggml.pre` names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairflow.language_models.folders.gguf import INSTEAD, NOT_WHOLE, GgufFile

# `tokenizer.ggml.token_type` of pieces that are never cut: those of control, and the user's.
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
    """What is done to a text before pieces are merged.

    Attributes
    ----------
    steps : pre-tokenizers of tokenizers.
    whole_words : whether a part that is a piece is taken whole, whatever the pairs say.
    begins : whether a text begins with the piece of its begin, where the file does not say.
    """

    steps: tuple[Mapping[str, Any], ...]
    normalizer: Mapping[str, Any] | None = None
    whole_words: bool = False
    begins: bool = False


def _bytes(cut_words: bool) -> dict[str, Any]:
    """To bytes, before that into words as GPT-2 does if `cut_words`."""
    return {
        "type": "ByteLevel",
        "add_prefix_space": False,
        "trim_offsets": True,
        "use_regex": cut_words,
    }


def _split(pattern: str) -> dict[str, Any]:
    return {
        "type": "Split",
        "pattern": {"Regex": pattern},
        "behavior": "Isolated",
        "invert": False,
    }


CUTS = {
    "gpt-2": Cut((_bytes(True),)),
    "smollm": Cut(({"type": "Digits", "individual_digits": True}, _bytes(True))),
    "llama-bpe": Cut(
        (_split(WORDS + r"\p{N}{1,3}" + SIGNS), _bytes(False)), whole_words=True, begins=True
    ),
    "qwen2": Cut((_split(WORDS + r"\p{N}" + SIGNS), _bytes(False)), {"type": "NFC"}),
}


def tokenizer_files(file: GgufFile) -> dict[str, dict[str, Any]]:
    """tokenizer.json and tokenizer_config.json.

    Raises
    ------
    ModelFolderError : another kind of tokenizer, pieces twice, pairs of pieces that are not there.
    """
    cut, tokens = _cut(file), _tokens(file)
    named = _named(file, tokens)
    context = file.metadata.get(f"{file.metadata.get('general.architecture')}.context_length")
    template = file.metadata.get("tokenizer.chat_template")
    return {
        "tokenizer.json": {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": _never_cut(file, tokens),
            "normalizer": cut.normalizer,
            "pre_tokenizer": {"type": "Sequence", "pretokenizers": list(cut.steps)},
            "post_processor": _ends(file, cut, named, tokens),
            "decoder": _bytes(True),
            "model": {
                "type": "BPE",
                "dropout": None,
                "unk_token": None,
                "continuing_subword_prefix": None,
                "end_of_word_suffix": None,
                "fuse_unk": False,
                "byte_fallback": False,
                "ignore_merges": cut.whole_words,
                "vocab": tokens,
                "merges": _merges(file, tokens),
            },
        },
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
    """Number of each piece."""
    listed = _strings(file, "tokenizer.ggml.tokens")
    tokens = {token: number for number, token in enumerate(listed)}
    if len(tokens) < len(listed):
        raise file.error(f"tokenizer.ggml.tokens lists a piece twice; {NOT_WHOLE}")
    return tokens


def _merges(file: GgufFile, tokens: Mapping[str, int]) -> list[list[str]]:
    merges = [pair.split(" ") for pair in _strings(file, "tokenizer.ggml.merges")]
    for pair in merges:
        if len(pair) != 2 or not {*pair, "".join(pair)} <= tokens.keys():
            raise file.error(
                f"tokenizer.ggml.merges has {' '.join(pair)!r}, expected two pieces that make a "
                f"third, all three among tokenizer.ggml.tokens; {NOT_WHOLE}"
            )
    return merges


def _strings(file: GgufFile, key: str) -> list[str]:
    found = file.metadata.get(key)
    if not isinstance(found, list) or not found or not all(isinstance(one, str) for one in found):
        raise file.error(f"{key} must be a list of texts; {NOT_WHOLE}")
    return found


def _never_cut(file: GgufFile, tokens: Mapping[str, int]) -> list[dict[str, Any]]:
    types = file.metadata.get("tokenizer.ggml.token_type", [])
    if not isinstance(types, list) or len(types) not in (0, len(tokens)):
        raise file.error(
            f"tokenizer.ggml.token_type must have one number for each of {len(tokens)} pieces; "
            f"{NOT_WHOLE}"
        )
    return [
        {
            "id": number,
            "content": token,
            "single_word": False,
            "lstrip": False,
            "rstrip": False,
            "normalized": False,
            "special": kind == CONTROL,
        }
        for (token, number), kind in zip(tokens.items(), types, strict=bool(types))
        if kind in (CONTROL, USER_DEFINED)
    ]


def _named(file: GgufFile, tokens: Mapping[str, int]) -> dict[str, str]:
    """Pieces with a role, by their name in tokenizer_config.json."""
    pieces, named = list(tokens), {}
    for key, name in NAMED.items():
        number = file.metadata.get(f"tokenizer.ggml.{key}")
        if number is None:
            continue
        if not isinstance(number, int) or not 0 <= number < len(pieces):
            raise file.error(
                f"tokenizer.ggml.{key} is {number!r}, but there are {len(pieces)} pieces; "
                f"{NOT_WHOLE}"
            )
        named[name] = pieces[number]
    return named


def _ends(
    file: GgufFile, cut: Cut, named: Mapping[str, str], tokens: Mapping[str, int]
) -> dict[str, Any] | None:
    """The pieces that are put before and behind a text, None without any."""
    before = file.metadata.get("tokenizer.ggml.add_bos_token", cut.begins)
    behind = file.metadata.get("tokenizer.ggml.add_eos_token", False)
    if not before and not behind:
        return None
    roles = [role for role, on in (("bos_token", before), ("eos_token", behind)) if on]
    for role in roles:
        if role not in named:
            raise file.error(f"texts get the piece {role}, but the file names none; {NOT_WHOLE}")
    used = sorted({named[role] for role in roles})
    return {
        "type": "TemplateProcessing",
        "single": _template(named, bool(before), ("A",), bool(behind)),
        "pair": _template(named, bool(before), ("A", "B"), bool(behind)),
        "special_tokens": {
            piece: {"id": piece, "ids": [tokens[piece]], "tokens": [piece]} for piece in used
        },
    }


def _template(
    named: Mapping[str, str], before: bool, texts: Sequence[str], behind: bool
) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for number, text in enumerate(texts):
        if before:
            parts.append({"SpecialToken": {"id": named["bos_token"], "type_id": number}})
        parts.append({"Sequence": {"id": text, "type_id": number}})
        if behind:
            parts.append({"SpecialToken": {"id": named["eos_token"], "type_id": number}})
    return parts
