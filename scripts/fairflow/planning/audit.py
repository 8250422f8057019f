"""An audit: the configuration of a study of a model that the command line names by its path.

`python -m fairflow.planning.audit PATH [FORMAT]` prints which environment it needs: workflow, or
language-models of a network, which is run with torch.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.packed_files import open_packed
from fairflow.language_models.checkpoints.model_folder import (
    CONFIGURATION,
    ModelFolderError,
    kind_of_architecture,
    network_refusal,
    parsed,
    read_object,
)
from fairflow.planning.configuration import FORMULA, Audited, Configuration
from fairflow.vectors.recognition import GGUF, Recognised, recognise

PRESET = "audit"
# The default models with vectors of their own: the others are parts or changes of the first.
REFERENCES = ("word2vec-google-news-300-weat", "glove-6B-50d")
FIGURES = ("forest_plot", "word_associations", "ranking_bars", "coverage")
# Of the queries, which are in English, and so of the words that are drawn at random.
LANGUAGE = "en"
_ENDINGS = (
    *("gz", "bz2", "xz", "zip", "tar", "tgz", "whl", "txt", "text", "vec", "bin", "kv", "model"),
    *("npy", "gguf", "vectors", "w2v", "wordvectors"),
)
_LONGEST = 60
# What Snakemake takes for its own, control characters and what stands for a byte outside UTF-8.
_UNFIT = re.compile("[{}\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")


def with_audit(configuration: Configuration) -> Configuration:
    """A configuration of the audit that its key `audit` asks for, and of no other study.

    Without that key it is what it was.

    Raises
    ------
    ConfigurationError : no model is recognised at the path, or preset or references are unknown.
    """
    main = configuration.main
    if "audit" not in main:
        return configuration
    preset = main.get("audit_preset", PRESET)
    references = main.get("audit_references")
    if references is None:
        references = [name for name in REFERENCES if name in configuration.models]
    problems = [*_problems(configuration, preset, references)]
    # As one path from wherever it is named, so that nothing is made again for its spelling.
    path = Path(os.path.abspath(Path(main["audit"]).expanduser()))
    if unfit := _UNFIT.search(str(path)):
        text = f"audit: {str(path)!r} has {unfit[0]!r} in it, which the name of no model may hold"
        raise ConfigurationError([*problems, f"{text}. Rename it"])
    try:
        found = recognise(path, main.get("audit_format"))
        entry = _entry(found, path)
        if "audit_pooling" in main and found.is_network:
            entry["pooling"] = main["audit_pooling"]
        elif "audit_pooling" in main:
            has = f"{entry['label']} has a vector of each word"
            problems.append(f"audit_pooling: {has}, so that none is pooled. Leave it out")
    except FairflowError as error:
        problems.append(f"audit: {error}")
    if problems:
        raise ConfigurationError(problems)
    name = audit_name(path)
    study = name if preset == PRESET else f"{name}.{preset}"
    catalogue, presets, left_out = "models", configuration.presets, ""
    if found.is_network:
        catalogue = "language_models"
        short = _without_lexicons(presets[preset], configuration)
        if short != presets[preset]:
            left_out = f"of preset {preset} those of thousands of words are not asked of a network"
            # Of another name, as what is kept of reference models is of fewer queries.
            preset = f"{preset}.short"
            presets = presets | {preset: short}
    return replace(
        configuration,
        main=main | {"studies": [study], "language_studies": []},
        studies={
            study: {
                "title": f"Audit of {entry['label']}",
                "models": [name, *references],
                "preset": preset,
                "subject": name,
                "figures": list(FIGURES),
            }
        },
        presets=presets,
        audited=Audited(name, preset, entry["note"], left_out),
        **{catalogue: getattr(configuration, catalogue) | {name: entry}},
    )


def audit_name(path: Path) -> str:
    """The name of the model at a path: that of its file, and a mark of the folder it lies in.

    So that two files of one name are two models, and one file is one from wherever it is named.
    """
    place = path.expanduser().resolve()
    parts = place.name.split(".")
    while len(parts) > 1 and parts[-1].lower() in _ENDINGS:
        parts.pop()
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", ".".join(parts)).strip("-._+")[:_LONGEST]
    mark = hashlib.sha256(str(place).encode("utf-8", "surrogateescape")).hexdigest()[:6]
    return f"{plain or 'model'}-{mark}"


def _problems(configuration: Configuration, preset: str, references: Any) -> list[str]:
    problems = []
    if preset not in configuration.presets:
        hint = nearest(preset, configuration.presets)
        problems.append(f"audit_preset: unknown name {preset!r} of presets.yaml. {hint}")
    else:
        of_items = {*configuration.presets[preset]["metrics"]} & {*configuration.language_metrics}
        if of_items:
            problems.append(
                f"audit_preset: {preset!r} asks by {', '.join(sorted(of_items))} what a language "
                "model says; an audit compares vectors of words. Name a preset of such metrics"
            )
    known = configuration.models
    problems += [
        f"audit_references: unknown model {name!r}. {nearest(name, known)}"
        for name in references
        if name not in known
    ]
    return problems


def _entry(found: Recognised, path: Path) -> dict[str, Any]:
    """The entry of the model in the catalogue."""
    entry = dict(found.entry) | {
        # No name that a spreadsheet calculates.
        "label": path.name.lstrip("".join(FORMULA)) or str(path),
        "language": LANGUAGE,
    }
    entry["note"] = found.because.replace(f"{path.parent}/", "")
    if "sources" in entry:
        # A file that changes in place is another one, whatever its date.
        entry["bytes"] = Path(entry["sources"][0]["file"]).stat().st_size
    if found.is_network:
        entry["kind"] = "causal" if found.format == GGUF else _kind(entry)
    return entry


def _kind(entry: Mapping[str, Any]) -> str:
    """Masked, causal or encoder, as the configuration of a network says."""
    if "folder" in entry:
        path = Path(entry["folder"])
        said = read_object(path / CONFIGURATION)
    else:
        member = "/".join(filter(None, (entry.get("member"), CONFIGURATION)))
        path = Path(entry["sources"][0]["file"])
        with open_packed(path, entry["archive"], member) as stream:
            said = parsed(stream.read(1 << 24), f"{member} of {path}")
    if refusal := network_refusal(said):
        raise ModelFolderError(f"{path}: {refusal}")
    return kind_of_architecture((said.get("architectures") or [""])[0])


def _without_lexicons(preset: Mapping[str, Any], configuration: Configuration) -> dict[str, Any]:
    """A preset without the queries that hold thousands of words, which a network reads slowly."""
    long = {
        f"{stem}:{name}"
        for stem, contents in configuration.word_sets.items()
        for name, entry in contents["sets"].items()
        if "lexicon" in entry
    }
    entries = {
        name: entry
        for contents in configuration.queries.values()
        for name, entry in contents["queries"].items()
    }

    def is_short(query: str) -> bool:
        sets = (entries.get(query, {}).get(role, {}) for role in ("targets", "attributes"))
        return long.isdisjoint(reference for named in sets for reference in named.values())

    criteria = {c: [q for q in queries if is_short(q)] for c, queries in preset["criteria"].items()}
    return dict(preset) | {"criteria": {c: queries for c, queries in criteria.items() if queries}}


def print_environment(arguments: Sequence[str]) -> int:
    """Of a path and a format, if it is given; 1 and the reason where no model is recognised."""
    try:
        print("language-models" if recognise(*arguments).is_network else "workflow")
    except FairflowError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(print_environment(sys.argv[1:]))
