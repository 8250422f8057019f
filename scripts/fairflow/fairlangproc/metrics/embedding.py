"""WEAT on an encoder, for subclasses that say what the vector of a word is."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairflow.fairlangproc.exchange_test import exchange_test
from fairflow.fairlangproc.text_association import text_association
from fairflow.language_models.errors import LanguageModelError
from fairflow.language_models.networks.language_model import chosen_device, prepared
from fairflow.language_models.networks.pooled_texts import pooled_texts
from fairflow.language_models.networks.tensors import Tensor, array_of, tensor_of
from fairflow.language_models.slices.embedded_texts import EmbeddedTexts
from fairflow.metrics.weat import associations, effect_size
from fairflow.vectors.cosine import cosine

logger = logging.getLogger(__name__)


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
        self._prepared = prepared(self.model, tokenizer)
        self.device = self._prepared.device

    @abstractmethod
    def _get_embedding(self, outputs: Any) -> Tensor:
        """Vectors of words from the encoder's outputs, hidden states of all layers included."""

    def get_embeddings(self, words: Sequence[str]) -> Tensor:
        """One vector per word: (words, dims), float32.

        Raises
        ------
        KeyError : a word that has none; the log says why.
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
        return exchange_test(*_associations(X, Y, A, B), samples=n_perm, tail="strict").p_value

    def metric(
        self,
        W1_words: Sequence[str],
        W2_words: Sequence[str],
        A1_words: Sequence[str],
        A2_words: Sequence[str],
        n_perm: int = 10_000,
        pval: bool = True,
        ddof: int = 1,
        tail: str = "strict",
        seed: int = 0,
    ) -> dict[str, float]:
        """Mean cosines, effect size and p-value; W1 and W2 are the targets.

        The p-value counts every split of up to 100 target words; of more, `n_perm` random ones.

        Parameters
        ----------
        ddof : of the effect size's standard deviation.
        tail : "strict" as Caliskan et al. write it, "weak" counts ties and is never 0.
        """
        sets = (W1_words, W2_words, A1_words, A2_words)
        embedded = self._embedded([word for words in sets for word in words])
        method = "auto" if pval else "none"
        association = text_association(embedded, *sets, ddof, method, n_perm, tail, seed)
        if association.reason:
            logger.warning("WEAT: %s", association.reason)
        sizes = {
            f"{role}_size": len(words)
            for role, words in zip(
                ("W1", "W2", "A1", "A2"), association.texts.values(), strict=True
            )
        }
        cosines = {f"{k[0]}-{k[1]}_mean_sim": v for k, v in association.mean_cosines.items()}
        p_value = {"p_value": association.test.p_value} if pval else {}
        return {**cosines, **sizes, "effect_size": association.effect_size, **p_value}

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
