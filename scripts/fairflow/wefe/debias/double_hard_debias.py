"""`wefe.debias.double_hard_debias`: double hard debias with WEFE's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from fairflow.transforms import double_hard_debias
from fairflow.transforms._words import listed_vectors, split
from fairflow.transforms.double_hard_debias import base_summary
from fairflow.vectors.word_rows import word_rows
from fairflow.wefe.debias.base_debias import PCA_ARGS, OfComponents, as_asked, check_types
from fairflow.wefe.word_embedding_model import WordEmbeddingModel


class DoubleHardDebias(OfComponents):
    """Double hard debias as published: see `fairflow.transforms.double_hard_debias`.

    Different from WEFE, as in the paper (D58): the direction is computed from pairs without the
    component of frequency, every word changes and loses the mean, and words to ignore are only kept
    out of the clusters. With `target` only its words change, and clusters are of all words (D23).
    k-means is seeded and starts several times. The component is learnt by `transform`, which is
    given the words to ignore, from the model that it is given.

    Parameters
    ----------
    pca_args : of scikit-learn's PCA, for the components of the pairs.
    verbose : print what is done. criterion_name : put into the name of the debiased model.
    incremental_pca : without effect; the components of all vectors are exact and need one pass.
    n_words : how many words are clustered of each side. n_components : how many components are
        tried; the authors try 20.

    Attributes
    ----------
    bias_direction : (dims,), of the pairs as they are. definitional_pairs,
        definitional_pairs_embeddings : as given, and those that are whole. bias_representation : as
        given. derivation_ : after `transform`; its facts tell the component and all accuracies.
    """

    name = "Double Hard Debias"
    short_name = "DHD"
    _fitted = "definitional_pairs"

    def __init__(
        self,
        pca_args: dict[str, Any] = PCA_ARGS,
        verbose: bool = False,
        criterion_name: str | None = None,
        incremental_pca: bool = True,
        n_words: int = 1000,
        n_components: int = 4,
    ) -> None:
        check_types(
            pca_args=(pca_args, dict),
            incremental_pca=(incremental_pca, bool),
            n_words=(n_words, int),
            n_components=(n_components, int),
        )
        self.pca_args, self.incremental_pca = pca_args, incremental_pca
        self.n_words, self.n_components = n_words, n_components
        self._set_options(verbose, criterion_name)

    def fit(
        self,
        model: WordEmbeddingModel,
        definitional_pairs: Sequence[Sequence[str]],
        bias_representation: Sequence[str],
    ) -> Self:
        """Keep the pairs and ends, and the direction of the pairs as they are.

        Parameters
        ----------
        definitional_pairs : [[woman, man], ...]. bias_representation : two words, [he, she].

        Raises
        ------
        TypeError : not a model. ValueError : pairs of another size, none that is whole, or a word
            of `bias_representation` that are missing in the model.
        """
        pairs, components = self._components(model, definitional_pairs, normalize=False)
        if lost := split(word_rows(model), bias_representation)[1]:
            raise ValueError(f"bias_representation: the model lacks {', '.join(lost)}")
        self.definitional_pairs, self.definitional_pairs_embeddings = definitional_pairs, pairs
        self.bias_representation = bias_representation
        self.bias_direction = components.components_[0]
        return self

    def get_target_words(
        self,
        model: WordEmbeddingModel,
        target: Sequence[str] | None,
        ignore: Sequence[str] | None,
        n_words: int,
        bias_representation: Sequence[str],
    ) -> list[str]:
        """The words that lean most to the second word and then to the first, n_words of each.

        Parameters
        ----------
        target : without effect, as in WEFE. ignore : words that are left out.
        """
        base = word_rows(model)
        ends = listed_vectors(base, list(bias_representation), "bias_representation", unit=True)
        ignored = frozenset(as_asked(model, ignore) or ())
        first, second = base_summary(base, ends[0] - ends[1], n_words, ignored).sides
        return [*reversed(second), *reversed(first)]

    def _chosen(
        self, model: WordEmbeddingModel, target: list[str] | None, ignore: list[str] | None
    ) -> tuple[list[str] | None, list[str] | None]:
        """All targets; learns the component to take out, without words to ignore in its clusters.

        Raises
        ------
        FairflowError : too few words or components.
        """
        self._log("Searching component to debias.")
        self.derivation_ = double_hard_debias.DoubleHardDebias(
            self.definitional_pairs,
            self.bias_representation,
            specific=ignore or (),
            words=self.n_words,
            components=self.n_components,
        ).fit(model)
        self._log(f"Component {self.derivation_.facts['component']} is taken out.")
        return target, None
