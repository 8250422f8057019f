"""BaseTransform: what every change of a model's vectors has in common."""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from fairflow.errors import nearest

if TYPE_CHECKING:
    import numpy as np

    from fairflow.vectors.store import VectorStore


class BaseTransform(ABC):
    """A change of the vectors of a model, its base, from which another model comes.

    The keyword arguments of a subclass's `__init__` are the parameters that an entry of a model may
    give; what they cannot be raises ValueError there. First `fit` learns from the whole base what
    it needs, then `change` is given every row once, block by block, so that memory stays flat.

    Attributes
    ----------
    keeps_directions : whether all cosines stay as they were: then the derived model and its base
        count as the same vectors, of which one is ranked and compared.
    citation : the publication of the method, if there is one.
    """

    keeps_directions: ClassVar[bool] = False
    citation: ClassVar[str] = ""

    def fit(self, base: VectorStore) -> None:  # noqa: B027 - most need not learn anything
        """Learn from the base: look words up in it, or read all its `blocks`, once or more often.

        Raises
        ------
        FairflowError : the base lacks what the transform needs.
        """

    @abstractmethod
    def change(self, words: Sequence[str], vectors: np.ndarray) -> np.ndarray:
        """The new vectors of some rows: (words, dims), float32, as they are given.

        Parameters
        ----------
        words : of the rows, each word of the base once, in its order. vectors : not to be written
            to.
        """

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
