"""Reading configuration files and checking their shape, every fault at once."""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from fairflow.capabilities import CAPABILITIES, additions
from fairflow.errors import ConfigurationError, nearest
from fairflow.files.checksums import sha256
from fairflow.files.configuration_files import read_yaml
from fairflow.files.memory import Memory
from fairflow.queries.lookup import spelling_problem

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from referencing import Registry as SchemaRegistry

# Queries that are controls in a study that names none, as far as the configuration has them.
USUAL_CONTROLS = ("weat_1", "weat_2")
# Files that a configuration must have, and those that it may go without.
REQUIRED = ("models", "metrics", "lookups")
_OPTIONAL = ("presets", "contradictions", "benchmarks")
_OF_CAPABILITIES = [file for files in CAPABILITIES.values() for file in files]
_FURTHER_FILES = [name for name in _OF_CAPABILITIES if "/" not in name]
_FURTHER_FOLDERS = [name.rstrip("/") for name in _OF_CAPABILITIES if name.endswith("/")]
_QUOTES = (
    "YAML reads an unquoted no, yes, on, off, null or number as something else: put it in quotes"
)
# What decides whether a file is as its schema demands, next to the schemas.
_CHECKED_BY = (__name__, "fairflow.files.configuration_files", "fairflow.queries.lookup")
_TYPES = {
    "object": "keys with values",
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
}


@dataclass(frozen=True)
class Audited:
    """The model that the command line names by its path, and the queries of its audit.

    Attributes
    ----------
    model : its name in the catalogue. preset : the name of its queries and metrics.
    about : a sentence on how its file was read. left_out : one on queries that are not asked of it,
        or "". language : a sentence on the language of its words, or "" if it was not looked for.
    """

    model: str
    preset: str
    about: str
    left_out: str = ""
    language: str = ""

    @property
    def folder(self) -> str:
        """The folder of answers and scores; the next audit with the same preset reuses it."""
        return f"results/audit/models/{self.preset}"


