"""What WEFE's debiasing methods have in common: `fit`, `transform`, and the transform behind."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from fairflow.errors import FairflowError
from fairflow.transforms._words import some_words, split
from fairflow.vectors.directions import NOISE
from fairflow.vectors.word_rows import without_prefix, word_rows
from fairflow.wefe.preprocessing import EmbeddingDict, checked_model, get_embeddings_from_tuples
from fairflow.wefe.utils import check_is_fitted
from fairflow.wefe.word_embedding_model import WordEmbeddingModel, as_model

if TYPE_CHECKING:
    from sklearn.decomposition import PCA

    from fairflow.vectors.derivation import Derivation


logger = logging.getLogger(__name__)

# Parameters of the principal components of definitional sets.
PCA_ARGS: dict[str, Any] = {"n_components": 10}


class BaseDebias(BaseEstimator):
    """A method of debiasing, as an estimator of scikit-learn.

    Different from WEFE: an object can be shown, and has `get_params` and a clone, as its
    parameters are attributes under their own names (D59). Vectors are made by what `fit` has
    learnt; a method of one's own overrides `fit` and `transform`.

    Parameters
    ----------
    verbose : print what is done. criterion_name : put into the name of the debiased model.

    Attributes
    ----------
    name, short_name : of the method.
    derivation_ : what was learnt, once it was; its `facts` tell directions, explained variance and
        that of shuffled pairs, words changed and words missing.
    """

    name: str
    short_name: str
    derivation_: Derivation
    # The attribute that `fit` sets.
    _fitted = "derivation_"

    def __init__(self, verbose: bool = False, criterion_name: str | None = None) -> None:
        self._set_options(verbose, criterion_name)

    def _set_options(self, verbose: Any, criterion_name: Any) -> None:
        """Keep what every method is given.

        Raises
        ------
        TypeError : verbose is no bool. ValueError : the criterion is no string.
        """
        if not isinstance(verbose, bool):
            raise TypeError(f"verbose must be a bool, got {verbose!r}")
        if criterion_name is not None and not isinstance(criterion_name, str):
            raise ValueError(f"criterion_name must be a string or None, got {criterion_name!r}")
        self.verbose = verbose
        self.criterion_name = criterion_name

    @property
    def criterion_name_(self) -> str | None:
        """WEFE's name of the attribute `criterion_name`."""
        return self.criterion_name

    def fit(self, model: WordEmbeddingModel, **fit_params: Any) -> Self:
        """Learn from a model, which stays as it is."""
        raise NotImplementedError(f"{type(self).__name__} does not define fit")

    def transform(
        self,
        model: WordEmbeddingModel,
        target: Sequence[str] | None = None,
        ignore: Sequence[str] | None = None,
        copy: bool = True,
    ) -> WordEmbeddingModel:
        """The debiased model; the class says which words are changed or left in any case.

        Parameters
        ----------
        target : the words to debias; None for all but those to ignore.
        ignore : without target, the words to leave alone.
        copy : make a new model; otherwise the vectors of `model` are overwritten. Vectors that
            FastText composes for words without a row are in no new model, and stay in the old one.

        Raises
        ------
        sklearn.exceptions.NotFittedError : `fit` was not called.
        TypeError : an argument of another type; without copy, vectors on disk.
        ValueError, FairflowError : words, or parameters of the method, that it cannot take.
        """
        if type(self).fit is BaseDebias.fit:
            raise NotImplementedError(f"{type(self).__name__} does not define transform")
        model = as_model(model)
        self._check_transform_args(model, target, ignore, copy)
        check_is_fitted(self, self._fitted)
        chosen, left = self._chosen(model, known(model, target), as_asked(model, ignore))
        self._log(f"Executing {self.name} on {model.name}.")
        criterion = "" if self.criterion_name is None else f"_{self.criterion_name}"
        name = f"{model.name}{criterion}_debiased"
        made = self.derivation_.transform(model, chosen, left or (), not copy, name)
        self._log("Done!")
        return WordEmbeddingModel(made.wv, made.name, made.vocab_prefix) if copy else model

    def _chosen(
        self, model: WordEmbeddingModel, target: list[str] | None, ignore: list[str] | None
    ) -> tuple[list[str] | None, list[str] | None]:
        """The words that the derivation changes and ignores; methods that learn late learn here."""
        return target, ignore

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

    def _check_transform_args(
        self, model: Any, target: Any = None, ignore: Any = None, copy: Any = True
    ) -> None:
        """Refuse arguments of `transform` of another type with TypeError."""
        checked_model(model)
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

    def _log(self, sentence: str) -> None:
        if self.verbose:
            print(sentence)

    def _embeddings(
        self,
        model: WordEmbeddingModel,
        sets: Sequence[Sequence[str]],
        name: str,
        normalize: bool = True,
        tell_lost: bool = True,
    ) -> list[EmbeddingDict]:
        """The vectors of the sets without lost words (D19); lost words are logged.

        Raises
        ------
        ValueError : there are sets, and none is whole.
        """
        self._log(f"Obtaining {name} sets.")
        if len(sets) == 0:
            return []
        return get_embeddings_from_tuples(
            model,
            sets,
            name,
            normalize=normalize,
            warn_lost_sets=tell_lost or self.verbose,
            verbose=self.verbose,
        )


