"""WEAT on an encoder, for subclasses that say what the vector of a word is, and its test.

Caliskan, Bryson & Narayanan 2017 (https://doi.org/10.1126/science.aal4230); ties and sampling as in
the code of May, Wang, Bordia, Bowman & Rudinger 2019 (https://doi.org/10.18653/v1/N19-1063).
"""

from __future__ import annotations

import logging
import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.language_models.errors import Invalid, LanguageModelError
from fairflow.language_models.inference.embed_query import vectors_of_sets
from fairflow.language_models.inference.embed_texts import pooled_texts
from fairflow.language_models.inference.language_model import (
    Tensor,
    array_of,
    chosen_device,
    prepared_model,
    tensor_of,
)
from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.statistics.permutation import (
    LARGEST_BINNED,
    TIE_TOLERANCE,
    random_labellings,
    upper_tail,
)
from fairflow.vectors.directions import cosine

logger = logging.getLogger(__name__)


def exchange_test(first: np.ndarray, second: np.ndarray, samples: int = 10_000) -> float:
    """Share of the splits of all values, sizes kept, in which the first set's sum is larger.

    For sets of fixed sizes the sum orders the splits as the difference of means does. Of more than
    `LARGEST_BINNED` words `samples` splits are drawn, and the observed one counts as one more.

    Parameters
    ----------
    first, second : (n,), (m,) associations of the target words.
    """
    values, sizes = np.concatenate([first, second]), (len(first), len(second))
    # Sums of the same numbers in another order differ by rounding; where all are 0 none is less.
    tolerance = max(TIE_TOLERANCE * float(np.abs(values).sum()), float(np.finfo(float).tiny))
    threshold = np.nextafter(float(first.sum()) + 2 * tolerance, np.inf)
    if len(values) <= LARGEST_BINNED:
        return upper_tail(values, len(first), threshold, tolerance).p
    labels = random_labellings(sizes, samples, np.random.default_rng(0))
    sums = values @ (labels.T == 0)
    return (int(np.count_nonzero(sums >= threshold - tolerance)) + 1) / (samples + 1)


def text_association(
    embedded: EmbeddedTexts,
    sets: Sequence[Sequence[str]],
    n_perm: int = 10_000,
    pval: bool = True,
) -> dict[str, float]:
    """Do the first targets go with the first attributes, the second with the second?

    A positive effect size says yes; 0 is fair. Texts count once per set, and the log says why a
    value is NaN.

    Parameters
    ----------
    sets : two of targets, two of attributes. Others : see `WEAT.metric`.
    """
    sizes = {
        f"{role}_size": sum(text in embedded for text in set(texts))
        for role, texts in zip(("W1", "W2", "A1", "A2"), sets, strict=True)
    }
    pairs = [(target, attribute) for target in "XY" for attribute in "AB"]
    cosines, size, p_value = dict.fromkeys(pairs, math.nan), math.nan, math.nan
    try:
        vectors = dict(zip("XYAB", vectors_of_sets(embedded, sets), strict=True))
    except Invalid as finding:
        logger.warning("WEAT: %s", finding.reason)
    else:
        cosines = {(t, a): float(cosine(vectors[t], vectors[a]).mean()) for t, a in pairs}
        first, second = _associations(*vectors.values())
        size = effect_size(first, second, ddof=1)
        if math.isnan(size):
            logger.warning("WEAT: all target texts have the same association: sd is 0")
        p_value = exchange_test(first, second, n_perm) if pval else math.nan
    named = {f"{t}-{a}_mean_sim": mean for (t, a), mean in cosines.items()}
    return {**named, **sizes, "effect_size": size, **({"p_value": p_value} if pval else {})}


class WEAT(ABC):
    """Word Embedding Association Test of Caliskan et al. (2017) on contextual vectors.

    A subclass defines `_get_embedding(outputs)`, which takes the encoder's outputs for words that
    are equally long and returns (words, dims).

    Parameters
    ----------
    model : an encoder, or a model with a head, whose encoder is then used.
    device : "cpu", "cuda" and "mps" move the model, "auto" leaves it where it is, and so does
        "cuda" on a machine without, with a warning.

    Raises
    ------
    LanguageModelError : another device that is not there, a slow tokenizer.
    """

    def __init__(self, model: Any, tokenizer: Any, device: str = "cuda") -> None:
        self.model = _moved(model, device)
        self.tokenizer = tokenizer
        self._prepared = prepared_model(self.model, tokenizer)
        self.device = self._prepared.device

    @abstractmethod
    def _get_embedding(self, outputs: Any) -> Tensor:
        """Vectors of words from the encoder's outputs, hidden states of all layers included."""

    def get_embeddings(self, words: Sequence[str]) -> Tensor:
        """One vector per word: (words, dims), float32.

        Raises
        ------
        KeyError : a word without a vector; the log says why.
        """
        return tensor_of(self._embedded(words).vectors(list(words)))

    def cosine_similarity(self, x: Tensor, y: Tensor) -> Tensor:
        """Cosines of the rows of two tensors: (n, dims), (m, dims) -> (n, m), in the type of x."""
        left, right = array_of(x), array_of(y)
        return tensor_of(
            cosine(left.astype(np.float64), right.astype(np.float64)).astype(left.dtype)
        )

    def effect_size(self, X: Tensor, Y: Tensor, A: Tensor, B: Tensor) -> float:
        """Effect size of the targets X and Y with the attributes A and B; NaN without a spread.

        The sample standard deviation is that of both targets together.
        """
        return effect_size(*_associations(X, Y, A, B), ddof=1)

    def p_value(self, X: Tensor, Y: Tensor, A: Tensor, B: Tensor, n_perm: int = 10_000) -> float:
        """Share of the splits of the targets that associate more strongly, see `metric`."""
        return exchange_test(*_associations(X, Y, A, B), n_perm)

    def metric(
        self,
        W1_words: Sequence[str],
        W2_words: Sequence[str],
        A1_words: Sequence[str],
        A2_words: Sequence[str],
        n_perm: int = 10_000,
        pval: bool = True,
    ) -> dict[str, float]:
        """Mean cosines, effect size and p-value; W1 and W2 are the targets.

        The p-value counts every split of up to 100 target words; of more, `n_perm` random ones.
        """
        sets = (W1_words, W2_words, A1_words, A2_words)
        embedded = self._embedded([word for words in sets for word in words])
        return text_association(embedded, sets, n_perm, pval)

    def _embedded(self, words: Sequence[str]) -> EmbeddedTexts:
        embedded = pooled_texts(self._prepared, words, self._get_embedding, type(self).__name__)
        for word, reason in zip(embedded.texts, embedded.reasons, strict=True):
            if reason is not None:
                logger.warning("WEAT: %r has no vector: %s", word, reason)
        return embedded


class BertWEAT(WEAT):
    """WEAT on BERT's last layer at [CLS]."""

    def _get_embedding(self, outputs: Any) -> Tensor:
        return outputs.last_hidden_state[:, 0, :]


def _moved(model: Any, device: str) -> Any:
    if device == "auto":
        return model
    try:
        return model.to(chosen_device(device))
    except LanguageModelError:
        if device != "cuda":
            raise
        logger.warning("WEAT: there is no CUDA device here; the model stays where it is")
        return model


def _associations(X: Tensor, Y: Tensor, A: Tensor, B: Tensor) -> tuple[np.ndarray, np.ndarray]:
    x, y, a, b = (array_of(rows).astype(np.float64) for rows in (X, Y, A, B))
    return associations(x, a, b), associations(y, a, b)
