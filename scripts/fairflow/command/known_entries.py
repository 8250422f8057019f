"""Entries of the configuration: lines on models, queries, metrics, ..., or all details of one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from inspect import cleandoc
from typing import Any

import yaml

from fairflow.capabilities import extensions
from fairflow.command.project import Project, meant, project_here
from fairflow.errors import FairflowError
from fairflow.files.references import full_citation
from fairflow.planning.configuration import study_lists
from fairflow.products.figures import FIGURES, sentences
from fairflow.queries.languages import ENGLISH
from fairflow.queries.query import QUERY_INPUTS, attributes_of

# Kinds with files in many languages -> the folder of the files, and the key of the entries.
_IN_FILES = {"queries": ("queries", "queries"), "word-sets": ("word_sets", "sets")}
# What is listed of one thing: its name, and what it is.
Line = tuple[str, str]


def lines_of(kind: str, words: Sequence[str] = ()) -> list[Line]:
    """The lines of a kind of `LISTED` that contain all given words, in any case.

    Raises
    ------
    FairflowError : there is no such line.
    """
    every = _every(kind)
    if not words and kind in _IN_FILES:
        return _by_language(kind, every)
    wanted = [word.casefold() for word in words]
    if shown := [one for one in every if all(w in " ".join(one).casefold() for w in wanted)]:
        return shown
    raise FairflowError(f"none of the {kind} has {' '.join(words)!r} in its line")


def _by_language(kind: str, every: Sequence[Line]) -> list[Line]:
    """The lines in English, then one for each file in another language."""
    key, spoken = _IN_FILES[kind][1], _other_languages(kind)
    prefixes = {stem: f"{stem}:" if kind == "word-sets" else "" for stem in spoken}
    hidden = {f"{prefixes[stem]}{name}" for stem, one in spoken.items() for name in one[key]}
    return [line for line in every if line[0] not in hidden] + [
        (stem, f"{len(one[key])} in {one['language']}; 'fairflow list {kind} {stem}' names them")
        for stem, one in spoken.items()
    ]


def _other_languages(kind: str) -> dict[str, Any]:
    """The files of a kind in other languages than English, by their stems."""
    files = project_here(checked=False).files(_IN_FILES[kind][0])
    return {stem: one for stem, one in files.items() if one.get("language", ENGLISH) != ENGLISH}


def _every(kind: str) -> list[Line]:
    try:
        return list(LISTED[kind](project_here(checked=False)))
    except (AttributeError, KeyError, TypeError):
        # The check reports the fault.
        return list(LISTED[kind](project_here()))


def kinds() -> list[Line]:
    """What can be listed, with the number of entries in all languages."""
    numbers = {kind: f"{len(_every(kind))}" for kind in LISTED}
    for kind, (_, key) in _IN_FILES.items():
        n = sum(len(one[key]) for one in _other_languages(kind).values())
        numbers[kind] += f", {n} of them in other languages" * bool(n)
    return [(kind, f"{n}; 'fairflow list {kind}' names them") for kind, n in numbers.items()]


def list_models(project: Project) -> Iterator[Line]:
    """Word vectors with their size, then models of capabilities."""
    further = ((one.MODELS, one.model_line) for one in extensions("entries"))
    for file, line in (("models", _size), *further):
        for name, entry in project.contents(file).items():
            derive = entry.get("derive")
            what = f"{derive['transform']} of {derive['from']}" if derive else line(entry)
            yield (name, f"{entry.get('label', name)}: {what}")


def _size(entry: Mapping[str, Any]) -> str:
    words, numbers = (f"{entry[key]:,}" if key in entry else "?" for key in ("vocabulary", "dims"))
    return f"{words} words, {numbers} numbers each"


def word_queries(project: Project) -> Iterator[tuple[str, str, str]]:
    """Name, sets and language of each query of words."""
    files = project.files("queries")
    for stem, name, entry in project.entries("queries", "queries"):
        sides = map(" and ".join, (entry.get("targets", ()), attributes_of(entry)))
        asked = " with ".join(filter(None, sides)) or "words of the pairs"
        there = ", ".join(what for what in QUERY_INPUTS if what in entry)
        tag = entry.get("language", files[stem].get("language", ENGLISH))
        language = f" in {tag}" if tag != ENGLISH else ""
        yield name, asked + f", with {there}" * bool(there) + f"{language} ({stem})", tag


def list_queries(project: Project) -> Iterator[Line]:
    """Queries of words with their sets, then queries of capabilities."""
    yield from ((name, says) for name, says, _ in word_queries(project))
    for one in extensions("entries"):
        for stem, name, entry in project.entries(one.QUERIES, "queries"):
            label = entry.get("label") or entry.get("kind", name)
            yield (name, f"{label}: {one.FOR} ({stem})")


def list_metrics(project: Project) -> Iterator[Line]:
    """Variants of metrics of words, then of metrics of capabilities."""
    further = ((one.METRICS, f", {one.FOR}") for one in extensions("entries"))
    for file, of in (("metrics", ""), *further):
        for name, entry in project.contents(file).items():
            metric, measure = entry["metric"], entry["measure"]
            which = "" if measure == metric else f" ({measure} of {metric})"
            note = f". {entry['note']}" if "note" in entry else ""
            yield (name, f"{entry.get('label', name)}{which}{of}{note}")


def list_figures(_: Project) -> Iterator[Line]:
    """Figures, with the first sentence of each class."""
    for name in FIGURES.names:
        yield (name, sentences(name)[1])


def list_presets(project: Project) -> Iterator[Line]:
    """Presets, with their publications and metrics."""
    for name, entry in project.contents("presets").items():
        number = f"queries: {sum(map(len, entry['criteria'].values()))}"
        # Authors, year and title.
        cited = ". ".join((full_citation(entry["citation"]) or "").split(". ")[:4])
        yield (name, f"{number}, by {', '.join(entry['metrics'])}. {cited[:120]}")


def list_studies(project: Project) -> Iterator[Line]:
    """Studies, with their titles; those of `make run` are marked."""
    run = {name for key in study_lists() for name in project.main.get(key, ())}
    for stem, contents in project.files("studies").items():
        label = contents.get("title", stem)
        yield (stem, label + ("" if stem in run else " (not in config.yaml)"))


def list_lookups(project: Project) -> Iterator[Line]:
    """Look-ups, with the forms of a word that they try."""
    for name, entry in project.contents("lookups").items():
        forms = [", ".join(each) or "as written" for each in entry["preprocessors"]]
        yield (name, f"{', then '.join(forms)}; {entry.get('strategy', 'first')}")


def list_word_sets(project: Project) -> Iterator[Line]:
    """Word sets as queries name them, FILE:SET, with their contents."""
    for stem, name, entry in project.entries("word_sets", "sets"):
        what = "a lexicon that is downloaded"
        if "property" in entry:
            what = f"the words of the property {entry['property']}"
        elif "lexicon" not in entry:
            key = next(key for key in ("words", "tuples", "scores") if key in entry)
            what = f"{len(entry[key]):,} {'words' if key == 'words' else f'{key} of words'}"
        yield (f"{stem}:{name}", f"{what}. {entry.get('note', '')}".rstrip(". "))


LISTED: dict[str, Callable[[Project], Iterator[Line]]] = {
    "models": list_models,
    "queries": list_queries,
    "metrics": list_metrics,
    "figures": list_figures,
    "presets": list_presets,
    "word-sets": list_word_sets,
    "lookups": list_lookups,
    "studies": list_studies,
}


WIDTH = 96


# What can be shown, and the files with its entries, to which capabilities add some.
SHOWN = {
    "query": (),
    "model": ("models",),
    "metric": ("metrics",),
    "preset": ("presets",),
    "word-set": (),
}


def details(kind: str, name: str) -> dict[str, Any]:
    """All details of an entry, in reading order.

    Parameters
    ----------
    kind : of `SHOWN`. name : as `fairflow.command.project.meant` takes it.

    Raises
    ------
    FairflowError : no entry has that name.
    """
    project = project_here()
    if not SHOWN[kind]:
        return _cited((_query if kind == "query" else _word_set)(project, name))
    further = [getattr(one, f"{kind}s".upper(), None) for one in extensions("entries")]
    name, file, entry = project.named(kind, name, *SHOWN[kind], *filter(None, further))
    head = {kind: name, "file": f"{project.folder}/{file}.yaml"}
    if kind == "metric":
        entry = _with_formula(entry, file)
    return _cited(head | entry)


def _cited(contents: Mapping[str, Any]) -> dict[str, Any]:
    """Contents with full citations instead of keys, at any depth."""
    cited = ("citation", "source")
    said = {k: full_citation(v) if k in cited else v for k, v in contents.items()}
    return {k: _cited(v) if isinstance(v, Mapping) else v for k, v in said.items()}


def _query(project: Project, name: str) -> dict[str, Any]:
    """The sets of a query with their words and sources; of a capability's query, its entry."""
    found = {
        query: (folder, stem, entry)
        for folder in ("queries", *(one.QUERIES for one in extensions("entries")))
        for stem, query, entry in project.entries(folder, "queries")
    }
    name = meant("query", name, found)
    folder, stem, entry = found[name]
    contents = project.files(folder)[stem]
    head = {"query": name, "file": f"{project.folder}/{folder}/{stem}.yaml"}
    head |= {key: contents[key] for key in ("citation", "language") if contents.get(key)}
    if folder != "queries":
        return head | entry
    every = listed_word_sets(project)
    sides = {
        role: {shown: {"word set": ref} | every.get(ref, {}) for shown, ref in sets.items()}
        for role, sets in (("targets", entry.get("targets")), ("attributes", attributes_of(entry)))
        if sets
    }
    return head | {"look-up": contents.get("lookup", "as_written")} | entry | sides


