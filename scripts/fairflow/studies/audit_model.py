"""What identifies an audited model: for the head of a page, for a memo, and in notes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fairflow.language_models.checkpoints.model_folder import ASSUMED
from fairflow.studies.wording import listed

_NAMES = {"glove": "GloVe", "fasttext": "fastText", "spacy": "spaCy", "gguf": "GGUF"}
_POOLING = (
    "No file of the model says how the positions of a word become one vector: their mean is used "
    "(make audit POOLING=cls for the first position)."
)
_OF_NETWORKS = (
    "A language model has no fixed vector of a word. The vectors here were computed from {texts}; "
    "other texts give other vectors."
)


@dataclass(frozen=True)
class AuditedModel:
    """The identity of an audited model.

    Attributes
    ----------
    short : its kind and size, for one line. facts : name -> value, for a table.
    notes : sentences on how it was read, and what was not asked.
    limits : sentences on the words and on what its vectors are.
    """

    short: tuple[str, ...]
    facts: Mapping[str, str]
    notes: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()


def audited_model(
    identity: Mapping[str, Mapping[str, Any]],
    equal: Sequence[str],
    label: str,
    format: str,
    about: str,
    left_out: str,
    language: str = "",
    lists: str = "English",
) -> AuditedModel:
    """From what its conversion or its description recorded.

    Parameters
    ----------
    identity : "card" of a table of word vectors, or "facts" and "manifest" of a language model.
    equal : the labels of models that have the same vectors.
    label, format : of the model. about : how its file was read. left_out : what was not asked.
    language : a sentence on the language of its words. lists : the languages of the queries.
    """
    notes = []
    if equal:
        notes.append(f"It has the same vectors as {listed(equal)}, whole or in part.")
    if left_out:
        notes.append(f"{left_out[:1].upper()}{left_out[1:]}.")
    of_lists = f"The word lists are in {lists} and come from the cited publications."
    kind = " ".join(_NAMES.get(word, word) for word in format.split("-"))
    if "card" in identity:
        card = identity["card"]
        size = f"{card['words']:,} words x {card['dims']}"
        facts = {
            "Name": label,
            "Kind": f"word vectors, {kind}",
            "Size": f"{size} dimensions",
            "Read": about,
            "Language": language,
            "sha256": str(card.get("source_sha256") or ""),
        }
        # One line of the page tells the language, which leaves room for the findings.
        short = f"{kind}, {size}", f"word lists in {lists}"
        return AuditedModel(short, facts, tuple(notes), (of_lists,))
    facts, manifest = identity["facts"], identity["manifest"]
    if facts.get("pooling_source") == ASSUMED:
        notes.append(_POOLING)
    texts = "the word alone"
    if facts.get("context_templates"):
        texts = f"each word in {len(facts['context_templates'].split(' | '))} short texts"
    short = f"{facts['kind']} model, {_millions(facts['parameters'])} parameters"
    return AuditedModel(
        (short,),
        {
            "Name": label,
            "Kind": f"{facts['kind']} language model, {facts['architecture']}",
            "Revision": str(manifest["source"].get("revision") or "not stated by its files"),
            "Size": f"{facts['parameters']:,} parameters, {facts['layers']} layers of "
            f"{facts['hidden']} dimensions",
            "Read": about,
            "Tokenizer": f"{facts['tokenizer']}, {facts['vocabulary']:,} tokens",
            "sha256": "; ".join(_checksums(manifest["files"])),
        },
        tuple(notes),
        (of_lists, _OF_NETWORKS.format(texts=texts)),
    )


def audit_command(settings: dict[str, str | None]) -> str:
    """The command of an audit, 'make audit MODEL=vectors.txt NAME=mine'.

    Of a whole path it has the name: the rest says something of the machine.
    """
    model = re.sub("^/.*/", "", settings["MODEL"] or "")
    told = settings | {"MODEL": model}
    given = (f"{name}={shlex.quote(value)}" for name, value in told.items() if value)
    return " ".join(["make audit", *given])


def _checksums(files: Mapping[str, str]) -> Iterator[str]:
    """The name and checksum of each file of weights; of all files if none holds weights."""
    weights = {n: c for n, c in files.items() if n.endswith((".safetensors", ".bin", ".gguf"))}
    yield from (f"{name} {checksum}" for name, checksum in sorted((weights or files).items()))


def _millions(number: int) -> str:
    return f"{number / 1e6:,.0f} M" if number >= 1e6 else f"{number:,}"
