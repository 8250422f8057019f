"""A language model of a plan, by its entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fairflow.language_models.folders.model_files import model_files
from fairflow.planning.catalogue import file_of, packing_of, source_text
from fairflow.planning.models import Lineage, TrainingTexts
from fairflow.planning.named_sets import Sets
from fairflow.planning.queries import SENTENCES, WORDS

FOLDER, HUB, PACKED, COMPLETIONS, DERIVED = SOURCES = (
    *("folder", "hub", "sources", "completions", "derive"),
)


NETWORKS = FOLDER, HUB, PACKED


_FROM = ("from", "transform")


FLOAT32 = "float32"


MEASURED = ("pooling", "pooling_stated_by", "unit_length")


NOT_OF_THE_MODEL = (
    *("label", "licence", "citation", "note", "casing", "language", "bytes"),
    *("pooling", "unit_length", "layer", "carriers"),
    *("chat_template", "dtype", "device_map"),
)


@dataclass(frozen=True)
class PlannedLanguageModel(Lineage):
    """A language model by its entry in config/language_models.yaml.

    One that is derived from another has its network, whose vectors are changed when they are there:
    it is an encoder, of which nothing can be asked but vectors.

    Attributes
    ----------
    base : the model that it is derived from.
    word_sets : those that the parameters of its transform may name, FILE:SET -> entry.
    """

    name: str
    entry: Mapping[str, Any]
    base: PlannedLanguageModel | None = None
    word_sets: Sets = field(default_factory=dict, repr=False)

    @property
    def kind(self) -> str:
        """Masked, causal, encoder, or texts: given completions without a model."""
        return self.entry.get("kind", "encoder")

    @property
    def label(self) -> str:
        """Shown in tables and figures, with how it is loaded where that is not as usual."""
        loaded = self.loading
        unusual = ["chat template"] if loaded["chat_template"] else []
        unusual += [loaded["dtype"]] if loaded["dtype"] != FLOAT32 else []
        label = self.entry.get("label", self.name)
        return f"{label} ({', '.join(unusual)})" if unusual else label

    @property
    def loading(self) -> dict[str, Any]:
        """How its network is loaded, as `load_language_model` takes it."""
        return {
            "dtype": self.entry.get("dtype", FLOAT32),
            "device_map": self.entry.get("device_map"),
            "chat_template": self.entry.get("chat_template", False),
        }

    @property
    def reading(self) -> dict[str, Any]:
        """How the vector of a text is made, as `embed_query` takes it.

        "pooling", how positions become one vector, and "unit_length", whether it is divided by its
        length: None for what the model's files say. "layer" of the hidden states. "carriers", texts
        that words are shown in: none for bare words, None for what the model needs.
        """
        carriers = self.entry.get("carriers")
        return {
            "pooling": self.entry.get("pooling"),
            "layer": self.layer,
            "unit_length": self.entry.get("unit_length"),
            "carriers": [] if carriers == "none" else carriers,
        }

    @property
    def layer(self) -> int:
        """Of the hidden states; -1 is the last."""
        return self.entry.get("layer", -1)

    @property
    def language(self) -> str | None:
        """Of its words."""
        return self.entry.get("language")

    @property
    def source(self) -> str:
        """Where it comes from: one of `SOURCES`."""
        return next(source for source in SOURCES if source in self.entry)

    @property
    def source_text(self) -> str:
        """Where it comes from, in words; no path of this machine."""
        return {
            FOLDER: "a local folder",
            HUB: self.entry.get(HUB),
            PACKED: " ".join(map(source_text, self.entry.get(PACKED, ()))),
            COMPLETIONS: "given completions",
            DERIVED: " by ".join(self.entry.get(DERIVED, {}).get(k, "") for k in _FROM),
        }[self.source]

    @property
    def source_and_revision(self) -> str:
        """Where it comes from, and at which revision if the entry tells."""
        return " at ".join(filter(None, (self.source_text, self.entry.get("revision"))))

    @property
    def is_network(self) -> bool:
        """Whether it can be run; of given completions nothing else can be asked."""
        return self.source in NETWORKS

    @property
    def training(self) -> TrainingTexts | None:
        """The texts that its transform learns from; None for a model that is not derived."""
        return TrainingTexts.of(self.transform.made) if self.transform else None

    @property
    def query_kinds(self) -> tuple[str, ...]:
        """Queries of which it gives vectors."""
        return (WORDS, SENTENCES) if self.origin.is_network else ()

    def answers(self, query: str) -> bool:
        """Whether it can be asked the items of a query."""
        return self.is_network or query in self.entry.get(COMPLETIONS, ())

    @property
    def definition(self) -> dict[str, Any]:
        """What decides the files of the model; of packed ones not from where they are fetched."""
        if self.source == PACKED:
            keys = ("kind", "format", "checksums")
            decisive = {key: self.entry[key] for key in keys if key in self.entry}
            return decisive | {"packing": packing_of(self.entry)}
        return {k: v for k, v in self.entry.items() if k not in NOT_OF_THE_MODEL}

    @property
    def file(self) -> str:
        """The file that holds a packed model: a download, or the user's own."""
        return file_of(self.entry)

    @property
    def local_files(self) -> list[str]:
        """Its files in a folder of the user's; a change makes another model of it."""
        return (
            [str(path) for path in model_files(self.entry[FOLDER])] if FOLDER in self.entry else []
        )

    @property
    def stated(self) -> dict[str, Any]:
        """What the configuration says of it that a reader has to know."""
        return {
            "label": self.label,
            "source": self.source_text,
            "revision": self.entry.get("revision"),
            "casing": self.origin.entry.get("casing"),
            # In their place in the table; what they come to stands in the facts.
            **dict.fromkeys(MEASURED),
            "layer": self.origin.layer,
            **(self.origin.loading if self.origin.is_network else {}),
        }
