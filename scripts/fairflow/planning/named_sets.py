"""Word sets and files that entries name: of transforms, queries and benchmarks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError, nearest, not_utf8
from fairflow.files.checksums import sha256
from fairflow.planning.catalogue import file_of, packing_of, portable
from fairflow.queries.lookup import spelling_problem
from fairflow.queries.query import PAIRS, PROPERTY, VOCABULARY, query_inputs
from fairflow.queries.query_file import read_property

# What a parameter takes -> the keys under which a set of config/word_sets may hold it. Of lists, a
# name in the place of all may be a set of tuples, each one list; of one of them it is one of words.
_KEYS = {"words": ("words",), "lists": ("tuples", "words"), "tuples": ("tuples",)}
_IN_A_LIST = ("words",)
# What a parameter takes that may be the path of a text file.
_LINES = "lines"
PROPERTIES = "properties"
_TAKES = {PAIRS: "tuples", "without": "lists"}
Sets = Mapping[str, Mapping[str, Any]]


def named_sets(parameters: Mapping[str, Any], takes: Mapping[str, str]) -> list[str]:
    """The sets that parameters name, each once.

    Parameters
    ----------
    takes : parameter -> "words", "tuples", "lists" or "lines", see `BaseTransform.word_sets`.
    """
    kinds = {key: takes[key] for key in parameters if takes.get(key) not in (None, _LINES)}
    names = (name for key, kind in kinds.items() for name in _names(parameters[key], kind))
    return list(dict.fromkeys(names))


def with_words(
    parameters: Mapping[str, Any], takes: Mapping[str, str], word_sets: Sets
) -> dict[str, Any]:
    """Parameters with the words or tuples of sets, or the lines of files, in place of their names.

    Parameters
    ----------
    word_sets : FILE:SET -> its entry. The name of an unknown set or of a missing file
        stays.
    """

    def contents(name: Any, keys: Sequence[str]) -> Any:
        entry = word_sets.get(name, {}) if isinstance(name, str) else {}
        return next((entry[key] for key in keys if key in entry), name)

    def value_of(value: Any, kind: str | None) -> Any:
        if kind == _LINES:
            return _lines(value) if _is_file(value) else value
        if kind == "lists" and isinstance(value, list):
            return [contents(each, _IN_A_LIST) for each in value]
        return contents(value, _KEYS[kind]) if kind else value

    return {key: value_of(value, takes.get(key)) for key, value in parameters.items()}


def named_files(parameters: Mapping[str, Any], takes: Mapping[str, str]) -> list[str]:
    """The existing files that parameters name."""
    return [v for key, v in parameters.items() if takes.get(key) == _LINES and _is_file(v)]


def recorded(
    parameters: Mapping[str, Any], values: Mapping[str, Any], takes: Mapping[str, str]
) -> dict[str, Any]:
    """Values of parameters as records hold them: of a file its name and sha256, not its lines.

    Parameters
    ----------
    values : of `with_words`.
    """
    return dict(values) | {
        key: {"file": portable(given), "lines": len(values[key]), "sha256": sha256(given)}
        for key, given in parameters.items()
        if takes.get(key) == _LINES and _is_file(given)
    }


def naming_problems(
    parameters: Mapping[str, Any], takes: Mapping[str, str], word_sets: Sets
) -> Iterator[str]:
    """A sentence for each unknown or unfit set, missing file and malformed word."""
    for key, value in parameters.items():
        kind = takes.get(key)
        if kind is None:
            continue
        if kind == _LINES:
            yield from _file_problems(key, value)
            continue
        if isinstance(value, list):
            lists = (each if isinstance(each, list) else [each] for each in value)
            words = chain.from_iterable(lists)
            faults = (spelling_problem(word) for word in words if isinstance(word, str))
            yield from (f"{key}: {fault}" for fault in faults if fault)
        for name in _names(value, kind):
            wanted = _IN_A_LIST if isinstance(value, list) else _KEYS[kind]
            valid = [known for known, entry in word_sets.items() if any(w in entry for w in wanted)]
            if name not in valid:
                what = f"set of {' or '.join(wanted)}" if name in word_sets else "word set"
                yield f"{key}: unknown {what} {name!r}. {nearest(name, valid)}"


def _names(value: Any, kind: str) -> Iterator[str]:
    """The names in the value of a parameter: strings in the place of lists."""
    places = value if kind == "lists" and isinstance(value, list) else [value]
    return (each for each in places if isinstance(each, str))


def _is_file(value: Any) -> bool:
    return isinstance(value, str) and Path(value).is_file()


def _lines(path: str) -> list[str]:
    """The lines of a file that hold something, each once.

    Raises
    ------
    UnicodeDecodeError : it is no text in UTF-8.
    """
    lines = Path(path).read_text(encoding="utf-8-sig").splitlines()
    return list(dict.fromkeys(filter(None, map(str.strip, lines))))


def _file_problems(key: str, value: Any) -> Iterator[str]:
    if not isinstance(value, str):
        return
    if not Path(value).is_file():
        yield f"{key}: there is no file {value}: put it there, or correct the path"
        return
    try:
        lines = _lines(value)
    except UnicodeDecodeError as error:
        yield f"{key}: {value}{not_utf8(error)}"
    else:
        if not lines:
            yield f"{key}: {value} holds no line: expected a sentence in each"


def declaration(
    entry: Mapping[str, Any], word_sets: Sets, folder: Path
) -> tuple[dict[str, Any], tuple[str, ...], str]:
    """The declared inputs of an entry without faults.

    Pairs and vocabulary, as `fairflow.queries.query.query_inputs` takes them; the word sets that
    they come from, FILE:SET; and the file of its property, "" without one.

    Parameters
    ----------
    word_sets : FILE:SET -> entry, those of tuples too. folder : of the configuration.
    """
    named = _named(entry)
    values = with_words(named, _TAKES, word_sets)
    plain: dict[str, Any] = {}
    if PAIRS in entry:
        plain[PAIRS] = [list(pair) for pair in values[PAIRS]]
    if VOCABULARY in entry:
        left_out = dict.fromkeys(word for words in values.get("without", ()) for word in words)
        plain[VOCABULARY] = _size(entry[VOCABULARY]) | {"without": list(left_out)}
    file = property_file(folder, entry[PROPERTY]) if PROPERTY in entry else ""
    return plain, tuple(named_sets(named, _TAKES)), file


def property_file(folder: Path, name: str) -> str:
    """The path of a property, which a user may name by its path."""
    return name if name.endswith(".csv") else str(folder / PROPERTIES / f"{name}.csv")


def unknown_property(folder: Path, name: str) -> str:
    """A sentence on a property without a file, or ""."""
    if Path(property_file(folder, name)).is_file():
        return ""
    there = sorted(path.stem for path in (folder / PROPERTIES).glob("*.csv"))
    return f"unknown property {name!r}. {nearest(name, there)}"


def declaration_problems(entry: Mapping[str, Any], word_sets: Sets, folder: Path) -> Iterator[str]:
    """A sentence for each fault of the declared inputs of an entry."""
    name = entry.get(PROPERTY)
    if name is not None and (unknown := unknown_property(folder, name)):
        yield f"{PROPERTY}: {unknown}"
    elif name is not None:
        try:
            read_property(property_file(folder, name))
        except FairflowError as error:
            yield str(error)
    faults = [*naming_problems(_named(entry), _TAKES, word_sets)]
    yield from faults
    if faults:
        return
    try:
        query_inputs(declaration(entry, word_sets, folder)[0])
    except ValueError as error:
        yield str(error)


def _named(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that may name word sets."""
    vocabulary = entry.get(VOCABULARY)
    without = vocabulary.get("without", []) if isinstance(vocabulary, Mapping) else []
    return {**({PAIRS: entry[PAIRS]} if PAIRS in entry else {}), "without": without}


