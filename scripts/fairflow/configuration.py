"""Reading configuration files and checking their shape, every fault at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from fairflow.errors import ConfigurationError, nearest


@dataclass(frozen=True)
class Configuration:
    """The contents of a configuration folder, shaped as the schemas demand.

    Attributes
    ----------
    main : config.yaml (with what the command line changed). folder : where the files lie.
    models, metrics, lookups : the files of those names. presets, contradictions, language_models,
        language_metrics : files that may be absent. word_sets, queries, studies, language_queries :
        file stem -> contents, one entry per file.
    """

    folder: Path
    main: dict[str, Any]
    models: dict[str, Any]
    metrics: dict[str, Any]
    lookups: dict[str, Any]
    word_sets: dict[str, Any]
    queries: dict[str, Any]
    studies: dict[str, Any]
    presets: dict[str, Any] = field(default_factory=dict)
    contradictions: list[dict[str, str]] = field(default_factory=list)
    language_models: dict[str, Any] = field(default_factory=dict)
    language_metrics: dict[str, Any] = field(default_factory=dict)
    language_queries: dict[str, Any] = field(default_factory=dict)


def read_configuration(main: dict[str, Any], folder: Path, schemas: Path) -> Configuration:
    """Read every file of a configuration folder and check it against its schema.

    Parameters
    ----------
    main : contents of config.yaml. schemas : folder of NAME.schema.yaml.

    Raises
    ------
    ConfigurationError : listing each fault with file and key.
    """
    problems = shape_problems(main, "config", folder / "config.yaml", schemas)

    def read(path: Path, schema: str) -> Any:
        try:
            contents = read_yaml(path)
        except ConfigurationError as error:
            problems.extend(error.problems)
            return {}
        found = shape_problems(contents, schema, path, schemas)
        problems.extend(found)
        return {} if found else contents

    files = {name: read(folder / f"{name}.yaml", name) for name in ("models", "metrics", "lookups")}
    for catalogue in main.get("model_catalogues", ()):
        more = read(Path(catalogue), "models")
        twice = sorted(more.keys() & files["models"].keys())
        problems += [
            f"{catalogue}: {name}: another catalogue has a model of this name" for name in twice
        ]
        files["models"] = files["models"] | more
    optional = {
        name: read(path, name)
        for name in ("presets", "contradictions", "language_models", "language_metrics")
        if (path := folder / f"{name}.yaml").is_file()
    }
    folders = {
        name: {path.stem: read(path, name) for path in sorted((folder / name).glob("*.yaml"))}
        for name in ("word_sets", "queries", "studies", "language_queries")
    }
    if problems:
        raise ConfigurationError(problems)
    return Configuration(folder=folder, main=main, **files, **optional, **folders)


def read_yaml(path: Path) -> Any:
    """The contents of a YAML file in which no key stands twice.

    Raises
    ------
    ConfigurationError : the file is missing, is not YAML or repeats a key; with the line.
    """
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_StrictLoader)
    except FileNotFoundError:
        raise ConfigurationError([f"{path}: the file is missing"]) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f", line {mark.line + 1}" if mark else ""
        raise ConfigurationError([f"{path}{where}: {error.problem}"]) from None


def shape_problems(contents: Any, schema: str, path: Path, schemas: Path) -> list[str]:
    """One sentence for each place where `contents` departs from a schema."""
    validator = _validator(schemas / f"{schema}.schema.yaml")
    errors = sorted(validator.iter_errors(contents), key=lambda error: list(map(str, error.path)))
    return [f"{path}: {sentence}" for error in errors for sentence in _sentences(error)]


@cache
def _validator(path: Path) -> Draft202012Validator:
    def neighbour(name: str) -> Resource:
        return Resource.from_contents(read_yaml(path.parent / name))

    return Draft202012Validator(read_yaml(path), registry=Registry(retrieve=neighbour))


def _sentences(error: ValidationError) -> Iterator[str]:
    key = _key(error)
    if error.validator == "additionalProperties":
        valid = error.schema.get("properties", {})
        for name in error.instance:
            if name not in valid:
                yield f"{key}unknown key {name!r}. {nearest(name, valid)}"
    elif error.validator == "required":
        for name in error.validator_value:
            if name not in error.instance:
                yield f"{key}the key {name!r} is missing"
    elif error.validator == "type" and error.validator_value == "string":
        yield (
            f"{key}found {error.instance!r}, expected a string. YAML reads an unquoted no, yes, "
            "on, off, null or number as something else: put it in quotes"
        )
    elif error.validator in ("minItems", "minProperties"):
        yield f"{key}is empty, expected at least {error.validator_value}"
    elif error.validator == "uniqueItems":
        repeated = sorted({str(x) for x in error.instance if error.instance.count(x) > 1})
        yield f"{key}repeats {', '.join(repeated)}"
    elif error.validator == "dependentRequired":
        for name, others in error.validator_value.items():
            for other in others:
                if name in error.instance and other not in error.instance:
                    yield f"{key}{name!r} goes with {other!r}, which is missing"
    elif error.validator == "not":
        why = error.schema.get("description", "it is reserved")
        yield f"{key}{error.instance!r} cannot stand here: {why}"
    elif error.validator in ("oneOf", "anyOf"):
        expected = error.schema.get("description", "one of the described forms")
        yield f"{key}found {error.instance!r}, expected {expected}"
    else:
        yield f"{key}{error.message}"


def _key(error: ValidationError) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.path]
    return "".join(parts).removeprefix(".") + ": " if parts else ""


# The parser in C, which PyYAML's wheels hold, is ten times as fast.
class _StrictLoader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """A safe loader that refuses repeated keys, of which YAML would keep the last."""


def _construct_mapping(loader: _StrictLoader, node: yaml.MappingNode) -> dict[Hashable, Any]:
    loader.flatten_mapping(node)
    mapping: dict[Hashable, Any] = {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in mapping:
            raise yaml.constructor.ConstructorError(
                problem=f"the name {key!r} stands twice", problem_mark=key_node.start_mark
            )
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)
