"""Word sets and files that entries name: of transforms, queries and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairflow.errors import FairflowError, nearest, not_utf8
from fairflow.files.checksums import sha256
from fairflow.planning.catalogue import entry_packing, file_of, portable
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


@dataclass
class Named:
    """Parameters, and what they name.

    Attributes
    ----------
    values : with the words or tuples of sets, or the lines of files, in place of their names. The
        name of an unknown set or of a missing file stays.
    recorded : the same as records hold them: of a file its name and sha256, not its lines.
    word_sets : the sets that they name, each once. files : the existing files.
    problems : a sentence for each unknown or unfit set, missing file and malformed word.
    """

    values: dict[str, Any] = field(default_factory=dict)
    recorded: dict[str, Any] = field(default_factory=dict)
    word_sets: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def read_named(parameters: Mapping[str, Any], takes: Mapping[str, str], word_sets: Sets) -> Named:
    """Parameters with what the sets and files hold that they name.

    Parameters
    ----------
    takes : parameter -> "words", "tuples", "lists" or "lines", see `BaseTransform.word_sets`.
    word_sets : FILE:SET -> its entry.
    """
    found = Named()
    for key, value in parameters.items():
        told, problems = None, list[str]()
        if (kind := takes.get(key)) == _LINES and isinstance(value, str):
            read, told, problems = _lines(value)
            found.files += [value] if told else []
        elif kind in _KEYS:
            read, problems = _words(value, kind, word_sets, found.word_sets)
        else:
            read = value
        found.values[key], found.recorded[key] = read, told or read
        found.problems += (f"{key}: {problem}" for problem in problems)
    found.word_sets = [*dict.fromkeys(found.word_sets)]
    return found


def _lines(path: str) -> tuple[Any, dict[str, Any] | None, list[str]]:
    """The lines of a file that hold something, each once; its record; and what is wrong with it."""
    if not Path(path).is_file():
        return path, None, [f"there is no file {path}: put it there, or correct the path"]
    lines, problems = list[str](), list[str]()
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        lines += dict.fromkeys(filter(None, map(str.strip, text.splitlines())))
        problems += [] if lines else [f"{path} holds no line: expected a sentence in each"]
    except UnicodeDecodeError as error:
        problems.append(f"{path}{not_utf8(error)}")
    return lines, {"file": portable(path), "lines": len(lines), "sha256": sha256(path)}, problems


def _words(value: Any, kind: str, word_sets: Sets, named: list[str]) -> tuple[Any, list[str]]:
    """A value with the contents of the sets that it names; and what is wrong with it.

    Parameters
    ----------
    named : gets the names.
    """
    problems = list[str]()
    wanted = _IN_A_LIST if isinstance(value, list) else _KEYS[kind]

    def contents(name: Any) -> Any:
        """Of a string, which is in the place of a list."""
        if not isinstance(name, str):
            return name
        named.append(name)
        if held := [word_sets[name][key] for key in wanted if key in word_sets.get(name, ())]:
            return held[0]
        valid = [known for known, entry in word_sets.items() if any(w in entry for w in wanted)]
        what = f"set of {' or '.join(wanted)}" if name in word_sets else "word set"
        problems.append(f"unknown {what} {name!r}. {nearest(name, valid)}")
        return name

    if not isinstance(value, list):
        return contents(value), problems
    lists = (each if isinstance(each, list) else [each] for each in value)
    words = (word for words in lists for word in words if isinstance(word, str))
    problems += filter(None, map(spelling_problem, words))
    return [contents(each) for each in value] if kind == "lists" else value, problems


def read_declaration(
    entry: Mapping[str, Any], word_sets: Sets, folder: Path
) -> tuple[dict[str, Any], tuple[str, ...], str, list[str]]:
    """The declared inputs of an entry.

    Pairs and vocabulary, as `fairflow.queries.query.query_inputs` takes them; the word sets that
    they come from, FILE:SET; the file of its property, "" without one; and a sentence for each
    fault.

    Parameters
    ----------
    word_sets : FILE:SET -> entry, those of tuples too. folder : of the configuration.
    """
    plain, file, problems = dict[str, Any](), "", list[str]()
    if name := entry.get(PROPERTY):
        file, unknown = property_file(folder, name), unknown_property(folder, name)
        try:
            problems += [f"{PROPERTY}: {unknown}"] if unknown else []
            _ = unknown or read_property(file)
        except FairflowError as error:
            problems.append(str(error))
    vocabulary = entry.get(VOCABULARY)
    without = vocabulary.get("without", []) if isinstance(vocabulary, Mapping) else []
    pairs = {PAIRS: entry[PAIRS]} if PAIRS in entry else {}
    named = read_named({**pairs, "without": without}, _TAKES, word_sets)
    if named.problems:
        return {}, (), file, problems + named.problems
    if pairs:
        plain[PAIRS] = [list(pair) for pair in named.values[PAIRS]]
    if VOCABULARY in entry:
        left_out = dict.fromkeys(word for words in named.values["without"] for word in words)
        plain[VOCABULARY] = _size(vocabulary) | {"without": list(left_out)}
    try:
        query_inputs(plain)
    except ValueError as error:
        problems.append(str(error))
    return plain, tuple(named.word_sets), file, problems


def property_file(folder: Path, name: str) -> str:
    """The path of a property, which a user may name by its path."""
    return name if name.endswith(".csv") else str(folder / PROPERTIES / f"{name}.csv")


def unknown_property(folder: Path, name: str) -> str:
    """A sentence on a property without a file, or ""."""
    if Path(property_file(folder, name)).is_file():
        return ""
    there = sorted(path.stem for path in (folder / PROPERTIES).glob("*.csv"))
    return f"unknown property {name!r}. {nearest(name, there)}"


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
            "packing": entry_packing(entry),
        }
        for name, entry in benchmarks.items()
    }
