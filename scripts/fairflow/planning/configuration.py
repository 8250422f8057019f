"""Reading configuration files and checking their shape, every fault at once."""

from __future__ import annotations

import copy
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fairflow.errors import FORMULA, NAME_ADVICE, UNPRINTABLE, ConfigurationError, nearest
from fairflow.files.configuration_files import read_yaml
from fairflow.queries.lookup import spelling_problem

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from referencing import Registry as SchemaRegistry

# What config.yaml must hold, to check another key by itself.
_LEAST = {"studies": ["any"], "seed": 0}
# Queries that are controls in a study that names none, as far as the configuration has them.
USUAL_CONTROLS = ("weat_1", "weat_2")
# The same tests in another language.
CONTROLS_IN = ("weathub_{language}_weat1", "weathub_{language}_weat2")
# Lists of studies in config.yaml -> the setting with which a run computes them, None for every run.
STUDY_LISTS = {"studies": None, "ledger_studies": "ledger", "language_studies": "language_models"}
# Files that a configuration may go without.
_OPTIONAL = (
    *("presets", "contradictions", "benchmarks", "language_models", "language_metrics", "validity"),
    "corpora",
)
_CALCULATED = "begins as a formula, which a spreadsheet would calculate: begin it with a letter"
# Keys whose values are printed on one line.
_PRINTED = ("label", "title")
_QUOTES = (
    "YAML reads an unquoted no, yes, on, off, null or number as something else: put it in quotes"
)
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
    models, metrics, lookups : the files of those names; models trained on corpora are among the
        models. presets, contradictions, benchmarks, language_models, language_metrics, validity,
        corpora : files that may be absent. word_sets, queries, studies, language_queries : file
        stem -> contents, one entry per file.
    problems : faults of config.yaml and of studies, which are left out here, and unknown keys, so
        that the faults of the rest are found too.
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
    language_models: dict[str, Any] = field(default_factory=dict)
    language_metrics: dict[str, Any] = field(default_factory=dict)
    language_queries: dict[str, Any] = field(default_factory=dict)
    validity: dict[str, Any] = field(default_factory=dict)
    corpora: dict[str, Any] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    audited: Audited | None = None


def read_configuration(main: dict[str, Any], folder: Path, schemas: Path) -> Configuration:
    """Read every file of a configuration folder and check it against its schema.

    Faults that leave every name defined are kept in the result, to be reported with later ones.

    Parameters
    ----------
    main : contents of config.yaml. schemas : folder of NAME.schema.yaml.

    Raises
    ------
    ConfigurationError : listing each fault with file and key.
    """
    # Late, because it imports numpy, which commands without a plan do not need.
    from fairflow.planning.corpora import trained_models, with_models

    main, problems = _sound_part(main, folder / "config.yaml", schemas)
    problems_of_names: list[str] = []

    def read(path: Path, schema: str, faults: list[str] = problems_of_names) -> Any:
        if UNPRINTABLE.search(path.name):
            faults.append(f"{str(path)!r}: {NAME_ADVICE}")
            return {}
        try:
            contents = read_yaml(path)
        except ConfigurationError as error:
            faults.extend(error.problems)
            return {}
        of_shape = shape_problems(contents, schema, path, schemas)
        if not of_shape:
            return contents
        known = without_unknown_keys(contents, schema, schemas)
        rest = shape_problems(known, schema, path, schemas)
        # If unknown keys are its only faults, its names are defined and more faults can be found.
        (faults if rest else problems).extend(of_shape)
        return {} if rest else known

    files = {name: read(folder / f"{name}.yaml", name) for name in ("models", "metrics", "lookups")}
    for catalogue in main.get("model_catalogues", ()):
        more = read(Path(catalogue), "models")
        twice = sorted(more.keys() & files["models"].keys())
        problems_of_names += [
            f"{catalogue}: {name}: another catalogue has a model of this name" for name in twice
        ]
        files["models"] = files["models"] | more
    optional = {
        name: read(path, name) for name in _OPTIONAL if (path := folder / f"{name}.yaml").is_file()
    }
    folders = {
        name: {path.stem: read(path, name) for path in sorted((folder / name).glob("*.yaml"))}
        for name in ("word_sets", "queries", "language_queries")
    }
    studies = {
        path.stem: read(path, "studies", problems)
        for path in sorted((folder / "studies").glob("*.yaml"))
    }
    if problems_of_names or "studies" not in main:
        raise ConfigurationError([*problems, *problems_of_names])
    # An invalid seed is reported above; with a valid one the rest can be checked.
    main.setdefault("seed", _LEAST["seed"])
    for key in STUDY_LISTS:
        main[key] = [name for name in main.get(key, ()) if studies.get(name, True)]
    corpora = optional.get("corpora", {})
    files["models"] = files["models"] | trained_models(corpora)
    return Configuration(
        folder=folder,
        main=main,
        studies={name: with_models(study, corpora) for name, study in studies.items() if study},
        problems=tuple(problems),
        **files,
        **optional,
        **folders,
    )


