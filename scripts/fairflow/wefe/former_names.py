"""Names of WEFE 0.2.2 that later releases renamed, and how a call in the old names is read."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

from fairflow.queries import preprocessing

if TYPE_CHECKING:
    from fairflow.queries.query import Query

Function = TypeVar("Function", bound=Callable[..., Any])

# Callable, or short name of the metric whose parameter it is -> former name -> present name.
RENAMED: dict[str, dict[str, str]] = {
    "run_query": {
        "word_embedding": "model",
        "preprocessor_args": "preprocessors",
        "secondary_preprocessor_args": "preprocessors",
    },
    "RND": {"distance_type": "distance"},
    "RNSB": {"num_iterations": "n_iterations"},
    "WordEmbeddingModel": {"model": "wv", "model_name": "name"},
}

# What else changed, where the same value means something else under the present name.
NOTES = {"distance_type": "'cos' subtracts signed cosines; WEFE 0.2.2 took their absolute values."}


def current_names(
    callable_name: str, arguments: Mapping[str, Any], stacklevel: int = 2
) -> dict[str, Any]:
    """Keyword arguments under their present names; those that were not renamed stay as they are.

    Parameters
    ----------
    callable_name : a key of `RENAMED`; another name has no renamed arguments.
    arguments : keyword arguments as given.
    stacklevel : whom the DeprecationWarning of a former name points to: 1 is the function that
        calls this one, 2 its caller, and so on.

    Raises
    ------
    TypeError : an argument under its former and its present name.
    """
    table = RENAMED.get(callable_name, {})
    former = {name: value for name, value in arguments.items() if name in table}
    current = {name: value for name, value in arguments.items() if name not in table}
    for present in dict.fromkeys(table[name] for name in former):
        names = [name for name in former if table[name] == present]
        if present in current:
            raise TypeError(f"{callable_name} got {present!r} and its former name {names[0]!r}")
        _warn(callable_name, names, present, stacklevel + 1)
        if present == "preprocessors":
            current[present] = joined_preprocessors(**{name: former[name] for name in names})
        else:
            current[present] = former[names[0]]
    return current


def joined_preprocessors(
    preprocessor_args: Mapping[str, Any] | None = None,
    secondary_preprocessor_args: Mapping[str, Any] | None = None,
) -> list[Mapping[str, Any]]:
    """The list `preprocessors` that means what the two arguments of WEFE 0.2.2 meant."""
    first = {} if preprocessor_args is None else preprocessor_args
    if secondary_preprocessor_args is None:
        return [first]
    return [first, secondary_preprocessor_args]


def accepts_former_names(
    callable_names: Callable[[Any], tuple[str, ...]],
) -> Callable[[Function], Function]:
    """Decorator of a method that also takes keyword arguments under their former names.

    Parameters
    ----------
    callable_names : from the method's `self`, the keys of `RENAMED` that concern the call.
    """

    def decorate(method: Function) -> Function:
        @wraps(method)
        def wrapper(self: Any, *positional: Any, **keywords: Any) -> Any:
            for name in callable_names(self):
                keywords = current_names(name, keywords)
            return method(self, *positional, **keywords)

        return wrapper  # type: ignore[return-value]

    return decorate


class FormerMembers:
    """Attributes and methods that a word embedding model had in WEFE 0.2.2, each deprecated."""

    @property
    def model(self) -> Any:
        """Former name of `wv`."""
        _warn_deprecated("WordEmbeddingModel.model", "wv")
        return self.wv

    @property
    def model_name(self) -> str:
        """Former name of `name`."""
        _warn_deprecated("WordEmbeddingModel.model_name", "name")
        return self.name

    # Both functions are taken from `preprocessing`, which loads their module when they are used:
    # imported from there, their code would count as code that every score depends on.
    def get_embeddings_from_word_set(
        self,
        word_set: Sequence[str],
        preprocessor_args: Mapping[str, Any] | None = None,
        secondary_preprocessor_args: Mapping[str, Any] | None = None,
    ) -> tuple[list[str], dict[str, Any]]:
        """Former name of `fairflow.queries.preprocessing.get_embeddings_from_set`."""
        present = "get_embeddings_from_set"
        _warn_deprecated(
            "get_embeddings_from_word_set", f"fairflow.queries.preprocessing.{present}"
        )
        preprocessors = joined_preprocessors(preprocessor_args, secondary_preprocessor_args)
        return preprocessing.get_embeddings_from_set(self, word_set, preprocessors)

    def get_embeddings_from_query(
        self,
        query: Query,
        lost_vocabulary_threshold: float = 0.2,
        preprocessor_args: Mapping[str, Any] | None = None,
        secondary_preprocessor_args: Mapping[str, Any] | None = None,
        warn_not_found_words: bool = False,
    ) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """Former place of `fairflow.queries.preprocessing.get_embeddings_from_query`."""
        name = "get_embeddings_from_query"
        _warn_deprecated(f"WordEmbeddingModel.{name}", f"fairflow.queries.preprocessing.{name}")
        return preprocessing.get_embeddings_from_query(
            self,
            query,
            lost_vocabulary_threshold,
            joined_preprocessors(preprocessor_args, secondary_preprocessor_args),
            warn_not_found_words=warn_not_found_words,
        )


def _warn_deprecated(former: str, present: str) -> None:
    message = f"{former} is deprecated; use {present}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def _warn(callable_name: str, names: list[str], present: str, stacklevel: int) -> None:
    verb = "are" if len(names) > 1 else "is"
    notes = "".join(f". {NOTES[name]}" for name in names if name in NOTES)
    message = f"{callable_name}: {' and '.join(names)} {verb} now {present}{notes}"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel + 1)
