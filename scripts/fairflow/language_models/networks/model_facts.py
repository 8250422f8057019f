"""What a reader of a score has to know of its model."""

from __future__ import annotations

from collections.abc import Sequence

from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.networks.language_model import LanguageModel
from fairflow.language_models.networks.network_audit import network_audit
from fairflow.language_models.networks.reading import reading_of


def model_facts(
    model: LanguageModel,
    pooling: str | None = None,
    layer: int = -1,
    unit_length: bool | None = None,
    carriers: Sequence[str] | None = None,
) -> dict[str, str | int | float | bool | None]:
    """Architecture, size, tokenizer, casing, reading and audit of a model; not of the machine.

    `lower_cases` is tried out, as tokenizers do not tell. `max_pieces` is None without bound,
    `quantisation` of weights that were not quantised before they came here.

    Parameters
    ----------
    Others : as configured, see `fairflow.language_models.networks.reading.reading_of` and
        `fairflow.language_models.networks.network_audit.network_audit`.
    """
    network, tokenizer = model.network, model.pieces.tokenizer
    upper, lower = model.pieces.encode(["The Woman", "the woman"])
    config = network.config
    return {
        "architecture": type(network).__name__,
        "kind": model.kind,
        "layers": config.num_hidden_layers,
        "hidden": config.hidden_size,
        "vocabulary": config.vocab_size,
        "parameters": sum(weights.numel() for weights in network.parameters()),
        "quantisation": getattr(config, "quantisation", None),
        "max_pieces": model.pieces.max_pieces,
        "tokenizer": type(tokenizer.backend_tokenizer.model).__name__,
        "lower_cases": upper.ids == lower.ids,
        "mask": tokenizer.mask_token,
        **_reading(model, pooling, unit_length),
        **network_audit(model, pooling, layer, unit_length, carriers),
    }


def _reading(
    model: LanguageModel, pooling: str | None, unit_length: bool | None
) -> dict[str, str | bool | None]:
    """How texts become vectors and who says so; of a model that cannot be read so, why."""
    try:
        reading = reading_of(model, pooling, unit_length)
    except LanguageModelError as error:
        return {"pooling": None, "pooling_stated_by": str(error), "unit_length": None}
    return {
        "pooling": reading.pooling,
        "pooling_stated_by": reading.stated_by,
        "unit_length": reading.unit_length,
    }
