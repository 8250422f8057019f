"""One line for each model, query, metric, figure or preset."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from fairflow.command.project import Project, project_here
from fairflow.errors import FairflowError
from fairflow.planning.named_sets import declares
from fairflow.products.figures import FIGURES


class Line(NamedTuple):
    """What is listed of one thing."""

    name: str
    says: str


def lines_of(kind: str, words: Sequence[str] = ()) -> list[Line]:
    """The lines of a kind of `KINDS` in which every one of some words stands, in any case.

    Raises
    ------
    FairflowError : there is no such line.
    """
    every = _every(kind)
    shown = [
        line
        for line in every
        if all(word.casefold() in " ".join(line).casefold() for word in words)
    ]
    if not shown:
        sought = " ".join(words)
        raise FairflowError(f"none of the {len(every)} {kind} has {sought!r} in its line")
    return shown


def _every(kind: str) -> list[Line]:
    try:
        return list(KINDS[kind](project_here(checked=False)))
    except (AttributeError, KeyError, TypeError):
        # The check tells what is wrong with it.
        return list(KINDS[kind](project_here()))


def kinds() -> list[Line]:
    """What can be listed, and how much of it there is."""
    numbers = {kind: len(_every(kind)) for kind in KINDS}
    return [Line(kind, f"{n}; 'fairflow list {kind}' names them") for kind, n in numbers.items()]


def models(project: Project) -> Iterator[Line]:
    """Word vectors with their size, then language models; those that are converted say so."""
    store = Path(project.main.get("models_dir", "results/models"))
    for name, entry in project.contents("models").items():
        label = entry.get("label", name)
        size = f"{_number(entry, 'vocabulary')} words, {_number(entry, 'dims')} numbers each"
        made = (store / name).is_dir()
        what = _derived(entry) or size
        yield Line(name, f"{label}: {what}" + (", converted here" if made else ""))
    for name, entry in project.contents("language_models").items():
        what = _derived(entry) or f"{entry['kind']} language model"
        yield Line(name, f"{entry.get('label', name)}: {what}")


def _derived(entry: Mapping[str, Any]) -> str:
    """From what a model comes and by what; nothing of one that comes from no other."""
    derive = entry.get("derive")
    return f"{derive['transform']} of {derive['from']}" if derive else ""


def _number(entry: Mapping[str, Any], key: str) -> str:
    return f"{entry[key]:,}" if key in entry else "?"


def queries(project: Project) -> Iterator[Line]:
    """Queries of words by their sets, then those of sentences and items."""
    for stem, name, entry in project.entries("queries", "queries"):
        sides = (" and ".join(entry.get(role, ())) for role in ("targets", "attributes"))
        asked = " wrt ".join(filter(None, sides)) or "words of the pairs"
        more = f", with {', '.join(there)}" if (there := declares(entry)) else ""
        yield Line(name, f"{asked}{more} ({stem})")
    for stem, name, entry in project.entries("language_queries", "queries"):
        label = entry.get("label") or entry.get("kind", name)
        yield Line(name, f"{label}: for language models ({stem})")


def metrics(project: Project) -> Iterator[Line]:
    """Variants of metrics of words, then those of language models."""
    for file, of in (("metrics", ""), ("language_metrics", ", for language models")):
        for name, entry in project.contents(file).items():
            metric, measure = entry["metric"], entry["measure"]
            which = "" if measure == metric else f" ({measure} of {metric})"
            note = f". {entry['note']}" if "note" in entry else ""
            yield Line(name, f"{entry.get('label', name)}{which}{of}{note}")


def figures(_: Project) -> Iterator[Line]:
    """By the first sentence of each figure's class."""
    for name in FIGURES.names:
        yield Line(name, _first_sentence(FIGURES.module(name)))


def _first_sentence(module: str) -> str:
    """What the last class of a module says of itself; loading it would load matplotlib."""
    tree = ast.parse(Path(find_spec(module).origin).read_text(encoding="utf-8"))
    docstrings = (
        ast.get_docstring(node) for node in reversed(tree.body) if isinstance(node, ast.ClassDef)
    )
    return " ".join((next(docstrings) or "").split("\n\n")[0].split())


def presets(project: Project) -> Iterator[Line]:
    """By their publications and metrics."""
    for name, entry in project.contents("presets").items():
        asked = sum(map(len, entry["criteria"].values()))
        yield Line(
            name, f"{asked} queries by {', '.join(entry['metrics'])}. {_short(entry['citation'])}"
        )


def _short(citation: str) -> str:
    """Authors, year and title."""
    return ". ".join(citation.split(". ")[:4])[:120]


def studies(project: Project) -> Iterator[Line]:
    """By their titles; those that a run makes say so."""
    run = {*project.main.get("studies", ()), *project.main.get("language_studies", ())}
    for stem, contents in project.files("studies").items():
        label = contents.get("title", stem)
        yield Line(stem, label + ("" if stem in run else " (not in config.yaml)"))


def lookups(project: Project) -> Iterator[Line]:
    """By the forms that are tried."""
    for name, entry in project.contents("lookups").items():
        forms = [", ".join(each) or "as written" for each in entry["preprocessors"]]
        yield Line(name, f"{', then '.join(forms)}; {entry.get('strategy', 'first')}")


def word_sets(project: Project) -> Iterator[Line]:
    """As queries name them, FILE:SET, by what stands in them."""
    for stem, name, entry in project.entries("word_sets", "sets"):
        yield Line(f"{stem}:{name}", f"{_content(entry)}. {entry.get('note', '')}".rstrip(". "))


def _content(entry: Mapping[str, Any]) -> str:
    if "lexicon" in entry:
        return "a lexicon that is fetched"
    key = next(key for key in ("words", "tuples", "scores") if key in entry)
    return f"{len(entry[key]):,} {'words' if key == 'words' else f'{key} of words'}"


KINDS: dict[str, Callable[[Project], Iterator[Line]]] = {
    "models": models,
    "queries": queries,
    "metrics": metrics,
    "figures": figures,
    "presets": presets,
    "word-sets": word_sets,
    "lookups": lookups,
    "studies": studies,
}
