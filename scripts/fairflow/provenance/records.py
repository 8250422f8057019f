"""What a run used, as plain values: configuration, models, word sets, packages, citations."""

from __future__ import annotations

import hashlib
import json
import platform
import re
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fairflow.capabilities import additions
from fairflow.files.checksums import sha256
from fairflow.files.configuration_files import version as fairflow_version
from fairflow.files.references import Reference, cited, escaped, full_citation
from fairflow.planning import result_files as files
from fairflow.planning.catalogue import portable, source_text
from fairflow.planning.models import Lineage
from fairflow.planning.plan import Plan
from fairflow.planning.study import Study
from fairflow.provenance.checksums import RESULT_FOLDERS
from fairflow.queries.languages import ENGLISH
from fairflow.transforms import transform_class

MODEL_COLUMNS = (
    *("name", "label", "vectors_of", "quantisation", "dtype", "device_map", "chat_template"),
    *("sources", "bytes", "checksum", "member", "member_checksum", "words_member"),
    *("words_checksum", "licence", "citation", "words", "dims", "words_sharing_rows"),
    *("distinct_rows", "source_sha256", "vectors_sha256", "index_sha256", "card_sha256"),
    *("derivation_sha256", "manifest_sha256"),
)


def model_entries(plan: Plan) -> list[dict[str, Any]]:
    """What the catalogue says about each model that a study uses.

    A derived model has the source, licence and citation of the model that it comes from in the end,
    which `vectors_of` names.
    """
    others = plan.of_studies(lambda study: study.models)
    names = dict.fromkeys([*files.used_models(plan), *others])
    entries = [plan.models[name].recorded(MODEL_COLUMNS) for name in names]
    return [entry | {"citation": full_citation(entry.get("citation"))} for entry in entries]


def model_rows(
    entries: list[dict[str, Any]],
    records: Mapping[str, Mapping[str, Any]],
    manifests: Mapping[str, Mapping[str, Any]],
) -> list[dict[str, Any]]:
    """The entries, each with the record of its converted files.

    Parameters
    ----------
    manifests : language model -> `listed` of it.
    """
    rows = [{**e, **records.get(e["name"], {}), **manifests.get(e["name"], {})} for e in entries]
    return [{column: row.get(column) for column in MODEL_COLUMNS} for row in rows]


WORD_SET_COLUMNS = ("set", "words", "citation", "source", "queries", "models")


def word_set_entries(plan: Plan) -> list[dict[str, Any]]:
    """What the configuration says about each word set that a study uses.

    `place` is (query, role, shown name): the position of its words in a query. A set that is used
    only by transforms, tests or declarations of queries has no such place, but a number of words.
    """
    models = files.used_sets_of_models(plan)
    return [
        _word_set_entry(plan, name, queries, models.get(name, []))
        for name, queries in files.used_word_sets(plan).items()
    ]


def _word_set_entry(plan: Plan, name: str, queries: list[str], models: list[str]) -> dict[str, Any]:
    entry = plan.word_sets[name]
    stated = {
        "set": name,
        "citation": full_citation(entry["citation"]),
        "source": full_citation(entry.get("source")),
        "queries": " ".join(queries),
        "models": " ".join(models),
    }
    places = (
        [query, role, shown]
        for query in queries
        for role in ("targets", "attributes")
        for shown, reference in getattr(plan.queries[query], role).items()
        if reference == name
    )
    if place := next(places, None):
        return {**stated, "place": place}
    # Sets of transforms, of tests, or of pairs and vocabularies of queries.
    sets = [entry["words"]] if "words" in entry else entry["tuples"]
    return {**stated, "words": sum(map(len, sets))}


