"""Models: tables of word vectors and language models, and how one comes from another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from glob import escape
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from fairflow.language_models.checkpoints.model_files import model_files
from fairflow.planning.catalogue import (
    Catalogue,
    ancestry,
    download_name,
    file_of,
    packing_of,
    source_text,
    words_of,
)
from fairflow.planning.named_sets import Sets, read_named
from fairflow.planning.queries import SENTENCES, WORDS, ItemQuery, PlannedQuery
from fairflow.queries.languages import frequency_list, same_language
from fairflow.transforms import transform_class, transform_module
from fairflow.transforms.base_transform import BaseTransform

DERIVATION = "derivation.npz"
VECTORS = "vectors"
# Of a converted model, as `fairflow.vectors.convert` names them.
CONVERTED = {"vectors": "vectors", "index": "index.sqlite", "card": "card.json"}
# Format -> the other files that it reads, in the folder of the file that an entry names.
_BESIDE = {
    "gensim": ("{name}.*.np[yz]",),
    "spacy": ("key2row", "strings.json", "vectors.cfg"),
}
NONE: Catalogue = {}
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
class Transform:
    """How the vectors of a model come from those of its base: see `fairflow.transforms`.

    Attributes
    ----------
    parameters : with the words of the sets that the entry names, which are `word_sets`, and the
        lines of the files.
    recorded : the same, of files their path, checksum and number of lines.
    """

    name: str
    base: str
    parameters: Mapping[str, Any]
    word_sets: tuple[str, ...] = ()
    recorded: Mapping[str, Any] = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The module or file that holds it."""
        return transform_module(self.name)

    @cached_property
    def made(self) -> BaseTransform:
        """The transform object, with its parameters."""
        return transform_class(self.name)(**self.parameters)


@dataclass(frozen=True)
class Lineage:
    """A model by its entry, which may say that it comes from another model, its base.

    Attributes
    ----------
    word_sets : those that the parameters of its transform may name, FILE:SET -> entry.
    """

    name: str
    entry: Mapping[str, Any]
    base: Self | None = None
    word_sets: Sets = field(default_factory=dict, repr=False)

    @property
    def label(self) -> str:
        """Shown in tables and figures."""
        return self.entry.get("label", self.name)

    @property
    def file(self) -> str:
        """The file that holds it: a download, or the user's own."""
        return file_of(self.entry)

    @property
    def origin(self) -> Self:
        """The first model of its lineage, which has a source; itself if it is not derived."""
        return self.base.origin if self.base else self

    @property
    def languages(self) -> tuple[str, ...]:
        """The BCP 47 tags of its languages; () if its entry does not say."""
        given = self.origin.entry.get("language", ())
        return (given,) if isinstance(given, str) else tuple(given)

    def speaks(self, language: str) -> bool:
        """Whether it takes queries in a language: one of its languages; any if none is known."""
        return not self.languages or any(same_language(language, one) for one in self.languages)

    @property
    def frequency_list(self) -> str | None:
        """The code of its list of word frequencies; None for several languages or without one."""
        return frequency_list(self.languages[0]) if len(self.languages) == 1 else None

    @property
    def lineage(self) -> tuple[str, ...]:
        """The names of its origin, of each model derived in between, and its own."""
        return (*(self.base.lineage if self.base else ()), self.name)

    def derivations(self, folder: str) -> list[str]:
        """The derivation files from its origin to itself, in the folder of all models."""
        return [f"{folder}/{name}/{DERIVATION}" for name in self.lineage[1:]]

    @cached_property
    def transform(self) -> Transform | None:
        """How it is derived from another model; None for a model with its own file."""
        if "derive" not in self.entry:
            return None
        name, base, given = parts_of(self.entry["derive"])
        found = read_named(given, transform_class(name).word_sets, self.word_sets)
        return Transform(name, base, found.values, tuple(found.word_sets), found.recorded)

    @property
    def same_vectors(self) -> str | None:
        """The model whose vectors it shares, as a part or at another length, or None."""
        if "derive" not in self.entry:
            return self.entry.get("vectors_of")
        derived = self.entry["derive"]
        return derived["from"] if transform_class(derived["transform"]).keeps_directions else None


