"""`wefe.debias.base_debias`: what WEFE's methods of debiasing have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, Self

from sklearn.base import BaseEstimator

from fairflow.vectors import word_embedding_model
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class BaseDebias(BaseEstimator):
    """A method of debiasing, as an estimator of scikit-learn.

    Different from WEFE: an object can be shown, and has `get_params` and a clone, as its
    parameters are attributes under their own names (D59).

    Attributes
    ----------
    name, short_name : of the method.
    """

    name: str
    short_name: str

    @abstractmethod
    def fit(self, model: WordEmbeddingModel, **fit_params: Any) -> Self:
        """Learn from a model, which stays as it is."""
        raise NotImplementedError(f"{type(self).__name__} does not define fit")

    @abstractmethod
    def transform(
        self,
        model: WordEmbeddingModel,
        target: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        copy: bool = True,
    ) -> WordEmbeddingModel:
        """The debiased model.

        Parameters
        ----------
        target : the words to debias; None for all but those to ignore.
        ignore : without target, the words to leave alone.
        copy : make a new model; otherwise the vectors of `model` are overwritten. Vectors that
            FastText composes for words without a row are in no new model, and stay in the old one.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define transform")

    def fit_transform(
        self,
        model: WordEmbeddingModel,
        target: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        copy: bool = True,
        **fit_params: Any,
    ) -> WordEmbeddingModel:
        """`fit` with `fit_params`, then `transform`."""
        fitted = self.fit(model, **fit_params)
        return fitted.transform(model, target=target, ignore=ignore, copy=copy)

    def _check_model(self, model: Any) -> None:
        """Refuse what is no word embedding model with TypeError."""
        if not isinstance(model, word_embedding_model.WordEmbeddingModel):
            raise TypeError(f"model must be a WordEmbeddingModel, got {type(model)}")

    def _check_transform_args(
        self, model: Any, target: Any = None, ignore: Any = None, copy: Any = True
    ) -> None:
        """Refuse arguments of `transform` of another type with TypeError."""
        self._check_model(model)
        for name, words in (("target", target), ("ignore", ignore)):
            listed = isinstance(words, (list, tuple, set, frozenset))
            if words is not None and not (listed and all(isinstance(word, str) for word in words)):
                raise TypeError(f"{name} must be None or a list of strings, got {words!r}")
        if not isinstance(copy, bool):
            raise TypeError(f"copy must be a bool, got {copy!r}")

    def _check_sets_sizes(
        self, sets: Sequence[Sequence[str]], set_name: str, set_size: int | str
    ) -> None:
        """Refuse sets of another size with ValueError; "n" stands for the size of the first."""
        if len(sets) == 0:
            raise ValueError(f"{self.name} needs {set_name} sets, got none")
        size = len(sets[0]) if set_size == "n" else set_size
        for position, words in enumerate(sets):
            if len(words) != size:
                raise ValueError(
                    f"the {set_name} set at position {position}, {list(words)}, has {len(words)} "
                    f"words, and {self.name} expects {size}"
                )