def _with_formula(entry: Mapping[str, Any], file: str) -> dict[str, Any]:
    """An entry of a file, with the formula and publication of its metric."""
    # Late, because listing needs it not.
    from fairflow.metrics import metric_class

    classes = {one.METRICS: one.metric_class for one in extensions("entries")}
    declared = classes.get(file, metric_class)(entry["metric"])
    said = {"formula": formula(declared), "citation": getattr(declared, "citation", None)}
    named = {"variant of" if key == "metric" else key: value for key, value in entry.items()}
    return named | {key: text for key, text in said.items() if text}


def formula(declared: type) -> str:
    """The docstring of a metric itself, not of its base class, without its examples."""
    return cleandoc(vars(declared).get("__doc__") or "").partition("\n\nExamples\n---")[0]


def _word_set(project: Project, name: str) -> dict[str, Any]:
    """The words of a set, and the queries that use it."""
    every = listed_word_sets(project)
    name = meant("word-set", name, every)
    queries = project.entries("queries", "queries")
    users = [query for _, query, entry in queries if name in _sets_of(entry)]
    file = f"{project.folder}/word_sets/{name.partition(':')[0]}.yaml"
    return {"word set": name, "file": file, "queries": users} | every[name]


def _sets_of(entry: Mapping[str, Any]) -> set[str]:
    """The word sets that a query of words names."""
    vocabulary = entry.get("vocabulary")
    without = vocabulary.get("without", ()) if isinstance(vocabulary, Mapping) else ()
    every = [*entry.get("targets", {}).values(), *attributes_of(entry).values()]
    every += [entry.get("pairs"), *without]
    return {name for name in every if isinstance(name, str)}


def listed_word_sets(project: Project) -> dict[str, dict[str, Any]]:
    """FILE:SET -> its entry, with the citation of the file."""
    files = project.files("word_sets")
    return {
        f"{stem}:{name}": entry | {k: v for k, v in files[stem].items() if k != "sets"}
        for stem, name, entry in project.entries("word_sets", "sets")
    }


class _Dumper(yaml.SafeDumper):
    """Lists of words in as few lines as they need."""


def _listed(dumper: _Dumper, given: list[Any]) -> yaml.Node:
    flat = not any(isinstance(one, Mapping | list) for one in given)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", given, flow_style=flat)


_Dumper.add_representer(list, _listed)


def as_text(contents: Mapping[str, Any]) -> str:
    """Keys with their values, as YAML writes them."""
    return yaml.dump(contents, None, _Dumper, sort_keys=False, allow_unicode=True, width=WIDTH)
