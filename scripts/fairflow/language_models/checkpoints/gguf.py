"""A GGUF file: what it says of its network, and the place of each of its tensors there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairflow.language_models.checkpoints.model_folder import ModelFolderError

MAGIC = b"GGUF"
# Bytes of float32 that are made at once: what a large tensor takes of the memory.
BLOCK = 1 << 24
NOT_WHOLE = "the file is not whole or was changed: fetch it again"


@dataclass(frozen=True)
class GgufTensor:
    """A tensor in the file.

    Attributes
    ----------
    kind : its type, as `Q4_1`. shape : of its numbers, rows first.
    stored : (rows, bytes or numbers of a row), or (numbers,); a part of the mapped file.
    """

    kind: str
    shape: tuple[int, ...]
    stored: np.ndarray

    def numbers(self, rows: np.ndarray | None = None) -> Iterator[np.ndarray]:
        """The numbers as float32, a block of rows at a time.

        Parameters
        ----------
        rows : (rows,) in which order they are wanted; None for that of the file.
        """
        step = max(1, BLOCK // max(4, 4 * int(np.prod(self.shape[1:], dtype=np.int64))))
        for start in range(0, self.shape[0], step):
            block = slice(start, start + step)
            yield self.dequantised(self.stored[block if rows is None else rows[block]])

    def dequantised(self, stored: np.ndarray) -> np.ndarray:
        """Some of what is stored as float32.

        Raises
        ------
        NotImplementedError : of a type whose numbers cannot be had, as the library `gguf` says it.
        """
        from gguf.constants import GGMLQuantizationType
        from gguf.quants import dequantize

        stored = np.ascontiguousarray(stored)
        return np.asarray(dequantize(stored, GGMLQuantizationType[self.kind]), dtype=np.float32)


@dataclass(frozen=True)
class GgufFile:
    """What a file holds: its metadata (by key, arrays as lists) and its tensors (by name).

    Attributes
    ----------
    origin : how errors name the file.
    """

    origin: str
    metadata: Mapping[str, Any]
    tensors: Mapping[str, GgufTensor]

    def error(self, says: str) -> ModelFolderError:
        """An error that names the file."""
        return ModelFolderError(f"{self.origin}: {says}")

    def whole_number(self, key: str, default: int | None = None) -> int:
        """A number of the metadata, at least 1.

        Raises
        ------
        ModelFolderError : something else, or nothing where there is no default.
        """
        found = self.metadata.get(key, default)
        if not isinstance(found, int) or isinstance(found, bool) or found < 1:
            raise self.error(f"{key} must be a whole number from 1 on, got {found!r}; {NOT_WHOLE}")
        return found

    def quantisation(self) -> str | None:
        """The type of most weights and its bits, as `Q4_1, 4 bits`; None of floating point."""
        weights = self.weights_by_type()
        kind = max(weights, key=lambda name: (weights[name], name))
        bits = re.search(r"\d+", kind)
        return None if re.match(r"B?F\d", kind) or not bits else f"{kind}, {bits[0]} bits"

    def weights_by_type(self) -> dict[str, int]:
        """The number of values of each type in the file, in the order of the types' names."""
        counts: Counter[str] = Counter()
        for tensor in self.tensors.values():
            counts[tensor.kind] += int(np.prod(tensor.shape, dtype=np.int64))
        return dict(sorted(counts.items()))


