"""What is wrong with the catalogue of models, beyond what its schema can tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from fairflow.planning.availability import missing_file
from fairflow.planning.catalogue import Model, download_name, file_of
from fairflow.planning.configuration import Configuration
from fairflow.planning.derivation import derivation_problems, source_needed
from fairflow.planning.problems import Problems

FILE = "models.yaml"
STORE = ("vectors", "index.sqlite", "card.json")


def check_models(models: Mapping[str, Mapping[str, Any]], problems: Problems) -> None:
    """Names of other models, and pickles without a checksum."""
    for name, entry in models.items():
        if entry.get("format") == "gensim" and not {"checksum", "member_checksum"} & {*entry}:
            problems.report(
                FILE,
                name,
                "a gensim file is a pickle, in which code can be hidden. It is read as data "
                "alone, but give the checksum of a file that you trust (or member_checksum)",
            )
        if "vectors_of" in entry:
            key = f"{name}.vectors_of"
            problems.check_names(key, FILE, [entry["vectors_of"]], models)
            if entry["vectors_of"] == name:
                problems.report(FILE, key, "name another model, or leave the key out")
    for key, sentence in derivation_problems(models):
        problems.report(FILE, key, sentence)


def check_sizes(configuration: Configuration, problems: Problems) -> None:
    """Entries that share a download must agree on its size."""
    entries = [(FILE, name, entry) for name, entry in configuration.models.items()]
    for stem, contents in configuration.word_sets.items():
        for name, entry in contents["sets"].items():
            lexicon = entry.get("lexicon", {})
            entries.append((f"word_sets/{stem}.yaml", f"sets.{name}.lexicon", lexicon))
    said: dict[str, tuple[str, int]] = {}
    for file, key, entry in entries:
        download = download_name(entry) if "sources" in entry else None
        if download is None or "bytes" not in entry:
            continue
        other, size = said.setdefault(download, (key, entry["bytes"]))
        if entry["bytes"] != size:
            problems.report(
                file,
                f"{key}.bytes",
                f"{entry['bytes']}, but {other}, which names the same file, says {size}; "
                "correct the one that is wrong",
            )


def check_local_files(
    used: Iterable[str], models: Mapping[str, Model], folder: Path, problems: Problems
) -> None:
    """Files of the user's own that studies need and that are not there, or of another size.

    Parameters
    ----------
    used : names of models. folder : of the converted models, whose files are needed no more.
    """

    def is_converted(name: str) -> bool:
        return all((folder / name / file).is_file() for file in STORE)

    needed = (source_needed(models[name], is_converted) for name in used if name in models)
    for name, entry in {model.name: model.entry for model in needed if model}.items():
        if "sources" in entry and download_name(entry) is None:
            _check_local_file(name, entry, problems)


def _check_local_file(name: str, entry: Mapping[str, Any], problems: Problems) -> None:
    file, size = file_of(entry), entry.get("bytes")
    if Path(file).is_file() and size not in (None, Path(file).stat().st_size):
        problems.report(
            FILE,
            f"{name}.bytes",
            f"{file} has {Path(file).stat().st_size} bytes, expected {size}; correct the "
            "number only if you trust the file",
        )
    if problem := missing_file(entry):
        problems.report(FILE, f"{name}.sources", problem)
