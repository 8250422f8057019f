"""Reading: how a text becomes one vector of a model, and who says so."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fairflow.language_models.errors import LanguageModelError, UnstatedPooling
from fairflow.language_models.folders.stated_pooling import (
    ASSUMED,
    StatedPooling,
    stated_pooling,
)
from fairflow.language_models.networks.language_model import LanguageModel

CONFIGURED = "configuration"
# May et al. (2019) for BERT and GPT; there is nothing of the kind for a network without head.
USUAL = {"masked": "cls", "causal": "last"}


@dataclass(frozen=True)
class Reading:
    """How a text becomes one vector.

    Attributes
    ----------
    pooling : a key of `fairflow.language_models.slices.embedded_texts.POOLINGS`.
    unit_length : whether the vector is divided by its length.
    stated_by : "configuration", a file of the model, "usual of masked models", or `ASSUMED`.
    """

    pooling: str
    unit_length: bool
    stated_by: str


def reading_of(
    model: LanguageModel, pooling: str | None = None, unit_length: bool | None = None
) -> Reading:
    """What is asked for, else what the model's files say, else what is usual of its kind.

    Raises
    ------
    UnstatedPooling : of an encoder nothing says it. LanguageModelError : its files say what cannot
        be done here.
    """
    stated = StatedPooling() if model.folder is None else stated_pooling(model.folder)
    scaled = stated.unit_length if unit_length is None else unit_length
    if pooling is not None:
        return Reading(pooling, scaled, CONFIGURED)
    if stated.problem:
        raise LanguageModelError(
            f"{stated.problem}. Its vectors would be others than the model's own: to take those of "
            "the network itself write pooling, for one pooling: mean"
        )
    if stated.mode is not None:
        return Reading(stated.mode, scaled, stated.file)
    if model.kind not in USUAL:
        raise UnstatedPooling(
            f"nothing says how the positions of {type(model.network).__name__} become one vector: "
            "its files have no modules.json, and no pooling is given. Write pooling: mean or "
            "pooling: cls, as its authors say"
        )
    return Reading(USUAL[model.kind], scaled, f"usual of {model.kind} models")


def reading_or_mean(
    model: LanguageModel, pooling: str | None = None, unit_length: bool | None = None
) -> Reading:
    """As `reading_of`, but an encoder of which nothing says it has the mean over all positions.

    For whoever tells the reader so; `stated_by` is then `ASSUMED`.

    Raises
    ------
    LanguageModelError : its files say what cannot be done here.
    """
    try:
        return reading_of(model, pooling, unit_length)
    except UnstatedPooling:
        return replace(reading_of(model, "mean", unit_length), stated_by=ASSUMED)
