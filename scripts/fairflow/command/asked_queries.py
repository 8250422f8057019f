"""The queries of words that a command names, with their words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.command.names import meant
from fairflow.command.project import Project, project_here
from fairflow.errors import ConfigurationError, FairflowError, nearest
from fairflow.files.downloads import fetch
from fairflow.files.downloads.cache import cache_folder
from fairflow.planning.catalogue import content_of_set, download_name
from fairflow.planning.declarations import declaration, declaration_problems
from fairflow.queries.declared import PROPERTY, declared_of
from fairflow.queries.lexicon import parse_lexicon
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.queries.query_file import query_of


@dataclass(frozen=True)
class AskedQuery:
    """A query by its name in the configuration, and how its words are sought."""

    name: str
    query: Query
    lookup: Lookup


def asked_queries(
    project: Project, names: Iterable[str], lookup: str | None = None
) -> list[AskedQuery]:
    """Queries of words by name, those of lexicons with the words of their files.

    Parameters
    ----------
    names : as `fairflow.command.names.meant` takes them. lookup : of lookups.yaml, instead of that
        of each query.

    Raises
    ------
    FairflowError : an unknown name, or a query that no word vectors can answer.
    DownloadError : a lexicon is not at hand and cannot be fetched.
    """
    of_words = {name: (stem, e) for stem, name, e in project.entries("queries", "queries")}
    of_items = [name for _, name, _ in project.entries("language_queries", "queries")]
    lookups = project.contents("lookups")
    chosen = lookup and meant("lookup", lookup, lookups)
    made = []
    for given in names:
        name = meant("query", given, [*of_words, *of_items])
        if name in of_items:
            raise FairflowError(
                f"{name} asks about sentences or items, which only a language model can answer: "
                "name it in a study and run 'make run-lm'"
            )
        stem, entry = of_words[name]
        usual = project.files("queries")[stem].get("lookup", "as_written")
        policy = _known(lookups, chosen or usual, f"queries/{stem}.yaml: lookup")
        made.append(AskedQuery(name, _query(project, name, stem, entry), Lookup(**policy)))
    return made


def load_query(name: str) -> Query:
    """A query of the configuration with its words, for notebooks: `load_query("weat:6")`.

    Its words are as they are written; `run_query(..., preprocessors=[{}, {"lowercase": True}])`
    seeks them in a model whose words have lower case.

    Raises
    ------
    FairflowError : an unknown name, or a query of items; near names are told.
    """
    (asked,) = asked_queries(project_here(), [name])
    return asked.query


def _query(project: Project, name: str, stem: str, entry: Mapping[str, Any]) -> Query:
    where = f"queries/{stem}.yaml"
    sets = {f"{file}:{key}": made for file, key, made in project.entries("word_sets", "sets")}
    folder = Path(project.folder)
    if faults := [*declaration_problems(entry, sets, folder)]:
        raise ConfigurationError([f"{where}: queries.{name}: {fault}" for fault in faults])
    found = declaration(entry, sets, folder)
    plain: dict[str, Any] = dict(found.plain)
    if found.property_file:
        from fairflow.queries.properties import read_property

        plain[PROPERTY] = dict(read_property(Path(found.property_file)).values)
    declared = declared_of(plain)
    roles = {
        role: {
            shown: _words(project, reference, where)
            for shown, reference in entry.get(role, {}).items()
        }
        for role in ("targets", "attributes")
    }
    if not roles["targets"]:
        roles["targets"] = declared.as_targets()
    return query_of({**roles, **plain})


def _words(project: Project, reference: str, where: str) -> list[str]:
    files = project.files("word_sets")
    every = {f"{stem}:{name}": e for stem, f in files.items() for name, e in f["sets"].items()}
    entry = _known(every, reference, where)
    if not {"words", "lexicon"} & entry.keys():
        raise ConfigurationError([f"{where}: {reference} holds no words to ask about"])
    content = content_of_set(entry)
    if isinstance(content, list):
        return content
    path = _at_hand(content.pop("file"), entry["lexicon"])
    return parse_lexicon(path, **content)


def _at_hand(file: str, lexicon: Mapping[str, Any]) -> Path:
    """Where the workflow has put a lexicon, or else the user's cache, to which it is fetched."""
    name = download_name(lexicon)
    if name is None or Path(file).is_file():
        return Path(file)
    path = cache_folder() / "downloads" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    fetch(lexicon["sources"], path, lexicon.get("checksum"), lexicon.get("bytes"))
    return path


def _known(entries: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in entries:
        raise ConfigurationError([f"{where}: unknown name {name!r}. {nearest(name, entries)}"])
    return entries[name]
