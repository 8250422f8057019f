"""Which network a GGUF file holds, and the place of each of its tensors in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairflow.language_models.folders.gguf_architectures import (
    ARCHITECTURES,
    HEAD,
    INSTEAD,
    SAID,
    WHOLE,
    Architecture,
)
from fairflow.language_models.folders.gguf_file import NOT_WHOLE, GgufFile, GgufTensor


@dataclass(frozen=True)
class Place:
    """A tensor of the network: its name there, the file's tensor, and the order of its rows."""

    name: str
    tensor: GgufTensor
    rows: np.ndarray | None = None


def architecture_of(file: GgufFile) -> Architecture:
    """The architecture of a file.

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
    return ARCHITECTURES[name]


def configuration(file: GgufFile) -> dict[str, Any]:
    """What config.json says of the network, with `quantisation` where the file is quantised.

    Raises
    ------
    ModelFolderError : of `architecture_of`, and sizes that do not go together.
    """
    architecture = architecture_of(file)
    sizes = _sizes(file)
    metadata, prefix = file.metadata, metadata_prefix(file)
    ends = {
        f"{name}_token_id": metadata.get(f"tokenizer.ggml.{key}_token_id")
        for name, key in (("bos", "bos"), ("eos", "eos"), ("pad", "padding"))
    }
    quantisation = file.quantisation()
    return {
        "architectures": [architecture.network],
        "model_type": architecture.model_type,
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


def places(file: GgufFile) -> list[Place]:
    """Every tensor of the network, in its order, from the embeddings on.

    Raises
    ------
    ModelFolderError : a tensor is missing, has another shape or a type whose numbers cannot be
        had, or has no place in the network.
    """
    sizes = _sizes(file)
    found = [_place(file, sizes, *one) for one in _wanted(file, sizes["layers"])]
    left = sorted(file.tensors.keys() - {place.tensor.name for place in found})
    if left:
        raise file.error(
            f"it holds {', '.join(left[:5])}{' and more' if left[5:] else ''}, which has no place "
            f"in a network of {metadata_prefix(file)} as known here; {INSTEAD}"
        )
    return found


def metadata_prefix(file: GgufFile) -> str:
    """How the keys begin that tell of the network."""
    return str(file.metadata["general.architecture"])


def _wanted(file: GgufFile, layers: int) -> Iterator[tuple[str, str, tuple[str, ...], str | None]]:
    """Name in the file, name in the network, shape, and whose heads its rows are if turned."""
    architecture = architecture_of(file)
    head = HEAD if file.tensors.keys() & HEAD.keys() else {}
    for name, (there, shape) in (WHOLE | head).items():
        yield name, there, shape, None
    for layer in range(layers):
        for name, (there, shape) in architecture.layer.items():
            turned = architecture.turned.get(name)
            yield f"blk.{layer}.{name}", f"model.layers.{layer}.{there}", shape, turned


def _place(
    file: GgufFile,
    sizes: Mapping[str, int],
    name: str,
    there: str,
    shape: tuple[str, ...],
    turned: str | None,
) -> Place:
    tensor = file.tensors.get(name)
    if tensor is None:
        raise file.error(f"the tensor {name} is missing; {NOT_WHOLE}")
    expected = tuple(sizes[size] for size in shape)
    if tensor.shape != expected:
        raise file.error(
            f"{name} has the shape {tensor.shape}, by the metadata it has {expected}; {NOT_WHOLE}"
        )
    try:
        tensor.check()
    except (NotImplementedError, ValueError) as error:
        raise file.error(f"{name} is of type {tensor.kind}: {error}; {INSTEAD}") from error
    return Place(there, tensor, turned and _halves(sizes[turned], sizes["head"]))


def _halves(heads: int, head: int) -> np.ndarray:
    """(heads * head,) the rows of a turned tensor, so that the halves of a head follow each other.

    Row 2 j + s of a head in the file is row j of its half s.
    """
    rows = np.arange(heads * head).reshape(heads, head // 2, 2)
    return rows.swapaxes(1, 2).ravel()


def _sizes(file: GgufFile) -> dict[str, int]:
    prefix = metadata_prefix(file)
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
            f"{known} pieces are more than {prefix}.vocab_size {vocabulary}; {NOT_WHOLE}"
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