def word_set_rows(
    entries: Sequence[Mapping[str, Any]], words: Mapping[str, Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The entries with their numbers of words, repeated ones counted.

    Parameters
    ----------
    words : query -> role -> shown name -> words, as results/words holds them.
    """
    rows = [dict(entry) for entry in entries]
    for row in rows:
        if "place" in row:
            query, role, shown = row.pop("place")
            row["words"] = len(words[query][role][shown])
    return [{column: row[column] for column in WORD_SET_COLUMNS} for row in rows]


_OF_A_STUDY = (
    *("title", "models", "metrics", "criteria", "aggregation", "minimum_coverage", "figures"),
    *("published", "statistics", "families", "absent", "absent_queries", "skips_absent"),
    "ranks_every",
)


def resolved_configuration(plan: Plan) -> dict[str, Any]:
    """Everything of a plan that decides a number, and nothing that only this machine knows.

    Folders of models, mirrors and absolute paths are left out: they say where a file lay, not what
    was in it.
    """
    models = dict.fromkeys([*files.used_models(plan), *files.used_lineages(plan)])
    return {
        "seed": plan.seed,
        "statistics": asdict(plan.statistics),
        "studies": {study.name: _study(study) for study in plan.studies.values()},
        "models": {name: _model(plan, name) for name in models},
        "metrics": {name: _variant(plan, name) for name in files.used_variants(plan)},
        "queries": {name: _query(plan, name) for name in plan.used_queries},
        "lookups": {name: dict(plan.lookups[name]) for name in files.used_lookups(plan)},
        **{key: of for one in additions("plan") for key, of in one.resolved(plan).items()},
    }


def run_identity(plan: Plan, scores: str | Path, folder: str | Path) -> dict[str, str]:
    """What tells this run from others: version, commit if known, configuration, seed, scores.

    Parameters
    ----------
    plan : of the studies concerned. scores : the file with their scores.
    folder : of the workflow; its commit is that of the code at work now, "dirty" if it is changed.
    """
    configuration = json.dumps(resolved_configuration(plan), sort_keys=True, default=list)
    command = ["git", "-C", str(folder), "describe", "--always", "--dirty", "--abbrev=40"]
    command += ["--exclude", "*"]
    commit = ""
    if Path(folder, ".git").exists():
        with suppress(OSError):
            commit = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    identity = {
        "fairflow": fairflow_version(),
        "commit": commit.strip(),
        "configuration_sha256": hashlib.sha256(configuration.encode()).hexdigest(),
        "seed": str(plan.seed),
        "scores_sha256": sha256(scores),
    }
    return {name: value for name, value in identity.items() if value}


def _study(study: Study) -> dict[str, Any]:
    stated = {key: getattr(study, key) for key in _OF_A_STUDY}
    stated["impossible"] = sorted(cell.path for cell in study.impossible)
    if study.after:
        stated["compare"] = {"before": study.before, "after": study.after}
    return stated | {"controls": study.controls, "control_metric": study.control_metric}


def _model(plan: Plan, name: str) -> dict[str, Any]:
    model = plan.models[name]
    entry = portable_entry(without_places(model.entry) | derivation_of(model), "words")
    return {**entry, "label": model.label}


def portable_entry(entry: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    """An entry with the paths under some keys as every machine can read them."""
    return {**entry, **{key: portable(entry[key]) for key in keys if key in entry}}


def derivation_of(model: Lineage) -> dict[str, Any]:
    """How a model is derived from another one, with all words; {} for a model with a source."""
    if not (by := model.transform):
        return {}
    return {"derive": {"from": by.base, "transform": portable(by.name), **by.recorded}}


def without_places(entry: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a model, its sources in words and without how a person gets them."""
    stated = {key: value for key, value in entry.items() if key != "obtain"}
    if "citation" in stated:
        stated["citation"] = full_citation(stated["citation"])
    if "sources" in stated:
        stated["sources"] = [source_text(source) for source in stated["sources"]]
    return stated


def _variant(plan: Plan, name: str) -> dict[str, Any]:
    variant = plan.metrics[name]
    return {"label": variant.label, **variant.definition, "metric": portable(variant.metric)}


def _query(plan: Plan, name: str) -> dict[str, Any]:
    query = plan.of_vectors(name)
    stated: dict[str, Any] = {"targets": dict(query.targets), "attributes": dict(query.attributes)}
    stated |= {"lookup": query.lookup, **query.declared}
    if query.property_file:
        stated["property"] = portable(query.property_file)
    if query.measured_by:
        stated["measured_by"] = list(query.measured_by)
    if query.language != ENGLISH:
        stated["language"] = query.language
    return stated


def environment(requirements: Iterable[str | Path]) -> dict[str, object]:
    """Versions of Python and of each package of requirements.in files, as installed here.

    A package that is not installed has None.
    """
    names = {name for path in requirements for name in required(path)}
    if "transformers" in names:
        # In no such file, because it is not locked; see the Makefile.
        names.add("torch")
    return {
        "python": platform.python_version(),
        "packages": {n: _version(n) for n in sorted(names)},
    }


def required(requirements: str | Path) -> list[str]:
    """The packages that a requirements.in file names, sorted."""
    lines = Path(requirements).read_text(encoding="utf-8").splitlines()
    names = (re.match(r"[A-Za-z0-9][\w.-]*", line) for line in lines)
    return sorted(name[0] for name in names if name)


def _version(package: str) -> str | None:
    with suppress(PackageNotFoundError):
        return version(package)
    return None


def folders_of_run(plan: Plan) -> dict[str, str]:
    """The folders of `RESULT_FOLDERS` in which a run has results, and their contents."""
    made = {"/".join(Path(path).parts[:2]) for path in files.results_of_run(plan)}
    return {folder: text for folder, text in RESULT_FOLDERS.items() if folder in made}


def citations(plan: Plan) -> dict[str, str]:
    """'metric WEAT', 'model NAME', 'query NAME', 'word set FILE:SET', ... -> its citation."""
    citation_of = {}
    for name in files.used_variants(plan):
        metric = plan.metrics[name].metric_class
        title = getattr(metric, "metric_short_name", None) or metric.title
        citation_of[f"metric {title}"] = metric.citation
    for name in files.every_lineage(plan):
        citation_of[f"model {name}"] = plan.models[name].entry.get("citation", "")
    for name in files.used_transforms(plan):
        citation_of[f"transform {name}"] = transform_class(name).citation
    asked = plan.of_studies(lambda study: study.queries)
    others = [name for name in asked if name not in plan.used_queries]
    for name in [*others, *plan.used_queries]:
        citation_of[f"query {name}"] = plan.queries[name].citation
    for name in files.used_word_sets(plan):
        entry = plan.word_sets[name]
        citation_of[f"word set {name}"] = entry["citation"]
        citation_of[f"source of word set {name}"] = entry.get("source", "")
    for name, entry in plan.benchmarks.items():
        citation_of[f"benchmark {name}"] = entry["citation"]
    return {use: citation for use, citation in citation_of.items() if citation}


def bibliography(citations: Mapping[str, str]) -> list[str]:
    """An entry of BibTeX for each publication, with what it is cited for as its keywords.

    Its note is what the citations remark on it.

    Parameters
    ----------
    citations : what it is cited for ("metric weat") -> citation.
    """
    publications: dict[str, Reference] = {}
    uses, remarks = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for use, citation in citations.items():
        for reference, remark in cited(citation):
            publications[reference.key] = reference
            uses[reference.key].append(use)
            remarks[reference.key] |= {remark} - {""}
    entries = []
    for key, publication in publications.items():
        note = {"note": "; ".join(sorted(remarks[key]))} if remarks[key] else {}
        entries.append(publication.bibtex(**note, keywords=", ".join(sorted(uses[key]))))
    return entries


def software_entry(software: Mapping[str, Any]) -> str:
    """The entry of the software that a CITATION.cff describes."""
    fields = {
        # The inner braces keep the name of a group in one piece.
        "author": " and ".join("{" + author["name"] + "}" for author in software["authors"]),
        "title": "{" + escaped(software["title"]) + "}",
        "note": escaped(f"Version {software['version']}"),
        "year": str(software["date-released"])[:4],
    }
    name = software["title"].split(":")[0].split()[0].lower()
    return Reference("misc", name, fields).bibtex(keywords="software")
