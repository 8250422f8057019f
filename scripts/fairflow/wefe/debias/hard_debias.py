"""`wefe.debias.hard_debias`: hard debias (Bolukbasi et al. 2016) with WEFE's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from fairflow.transforms import hard_debias
from fairflow.wefe.debias.base_debias import OfComponents
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class HardDebias(OfComponents):
    """Hard debias: see `fairflow.transforms.hard_debias.HardDebias`, recipe wefe-1.0.

    Different from WEFE: all vectors of the result have length 1 (D47), `equalize_pairs=[]`
    equalises none (D48), any type of numbers is taken (D50), and a word in two different pairs to
    equalise is an error, as their order would decide (D56).

    Vectors of a debiased model have length 1. Words of pairs to equalise are changed whether or not
    they are in `target` or `ignore`.

    Parameters
    ----------
    pca_args : of scikit-learn's PCA, for `pca_`; only the first component is taken out.
    verbose : print what is done. criterion_name : put into the name of the debiased model.

    Attributes
    ----------
    bias_direction_ : (dims,), of length 1. pca_ : the components that it is the first of.
    definitional_pairs_, definitional_pairs_embeddings_ : as given, and those that are whole.
    equalize_pairs_, equalize_pairs_candidates_, equalize_pairs_embeddings_ : as given, in three
        cases each, and those that are whole.
    """

    name = "Hard Debias"
    short_name = "HD"

    def fit(
        self,
        model: WordEmbeddingModel,
        definitional_pairs: Sequence[Sequence[str]],
        equalize_pairs: Sequence[Sequence[str]] | None = None,
    ) -> Self:
        """Learn the direction of definitional pairs, and the pairs to equalise.

        Parameters
        ----------
        definitional_pairs : [[woman, man], ...]. equalize_pairs : the same pairs by default; [] for
            none. Each stands for its lower, title and upper case.

        Raises
        ------
        TypeError : not a model. ValueError : pairs of another size, or none that is whole.
        FairflowError : pairs without a direction; a word in two different pairs to equalise.
        """
        pairs, self.pca_ = self._components(model, definitional_pairs)
        equalise = definitional_pairs if equalize_pairs is None else equalize_pairs
        if len(equalise):
            self._check_sets_sizes(equalise, "equalize", 2)
        forms = [
            form
            for one, other in equalise
            for form in zip(hard_debias.case_forms(one), hard_debias.case_forms(other), strict=True)
        ]
        equalised = self._embeddings(model, forms, "equalize", tell_lost=False)
        self.derivation_ = hard_debias.HardDebias(
            definitional_pairs, equalise, recipe="wefe-1.0"
        ).fit(model)
        self.definitional_pairs_, self.definitional_pairs_embeddings_ = definitional_pairs, pairs
        self.equalize_pairs_, self.equalize_pairs_candidates_ = equalise, forms
        self.equalize_pairs_embeddings_ = equalised
        self.bias_direction_ = self.pca_.components_[0]
        return self