def _size(vocabulary: Any) -> dict[str, Any]:
    """Which words a vocabulary takes: a number, `all`, or both keys."""
    if not isinstance(vocabulary, Mapping):
        vocabulary = {"first": vocabulary}
    first = vocabulary.get("first", "all")
    return {
        "first": None if first == "all" else first,
        "limited": vocabulary.get("limited", False),
    }


def with_property_words(
    word_sets: Mapping[str, dict[str, Any]], folder: Path
) -> tuple[dict[str, dict[str, Any]], list[tuple[str, str]]]:
    """Word sets, those of a property with its words; and (FILE:SET, sentence) of each fault.

    Parameters
    ----------
    folder : of the configuration.
    """
    found, faults = {**word_sets}, []
    for reference, entry in word_sets.items():
        if "property" not in entry:
            continue
        name, words = entry["property"], list[str]()
        problem = unknown_property(folder, name)
        try:
            words += [] if problem else read_property(property_file(folder, name)).values
        except FairflowError as error:
            problem = str(error)
        if problem:
            faults.append((reference, problem))
        found[reference] = {**entry, "words": words}
    return found, faults


def benchmark_reading(benchmarks: Sets) -> dict[str, dict[str, Any]]:
    """How each benchmark is read, as `fairflow.studies.benchmarks.read_benchmark` takes it."""
    return {
        name: {
            "path": file_of(entry),
            "kind": entry["kind"],
            "encoding": entry.get("encoding", "utf-8"),
            "packing": packing_of(entry),
        }
        for name, entry in benchmarks.items()
    }
