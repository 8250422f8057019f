"""Citations of what a run used, and the BibTeX entries of the publications that they name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from fairflow.files.references import Reference, cited, escaped
from fairflow.planning.plan import Plan
from fairflow.planning.result_files import (
    used_item_queries,
    used_language_lineages,
    used_lineages,
    used_queries,
    used_transforms,
    used_variants,
    used_word_sets,
)
from fairflow.transforms import transform_class


def citations(plan: Plan) -> dict[str, str]:
    """'metric WEAT', 'model NAME', 'query NAME', 'word set FILE:SET', ... -> its citation."""
    citation_of = {}
    for name in used_variants(plan):
        metric = plan.metrics[name].metric_class
        title = getattr(metric, "metric_short_name", None) or metric.title
        citation_of[f"metric {title}"] = metric.citation
    for name in [*used_lineages(plan), *used_language_lineages(plan)]:
        citation_of[f"model {name}"] = plan.models[name].entry.get("citation", "")
    for name in used_transforms(plan):
        citation_of[f"transform {name}"] = transform_class(name).citation
    for name in [*used_item_queries(plan), *used_queries(plan)]:
        citation_of[f"query {name}"] = plan.queries[name].citation
    for name in used_word_sets(plan):
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
    uses, remarks = defaultdict(list), defaultdict(set)
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
