"""BaseTransform: what all transforms of vectors have in common."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from fairflow.errors import nearest

if TYPE_CHECKING:
    from fairflow.vectors.derivation import Derivation
    from fairflow.vectors.word_rows import WordRows


class BaseTransform(ABC):
    """A transform derives a new model from a model, its base, by changing the vectors.

    The keyword arguments of a subclass's `__init__` are the parameters that the entry of a model
    may give; for an invalid value `__init__` raises ValueError. `fit` learns from the base, and
    returns a few arrays that say how each vector changes. No vectors are stored except those of
    listed words.

    Attributes
    ----------
    keeps_directions : whether the transform changes no cosine. If so, the derived model and its
        base count as the same vectors, and only one of them is ranked and compared.
    citation : the publication of the method, if there is one.
    word_sets : parameters that an entry may give by name, and the type of each. "words" is the name
        of a set of words in config/word_sets (FILE:SET), "tuples" that of a set of pairs or longer
        rows, "lists" a list of names of sets of words, or the name of a set of tuples; `__init__`
        gets the words themselves. "lines" is the path of a text file; `__init__` gets its lines.
    of_sentences : whether `fit` looks up sentences. Only language models have vectors of these.

    Examples
    --------
    >>> from fairflow.transforms import MeanProjection
    >>> vectors = {"he": [1.0, 1.0], "she": [-1.0, 1.0], "nurse": [-0.5, 2.0]}
    >>> derivation = MeanProjection([["he"], ["she"]]).fit(vectors)
    >>> derivation.transform(vectors)["nurse"].tolist()
    [0.0, 2.0]

    See also
    --------
    fairflow.WordEmbeddingModel : what a derivation also transforms.
    fairflow.score : scores of the vectors before and after.
    """

    keeps_directions: ClassVar[bool] = False
    citation: ClassVar[str] = ""
    word_sets: ClassVar[Mapping[str, str]] = {}
    of_sentences: ClassVar[bool] = False

    @abstractmethod
    def fit(self, base: WordRows) -> Derivation:
        """Learn how the vectors of `base` change.

        Parameters
        ----------
        base : to look up words, or to read all its `blocks`, once or several times.

        Returns
        -------
        A `Derivation`, whose `transform` changes a model, gensim's vectors or a dictionary.

        Raises
        ------
        FairflowError : something that the transform needs is missing in the base.
        """

    def training_texts(self) -> tuple[str, ...] | None:
        """All texts that `fit` looks up, each once; None if it needs more of a model than these.

        A language model has a vector for any text, but no list of texts: `fit` gets only the
        vectors of these. None is for tables of word vectors: for a transform that reads all
        vectors, or changes words that it lists.
        """
        return None

    @classmethod
    def problems(cls, parameters: Mapping[str, Any]) -> list[str]:
        """The problems of parameters, one sentence each."""
        signature = inspect.signature(cls)
        accepted = signature.parameters
        if unknown := [name for name in parameters if name not in accepted]:
            return [f"unknown parameter {name!r}. {nearest(name, accepted)}" for name in unknown]
        try:
            signature.bind(**parameters)
            cls(**parameters)
        except (TypeError, ValueError) as error:
            return [str(error)]
        return []
