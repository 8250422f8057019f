"""Names of WEFE 0.2.2 that later releases renamed, and how a call in the old way is read."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from numbers import Real
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

# Callable, or short name of the metric whose parameter it is -> former name -> present name.
RENAMED: dict[str, dict[str, str]] = {
    "run_query": {
        "word_embedding": "model",
        "preprocessor_args": "preprocessors",
        "secondary_preprocessor_args": "preprocessors",
        "preprocessor_options": "preprocessors",
        "secondary_preprocessor_options": "preprocessors",
    },
    "RND": {"distance_type": "distance"},
    "RNSB": {"num_iterations": "n_iterations"},
    "WordEmbeddingModel": {"model": "wv", "model_name": "name"},
    "run_queries": {
        "word_embeddings_models": "models",
        "warn_filtered_words": "warn_not_found_words",
    },
}

# What `run_query` took after query and model: parameters of the metric, then those of every one.
OWN_PARAMETERS: dict[str, tuple[str, ...]] = {
    "WEAT": (
        "return_effect_size",
        "calculate_p_value",
        "p_value_test_type",
        "p_value_method",
        "p_value_iterations",
        "p_value_verbose",
    ),
    "RND": ("distance_type", "average_distances"),
    "RNSB": (
        "estimator",
        "estimator_params",
        "num_iterations",
        "random_state",
        "print_model_evaluation",
    ),
}
COMMON_PARAMETERS = (
    "lost_vocabulary_threshold",
    "preprocessor_args",
    "secondary_preprocessor_args",
    "warn_not_found_words",
)

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
            options = {name.replace("options", "args"): former[name] for name in names}
            current[present] = joined_preprocessors(**options)
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


def accepts_former_names(callable_name: str) -> Callable[[Function], Function]:
    """Decorator of a function that also takes keyword arguments under their former names.

    Parameters
    ----------
    callable_name : a key of `RENAMED`.
    """

    def decorate(function: Function) -> Function:
        @wraps(function)
        def wrapper(*positional: Any, **keywords: Any) -> Any:
            return function(*positional, **current_names(callable_name, keywords))

        return wrapper  # type: ignore[return-value]

    return decorate


def former_positions(
    metric: str, positional: Sequence[Any], present: Sequence[str]
) -> dict[str, Any] | None:
    """Arguments of `run_query` after query and model by their former names, or None.

    None unless they fit the order of 0.2.2 and not the present one: a dictionary, say, where a list
    of preprocessors stands now.

    Parameters
    ----------
    metric : short name. present : names of the parameters after query and model, in order.
    """
    former = (*OWN_PARAMETERS.get(metric, ()), *COMMON_PARAMETERS)
    if _fit(present, positional) or not _fit(former, positional):
        return None
    return dict(zip(former, positional, strict=False))


def _is_bool(value: Any) -> bool:
    return isinstance(value, bool)


# By which positional arguments the two orders are told apart.
_KINDS: dict[str, Callable[[Any], bool]] = {
    "lost_vocabulary_threshold": lambda value: isinstance(value, Real) and not _is_bool(value),
    "preprocessors": lambda value: isinstance(value, (list, tuple)),
    "preprocessor_args": lambda value: isinstance(value, Mapping),
    "holdout": _is_bool,
    "print_model_evaluation": _is_bool,
    "average_distances": _is_bool,
}


def _fit(names: Sequence[str], values: Sequence[Any]) -> bool:
    kinds = (_KINDS.get(name, lambda _: True) for name in names)
    return len(values) <= len(names) and all(
        is_kind(value) for is_kind, value in zip(kinds, values, strict=False)
    )


def warn_deprecated(former: str, present: str) -> None:
    """Warn, at the caller of the function that calls this one, of a name that has gone."""
    message = f"{former} is deprecated; use {present}"
    warnings.warn(message, DeprecationWarning, stacklevel=3)


def _warn(callable_name: str, names: list[str], present: str, stacklevel: int) -> None:
    verb = "are" if len(names) > 1 else "is"
    notes = "".join(f". {NOTES[name]}" for name in names if name in NOTES)
    message = f"{callable_name}: {' and '.join(names)} {verb} now {present}{notes}"
    warnings.warn(message, DeprecationWarning, stacklevel=stacklevel + 1)