class OfComponents(BaseDebias):
    """A method that learns the principal components of definitional sets.

    Parameters
    ----------
    pca_args : of scikit-learn's PCA.
    """

    def __init__(
        self,
        pca_args: dict[str, Any] = PCA_ARGS,
        verbose: bool = False,
        criterion_name: str | None = None,
    ) -> None:
        check_types(pca_args=(pca_args, dict))
        self.pca_args = pca_args
        self._set_options(verbose, criterion_name)

    @property
    def pca_num_components_(self) -> Any:
        """The number of components requested."""
        return self.pca_args.get("n_components", PCA_ARGS["n_components"])

    def _components(
        self,
        model: WordEmbeddingModel,
        definitional: Sequence[Sequence[str]],
        size: int | str = 2,
        normalize: bool = True,
    ) -> tuple[list[EmbeddingDict], PCA]:
        """The vectors of definitional sets, and their components minus the means of their sets.

        The components are those of scikit-learn. Beyond the number of independent directions they
        would be rounding noise: there are at most as many (D26).

        Raises
        ------
        ValueError : sets of another size, or none is whole.
        FairflowError : the words of the sets do not differ.
        TypeError, ValueError : what scikit-learn does not take.
        """
        from sklearn.decomposition import PCA

        model = checked_model(model)
        self._check_sets_sizes(definitional, "definitional", size)
        embeddings = self._embeddings(model, definitional, "definitional", normalize)
        self._log("Identifying the bias subspace.")
        sets = [np.stack(list(each.values())).astype(np.float64) for each in embeddings]
        rows = np.concatenate([vectors - vectors.mean(axis=0) for vectors in sets])
        rank = int(np.linalg.matrix_rank(rows, tol=NOISE * np.linalg.norm(rows, 2)))
        if rank == 0:
            raise FairflowError(f"definitional: the words of its {len(sets)} entries do not differ")
        asked = self.pca_num_components_
        if asked is None or (isinstance(asked, int) and asked > rank):
            asked = rank
        pca = PCA(**{**self.pca_args, "n_components": asked}).fit(rows)
        self._log(f"PCA variance explained: {pca.explained_variance_ratio_}")
        return embeddings, pca


def check_types(**given: tuple[Any, type]) -> None:
    """Refuse values, each with the type that it must have, with TypeError."""
    for name, (value, kind) in given.items():
        if not isinstance(value, kind):
            raise TypeError(f"{name} must be of type {kind.__name__}, got {value!r}")


def as_asked(model: WordEmbeddingModel, words: Sequence[str] | None) -> list[str] | None:
    """Words to debias or to ignore, without the prefix of the vocabulary (D25)."""
    return None if words is None else list(without_prefix(list(words), model.vocab_prefix))


def known(model: WordEmbeddingModel, target: Sequence[str] | None) -> list[str] | None:
    """The words to debias; those that the model lacks are logged."""
    words = as_asked(model, target)
    if words is not None and (lost := split(word_rows(model), words)[1]):
        logger.warning("target: the model lacks %s", some_words(lost))
    return words
