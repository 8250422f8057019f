"""One row per model: where it comes from, under which licence, and what it became."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairflow.files import sha256
from fairflow.plan import Plan
from fairflow.provenance.configuration import source_text
from fairflow.provenance.used import used_language_models, used_models

COLUMNS = (
    "name",
    "label",
    "vectors_of",
    "sources",
    "bytes",
    "checksum",
    "member",
    "member_checksum",
    "licence",
    "citation",
    "words",
    "dims",
    "vectors_sha256",
    "card_sha256",
    "manifest_sha256",
)


def model_entries(plan: Plan) -> list[dict[str, Any]]:
    """What the catalogue says about each model that a study uses.

    A derived model has the source, licence and citation of the model that holds its vectors.
    """
    static = [_entry(plan, name) for name in used_models(plan)]
    return [*static, *(_language_entry(plan, name) for name in used_language_models(plan))]


def _entry(plan: Plan, name: str) -> dict[str, Any]:
    model = plan.models[name]
    entry = plan.models[model.store].entry
    facts = {key: entry.get(key) for key in COLUMNS if key in entry}
    sources = " ".join(source_text(source) for source in entry["sources"])
    return {**facts, "name": name, "label": model.label, "vectors_of": model.store} | {
        "sources": sources,
        "words": None,
    }


def _language_entry(plan: Plan, name: str) -> dict[str, Any]:
    model = plan.language.models[name]
    sources = " at ".join(filter(None, (model.origin, model.entry.get("revision"))))
    facts = {key: model.entry.get(key) for key in ("licence", "citation")}
    return {"name": name, "label": model.label, "vectors_of": "", "sources": sources, **facts}


def converted(vectors: str, card: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What identifies a converted model: checksums and size of its files.

    Parameters
    ----------
    facts : the contents of the card.
    """
    return {
        "words": facts["words"],
        "dims": facts["dims"],
        "vectors_sha256": sha256(vectors),
        "card_sha256": sha256(card),
    }


def model_rows(
    entries: list[dict[str, Any]],
    records: Mapping[str, Mapping[str, Any]],
    manifests: Mapping[str, str],
) -> list[dict[str, Any]]:
    """The entries, each with the record of its converted files.

    Parameters
    ----------
    manifests : language model -> sha256 of the list of its files and their checksums.
    """
    rows = (
        entry
        | dict(records.get(entry["vectors_of"], {}))
        | {"manifest_sha256": manifests.get(entry["name"])}
        for entry in entries
    )
    return [{column: row.get(column) for column in COLUMNS} for row in rows]
