"""An audit: the configuration of a study of one model that the command line names.

The model is a path, word2vec or glove, or named as a capability names models that are in no file.
`python -m fairflow.planning.audit MODEL [FORMAT]` prints the environment that the audit needs:
workflow, or another one of a capability.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from fairflow.capabilities import extensions
from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.metrics import METRICS
from fairflow.planning.catalogue import SHORT_NAMES, is_bundled
from fairflow.planning.configuration import Audited, Configuration, only, unknown_names
from fairflow.planning.languages import language_of_file, preset_in
from fairflow.planning.models import Model
from fairflow.queries.languages import ENGLISH, same_language
from fairflow.vectors.recognition import Recognised, recognise

PRESET = "audit"
# The default models: the other models of the default studies are parts or changes of the first.
REFERENCES = tuple(SHORT_NAMES.values())
FIGURES = ("effect_sizes", "word_associations", "rank_probabilities", "coverage")
_ENDINGS = (
    *("gz", "bz2", "xz", "zip", "tar", "tgz", "whl", "txt", "text", "vec", "bin", "kv", "model"),
    *("npy", "gguf", "vectors", "w2v", "wordvectors"),
)
_LONGEST = 60
# Braces, which Snakemake reads as wildcards, control characters and bytes outside UTF-8.
_UNFIT = re.compile("[{}\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\ud800-\\udfff]")


def with_audit(configuration: Configuration) -> Configuration:
    """The configuration of the audit that the key `audit` asks for, without any other study.

    Without that key the configuration stays as it is.

    Raises
    ------
    ConfigurationError : no model is recognised, or the preset, a reference or the name is unfit.
    """
    main = configuration.main
    if "audit" not in main:
        return configuration
    preset = main.get("audit_preset", PRESET)
    language, told = main.get("audit_language") or "", ""
    by_default = main.get("audit_references") is None
    usual = [name for name in REFERENCES if name in configuration.models]
    references = usual if by_default else main["audit_references"]
    problems = [*_problems(configuration, preset, references)]
    place = audit_place(main["audit"])
    if unfit := _UNFIT.search(place):
        text = f"audit: the name {place!r} contains {unfit[0]!r}, which no model's name may contain"
        raise ConfigurationError([*problems, f"{text}. Rename it"])
    try:
        if bundled := place in REFERENCES and place in configuration.models:
            of = None
            entry = {"note": "", **configuration.models[place]}
            references = [name for name in references if name != place]
        else:
            entry, of = _entry_of(place, main)
        if not (language or of or bundled or "audit_preset" in main):
            found = language_of_file(Model("audit", entry), configuration.word_sets)
            language, told = found.tag, " ".join(found.sentences)
        entry["language"] = language or entry["language"]
    except FairflowError as error:
        problems.append(f"audit: {error}")
    if problems:
        raise ConfigurationError(problems)
    name, study = main.get("audit_name") or audit_name(place), audit_study(main)
    if "audit_name" in main:
        entry["label"] = name
    presets, left_out = configuration.presets, ""
    if not same_language(language or ENGLISH, ENGLISH):
        # Under another name, as the kept results of reference models are those of other queries.
        try:
            of_language = preset_in(language, presets[preset], configuration.queries)
        except FairflowError as error:
            raise ConfigurationError([f"audit_language: {error}"]) from error
        # Without metrics that need more than word sets.
        metrics = {name: configuration.metrics[name]["metric"] for name in of_language["metrics"]}
        fit = [name for name, metric in metrics.items() if not METRICS.load(metric).needs]
        preset = f"{preset}.{language}"
        presets = presets | {preset: of_language | {"metrics": fit}}
        if by_default:
            references = _models_in(language, configuration)
    if of or not {*references} <= {*configuration.models}:
        short = _without_lexicons(presets[preset], configuration)
        if short != presets[preset]:
            left_out = f"the queries of preset {preset} with thousands of words are left out"
            # Under another name, as the kept results of reference models have fewer queries.
            preset = f"{preset}.short"
            presets = presets | {preset: short}
    return replace(
        configuration,
        main=main | only(study),
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
        audited=Audited(name, preset, entry["note"], left_out, told),
        models=configuration.models | ({} if of else {name: entry}),
        further=configuration.further | (of.with_entry(configuration, name, entry) if of else {}),
    )


def audit_place(asked: str) -> str:
    """A model that is in no file as it is named, or an absolute path.

    A bundled model is named as in the catalogue. The same file has the same place from every
    working folder, so that nothing is computed again.
    """
    path = Path(asked).expanduser()
    name = SHORT_NAMES.get(asked, asked)
    if _elsewhere(asked) or (name in REFERENCES and not path.exists()):
        return name
    return os.path.abspath(path)


def audit_study(main: Mapping[str, Any]) -> str:
    """The name of the study of an audit, from the settings of config.yaml."""
    name = main.get("audit_name") or audit_name(audit_place(main["audit"]))
    preset = main.get("audit_preset") or PRESET
    return name if preset == PRESET else f"{name}.{preset}"


def audit_name(place: str | Path) -> str:
    """The name of a model: its file's name plus a short hash of its path, or of its commit.

    Two files with the same name in different folders are two models. A bundled model has its own.
    """
    if place in REFERENCES:
        return str(place)
    of = _elsewhere(str(place))
    if of and (named := of.name_and_mark(str(place))):
        name, mark = named
    else:
        path = Path(place).expanduser().resolve()
        parts = path.name.split(".")
        while len(parts) > 1 and parts[-1].lower() in _ENDINGS:
            parts.pop()
        name = ".".join(parts)
        mark = hashlib.sha256(str(path).encode("utf-8", "surrogateescape")).hexdigest()
    plain = re.sub(r"[^A-Za-z0-9.+_-]+", "-", name).strip("-._+")[:_LONGEST]
    return f"{plain or 'model'}-{mark[:6]}"


def _problems(configuration: Configuration, preset: str, references: Any) -> Iterator[str]:
    known = configuration.every_model
    if preset not in configuration.presets:
        hint = nearest(preset, configuration.presets)
        yield f"audit_preset: unknown name {preset!r} of presets.yaml. {hint}"
    if (name := configuration.main.get("audit_name", "")) in known:
        yield f"audit_name: the catalogue has a model {name!r}. Choose another name"
    unknown = unknown_names("audit_references", references, known, "model")
    yield from (f"{key}: {sentence}" for key, sentence in unknown)


def _elsewhere(place: str) -> ModuleType | None:
    """The capability whose models have names like this one and are in no file; None without."""
    return next((one for one in extensions("audit") if one.is_named(place)), None)


def _entry_of(place: str, main: Mapping[str, Any]) -> tuple[dict[str, Any], ModuleType | None]:
    """The entry of the model in the catalogue, and the capability that it is of, if any."""
    if of := _elsewhere(place):
        return of.entry_of(place, main), of
    path = Path(place)
    found = recognise(path, main.get("audit_format"))
    entry = dict(found.entry) | {"label": path.name, "language": ENGLISH}
    entry["note"] = found.because.replace(f"{path.parent}/", "")
    if "sources" in entry:
        # A file whose content changes is another model, whatever its date.
        entry["bytes"] = Path(entry["sources"][0]["file"]).stat().st_size
    if not found.is_network:
        return entry, None
    of = _of_networks(found)
    return of.completed(entry, found, main), of


def _of_networks(found: Recognised) -> ModuleType:
    for one in extensions("audit"):
        return one
    raise FairflowError(f"{found.because}: nothing here measures a network")


def _models_in(language: str, configuration: Configuration) -> list[str]:
    """The word vectors of the catalogue in a language that are in a package, as small ones are."""
    return [
        name
        for name, entry in configuration.models.items()
        if any(same_language(language, one) for one in Model(name, entry).languages)
        and is_bundled(entry)
    ]


def _without_lexicons(preset: Mapping[str, Any], configuration: Configuration) -> dict[str, Any]:
    """A preset without the queries with thousands of words, which a network reads slowly."""
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
    """Print the environment for a model and, if it is given, a format.

    Returns
    -------
    1 after the reason on stderr, where no model is recognised.
    """
    place = audit_place(arguments[0])
    try:
        if of := _elsewhere(place):
            of.check(place)
        elif place not in REFERENCES and (found := recognise(*arguments)).is_network:
            of = _of_networks(found)
        print(of.ENVIRONMENT if of else "workflow")
    except FairflowError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(print_environment(sys.argv[1:]))
