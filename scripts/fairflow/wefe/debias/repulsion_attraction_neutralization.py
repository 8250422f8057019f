"""`wefe.debias.repulsion_attraction_neutralization`: RAN with WEFE's parameters."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Self

from fairflow.transforms import ran
from fairflow.vectors.word_rows import word_rows
from fairflow.wefe.debias.base_debias import PCA_ARGS, OfComponents, check_types
from fairflow.wefe.word_embedding_model import WordEmbeddingModel

logger = logging.getLogger(__name__)

WEIGHTS = [0.33, 0.33, 0.33]
# Of the descent that WEFE makes.
EPOCHS, LEARNING_RATE = 300, 0.01


class RepulsionAttractionNeutralization(OfComponents):
    """Repulsion, attraction, neutralisation: see `fairflow.transforms.ran`.

    Different from WEFE: its descent by 300 steps, whose result depends on rounding and is not of
    the vector that its objective is about (D22, D52), is replaced by the exact solution, which
    needs no torch and some milliseconds a word. Words to ignore are left alone in `target`, too.
    The neighbours are learnt by `transform`, from the model that it is given.

    Parameters
    ----------
    pca_args : of scikit-learn's PCA, for `pca_`; only the first component is the direction.
    verbose : print what is done. criterion_name : put into the name of the debiased model.
    epochs, learning_rate : without effect; logged where they are other than WEFE's defaults.
    theta : indirect bias above which a neighbour is repelled. n_neighbours : how many are looked
        at. weights : of the three terms, each above 0.

    Attributes
    ----------
    bias_direction_ : (dims,), of length 1. pca_ : the components that it is the first of.
    definitional_pairs_, definitional_pairs_embeddings_ : as given, and those that are whole.
    derivation_ : after `transform`; its facts tell the objective before and after.
    """

    name = "Repulsion attraction Neutralization"
    short_name = "RAN"
    _fitted = "definitional_pairs_"

    def __init__(
        self,
        pca_args: dict[str, Any] = PCA_ARGS,
        verbose: bool = False,
        criterion_name: str | None = None,
        epochs: int = EPOCHS,
        theta: float = 0.05,
        n_neighbours: int = 100,
        learning_rate: float = LEARNING_RATE,
        weights: list[float] = WEIGHTS,
    ) -> None:
        check_types(
            epochs=(epochs, int),
            theta=(theta, float),
            n_neighbours=(n_neighbours, int),
            learning_rate=(learning_rate, float),
            weights=(weights, list),
        )
        self.pca_args, self.epochs, self.theta = pca_args, epochs, theta
        self.n_neighbours, self.learning_rate, self.weights = n_neighbours, learning_rate, weights
        self._set_options(verbose, criterion_name)

    def fit(self, model: WordEmbeddingModel, definitional_pairs: Sequence[Sequence[str]]) -> Self:
        """Keep the pairs, [[woman, man], ...], and their direction.

        Raises
        ------
        TypeError : not a model. ValueError : pairs of another size, or none that is whole.
        """
        pairs, self.pca_ = self._components(model, definitional_pairs)
        self.definitional_pairs_, self.definitional_pairs_embeddings_ = definitional_pairs, pairs
        self.bias_direction_ = self.pca_.components_[0]
        if (self.epochs, self.learning_rate) != (EPOCHS, LEARNING_RATE):
            logger.warning("epochs and learning_rate have no effect: the solution is exact")
        return self

    def _chosen(
        self, model: WordEmbeddingModel, target: list[str] | None, ignore: list[str] | None
    ) -> tuple[list[str] | None, list[str] | None]:
        """None, as the words are chosen in learning, which is done here.

        Raises
        ------
        ValueError : an empty target, or weights that are not three numbers above 0.
        FairflowError : no word is left to debias, or one has no direction.
        """
        if target is None:
            target = [word for part, _, _ in word_rows(model).rows_in_blocks() for word in part]
        self.derivation_ = ran.RAN(
            self.definitional_pairs_,
            target,
            ignore or (),
            weights=self.weights,
            neighbours=self.n_neighbours,
            threshold=self.theta,
        ).fit(model)
        return None, None
