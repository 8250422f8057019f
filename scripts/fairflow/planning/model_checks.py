"""What is wrong with the catalogues of models, beyond what their schemas can tell."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.errors import ConfigurationError, nearest
from fairflow.language_models.folders.model_folder import folder_problem
from fairflow.planning.catalogue import ancestry, download_name, file_of, missing_file
from fairflow.planning.configuration import Configuration, Problems
from fairflow.planning.language_model import COMPLETIONS, PACKED, PlannedLanguageModel
from fairflow.planning.models import CONVERTED, NONE, Model, parts_of, source_needed
from fairflow.planning.named_sets import naming_problems, with_words
from fairflow.planning.result_files import items_file, manifest_file
from fairflow.transforms import TRANSFORMS, transform_class
from fairflow.transforms.base_transform import BaseTransform

Entry = tuple[str, str, Mapping[str, Any]]
FILE, LANGUAGE, BENCHMARKS = "models.yaml", "language_models.yaml", "benchmarks.yaml"
_OF_WORDS = "It is a language model, which has no table of vectors to change."
_OF_TEXTS = (
    "It is a table of word vectors: a model that is derived from it stands in models.yaml as well."
)
_OF_SENTENCES = (
    "{transform} learns from sentences, and a table of word vectors holds none: it is for entries "
    "of language_models.yaml"
)
_OF_A_LIST = (
    "{transform}, with these parameters, changes words one by one or reads all vectors of a model, "
    "and a language model has a vector of any text: take one that changes all texts alike ({able}; "
    "hard_debias with equalise: [] and specific: [])"
)


def check_models(
    models: Mapping[str, Mapping[str, Any]],
    word_sets: Mapping[str, Mapping[str, Any]],
    language_models: Collection[str],
    problems: Problems,
    audited: str | None = None,
) -> None:
    """Names of other models and of word sets, and what needs a checksum or words.

    Parameters
    ----------
    audited : the model of a file that the user has just named, which needs no checksum.
    """
    for name, entry in models.items():
        is_pickle = entry.get("format") == "gensim" and name != audited
        if is_pickle and not {"checksum", "member_checksum"} & {*entry}:
            problems.report(
                FILE,
                name,
                "a gensim file is a pickle, in which code can be hidden. It is read as data "
                "alone, but give the checksum of a file that you trust (or member_checksum)",
            )
        if entry.get("format") == "npy" and not {"words", "words_member"} & {*entry}:
            problems.report(
                FILE,
                name,
                "a .npy file has no words: name the file of them, one for each row, as words, or "
                "as words_member in the same archive",
            )
        if "vectors_of" in entry:
            key = f"{name}.vectors_of"
            others = [model for model in models if model != name]
            if entry["vectors_of"] == name:
                problems.report(FILE, key, "name another model, or leave the key out")
            else:
                problems.check_names(key, FILE, [entry["vectors_of"]], others)
    for key, sentence in derivation_problems(models, word_sets, language_models):
        problems.report(FILE, key, sentence)


def check_downloads(configuration: Configuration, problems: Problems) -> None:
    """Entries that share a download agree on it, and packages are pinned by their contents."""
    entries = [entry for entry in _entries(configuration) if "sources" in entry[2]]
    _check_sizes(entries, problems)
    _check_checksums(entries, problems)


def _entries(configuration: Configuration) -> list[Entry]:
    """File, key and entry of all that may be downloaded."""
    entries = [(FILE, name, entry) for name, entry in configuration.models.items()]
    entries += [(LANGUAGE, name, entry) for name, entry in configuration.language_models.items()]
    for stem, contents in configuration.word_sets.items():
        for name, entry in contents["sets"].items():
            lexicon = entry.get("lexicon", {})
            entries.append((f"word_sets/{stem}.yaml", f"sets.{name}.lexicon", lexicon))
    entries += [(BENCHMARKS, name, entry) for name, entry in configuration.benchmarks.items()]
    for stem, contents in configuration.language_queries.items():
        for name, entry in contents["queries"].items():
            published = entry.get("published", {})
            entries.append(
                (f"language_queries/{stem}.yaml", f"queries.{name}.published", published)
            )
    return entries


def _check_sizes(entries: Iterable[Entry], problems: Problems) -> None:
    said: dict[str, tuple[str, int]] = {}
    for file, key, entry in entries:
        download = download_name(entry)
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


def _check_checksums(entries: Iterable[Entry], problems: Problems) -> None:
    """A wheel is fetched by its sha256, and the same sources give the same bytes."""
    said: dict[str, tuple[str, str]] = {}
    for file, key, entry in entries:
        checksum = entry.get("checksum", "no checksum")
        kind = checksum.partition(":")[0]
        wheels = [source["pypi"] for source in entry["sources"] if "pypi" in source]
        if wheels and kind != "sha256":
            problems.report(
                file,
                f"{key}.checksum",
                f"found {checksum}, expected sha256: and the digits of {wheels[0]}, by which a "
                "wheel is fetched; pip hash FILE.whl prints them",
            )
        if "checksum" not in entry or download_name(entry) is None:
            continue
        sources = kind + json.dumps(entry["sources"], sort_keys=True)
        other, promised = said.setdefault(sources, (key, checksum))
        if checksum != promised:
            problems.report(
                file,
                f"{key}.checksum",
                f"{checksum}, but {other}, which names the same sources, says {promised}; "
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
        return all((folder / name / file).is_file() for file in CONVERTED.values())

    needed = (source_needed(models[name], is_converted) for name in used if name in models)
    for name, entry in {model.name: model.entry for model in needed if model}.items():
        if "sources" in entry and download_name(entry) is None:
            _check_local_file(FILE, name, entry, problems)
        if "words" in entry and not Path(entry["words"]).is_file():
            problems.report(
                FILE,
                f"{name}.words",
                f"there is no file {entry['words']}: put it there, or correct the path",
            )


def check_packed_models(used: Iterable[PlannedLanguageModel], problems: Problems) -> None:
    """Files of the user's own that language models of studies are still to be unpacked from."""
    for model in used:
        is_own = model.source == PACKED and download_name(model.entry) is None
        if not is_own or Path(manifest_file(model.name)).is_file():
            continue
        if Path(model.file).is_dir():
            problems.report(
                LANGUAGE,
                f"{model.name}.sources",
                f"{model.file} is a folder: write folder: {model.file} in place of sources and "
                "what belongs to them",
            )
        else:
            _check_local_file(LANGUAGE, model.name, model.entry, problems)


