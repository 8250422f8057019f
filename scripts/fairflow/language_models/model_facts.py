"""What a reader of a score has to know of its model."""

from __future__ import annotations

from fairflow.language_models.language_model import LanguageModel


def model_facts(model: LanguageModel) -> dict[str, str | int | bool | None]:
    """Architecture, size, tokenizer and casing of a model; nothing of the machine.

    `lower_cases` is tried out, as tokenizers do not tell. `max_pieces` is None without bound.
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
        "max_pieces": model.pieces.max_pieces,
        "tokenizer": type(tokenizer.backend_tokenizer.model).__name__,
        "lower_cases": upper.ids == lower.ids,
        "mask": tokenizer.mask_token,
    }
