"""Language models by their entries: where they come from, and how they are loaded and read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairflow.files.checksums import sha256
from fairflow.language_models.checkpoints.model_files import model_files
from fairflow.language_models.planned.queries import SENTENCES
from fairflow.planning.catalogue import entry_packing, portable, source_text
from fairflow.planning.models import Lineage
from fairflow.planning.plan import Plan
from fairflow.planning.queries import WORDS, AnyQuery
from fairflow.planning.registry import path_of

# Where a language model comes from: a key of its entry.
FOLDER, HUB, PACKED, ANSWERS, DERIVED = SOURCES = (
    *("folder", "hub", "sources", "answers", "derive"),
)
NETWORKS = FOLDER, HUB, PACKED
FLOAT32 = "float32"
# Facts of a language model that only its files tell.
MEASURED = ("pooling", "pooling_source", "unit_length")
# Keys of an entry that do not change the files of a language model.
NOT_OF_THE_MODEL = (
    *("label", "licence", "citation", "note", "casing", "language", "bytes"),
    *("pooling", "unit_length", "layer", "context_templates"),
    *("chat_template", "dtype", "device_map"),
)


@dataclass(frozen=True)
class TrainingTexts:
    """Words or sentences whose vectors a transform learns from, in a language model.

    Attributes
    ----------
    texts : each once. sentences : whether they are read as they are, as words are not by a model
        with context templates.
    """

    texts: tuple[str, ...]
    sentences: bool

    @property
    def name(self) -> str:
        """The name of their file: 16 hexadecimal digits, equal for equal texts."""
        content = json.dumps([self.texts, self.sentences], ensure_ascii=False)
        return hashlib.sha256(content.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class PlannedLanguageModel(Lineage):
    """A language model by its entry in config/language_models.yaml.

    A derived model uses the network of its base and changes the vectors: it is an encoder, which
    gives vectors and nothing else.
    """

    @property
    def kind(self) -> str:
        """Masked, causal, encoder, or answers: those of a file, without a model."""
        return self.entry.get("kind", "encoder")

    @property
    def label(self) -> str:
        """Shown in tables and figures, with unusual settings of its loading."""
        loaded = self.loading
        chats = {True: ["chat template"], False: ["no chat template"]}
        unusual = chats.get(loaded["chat_template"] if self.kind == "causal" else None, [])
        unusual += [loaded["dtype"]] if loaded["dtype"] != FLOAT32 else []
        return f"{super().label} ({', '.join(unusual)})" if unusual else super().label

    @property
    def loading(self) -> dict[str, Any]:
        """How its network is loaded, as `load_language_model` takes it."""
        return {
            "dtype": self.entry.get("dtype", FLOAT32),
            "device_map": self.entry.get("device_map"),
            "chat_template": self.entry.get("chat_template"),
        }

    @property
    def reading(self) -> dict[str, Any]:
        """How the vector of a text is made, as `embed_query` takes it.

        "pooling", how positions become one vector, and "unit_length", whether it is divided by its
        length: None for what the model's files say. "layer" of the hidden states; -1 is the last.
        "context_templates", texts that words are shown in: [] for bare words, None for the default.
        """
        templates = self.entry.get("context_templates")
        return {
            "pooling": self.entry.get("pooling"),
            "layer": self.entry.get("layer", -1),
            "unit_length": self.entry.get("unit_length"),
            "context_templates": [] if templates == "none" else templates,
        }

    @property
    def source(self) -> str:
        """Where it comes from: one of `SOURCES`."""
        return next(source for source in SOURCES if source in self.entry)

    @property
    def source_text(self) -> str:
        """Its source in words, without a path of this machine."""
        named = self.entry[self.source]
        if self.source == PACKED:
            return " ".join(map(source_text, named))
        if self.source == DERIVED:
            return f"{named['from']} by {named['transform']}"
        usual = {FOLDER: "a local folder", ANSWERS: "given answers"}
        return usual.get(self.source, named)

    @property
    def source_and_revision(self) -> str:
        """Its source and, if the entry has one, its revision."""
        return " at ".join(filter(None, (self.source_text, self.entry.get("revision"))))

    @property
    def is_network(self) -> bool:
        """Whether it can be run; a model of given answers cannot."""
        return self.source in NETWORKS

    @property
    def is_given(self) -> bool:
        """Whether nothing but its answers is here."""
        return self.kind == ANSWERS

    @property
    def training(self) -> TrainingTexts | None:
        """The texts that its transform learns from; None for a model that is not derived."""
        if self.transform is None:
            return None
        made = self.transform.made
        return TrainingTexts(made.training_texts() or (), made.of_sentences)

    @property
    def query_kinds(self) -> tuple[str, ...]:
        """The kinds of queries that it gives vectors for."""
        return (WORDS, SENTENCES) if self.origin.is_network else ()

    def answers(self, query: str) -> bool:
        """Whether it can answer the items of a query."""
        return self.is_network or bool(self.given(query))

    def given(self, query: str) -> dict[str, Any]:
        """The files with its answers to a query, and how they are read.

        {} of a network, and of a query that it has no file for.
        """
        answers = self.entry.get(ANSWERS, {})
        if isinstance(answers, Mapping):
            named = answers.get(query)
            if named is None:
                return {}
            own = {"file": named} if isinstance(named, str) else dict(named)
            return {"files": [own.pop("file")], "by_item": True, **own}
        return {"files": [answers] if isinstance(answers, str) else [*answers], "by_item": False}

    @property
    def answer_files(self) -> list[str]:
        """Every file with its answers; none of a network."""
        answers = self.entry.get(ANSWERS, {})
        if isinstance(answers, Mapping):
            return list(dict.fromkeys(path for q in answers for path in self.given(q)["files"]))
        return self.given("")["files"]

    def folder_of(self, query: AnyQuery) -> str:
        """The kind of its answers to a query."""
        return query.slices if self.source != ANSWERS else "completions"

    def identity(self, plan: Plan, folder: str) -> dict[str, str]:
        """The files that tell what it is: its facts, and the list of its files."""
        return {kind: path_of(plan, kind, model=self.name) for kind in ("facts", "manifest")}

    def recorded(self, columns: Collection[str]) -> dict[str, Any]:
        """What its entry says under some keys, and how it is loaded or what answered for it."""
        origin = self.origin
        facts = {key: origin.entry[key] for key in columns if key in origin.entry}
        of = "" if origin is self else origin.name
        stated = {"name": self.name, "label": self.label, "vectors_of": of}
        stated["sources"] = origin.source_and_revision
        if origin.is_network:
            stated |= origin.loading
        else:
            # When and how it was asked is nowhere else.
            stated |= _given(origin.answer_files) | {"note": origin.entry.get("note")}
        return {"licence": None, "citation": None} | facts | stated

    @property
    def definition(self) -> dict[str, Any]:
        """The keys that decide the files of the model; for packed files without their sources."""
        if self.source == PACKED:
            keys = ("kind", "format", "checksums")
            decisive = {key: self.entry[key] for key in keys if key in self.entry}
            return decisive | {"packing": entry_packing(self.entry)}
        return {k: v for k, v in self.entry.items() if k not in NOT_OF_THE_MODEL}

    @property
    def local_files(self) -> list[str]:
        """Its files in a folder of the user; a changed file makes it a different model."""
        return [*map(str, model_files(self.entry[FOLDER]))] if FOLDER in self.entry else []

    @property
    def stated(self) -> dict[str, Any]:
        """Its facts from the configuration that a reader has to know."""
        return {
            "label": self.label,
            "source": self.source_text,
            "revision": self.entry.get("revision"),
            "casing": self.origin.entry.get("casing"),
            # Placeholders that keep the order of columns; the facts hold the values.
            **dict.fromkeys(MEASURED),
            "layer": self.origin.reading["layer"],
            **(self.origin.loading if self.origin.is_network else {}),
        }


def _given(answers: Sequence[str]) -> dict[str, str]:
    """The files with the answers of a model that is not run, and their sha256 in this order."""
    sums = [sha256(path) for path in answers if Path(path).is_file()]
    return {"sources": " ".join(map(portable, answers)), "source_sha256": " ".join(sums)}