def only(study: str) -> dict[str, list[str]]:
    """The settings of config.yaml with which a run computes one study."""
    return {key: [study] if key == "studies" else [] for key in STUDY_LISTS}


def _sound_part(main: Any, path: Path, schemas: Path) -> tuple[dict[str, Any], list[str]]:
    """The keys of config.yaml that are as its schema demands, and the faults of the others."""
    problems = shape_problems(main, "config", path, schemas)
    if not problems:
        return dict(main), []
    if not isinstance(main, dict):
        return {}, problems
    schema = _validator(schemas / "config.schema.yaml").schema["properties"]
    sound = {
        key: value
        for key, value in main.items()
        if key in schema and not shape_problems(_LEAST | {key: value}, "config", path, schemas)
    }
    return sound, problems


def shape_problems(contents: Any, schema: str, path: Path, schemas: Path) -> list[str]:
    """One sentence for each place where `contents` departs from a schema, or could not be used.

    Unusable are numbers that are not finite, and names, labels and titles of several lines.
    """
    if contents is None:
        return [f"{path}: the file is empty"]
    validator = _validator(schemas / f"{schema}.schema.yaml")
    errors = sorted(validator.iter_errors(contents), key=lambda error: list(map(str, error.path)))
    sentences = [sentence for error in errors for sentence in _sentences(error)]
    sentences = dict.fromkeys([*sentences, *_unusable(contents, "")])
    return [f"{path}: {sentence}" for sentence in sentences]


def without_unknown_keys(contents: Any, schema: str, schemas: Path) -> Any:
    """A copy of the contents of a file without the keys that its schema does not know."""
    known = copy.deepcopy(contents)
    for error in _validator(schemas / f"{schema}.schema.yaml").iter_errors(contents):
        if error.validator != "additionalProperties":
            continue
        place = known
        for key in error.absolute_path:
            place = place[key]
        for name in set(place) - set(error.schema.get("properties", {})):
            del place[name]
    return known


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
                yield f"{key.removeprefix('.')}: the name {name!r} is not text. {_QUOTES}".lstrip(
                    ": "
                )
            elif UNPRINTABLE.search(name):
                yield f"{key.removeprefix('.')}: the name {name!r} holds a line break or the like"
            elif name.startswith(FORMULA):
                yield f"{key.removeprefix('.')}: the name {name!r} {_CALCULATED}"
            elif name in _PRINTED and isinstance(value, str) and UNPRINTABLE.search(value):
                yield f"{key.removeprefix('.')}.{name}: {value!r} holds a line break or the like"
            elif name in _PRINTED and isinstance(value, str) and value.startswith(FORMULA):
                yield f"{key.removeprefix('.')}.{name}: {value!r} {_CALCULATED}"
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
