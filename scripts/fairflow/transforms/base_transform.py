"""BaseTransform: what every change of a model's vectors has in common."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from fairflow.errors import nearest

if TYPE_CHECKING:
    from fairflow.vectors.derivation import Derivation
    from fairflow.vectors.word_embedding_model import WordRows


class BaseTransform(ABC):
    """A change of the vectors of a model, its base, from which another model comes.

    The keyword arguments of a subclass's `__init__` are the parameters that an entry of a model may
    give; what they cannot be raises ValueError there. `fit` learns from the base what it needs and
    tells in a few arrays how each vector changes: no vector but those of listed words is kept.

    Attributes
    ----------
    keeps_directions : whether all cosines stay as they were: then the derived model and its base
        count as the same vectors, of which one is ranked and compared.
    citation : the publication of the method, if there is one.
    word_sets : the parameters that an entry may give as the name of a set of config/word_sets
        (FILE:SET), and of what: "words" takes a set of words, "tuples" one of pairs or longer rows,
        "lists" a list of names of sets of words, or one of tuples. `__init__` is given lists of the
        words themselves. Or the path of a text file, "lines": `__init__` is given its lines.
    of_sentences : whether `fit` looks up sentences, which language models alone have vectors of.
    """

    keeps_directions: ClassVar[bool] = False
    citation: ClassVar[str] = ""
    word_sets: ClassVar[Mapping[str, str]] = {}
    of_sentences: ClassVar[bool] = False

    @abstractmethod
    def fit(self, base: WordRows) -> Derivation:
        """How the vectors of `base` become those of the derived model.

        Parameters
        ----------
        base : to look words up in, or to read all its `blocks`, once or more often.

        Raises
        ------
        FairflowError : the base lacks what the transform needs.
        """

    def training_texts(self) -> tuple[str, ...] | None:
        """All that `fit` looks up, each once; None if it needs more of a model than these.

        Of a language model, which has a vector of any text and no list of them, `fit` is given the
        vectors of these alone. So None is for tables of word vectors: a transform that reads all
        vectors, or changes words that it lists.
        """
        return None

    @classmethod
    def problems(cls, parameters: Mapping[str, Any]) -> list[str]:
        """What is wrong with parameters, one sentence each."""
        accepted = inspect.signature(cls).parameters
        unknown = [name for name in parameters if name not in accepted]
        missing = [
            name
            for name, parameter in accepted.items()
            if parameter.default is parameter.empty and name not in parameters
        ]
        sentences = [f"unknown parameter {name!r}. {nearest(name, accepted)}" for name in unknown]
        sentences += [f"the parameter {name!r} is missing" for name in missing]
        if sentences:
            return sentences
        try:
            cls(**parameters)
        except (TypeError, ValueError) as error:
            return [str(error)]
        return []
