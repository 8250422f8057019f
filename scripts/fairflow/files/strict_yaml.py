"""YAML files whose every fault is a sentence: no key twice, no endless expansion, no odd bytes."""

from __future__ import annotations

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from fairflow.errors import ConfigurationError

# What aliases (*name) may unfold to: a hundred times what the largest file here holds.
MOST_VALUES = 1_000_000
# The composer in C runs out of stack some ten thousand levels down, and takes the process with it.
DEEPEST = 100


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file in which no key stands twice; None for an empty file.

    Raises
    ------
    ConfigurationError : the file cannot be read, is not YAML in UTF-8, repeats a key, has a key
        that is no plain value, or unfolds to more than `MOST_VALUES` values; with the line.
    """
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        problem = ": the file is missing"
    except OSError as error:
        problem = f": cannot be read: {error.strerror}"
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        problem = (
            f", line {line}: not UTF-8 (byte {error.object[error.start]:#04x}): save it as UTF-8"
        )
    except yaml.reader.ReaderError as error:
        problem = (
            f": the character {error.character:#06x} at position {error.position} cannot stand in "
            "YAML: remove it"
        )
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        problem = (f", line {mark.line + 1}" if mark else "") + f": {error.problem}"
    raise ConfigurationError([f"{path}{problem}"]) from None


# The parser in C, which PyYAML's wheels hold, is ten times as fast.
class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A safe loader that refuses repeated keys, of which YAML would keep the last."""


def _parsed(text: str) -> Any:
    _check_depth(text)
    loader = _StrictLoader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            return None
        _unfolded_size(node, {})
        return loader.construct_document(node)
    finally:
        loader.dispose()


def _check_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_StrictLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            raise yaml.constructor.ConstructorError(
                problem=f"lists or mappings lie more than {DEEPEST} deep in each other",
                problem_mark=event.start_mark,
            )


def _unfolded_size(node: yaml.Node, sizes: dict[int, int]) -> int:
    """How many values a node stands for, each alias counted as what it names.

    Parameters
    ----------
    sizes : of nodes already counted, by identity; 0 while a node is being counted.
    """
    size = sizes.get(id(node))
    if size == 0:
        raise _refused("an alias (*name) stands inside what it names", node)
    if size is None:
        sizes[id(node)] = 0
        size = 1 + sum(_unfolded_size(child, sizes) for child in _children(node))
        if size > MOST_VALUES:
            raise _refused(f"its aliases (*name) unfold to more than {MOST_VALUES:,} values", node)
        sizes[id(node)] = size
    return size


def _children(node: yaml.Node) -> list[yaml.Node]:
    if isinstance(node, yaml.MappingNode):
        return [child for pair in node.value for child in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else []


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
            raise _refused(f"the name {key!r} stands twice", key_node)
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)