def is_gguf(path: str | Path) -> bool:
    """Whether a file begins as a GGUF file does."""
    with open(path, "rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def open_gguf(path: str | Path, origin: str | None = None) -> GgufFile:
    """Read the metadata of a GGUF file and map its tensors.

    Parameters
    ----------
    origin : how errors name the file; its path by default.

    Raises
    ------
    ModelFolderError : no such file, not GGUF, cut off, of big-endian numbers or of a version or
        type of tensor that the library `gguf` does not know; one without tensors.
    """
    from gguf import GGUFReader

    origin = origin or str(path)
    try:
        reader = GGUFReader(path)
        metadata = {key: field.contents() for key, field in reader.fields.items()}
        tensors = {
            one.name: GgufTensor(
                one.tensor_type.name, tuple(map(int, reversed(one.shape))), one.data
            )
            for one in reader.tensors
        }
    except (OSError, ValueError, LookupError, TypeError, OverflowError) as error:
        raise ModelFolderError(f"{origin} cannot be read as GGUF ({error}); {NOT_WHOLE}") from error
    opened = GgufFile(origin, metadata, tensors)
    if reader.byte_order == "S":
        raise opened.error("its numbers are big-endian; bring the little-endian file of this model")
    if not tensors or any(0 in tensor.shape for tensor in tensors.values()):
        raise opened.error(f"it holds no weights, or a tensor without numbers; {NOT_WHOLE}")
    return opened


INSTEAD = "bring this model as a folder with safetensors, or by its hub id (`folder` or `hub`)"

# Name in a layer of the file -> name in a layer of transformers, and the shape in terms of
# `fairflow.language_models.checkpoints.gguf`.
LAYER = {
    "attn_norm.weight": ("input_layernorm.weight", ("hidden",)),
    "attn_q.weight": ("self_attn.q_proj.weight", ("queries", "hidden")),
    "attn_k.weight": ("self_attn.k_proj.weight", ("keys", "hidden")),
    "attn_v.weight": ("self_attn.v_proj.weight", ("keys", "hidden")),
    "attn_output.weight": ("self_attn.o_proj.weight", ("hidden", "queries")),
    "ffn_norm.weight": ("post_attention_layernorm.weight", ("hidden",)),
    "ffn_gate.weight": ("mlp.gate_proj.weight", ("inner", "hidden")),
    "ffn_up.weight": ("mlp.up_proj.weight", ("inner", "hidden")),
    "ffn_down.weight": ("mlp.down_proj.weight", ("hidden", "inner")),
}
BIASES = {
    f"attn_{part}.bias": (f"self_attn.{part}_proj.bias", (rows,))
    for part, rows in {"q": "queries", "k": "keys", "v": "keys"}.items()
}
WHOLE = {
    "token_embd.weight": ("model.embed_tokens.weight", ("vocabulary", "hidden")),
    "output_norm.weight": ("model.norm.weight", ("hidden",)),
}
# Without it the embeddings are the head as well.
HEAD = {"output.weight": ("lm_head.weight", ("vocabulary", "hidden"))}


# Tensor of a layer -> size whose heads it has, where the file keeps the two halves of a head, which
# rotary positions turn together, row by row instead of one after the other.
TURNED = {"attn_q.weight": "heads", "attn_k.weight": "key_heads"}
# Architecture -> its class in transformers, the tensors of a layer, and those of them turned.
ARCHITECTURES = {
    "llama": ("LlamaForCausalLM", LAYER, TURNED),
    "qwen2": ("Qwen2ForCausalLM", LAYER | BIASES, {}),
}
# What a file may say of its network: anything else would change what the network computes.
SAID = (
    *("block_count", "context_length", "embedding_length", "feed_forward_length", "vocab_size"),
    *("attention.head_count", "attention.head_count_kv", "attention.key_length"),
    *("attention.value_length", "attention.layer_norm_rms_epsilon"),
    *("rope.dimension_count", "rope.freq_base"),
)


def architecture_of(file: GgufFile) -> str:
    """The architecture of a file; the keys about the network begin with it.

    Raises
    ------
    ModelFolderError : one that is not among `ARCHITECTURES`.
    """
    name = file.metadata.get("general.architecture")
    if not isinstance(name, str) or name not in ARCHITECTURES:
        raise file.error(
            f"its architecture is {name!r}, which cannot be converted (only "
            f"{' and '.join(sorted(ARCHITECTURES))} can); {INSTEAD}"
        )
    unknown = [
        f"{key} ({value!r})"
        for key, value in file.metadata.items()
        if key.startswith(f"{name}.") and key.removeprefix(f"{name}.") not in SAID
    ]
    if unknown:
        raise file.error(
            f"it says {', '.join(unknown)}, by which its network computes something else than "
            f"is known here; {INSTEAD}"
        )
    return name


def configuration(file: GgufFile) -> dict[str, Any]:
    """What config.json says of the network, with `quantisation` where the file is quantised.

    Raises
    ------
    ModelFolderError : of `architecture_of`, and sizes that do not go together.
    """
    prefix = architecture_of(file)
    sizes = _sizes(file, prefix)
    ends = {
        f"{name}_token_id": file.metadata.get(f"tokenizer.ggml.{key}_token_id")
        for name, key in (("bos", "bos"), ("eos", "eos"), ("pad", "padding"))
    }
    quantisation = file.quantisation()
    return {
        "architectures": [ARCHITECTURES[prefix][0]],
        "model_type": prefix,
        "hidden_size": sizes["hidden"],
        "intermediate_size": sizes["inner"],
        "num_hidden_layers": sizes["layers"],
        "num_attention_heads": sizes["heads"],
        "num_key_value_heads": sizes["key_heads"],
        "head_dim": sizes["head"],
        "hidden_act": "silu",
        "max_position_embeddings": file.whole_number(f"{prefix}.context_length"),
        "rms_norm_eps": _shortest(file, f"{prefix}.attention.layer_norm_rms_epsilon"),
        "rope_theta": _shortest(file, f"{prefix}.rope.freq_base", 10000.0),
        "tie_word_embeddings": not file.tensors.keys() & HEAD.keys(),
        "vocab_size": sizes["vocabulary"],
        "dtype": "float32",
        **ends,
        **({"quantisation": quantisation} if quantisation else {}),
    }


def places(file: GgufFile) -> dict[str, tuple[GgufTensor, np.ndarray | None]]:
    """Every tensor of the network by its name there, and the order of its rows where it changes.

    They are in the network's order, from the embeddings on.

    Raises
    ------
    ModelFolderError : a tensor is missing, has another shape or a type whose numbers cannot be
        had, or has no place in the network.
    """
    prefix = architecture_of(file)
    (_, of_layer, turned), sizes = ARCHITECTURES[prefix], _sizes(file, prefix)
    # Name in the file -> that in the network, the shape, and whose heads its rows are if turned.
    whole = WHOLE | (HEAD if HEAD.keys() & file.tensors.keys() else {})
    wanted = {name: (*place, None) for name, place in whole.items()}
    for layer in range(sizes["layers"]):
        for name, (there, shape) in of_layer.items():
            own = f"model.layers.{layer}.{there}"
            wanted[f"blk.{layer}.{name}"] = (own, shape, turned.get(name))
    found = {}
    for name, (there, shape, heads) in wanted.items():
        rows = None
        if heads:
            # Row 2 j + s of a head in the file is row j of its half s; halves follow each other.
            numbers = np.arange(sizes[heads] * sizes["head"])
            rows = numbers.reshape(sizes[heads], -1, 2).swapaxes(1, 2).ravel()
        found[there] = _checked(file, name, tuple(sizes[size] for size in shape)), rows
    left = sorted(file.tensors.keys() - wanted.keys())
    if left:
        raise file.error(
            f"it holds {', '.join(left[:5])}{' and more' if left[5:] else ''}, which has no place "
            f"in a network of {prefix} as known here; {INSTEAD}"
        )
    return found


def _checked(file: GgufFile, name: str, expected: tuple[int, ...]) -> GgufTensor:
    tensor = file.tensors.get(name)
    if tensor is None:
        raise file.error(f"the tensor {name} is missing; {NOT_WHOLE}")
    if tensor.shape != expected:
        raise file.error(
            f"{name} has the shape {tensor.shape}, by the metadata it has {expected}; {NOT_WHOLE}"
        )
    try:
        tensor.dequantised(tensor.stored[:1])
    except (NotImplementedError, ValueError) as error:
        raise file.error(f"{name} is of type {tensor.kind}: {error}; {INSTEAD}") from error
    return tensor


def _sizes(file: GgufFile, prefix: str) -> dict[str, int]:
    hidden = file.whole_number(f"{prefix}.embedding_length")
    heads = file.whole_number(f"{prefix}.attention.head_count")
    key_heads = file.whole_number(f"{prefix}.attention.head_count_kv", heads)
    head = file.whole_number(f"{prefix}.attention.key_length", hidden // heads)
    values = file.whole_number(f"{prefix}.attention.value_length", head)
    turned = file.whole_number(f"{prefix}.rope.dimension_count", head)
    if heads % key_heads or head % 2 or not head == values == turned:
        raise file.error(
            f"{heads} heads of {head} numbers ({values} of a value, {turned} with a position) on "
            f"{key_heads} heads of keys do not go together; {INSTEAD}"
        )
    tokens = file.metadata.get("tokenizer.ggml.tokens")
    known = len(tokens) if isinstance(tokens, list) and tokens else None
    vocabulary = file.whole_number(f"{prefix}.vocab_size", known)
    if known is not None and known > vocabulary:
        raise file.error(
            f"{known} tokens are more than {prefix}.vocab_size {vocabulary}; {NOT_WHOLE}"
        )
    return {
        "layers": file.whole_number(f"{prefix}.block_count"),
        "hidden": hidden,
        "inner": file.whole_number(f"{prefix}.feed_forward_length"),
        "vocabulary": vocabulary,
        "heads": heads,
        "key_heads": key_heads,
        "head": head,
        "queries": heads * head,
        "keys": key_heads * head,
    }


def _shortest(file: GgufFile, key: str, default: float | None = None) -> float:
    """A float32 of the metadata by its shortest decimals: 1e-05, not 9.999999747378752e-06."""
    found = file.metadata.get(key, default)
    if not isinstance(found, float) or not 0 < found < float("inf"):
        raise file.error(f"{key} must be a number above 0, got {found!r}; {NOT_WHOLE}")
    return float(str(np.float32(found)))
