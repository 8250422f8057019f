"""A finished run, read again from its folder or its archive, if it is as its checksums say.

Nothing of a run is executed: a metric or transform in a file of the run stays unknown.
"""

from __future__ import annotations

import json
import re
import tarfile
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from fairflow.capabilities import additions
from fairflow.errors import FairflowError
from fairflow.files.atomic import read_json
from fairflow.files.checksums import departure, identity_digest
from fairflow.files.configuration_files import read_yaml
from fairflow.files.packed_files import damage_named
from fairflow.files.tables import read_table
from fairflow.provenance.checksums import recorded_results
from fairflow.scores.variant import Variant
from fairflow.scores.word_variant import WordVariant
from fairflow.sharing.merged import Run
from fairflow.transforms import TRANSFORMS, transform_class

# What is taken out of an archive, without the folder around it.
_READ = re.compile(
    r"pyproject\.toml|config/\w+\.yaml|results/(studies|audit|provenance)/.+|"
    r"results/\w+/[^/]+/manifest\.json"
)
_TABLES = "results/studies/*/scores.parquet"


def read_run(path: Path, name: str) -> Run:
    """Read a run.

    Parameters
    ----------
    path : a folder of a project, or an archive of one. name : of the run, in messages and tables.

    Raises
    ------
    FairflowError : it is something else, it is not finished, or not as it was recorded.
    """
    with _opened(path) as folder:
        checksums = _verified(folder, path)
        files = {study: folder / _TABLES.replace("*", study) for study in checksums}
        try:
            tables = {study: read_table(file) for study, file in files.items()}
            return Run(name, tables, checksums, **_records(folder, files))
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise FairflowError(f"{path}: its records cannot be read: {reason}") from error


def _records(folder: Path, files: Mapping[str, Path]) -> dict[str, Any]:
    """What a run says of itself: its last record, audits, and the configuration for the rest."""
    base = folder / "results"
    recorded = _json(base / "provenance/configuration.json")
    further = additions("plan")
    sources = {
        "metrics": ["metrics", *(file for one in further for file in one.variants)],
        "models": ["models", *(one.models_file for one in further if one.models_file)],
        "config": ["config"],
    }
    entries: dict[str, dict[str, Any]] = {kind: {} for kind in sources}
    for kind, names in sources.items():
        for source in names:
            file = folder / f"config/{source}.yaml"
            entries[kind] |= (read_yaml(file) if file.is_file() else {}) | recorded.get(source, {})
    models = entries["models"]
    titles = {n: _json(file.with_name("claims.json")).get("page", {}) for n, file in files.items()}
    labels = {n: one["label"] for n, one in models.items() if "label" in one}
    bases = {n: one["derive"]["from"] for n, one in models.items() if "derive" in one}
    vectors = {n: one["vectors_of"] for n, one in models.items() if "vectors_of" in one}
    vectors |= {n: bases[n] for n in bases if _keeps(models[n]["derive"]["transform"])}
    found = {file.parent.name: _json(file) for file in base.glob("*/*/manifest.json")}
    found |= {file.stem: _json(file) for file in base.glob("provenance/models/*.json")}
    for file in base.glob("audit/*/summary.json"):
        model = _json(file)["model"]
        labels[model["name"]], found[model["name"]] = model["label"], model["facts"]
        vectors |= _json(file.with_name("same_vectors.json")).get("vectors", {})
    project = folder / "pyproject.toml"
    text = project.read_text(encoding="utf-8") if project.is_file() else ""
    variants = {n: as_variant(n, entry) for n, entry in entries["metrics"].items()}
    return {
        "version": tomllib.loads(text).get("project", {}).get("version", ""),
        "seed": recorded.get("seed", entries["config"].get("seed")),
        "studies": titles | recorded.get("studies", {}),
        "variants": {name: one for name, one in variants.items() if one},
        "models": {n: _identity(models.get(n, {}), found.get(n, {})) for n in {*models, *found}},
        **{"labels": labels, "vectors": vectors, "bases": bases},
    }


def as_variant(name: str, entry: Mapping[str, Any]) -> Variant | None:
    """A metric by its entry; None if its code is no part of this version of fairflow."""
    others = (kind for one in additions("plan") for kind in one.variants.values())
    for kind in (WordVariant, *others):
        if entry.get("metric") in kind.registry.names:
            known = {field.name for field in fields(kind)} - {"name"}
            variant = kind(name, **{key: entry[key] for key in known & {*entry}})
            return None if variant.problems() else variant
    return None


def _keeps(transform: str) -> bool:
    return transform in TRANSFORMS.names and transform_class(transform).keeps_directions


def _identity(entry: Mapping[str, Any], record: Mapping[str, Any]) -> dict[str, str]:
    """What identifies a model: checksums of its files, and the parameters of its derivation."""
    stated = {key: entry[key] for key in ("checksum",) if key in entry}
    stated |= {key: record[key] for key in ("vectors_sha256", "sha256") if key in record}
    parameters = record.get("derivation", {}).get("parameters")
    content = {"files": record.get("files"), "parameters": parameters}
    return stated | {
        f"{key}_sha256": identity_digest(json.dumps(value, sort_keys=True)).hex()
        for key, value in content.items()
        if value
    }


@contextmanager
def _opened(path: Path) -> Iterator[Path]:
    """The folder, or a temporary one with what is read of an archive."""
    if not path.is_file():
        yield path
        return
    with TemporaryDirectory() as temporary:
        with damage_named(path, "tar"), tarfile.open(path) as archive:
            members = [one for one in archive if _READ.fullmatch(one.name.partition("/")[2])]
            # The filter refuses links and places outside.
            archive.extractall(temporary, members, filter="data")
        yield next(Path(temporary).iterdir(), Path(temporary))


def _verified(folder: Path, path: Path) -> dict[str, str]:
    """Study -> sha256 of its scores, after all that is read was compared with its record."""
    recorded, damaged = recorded_results(folder)
    faults = [fault.text for fault in damaged]
    for file, (digest, _) in recorded.items():
        if _READ.fullmatch(file) and (what := departure(folder / file, digest, "changed")):
            faults.append(f"{file}: {what} since the run recorded it")
    tables = sorted(file.relative_to(folder).as_posix() for file in folder.glob(_TABLES))
    faults += [f"{file}: not of the recorded run" for file in tables if file not in recorded]
    if faults or not tables:
        raise FairflowError(
            f"{path} is no finished run: {'; '.join(faults[:3]) or f'no {_TABLES}'}. Give the "
            "folder of a project, where 'make run' and 'make verify' end without fault, or an "
            "archive of 'make archive'"
        )
    return {PurePosixPath(file).parent.name: recorded[file].digest for file in tables}


def _json(file: Path) -> dict[str, Any]:
    return read_json(file) if file.is_file() else {}
