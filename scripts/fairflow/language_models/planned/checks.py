"""Faults of language models, of their queries and of studies that schemas cannot express."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fairflow.language_models.cells.item_cell import ItemVariant
from fairflow.language_models.checkpoints.model_folder import folder_problem
from fairflow.language_models.planned.models import ANSWERS, PACKED, PlannedLanguageModel
from fairflow.language_models.planned.queries import QUERIES, ItemQuery
from fairflow.planning.catalogue import Catalogue
from fairflow.planning.configuration import Configuration, Fault, unknown_names
from fairflow.planning.model_checks import Faults, KeyFaults, derivation_problems, missing_source
from fairflow.planning.named_sets import Sets
from fairflow.planning.registry import kind_called
from fairflow.planning.study import Entries, Study

FILE = "language_models.yaml"


def entry_faults(
    configuration: Configuration, models: Mapping[str, PlannedLanguageModel], word_sets: Sets
) -> KeyFaults:
    """Faults of the entries of language models and of the files that they name.

    Parameters
    ----------
    models : those of all entries.
    """
    catalogue: Catalogue = {name: model.entry for name, model in models.items()}
    yield from derivation_problems(catalogue, word_sets, of_texts=True)
    archived = configuration.main.get("archive", False)
    files = configuration.further.get(QUERIES, {}).values()
    queries = {name for file in files for name in file["queries"]}
    for name, model in models.items():
        entry = model.entry
        if isinstance(given := entry.get("answers"), Mapping):
            yield from unknown_names(f"{name}.answers", given, queries, "query of items")
        if name in configuration.models:
            yield name, "models.yaml has a model of this name"
        if "derive" in entry and ANSWERS in model.origin.entry:
            yield (
                name,
                f"derive.from: {model.origin.name} has given answers and no vectors to change: "
                "name a model that can be run",
            )
        checked = "folder" in entry and not archived
        if checked and (wrong := folder_problem(entry["folder"], model.kind)):
            yield name, wrong


def missing_files(entries: Entries, studies: Iterable[Study]) -> Faults:
    """The user's own files of models, answers and items that studies need and that are missing."""
    planned = [entries.models.get(name) for study in studies for name in study.models]
    own = {m.origin.name: m.origin for m in planned if isinstance(m, PlannedLanguageModel)}
    for name, model in own.items():
        if model.source == PACKED and not _is_made("manifest", model=name):
            yield from missing_source(FILE, name, model.entry)
        for path in model.answer_files:
            if not Path(path).is_file():
                how = "the questions are written by fairflow ask STUDY > questions.jsonl"
                sentence = f"there is no file {path}: put the answers there; {how}"
                yield Fault(FILE, f"{name}.answers", sentence)
    asked = {name for study in studies for name in study.queries}
    for name, query in entries.queries.items():
        published = query.published if isinstance(query, ItemQuery) and name in asked else None
        if published and not _is_made("items", query=name):
            file = f"{QUERIES}/{query.listed_in}.yaml"
            yield from missing_source(file, f"queries.{name}.published", published)


def _is_made(kind: str, **wildcards: str) -> bool:
    return Path(kind_called(kind).path.format(**wildcards)).is_file()


def unmeasurable(study: Study) -> KeyFaults:
    """(key, sentence) of each metric of items that takes none of the queries."""
    # A query that this run may not fetch is no fault of the study.
    named = (*study.queries, *study.absent_queries)
    queries = [study.entries.queries[name] for name in named if name in study.entries.queries]
    items = [query for query in queries if isinstance(query, ItemQuery)]
    for variant in map(study.entries.metrics.get, study.metrics):
        if not isinstance(variant, ItemVariant):
            continue
        kind = variant.metric_class.kind
        why = {q.name: variant.problem_with(q) for q in items if q.kind == kind}
        if not why:
            kinds = ", ".join(sorted({query.kind for query in items})) or "words"
            sentence = f"it takes queries of kind {kind}; the study has {kinds}"
            yield f"metrics.{variant.name}", sentence
        elif all(why.values()):
            for query, sentence in why.items():
                yield f"metrics.{variant.name}", f"query {query!r}: {sentence}"


def unused(study: Study) -> Iterator[tuple[str, str]]:
    """(key, sentence) of each known model and query that no cell uses."""
    models = [name for name in study.models if name in study.entries.models]
    used = {name for cell in study.cells for name in (cell.model, cell.query)}
    for key, names in (("models", models), ("criteria", study.queries)):
        left = (name for name in names if name not in used)
        yield from ((key, f"no metric of the study can be had for {name!r}") for name in left)
