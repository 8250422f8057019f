"""What fairflow answers to the cases of WEFE's oracle on debiasing, and what it should answer."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from fairflow.vectors.directions import cosine
from fairflow.wefe import (
    HalfSiblingRegression,
    HardDebias,
    MulticlassHardDebias,
    WordEmbeddingModel,
    metrics,
)
from fairflow.wefe.datasets import fetch_debias_multiclass, fetch_debiaswe

from .comparison import FLOAT32, Comparison
from .models import BASE, Models
from .reference import parameters, query


def debiasing(case: dict[str, Any], models: Models) -> Iterator[Comparison]:
    """Cosines and scores before debiasing and after it."""
    base = models.named(BASE)
    for when, model in (("before", base), ("after", METHODS[case["id"]](base))):
        for pair in case[f"cosines_{when}"]:
            left, right = (model[word][np.newaxis].astype(float) for word in pair["words"])
            yield {"cosine": pair["cosine"]}, {"cosine": cosine(left, right).item()}, FLOAT32
        for score in case["scores"]:
            metric = getattr(metrics, score["metric"])()
            result = metric.run_query(query(score), model, **parameters(score["params"]))["result"]
            yield {when: score[when]}, {when: result}, FLOAT32


def _hard(model: WordEmbeddingModel) -> WordEmbeddingModel:
    sets = fetch_debiaswe()
    fitted = HardDebias().fit(model, sets["definitional_pairs"], sets["equalize_pairs"])
    return fitted.transform(model, ignore=sets["gender_specific"])


def _multiclass(model: WordEmbeddingModel) -> WordEmbeddingModel:
    sets = fetch_debias_multiclass()
    return MulticlassHardDebias({"n_components": 2}).fit_transform(
        model,
        definitional_sets=sets["ethnicity_definitional_sets"],
        equalize_sets=sets["ethnicity_eval_target"],
    )


def _half_sibling(model: WordEmbeddingModel) -> WordEmbeddingModel:
    words = fetch_debiaswe()["gender_specific"]
    return HalfSiblingRegression().fit_transform(model, definitional_words=words)


METHODS: dict[str, Callable[[WordEmbeddingModel], WordEmbeddingModel]] = {
    "debias-hard-gender": _hard,
    "debias-multiclass-ethnicity": _multiclass,
    "debias-hsr-gender": _half_sibling,
}