@dataclass(frozen=True)
class Configuration:
    """The contents of a configuration folder, shaped as the schemas demand.

    Attributes
    ----------
    main : config.yaml (with what the command line changed). folder : where the files lie.
    models, metrics, lookups : the files of those names; models that a capability makes are among
        the models. presets, contradictions, benchmarks : files that may be absent. word_sets,
        queries, studies : file stem -> contents, one entry per file. further : files and such
        folders of capabilities, by name. stated : model that is not stated in models.yaml -> the
        file and key where it is.
    audited : the model that the command line names by its path, see `with_audit`.
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
    benchmarks: dict[str, Any] = field(default_factory=dict)
    further: dict[str, Any] = field(default_factory=dict)
    stated: dict[str, tuple[str, str]] = field(default_factory=dict)
    audited: Audited | None = None

    @property
    def every_model(self) -> dict[str, Any]:
        """The entries of all models, those of capabilities last."""
        further = [one.catalogue(self) for one in additions("plan")]
        return {name: entry for file in (self.models, *further) for name, entry in file.items()}

    @property
    def every_metric(self) -> dict[str, Any]:
        """The entries of all variants of metrics, those of capabilities last."""
        files = [self.further.get(file, {}) for one in additions("plan") for file in one.variants]
        return {name: entry for file in (self.metrics, *files) for name, entry in file.items()}


def study_lists() -> dict[str, str | None]:
    """Lists of studies in config.yaml -> the setting with which a run computes them, if any."""
    further = {name: key for one in additions("plan") for name, key in one.study_lists.items()}
    return {"studies": None, "ledger_studies": "ledger"} | further


def with_every_list() -> dict[str, bool]:
    """The settings with which a run computes the studies of all lists."""
    return {key: True for key in study_lists().values() if key}


def read_configuration(main: dict[str, Any], folder: Path, schemas: Path) -> Configuration:
    """Read every file of a configuration folder and check it against its schema.

    Parameters
    ----------
    main : contents of config.yaml. schemas : folder of NAME.schema.yaml.

    Raises
    ------
    ConfigurationError : listing each fault with file and key.
    """
    problems: list[str] = []

    def read(path: Path, schema: str, contents: Any = None) -> Any:
        try:
            return read_checked(path, schema, schemas, contents)
        except ConfigurationError as error:
            problems.extend(error.problems)
            return {}

    settings = read(folder / "config.yaml", "config", main)

    paths = {name: folder / f"{name}.yaml" for name in (*REQUIRED, *_OPTIONAL, *_FURTHER_FILES)}
    there = [name for name, path in paths.items() if name in REQUIRED or path.is_file()]
    files: dict[str, Any] = {name: read(paths[name], name) for name in there}
    for catalogue in settings.get("model_catalogues") or ():
        more = read(Path(catalogue), "models")
        problems += [
            f"{catalogue}: {name}: another catalogue has a model of this name"
            for name in sorted(more.keys() & files["models"].keys())
        ]
        files["models"] = files["models"] | more
    folders: dict[str, Any] = {
        name: {path.stem: read(path, name) for path in sorted((folder / name).glob("*.yaml"))}
        for name in ("word_sets", "queries", "studies", *_FURTHER_FOLDERS)
    }
    if problems:
        raise ConfigurationError(problems)
    further = {name: files.pop(name) for name in _FURTHER_FILES if name in files}
    further |= {name: folders.pop(name) for name in _FURTHER_FOLDERS}
    studies = folders.pop("studies")
    made = Configuration(
        folder=folder,
        main={**main, **{key: [*main.get(key, ())] for key in study_lists()}},
        studies={name: {"models": [], **study} for name, study in studies.items()},
        further=further,
        **files,
        **folders,
    )
    for extension in additions("plan"):
        made = extension.completed(made)
    return made


def only(study: str) -> dict[str, list[str]]:
    """The settings of config.yaml with which a run computes one study."""
    return {key: [study] if key == "studies" else [] for key in study_lists()}


def read_checked(path: Path, schema: str, schemas: Path, contents: Any = None) -> Any:
    """The contents of a file, as its schema demands; a file that is known is not checked again.

    Parameters
    ----------
    contents : in place of the file's.

    Raises
    ------
    ConfigurationError : listing each fault.
    """
    known, key = _known(schemas), ""
    with suppress(OSError, TypeError, ValueError):
        text = path.read_bytes() if contents is None else json.dumps(contents).encode()
        key = hashlib.sha256(b"%s\n%s" % (schema.encode(), text)).hexdigest()
    if key in known:
        # The last used ones are kept.
        known[key] = known.pop(key)
        return json.loads(known[key]) if contents is None else contents
    contents = read_yaml(path) if contents is None else contents
    if problems := shape_problems(contents, schema, path, schemas):
        raise ConfigurationError(problems)
    with suppress(TypeError, ValueError):
        if key and json.loads(plain := json.dumps(contents)) == contents:
            known[key] = plain
    return contents


@cache
def _known(schemas: Path) -> dict[str, str]:
    """sha256 of a schema's name and a file that is as it demands -> the file's contents as JSON."""
    # A folder with a configuration, or with this library, is a project.
    places = Path(), Path(__file__).parents[3]
    place = next((one for one in places if (one / "config/config.yaml").is_file()), None)
    if place is None:
        return {}
    code = [Path(str(sys.modules[name].__file__)) for name in _CHECKED_BY]
    # Of PyYAML and jsonschema, and what that needs.
    versions = Path(yaml.__file__).parents[1].glob("[jprJPR]*.dist-info")
    state = [sys.version, *sorted(one.name for one in versions)]
    state += [sha256(one) for one in (*code, *sorted(schemas.glob("*.schema.yaml")))]
    return Memory(place / ".snakemake/fairflow_configuration.json", "\n".join(state))


def shape_problems(contents: Any, schema: str, path: Path, schemas: Path) -> list[str]:
    """One sentence for each place where `contents` departs from a schema, or could not be used.

    Unusable are numbers that are not finite, and names that are no text.
    """
    if contents is None:
        return [f"{path}: the file is empty"]
    validator = _validator(schemas / f"{schema}.schema.yaml")
    errors = sorted(validator.iter_errors(contents), key=lambda error: list(map(str, error.path)))
    of_shape = [sentence for error in errors for sentence in _sentences(error)]
    sentences = dict.fromkeys([*of_shape, *_unusable(contents, "")])
    return [f"{path}: {sentence}" for sentence in sentences]


def _unusable(contents: Any, key: str) -> Iterator[str]:
    """Sentences on faults that a schema cannot express."""
    if isinstance(contents, float) and not math.isfinite(contents):
        yield f"{key.removeprefix('.')}: found {contents}, expected a finite number"
    elif isinstance(contents, list):
        for index, value in enumerate(contents):
            yield from _unusable(value, f"{key}[{index}]")
    elif isinstance(contents, dict):
        for name, value in contents.items():
            if not isinstance(name, str):
                place = f"{key}: ".removeprefix(".").lstrip(": ")
                yield f"{place}the name {name!r} is not text. {_QUOTES}"
            yield from _unusable(value, f"{key}.{name}")


@cache
def _schemas(folder: Path) -> SchemaRegistry:
    """The schemas of a folder by the names of their files, by which they refer to each other."""
    from referencing import Registry, Resource

    files = sorted(folder.glob("*.schema.yaml"))
    # Crawled once: else each reference to another file would crawl that file again.
    return (
        Registry()
        .with_resources((f.name, Resource.from_contents(read_yaml(f))) for f in files)
        .crawl()
    )


@cache
def _validator(path: Path) -> Draft202012Validator:
    # Imported here because commands without checks start faster.
    from jsonschema import Draft202012Validator, FormatChecker

    formats = FormatChecker(())
    formats.checks("word")(lambda word: not isinstance(word, str) or not spelling_problem(word))
    registry = _schemas(path.parent)
    schema = registry.contents(path.name)
    return Draft202012Validator(schema, registry=registry, format_checker=formats)


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
        yield f"{key}found {error.instance!r}, expected a string. {_QUOTES}"
    elif error.validator == "type" and str(error.validator_value) in _TYPES:
        yield f"{key}found {error.instance!r}, expected {_TYPES[error.validator_value]}"
    elif error.validator == "enum":
        yield f"{key}{error.message}{_meant(error.instance, error.validator_value)}"
    elif error.validator in ("pattern", "const") and "description" in error.schema:
        yield f"{key}found {error.instance!r}, expected {error.schema['description']}"
    elif error.validator == "format":
        yield f"{key}{spelling_problem(error.instance)}"
    elif error.validator == "uniqueItems":
        repeated = sorted({str(x) for x in error.instance if error.instance.count(x) > 1})
        yield f"{key}repeats {', '.join(repeated)}"
    elif error.validator == "not":
        why = error.schema.get("description", "it is reserved")
        yield f"{key}{error.instance!r} is not allowed here: {why}"
    elif error.validator in ("oneOf", "anyOf"):
        expected = error.schema.get("description", "one of the described forms")
        named = [value for one in error.validator_value for value in one.get("enum", ())]
        hint = _meant(error.instance, named) if isinstance(error.instance, str | bool) else ""
        yield f"{key}found {error.instance!r}, expected {expected.rstrip('.')}{hint}"
    else:
        yield f"{key}{error.message}"


def _meant(found: Any, valid: Sequence[Any]) -> str:
    """What to write in place of a value that is not among the valid ones."""
    if found is None or isinstance(found, int | float):
        return f". {_QUOTES}"
    hint = nearest(found, valid)
    return f". {hint}" if hint.startswith(("Did", "Since")) else ""


def _key(error: ValidationError) -> str:
    parts = [f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.path]
    return "".join(parts).removeprefix(".") + ": " if parts else ""


def configuration_folder(main: Mapping[str, Any], workflow: Path) -> Path:
    """The folder with the files of a configuration.

    It is the folder of the key `configuration`; else config in the working folder, if it has
    models.yaml; else config of the workflow.

    Parameters
    ----------
    main : contents of config.yaml. workflow : the folder of the Snakefile.
    """
    if "configuration" in main:
        return Path(main["configuration"])
    usual = Path("config")
    return usual if (usual / "models.yaml").is_file() else workflow / usual


class Fault(NamedTuple):
    """A sentence on a key of a file below the folder of the configuration."""

    file: str
    key: str
    sentence: str


def in_file(file: str, faults: Iterable[tuple[str, str]]) -> Iterator[Fault]:
    """The faults of one file, of (key, sentence) each."""
    return (Fault(file, *fault) for fault in faults)


def unknown_names(
    key: str, names: Iterable[str], valid: Collection[str], what: str = "name"
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each name that is not valid, with the nearest one that is.

    Parameters
    ----------
    what : the thing that the names stand for.
    """
    for name in names:
        if name not in valid:
            yield key, f"unknown {what} {name!r}. {nearest(name, valid)}"