def parts_of(derived: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """Transform, base and parameters under the key `derive` of an entry."""
    given = {key: value for key, value in derived.items() if key not in ("from", "transform")}
    return derived["transform"], derived["from"], given


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
class Model(Lineage):
    """A table of word vectors: a file to fetch and convert, or another model's vectors, changed."""

    # Of a table of word vectors; a language model has others of each.
    kind: ClassVar[str] = VECTORS
    query_kinds: ClassVar[tuple[str, ...]] = ("words",)

    def answers(self, query: str) -> bool:
        """Whether it can answer the items of a query: word vectors cannot."""
        return False

    def folder_of(self, query: PlannedQuery | ItemQuery) -> str:
        """The folder of results in which its answers to a query lie."""
        return query.slices

    def own_files(self, folder: str) -> tuple[str, ...]:
        """The files that are made for it, in the folder of all models."""
        names = [DERIVATION] if "derive" in self.entry else CONVERTED.values()
        return tuple(f"{folder}/{self.name}/{name}" for name in names)

    def store_files(self, folder: str) -> dict[str, Any]:
        """The files of its vectors, as `fairflow.vectors.derivation.open_store` takes them.

        These are the files of its origin and the derivation of each model from there to itself.
        """
        origin = self.origin.name
        files = {key: f"{folder}/{origin}/{name}" for key, name in CONVERTED.items()}
        return files | {"derivations": self.derivations(folder)}

    @property
    def trained(self) -> Mapping[str, str]:
        """Its corpus, subcorpus and embedding; nothing for a model that is not trained here."""
        return self.entry.get("trained", {})

    @property
    def file(self) -> str:
        """The file that is converted: a download, the user's own, or what a run trains."""
        return f"results/trained/{self.name}.bin" if self.trained else super().file

    @property
    def conversion(self) -> dict[str, Any]:
        """What decides the converted form of the file: plain values."""
        return {
            "format": self.entry["format"],
            # What an entry says of its source is said of the texts that a model is trained on.
            "packing": {} if self.trained else packing_of(self.entry),
            "words": words_of(self.entry),
            "promised": {key: self.entry.get(key) for key in ("dims", "vocabulary")},
        } | ({"subwords": True} if self.entry.get("subwords") else {})

    @property
    def word_files(self) -> list[str]:
        """The user's own file of these words."""
        return [self.entry["words"]] if "words" in self.entry else []

    @property
    def files_beside(self) -> list[str]:
        """Arrays or names that the format stores next to its file, if the file is the user's."""
        beside = _BESIDE.get(self.entry.get("format"), ())
        if download_name(self.entry):
            return []
        folder, name = Path(self.file).parent, escape(Path(self.file).name)
        found = (folder.glob(pattern.format(name=name)) for pattern in beside)
        return sorted(str(file) for files in found for file in files)

    @property
    def prefix(self) -> str | None:
        """Put in front of each word before it is looked up."""
        inherited = self.base.prefix if self.base else None
        return self.entry.get("vocab_prefix", inherited)

    @property
    def frequency(self) -> dict[str, str | None]:
        """What the entry says of word frequencies, see `fairflow.vectors.word_frequency`.

        A derived model has the words of its origin.
        """
        stated = {key: self.origin.entry.get(key) for key in ("order", "curated")}
        return stated | {"language": self.frequency_list, "prefix": self.prefix}


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

    def folder_of(self, query: ItemQuery) -> str:
        """The folder of results in which its answers to a query lie."""
        return query.slices if self.source != ANSWERS else "completions"

    @property
    def definition(self) -> dict[str, Any]:
        """The keys that decide the files of the model; for packed files without their sources."""
        if self.source == PACKED:
            keys = ("kind", "format", "checksums")
            decisive = {key: self.entry[key] for key in keys if key in self.entry}
            return decisive | {"packing": packing_of(self.entry)}
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


Made = TypeVar("Made", bound=Lineage)


def models_of(
    catalogue: Catalogue, word_sets: Sets = NONE, kind: type[Made] = Model
) -> dict[str, Made]:
    """The models of a catalogue by name, each with the one that it is derived from.

    Parameters
    ----------
    word_sets : those that parameters of transforms may name, FILE:SET -> entry.
    kind : the class of the models.
    """
    models: dict[str, Made] = {}
    for name in catalogue:
        for each in reversed(ancestry(name, catalogue)):
            if entry := catalogue.get(each):
                base = models.get(entry.get("derive", {}).get("from"))
                models.setdefault(each, kind(each, entry, base, word_sets))
    return {name: models[name] for name in catalogue}


def is_converted(model: Model, folder: str | Path) -> bool:
    """Whether the folder of all models has the files of its origin: no source is needed then."""
    return all(Path(folder, model.origin.name, name).is_file() for name in CONVERTED.values())
