"""Why a file that somebody asks for cannot be made: an unknown name in it, or no source."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from fairflow.errors import nearest
from fairflow.planning.availability import missing_file
from fairflow.planning.catalogue import Model
from fairflow.planning.derivation import source_needed

# The path of a result with its {wildcards}, and the expressions that their values match.
Pattern = tuple[str, Mapping[str, re.Pattern[str]]]


def target_problem(
    target: str,
    patterns: Iterable[Pattern],
    names: Mapping[str, Collection[str]],
    models: Mapping[str, Model],
    is_there: Callable[[str], bool],
    held_by: Mapping[str, str] | None = None,
) -> str | None:
    """Why a path cannot be made, in a sentence; None if it can, or is no result at all.

    Parameters
    ----------
    patterns : of all results. names : wildcard -> what it may stand for.
    is_there : whether the vectors of a model, given by its name, are there.
    held_by : metric variant -> the one whose score files hold its values, too.
    """
    readings = [
        (values, [w for w, name in values.items() if w in c and not c[w].fullmatch(name)])
        for text, c in patterns
        if (values := _values(target, text)) is not None
    ]
    if not readings:
        return None
    values, wrong = min(readings, key=lambda reading: len(reading[1]))
    if wrong:
        if other := (held_by or {}).get(values[wrong[0]]):
            asked = target.replace(f"/{values[wrong[0]]}/", f"/{other}/")
            return f"{target}: {values[wrong[0]]} is computed with {other}: ask for {asked}"
        return f"{target}: {_wrong_name(wrong[0], values[wrong[0]], names)}"
    model = models.get(values.get("model"))
    problem = _missing_source(model, is_there) if model else None
    return problem and f"{target}: {problem}"


def _values(target: str, text: str) -> dict[str, str] | None:
    """What the wildcards of a pattern stand for in a path; None if it is another path."""
    if not target.startswith(text.partition("{")[0]):
        return None
    seen: set[str] = set()
    expression = ""
    for position, part in enumerate(re.split(r"\{(\w+)\}", text)):
        if position % 2 == 0:
            expression += re.escape(part)
        else:
            expression += f"(?P={part})" if part in seen else f"(?P<{part}>[^/]*)"
            seen.add(part)
    match = re.fullmatch(expression, target)
    return match and match.groupdict()


def _wrong_name(wildcard: str, name: str, names: Mapping[str, Collection[str]]) -> str:
    what = wildcard.replace("_", " ")
    valid = names.get(wildcard, ())
    if not valid or name in valid:
        return f"no rule makes this file of the {what} {name!r}"
    return f"unknown {what} {name!r}. {nearest(name, valid)}"


def _missing_source(model: Model, is_there: Callable[[str], bool]) -> str | None:
    needed = source_needed(model, is_there)
    problem = missing_file(needed.entry) if needed else None
    if problem is None:
        return None
    lineage = ", which is derived from ".join(reversed(model.lineage))
    return f"it is made of the model {lineage}; {problem}"
