"""Which models of a study may be compared with each other, and why the others may not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# Statuses of a model in a comparison.
COMPARED = "compared"
SAME_VECTORS = "same_vectors"
DERIVED = "derived"
FEW_QUERIES = "few_queries"
GROWS_WITH_LENGTH = "grows_with_length"
UNDEFINED = "undefined"
ALONE = "alone"

# Statuses of models that are no rivals of the others.
NO_RIVALS = (SAME_VECTORS, DERIVED)
# Begins the note of a model of the same vectors as another, and of one that comes of another.
AS_ANOTHER = "the same vectors as "
COMES_OF = "it comes of "
NOTES = {
    GROWS_WITH_LENGTH: "values grow with the length of vectors and are not comparable between "
    "models; those of a variant with normalize: true are",
    UNDEFINED: "no (sub-)query is defined by every model that is compared",
    ALONE: "there is no other model to compare it with",
}

# A rank correlation of so many values can have a two-sided p of 2 / 5! = 0.017; of four, 2 / 4! =
# 0.083 at best, of three 1 / 3; of two it is 1 or -1 whatever they are.
LEAST_MODELS = 5
TOO_FEW_MODELS = f"fewer than {LEAST_MODELS} models: so few agree by chance too often"


def vectors_of(model: str, others: Mapping[str, str | None]) -> str:
    """The name under which models of the same vectors go, whole, in part or at another length.

    It is that of the model to which `others` leads in the end, or the model's own.

    Parameters
    ----------
    others : model -> another one of the same vectors, None where there is none.
    """
    seen: list[str] = []
    while model not in seen:
        seen.append(model)
        model = others.get(model) or model
    return model


def no_rivals(
    scores: pd.DataFrame, vectors: Mapping[str, str], derived: Mapping[str, str]
) -> dict[str, tuple[str, str]]:
    """Model -> status and note, of those that are not compared with others as their rivals.

    Parameters
    ----------
    scores, vectors : as for `repeated_models`.
    derived : model -> another one that it comes of, with other vectors: what debiasing made of a
        model tells of the method, not of a further model.
    """
    came = {
        model: (DERIVED, f"{COMES_OF}{other}, beside which it is no independent model")
        for model, other in derived.items()
    }
    independent = scores[~scores["model"].isin([*derived])]
    return came | {
        model: (SAME_VECTORS, f"{AS_ANOTHER}{other}, which is compared in its place")
        for model, other in repeated_models(independent, vectors).items()
    }


def repeated_models(scores: pd.DataFrame, vectors: Mapping[str, str]) -> dict[str, str]:
    """Model -> the one of the same vectors that is compared with others in its place.

    Of several models of the same vectors that with the most defined scores is compared, and the
    first in the table among equals; so that no model is ever compared with itself.

    Parameters
    ----------
    scores : with headline, model and value.
    vectors : model -> the name of its vectors (`vectors_of`); a model's own name by default.
    """
    headline = scores[scores["headline"]]
    defined = headline.groupby("model", sort=False)["value"].count()
    chosen: dict[str, str] = {}
    for model, count in defined.items():
        name = vectors.get(model, model)
        if name not in chosen or count > defined[chosen[name]]:
            chosen[name] = model
    represented = {model: chosen[vectors.get(model, model)] for model in defined.index}
    return {model: other for model, other in represented.items() if model != other}
