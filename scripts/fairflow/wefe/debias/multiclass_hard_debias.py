"""`wefe.debias.multiclass_hard_debias`: hard debias of several classes with WEFE's parameters."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Self

from fairflow.transforms import multiclass_hard_debias
from fairflow.transforms._words import some_words
from fairflow.wefe.debias.base_debias import OfComponents
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

logger = logging.getLogger(__name__)


class MulticlassHardDebias(OfComponents):
    """Multiclass hard debias: see `fairflow.transforms.multiclass_hard_debias`, recipe wefe-1.0.

    Different from WEFE: at most as many components are removed as the definitional sets have
    directions, and how many is logged where fewer were removed than asked for (D26); without
    `equalize_sets` the definitional ones are equalised, as WEFE's documentation says. Which sets
    those are is the caller's choice: the paper equalises the groups, WEFE's example the stereotypes
    (D57).

    Vectors of a debiased model have length 1. Words of sets to equalise are changed whether or not
    they are in `target` or `ignore`, and definitional words are neutralised in no case.

    Parameters
    ----------
    pca_args : of scikit-learn's PCA; n_components is how many directions are removed.
    verbose : print what is done. criterion_name : put into the name of the debiased model.

    Attributes
    ----------
    bias_subspace_ : (components, dims), orthonormal. pca_ : with the variance that they explain.
    definitional_sets_, definitional_sets_embeddings_ : as given, and those that are whole.
    equalize_sets_embeddings_ : those that are whole.
    """

    name = "Multiclass Hard Debias"
    short_name = "MHD"

    def fit(
        self,
        model: WordEmbeddingModel,
        definitional_sets: Sequence[Sequence[str]],
        equalize_sets: Sequence[Sequence[str]] | None = None,
    ) -> Self:
        """Learn the subspace of definitional sets, and the sets to equalise.

        Parameters
        ----------
        definitional_sets : one word for each class, [[black, caucasian, asian], ...]; their words
            are not neutralised. equalize_sets : sets of words; [] for none.

        Raises
        ------
        TypeError : not a model. ValueError : definitional sets of unequal size, or none is whole.
        FairflowError : sets without a direction; a word to equalise that has no side.
        """
        embeddings, pca = self._components(model, definitional_sets, "n")
        equalise = definitional_sets if equalize_sets is None else equalize_sets
        self.equalize_sets_embeddings_ = self._embeddings(model, equalise, "equalize")
        self.derivation_ = multiclass_hard_debias.MulticlassHardDebias(
            definitional_sets,
            equalise,
            specific=[word for words in definitional_sets for word in words],
            components=int(pca.n_components_),
        ).fit(model)
        asked = self.pca_num_components_
        if isinstance(asked, int) and asked > pca.n_components_:
            told = "the definitional sets differ in %d directions: as many are removed, not %d"
            logger.warning(told, pca.n_components_, asked)
        self.definitional_sets_, self.definitional_sets_embeddings_ = definitional_sets, embeddings
        self.pca_, self.bias_subspace_ = pca, pca.components_
        return self

    def _chosen(
        self, model: WordEmbeddingModel, target: list[str] | None, ignore: list[str] | None
    ) -> tuple[list[str] | None, list[str] | None]:
        """Targets minus definitional words, which are logged."""
        untouched = self.derivation_.untouched
        if kept := [word for word in target or () if word in untouched]:
            logger.warning("target: %s define the classes and stay", some_words(kept))
        return target and [word for word in target if word not in untouched], ignore
