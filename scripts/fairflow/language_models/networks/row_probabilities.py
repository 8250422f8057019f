"""Log-probabilities of the pieces of one row of ids, for callers that have no tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from fairflow.language_models.folders.model_folder import kind_of_architecture
from fairflow.language_models.networks.language_model import LanguageModel
from fairflow.language_models.networks.piece_questions import PieceQuestions
from fairflow.language_models.networks.rows_on_device import log_probabilities


def row_log_probabilities(
    network: Any, row: Sequence[int], positions: Sequence[int], mask_id: int | None = None
) -> np.ndarray:
    """Of the pieces at these positions, each masked alone or, without a mask, none: (positions,).

    Raises
    ------
    LanguageModelError : no masked model.
    """
    # Nothing is padded: there is one row, or all are equally long.
    pieces = SimpleNamespace(tokenizer=SimpleNamespace(pad_token_id=None))
    kind = kind_of_architecture(type(network).__name__)
    model = LanguageModel(network, network.base_model, kind, pieces)
    model.require("masked", "a pseudo-log-likelihood")
    questions, asked = PieceQuestions(), []
    for position in positions:
        shown = list(row)
        if mask_id is not None:
            shown[position] = mask_id
        asked.append(questions.add(shown, position, row[position]))
    logp, _ = log_probabilities(model, questions)
    return logp[asked]
