"""Everything that the configuration says of one model, query, metric, preset or word set."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from inspect import cleandoc
from typing import Any

from fairflow.command.project import Project, meant, project_here
from fairflow.queries.query import DECLARABLE

WIDTH = 96


def details(kind: str, name: str) -> dict[str, Any]:
    """What is known of a thing, in the order in which it is to be read.

    Parameters
    ----------
    kind : of `KINDS`. name : as `fairflow.command.project.meant` takes it.

    Raises
    ------
    FairflowError : there is none of that name.
    """
    return KINDS[kind](project_here(), name)


def query(project: Project, name: str) -> dict[str, Any]:
    """Its sets with their words and where these come from; of items what its entry says."""
    of_words = _by_name(project, "queries", "queries")
    of_items = _by_name(project, "language_queries", "queries")
    name = meant("query", name, [*of_words, *of_items])
    if name in of_items:
        stem, entry = of_items[name]
        return _headed(project, "language_queries", stem, "query", name) | entry
    stem, entry = of_words[name]
    contents = project.files("queries")[stem]
    every = word_sets_of(project)
    sides = {
        role: {shown: {"word set": ref} | every.get(ref, {}) for shown, ref in entry[role].items()}
        for role in ("targets", "attributes")
        if role in entry
    }
    asks = " wrt ".join(" and ".join(side) for side in sides.values()) or "words of the pairs"
    return (
        _headed(project, "queries", stem, "query", name)
        | {"asks": asks, "look-up": contents.get("lookup", "as_written")}
        | {key: entry[key] for key in ("note", *DECLARABLE) if key in entry}
        | sides
    )


def model(project: Project, name: str) -> dict[str, Any]:
    """Its entry; a derived model also names what it comes from in the end."""
    static, language = project.contents("models"), project.contents("language_models")
    name = meant("model", name, [*static, *language])
    entry = static.get(name) or language[name]
    file = "models.yaml" if name in static else "language_models.yaml"
    lineage = [name]
    while derived := static.get(lineage[-1], {}).get("derive"):
        lineage.append(derived["from"])
    comes = {"comes from": " <- ".join(lineage)} if len(lineage) > 1 else {}
    return {"model": name, "file": f"{project.folder}/{file}"} | comes | entry


def metric(project: Project, name: str) -> dict[str, Any]:
    """Its entry, and the formula and publication of the metric that it is a variant of."""
    of_words, of_items = project.contents("metrics"), project.contents("language_metrics")
    name = meant("metric", name, [*of_words, *of_items])
    entry = of_words.get(name) or of_items[name]
    declared = _metric_class(entry["metric"], items=name not in of_words)
    file = "metrics.yaml" if name in of_words else "language_metrics.yaml"
    said = {"formula": declared.__doc__, "citation": getattr(declared, "citation", None)}
    return (
        {"metric": name, "file": f"{project.folder}/{file}"}
        | {"variant of" if key == "metric" else key: value for key, value in entry.items()}
        | {key: cleandoc(text) for key, text in said.items() if text}
    )


def _metric_class(name: str, items: bool) -> Any:
    if items:
        from fairflow.language_models.metrics import item_metric_class

        return item_metric_class(name)
    from fairflow.metrics import metric_class

    return metric_class(name)


def preset(project: Project, name: str) -> dict[str, Any]:
    """The conventions of a publication."""
    every = project.contents("presets")
    name = meant("preset", name, every)
    return {"preset": name, "file": f"{project.folder}/presets.yaml"} | every[name]


def word_set(project: Project, name: str) -> dict[str, Any]:
    """Its words, and which queries ask about them."""
    every = word_sets_of(project)
    name = meant("word-set", name, every)
    users = [
        query
        for _, query, entry in project.entries("queries", "queries")
        if name in _sets_of(entry)
    ]
    file = f"{project.folder}/word_sets/{name.partition(':')[0]}.yaml"
    return {"word set": name, "file": file, "queries": users} | every[name]


def _sets_of(entry: Mapping[str, Any]) -> set[str]:
    """The word sets that a query of words names."""
    vocabulary = entry.get("vocabulary")
    without = vocabulary.get("without", ()) if isinstance(vocabulary, Mapping) else ()
    every = [*entry.get("targets", {}).values(), *entry.get("attributes", {}).values()]
    every += [entry.get("pairs"), *without]
    return {name for name in every if isinstance(name, str)}


def word_sets_of(project: Project) -> dict[str, dict[str, Any]]:
    """FILE:SET -> its entry, with the citation of the file."""
    cited = {stem: contents["citation"] for stem, contents in project.files("word_sets").items()}
    return {
        f"{stem}:{name}": entry | {"citation": cited[stem]}
        for stem, name, entry in project.entries("word_sets", "sets")
    }


def _by_name(project: Project, folder: str, key: str) -> dict[str, tuple[str, dict[str, Any]]]:
    return {name: (stem, entry) for stem, name, entry in project.entries(folder, key)}


def _headed(project: Project, folder: str, stem: str, what: str, name: str) -> dict[str, Any]:
    citation = project.files(folder)[stem].get("citation")
    head = {what: name, "file": f"{project.folder}/{folder}/{stem}.yaml", "citation": citation}
    return {key: value for key, value in head.items() if value}


KINDS: dict[str, Callable[[Project, str], dict[str, Any]]] = {
    "query": query,
    "model": model,
    "metric": metric,
    "preset": preset,
    "word-set": word_set,
}


def as_text(contents: Mapping[str, Any], indent: str = "") -> str:
    """Keys with their values, wrapped; words separated by commas, what is nested indented."""
    blocks = []
    for key, value in contents.items():
        if isinstance(value, Mapping):
            blocks.append(f"{indent}{key}:\n{as_text(value, indent + '  ')}")
        elif isinstance(value, list) and any(isinstance(each, Mapping | list) for each in value):
            inner = "".join(_item(each, indent + "  ") for each in value)
            blocks.append(f"{indent}{key}:\n{inner}")
        else:
            blocks.append(_wrapped(f"{key}: ", _flat(value), indent))
    return "".join(blocks)


def _item(value: Any, indent: str) -> str:
    if isinstance(value, Mapping):
        return indent + "- " + as_text(value, indent + "  ").lstrip()
    return _wrapped("- ", _flat(value), indent)


def _flat(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _wrapped(head: str, text: str, indent: str) -> str:
    """Lines below a head; those of a text of several lines stand below it as they are."""
    inner = indent + "  "
    if "\n" in text:
        body = textwrap.indent(text, inner)
        return f"{indent}{head.rstrip()}\n{body}\n"
    return textwrap.fill(text, WIDTH, initial_indent=indent + head, subsequent_indent=inner) + "\n"