def check_published_files(
    used: Iterable[str], configuration: Configuration, problems: Problems
) -> None:
    """Files of the user's own that items of queries are still to be read from."""
    for stem, contents in configuration.language_queries.items():
        for name, entry in contents["queries"].items():
            published = entry.get("published")
            if not published or name not in used or download_name(published) is not None:
                continue
            if not Path(items_file(name)).is_file():
                key = f"queries.{name}.published"
                _check_local_file(f"language_queries/{stem}.yaml", key, published, problems)


def _check_local_file(
    catalogue: str, name: str, entry: Mapping[str, Any], problems: Problems
) -> None:
    file, size = file_of(entry), entry.get("bytes")
    if Path(file).is_file() and size not in (None, Path(file).stat().st_size):
        problems.report(
            catalogue,
            f"{name}.bytes",
            f"{file} has {Path(file).stat().st_size} bytes, expected {size}; correct the "
            "number only if you trust the file",
        )
    if problem := missing_file(entry):
        problems.report(catalogue, f"{name}.sources", problem)


def language_model_problems(
    model: PlannedLanguageModel, static: Iterable[str], archived: bool
) -> list[str]:
    entry = model.entry
    problems = []
    if model.name in static:
        problems.append("models.yaml has a model of this name")
    if "derive" in entry and COMPLETIONS in model.origin.entry:
        problems.append(
            f"derive.from: {model.origin.name} has given completions and no vectors to change: "
            "name a model that can be run"
        )
    if ("completions" in entry) != (model.kind == "texts"):
        problems.append("kind texts is for given completions, and they for it")
    if entry.get("format") == "gguf" and model.kind == "masked":
        problems.append(
            "kind: found masked, but no mask can be read from a .gguf file: write causal, or "
            "encoder for vectors alone"
        )
    if model.kind != "causal" and entry.get("chat_template"):
        problems.append(f"chat_template: found true, but only causal models chat, not {model.kind}")
    if "folder" in entry and not archived:
        problems += filter(None, [folder_problem(entry["folder"], model.kind)])
    for query, path in entry.get("completions", {}).items():
        if not Path(path).is_file():
            problems.append(f"completions.{query}: there is no file {path}")
    return problems


def derivation_problems(
    models: Mapping[str, Mapping[str, Any]],
    word_sets: Mapping[str, Mapping[str, Any]] = NONE,
    others: Collection[str] = (),
    of_texts: bool = False,
) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each fault: an unknown base or transform, wrong parameters, a circle.

    Parameters
    ----------
    word_sets : those that parameters may name, FILE:SET -> entry.
    others : names of the other catalogue, which are no base.
    of_texts : whether these are language models, and the others tables of word vectors.
    """
    told: set[str] = set()
    for name, entry in models.items():
        if "derive" not in entry:
            continue
        derived = entry["derive"]
        yield from _transform_problems(name, derived, word_sets, of_texts)
        names = ancestry(name, models)
        if derived["from"] not in models:
            hint = nearest(derived["from"], [model for model in models if model != name])
            if derived["from"] in others:
                hint = f"{_OF_TEXTS if of_texts else _OF_WORDS} {hint}"
            yield f"{name}.derive.from", f"no model {derived['from']!r} to derive it from. {hint}"
        elif models.get(names[-1], {}).get("derive", {}).get("from") == name and name not in told:
            told.update(names)
            circle = " from ".join([*names, name])
            yield (
                f"{name}.derive.from",
                f"{circle}: a circle, in which nothing has vectors; let one of these models come "
                "from a model that has sources",
            )


def _transform_problems(
    name: str,
    derived: Mapping[str, Any],
    word_sets: Mapping[str, Mapping[str, Any]],
    of_texts: bool,
) -> Iterator[tuple[str, str]]:
    transform, _, given = parts_of(derived)
    try:
        made = transform_class(transform)
    except ConfigurationError as error:
        for sentence in error.problems:
            yield f"{name}.derive.transform", sentence
        return
    if "parameters" in given:
        beside = "what a transform takes stands beside from and transform: move it one level up"
        yield f"{name}.derive.parameters", beside
        return
    sentences = [*naming_problems(given, made.word_sets, word_sets)]
    if sentences:
        values = {}
    else:
        values = with_words(given, made.word_sets, word_sets)
        sentences = made.problems(values)
    for sentence in sentences:
        yield f"{name}.derive", sentence
    if made.of_sentences and not of_texts:
        yield f"{name}.derive.transform", _OF_SENTENCES.format(transform=transform)
    elif of_texts and not sentences and made(**values).training_texts() is None:
        able = (n for n in TRANSFORMS.names if _for_texts(transform_class(n)))
        yield (
            f"{name}.derive.transform",
            _OF_A_LIST.format(transform=transform, able=", ".join(able)),
        )


def _for_texts(transform: type[BaseTransform]) -> bool:
    """Whether a transform serves language models, with some parameters at least."""
    return transform.training_texts is not BaseTransform.training_texts
