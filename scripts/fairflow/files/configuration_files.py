"""The files of the configuration: the paths of the shipped ones, and strict YAML."""

from __future__ import annotations

from collections.abc import Hashable
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from fairflow.errors import ConfigurationError, FairflowError, not_utf8

_KINDS = {"int": "whole number", "float": "number", "timestamp": "date"}


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file whose keys are unique; None for an empty file.

    Raises
    ------
    ConfigurationError : the file cannot be read, is not YAML in UTF-8, repeats a key, has a key
        that is no plain value; with the line.
    """
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = ": the file is missing"
    except OSError as error:
        problem = f": cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        problem = not_utf8(error)
    except yaml.reader.ReaderError as error:
        problem = (
            f": the character {error.character:#06x} at position {error.position} is not allowed "
            "in YAML: remove it"
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        problem = (f", line {mark.line + 1}" if mark else "") + f": {error.problem}"
    raise ConfigurationError([f"{path}{problem}"]) from None


def with_entries(path: Path, text: str) -> str:
    """The text of a YAML file, there or not, with entries after its own.

    Raises
    ------
    FairflowError : the file cannot be read, or does not end where entries can follow.
    """
    before, kept = "", dict[str, Any]()
    if path.is_file():
        before, kept = path.read_text(encoding="utf-8"), read_yaml(path) or {}
    joined = f"{before.rstrip()}\n\n{text}".lstrip("\n")
    with suppress(yaml.YAMLError, TypeError):
        if _parsed(joined) == {**kept, **_parsed(text)}:
            return joined
    raise FairflowError(
        f"{path}: no entry can be added at its end, because it is in braces, ends in '...', or is "
        f"indented. Nothing was written. Add these lines by hand:\n{text}"
    )


def _parsed(text: str) -> Any:
    return yaml.load(text, _StrictLoader)


# The parser in C, which PyYAML's wheels hold, is ten times as fast. PyYAML has no types.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):
    """A safe loader that refuses repeated keys, where YAML would keep the last one.

    It also refuses malformed numbers, dates and the like.
    """

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value of a node."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError):
            kind = _KINDS.get(name := node.tag.rpartition(":")[2], name)
            text = node.value if len(node.value) <= 40 else f"{node.value[:40]}..."
            problem = f"{text!r} is no {kind} that can be read; put a text in quotes"
            raise _refused(problem, node) from None


def _refused(problem: str, node: yaml.Node) -> yaml.constructor.ConstructorError:
    return yaml.constructor.ConstructorError(problem=problem, problem_mark=node.start_mark)


def _construct_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    loader.flatten_mapping(node)
    mapping: dict[Hashable, Any] = {}
    for key_node, value_node in node.value:
        if not isinstance(key_node, yaml.ScalarNode):
            raise _refused("a key must be a name, not a list or a mapping", key_node)
        key = loader.construct_object(key_node, deep=True)
        if key in mapping:
            raise _refused(f"the name {key!r} is given twice", key_node)
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)


_PACKAGE = Path(__file__).parents[1]
_CLONE = _PACKAGE.parents[1]


def shipped_configuration() -> Path:
    """The folder config of the clone, or its copy in a wheel."""
    return _found(_PACKAGE / "config", _CLONE / "config")


def shipped_schemas() -> Path:
    """The folder of NAME.schema.yaml, which say what a configuration may hold."""
    return _found(_PACKAGE / "schemas", _CLONE / "workflow" / "schemas")


def shipped_pages() -> Path:
    """The folder of the pages on how to write a query, metric, study or transform."""
    return _found(_PACKAGE / "pages", _CLONE / "workflow" / "site" / "pages" / "write")


def version() -> str:
    """The version of fairflow; a clone has it in its pyproject.toml, whatever is installed."""
    # Both are slow to load, and seldom asked.
    import tomllib
    from importlib import metadata

    project = _CLONE / "pyproject.toml"
    if project.is_file():
        return tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"]
    try:
        return metadata.version("fairflow-nlp")
    except metadata.PackageNotFoundError:
        # A copy of the scripts alone.
        return "of unknown version"


def _found(packed: Path, cloned: Path) -> Path:
    # In a wheel the folder is inside the package, in a clone next to the scripts.
    return packed if packed.is_dir() else cloned
