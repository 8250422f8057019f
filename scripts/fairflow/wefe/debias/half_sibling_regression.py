"""`wefe.debias.half_sibling_regression`: half-sibling regression with WEFE's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from fairflow.transforms import half_sibling_regression
from fairflow.wefe.debias.base_debias import BaseDebias
from fairflow.wefe.preprocessing import checked_model
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class HalfSiblingRegression(BaseDebias):
    """Half-sibling regression: see `fairflow.transforms.half_sibling_regression`.

    Different from WEFE: `transform` changes nothing in this object and may be called again (D24),
    and one matrix of dims x dims is kept instead of two as large as the model, `non_bias_dict` and
    `bias_information` (D51). A definitional word in `target` is refused.

    Parameters
    ----------
    verbose : print what is done. criterion_name : put into the name of the debiased model.

    Attributes
    ----------
    bias_definitional_words, alpha : as given to `fit`.
    """

    name = "Half Sibling Regression"
    short_name = "HSR"

    def fit(
        self, model: WordEmbeddingModel, definitional_words: Sequence[str], alpha: float = 60
    ) -> Self:
        """Learn what the definitional words predict of all others.

        Parameters
        ----------
        definitional_words : words that stay as they are. alpha : of the ridge regression, above 0;
            to be chosen by the lengths of the vectors.

        Raises
        ------
        TypeError : not a model. ValueError : no list of words, or no such number.
        FairflowError : all words are missing in the model.
        """
        checked_model(model)
        self._log("Computing the weight matrix.")
        self.derivation_ = half_sibling_regression.HalfSiblingRegression(
            definitional_words, alpha
        ).fit(model)
        self.bias_definitional_words, self.alpha = definitional_words, alpha
        return self
