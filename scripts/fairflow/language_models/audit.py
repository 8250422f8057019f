"""Audits of language models: of the hub at a commit, hf:ORG/NAME@COMMIT, or in files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fairflow.files.packed_files import open_packed
from fairflow.language_models.checkpoints.model_files import hub_configuration
from fairflow.language_models.checkpoints.model_folder import (
    ASSUMED,
    CONFIGURATION,
    ModelFolderError,
    kind_of_architecture,
    network_refusal,
    parsed_object,
    read_object,
)
from fairflow.language_models.plan import EXTENSION
from fairflow.language_models.planned.views import in_study
from fairflow.planning.configuration import Configuration
from fairflow.planning.study import Study
from fairflow.queries.languages import ENGLISH
from fairflow.studies.audit_results import AuditedModel
from fairflow.vectors.recognition import GGUF, Recognised

ENVIRONMENT = "language-models"
HUB = "hf:"
_ON_HUB = re.compile("hf:([^@/\\s]+/[^@/\\s]+)@([0-9a-f]{40})")
_WEIGHTS = (".safetensors", ".bin", ".gguf")
_POOLING = (
    "No file of the model says how the positions of a word become one vector: their mean is used "
    "(make audit POOLING=cls for the first position)."
)
_OF_NETWORKS = (
    "A language model has no fixed vector of a word. The vectors here were computed from {texts}; "
    "other texts give other vectors."
)


def is_named(place: str) -> bool:
    """Whether a model of the hub is meant."""
    return place.startswith(HUB)


def name_and_mark(place: str) -> tuple[str, str] | None:
    """The name of a model of the hub, and its commit; None if it is not written as expected."""
    named = _ON_HUB.fullmatch(place)
    return (named[1].rpartition("/")[2], named[2]) if named else None


def check(place: str) -> None:
    """Refuse a model of the hub that is not written as expected."""
    _hub_and_revision(place)


def with_entry(configuration: Configuration, name: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """The file of the language models with one more."""
    return {EXTENSION.models_file: {**EXTENSION.catalogue(configuration), name: entry}}


def entry_of(place: str, main: Mapping[str, Any]) -> dict[str, Any]:
    """The entry of a model of the hub in the catalogue; its config.json is fetched now."""
    hub, revision = _hub_and_revision(place)
    said = hub_configuration(hub, revision)
    if refusal := network_refusal(said):
        raise ModelFolderError(f"{hub}: {refusal}")
    note = f"{hub} is read from the hub at commit {revision}"
    entry = {"hub": hub, "revision": revision, "kind": _kind_in(said)}
    return _pooled(entry | {"label": hub, "language": ENGLISH, "note": note}, main)


def _hub_and_revision(place: str) -> tuple[str, str]:
    if named := _ON_HUB.fullmatch(place):
        return named[1], named[2]
    raise ModelFolderError(
        f"{place!r}: expected hf:ORG/NAME@COMMIT with the 40 digits of a commit. The files of a "
        "branch can change, so only a commit says which model was audited; the hub lists the "
        "commits of a model under Files, History"
    )


def completed(
    entry: Mapping[str, Any], found: Recognised, main: Mapping[str, Any]
) -> dict[str, Any]:
    """The entry of a network in files, with its kind."""
    kind = "causal" if found.format == GGUF else _kind(entry)
    return _pooled({**entry, "kind": kind}, main)


def _pooled(entry: dict[str, Any], main: Mapping[str, Any]) -> dict[str, Any]:
    return entry | ({"pooling": main["audit_pooling"]} if "audit_pooling" in main else {})


def _kind(entry: Mapping[str, Any]) -> str:
    """Masked, causal or encoder, from the configuration of a network."""
    if "folder" in entry:
        path = Path(entry["folder"])
        said = read_object(path / CONFIGURATION)
    else:
        member = "/".join(filter(None, (entry.get("member"), CONFIGURATION)))
        path = Path(entry["sources"][0]["file"])
        with open_packed(path, entry["archive"], member) as stream:
            said = parsed_object(stream.read(1 << 24), f"{member} of {path}")
    if refusal := network_refusal(said):
        raise ModelFolderError(f"{path}: {refusal}")
    return _kind_in(said)


def _kind_in(said: Mapping[str, Any]) -> str:
    return kind_of_architecture((said.get("architectures") or [""])[0])


def torch_missing(study: Study) -> str:
    """What the networks of a study need that is not installed; "" without networks."""
    if not in_study(study).networks or find_spec("torch"):
        return ""
    return (
        "a language model needs torch, which is not installed: make .venv/language-models, or "
        "pip install 'torch>=2.5' 'transformers>=4.57' 'gguf>=0.19'"
    )


def audited(
    identity: Mapping[str, Mapping[str, Any]], said: Mapping[str, str]
) -> AuditedModel | None:
    """A language model by its facts and the list of its files; None of another model."""
    if "facts" not in identity:
        return None
    facts, manifest = identity["facts"], identity["manifest"]
    notes = (_POOLING,) if facts.get("pooling_source") == ASSUMED else ()
    texts = "the word alone"
    if facts.get("context_templates"):
        texts = f"each word in {len(facts['context_templates'].split(' | '))} short texts"
    number, files = facts["parameters"], manifest["files"]
    size = f"{number / 1e6:,.0f} M" if number >= 1e6 else f"{number:,}"
    # The files of weights; all files if none holds weights.
    told = {n: c for n, c in files.items() if n.endswith(_WEIGHTS)} or files
    return AuditedModel(
        (f"{facts['kind']} model, {size} parameters",),
        {
            "Name": said["label"],
            "Kind": f"{facts['kind']} language model, {facts['architecture']}",
            "Revision": str(manifest["source"].get("revision") or "not stated by its files"),
            "Size": f"{number:,} parameters, {facts['layers']} layers of "
            f"{facts['hidden']} dimensions",
            "Read": said["about"],
            "Tokenizer": f"{facts['tokenizer']}, {facts['vocabulary']:,} tokens",
            "sha256": "; ".join(f"{name} {checksum}" for name, checksum in sorted(told.items())),
        },
        notes,
        (_OF_NETWORKS.format(texts=texts),),
    )
