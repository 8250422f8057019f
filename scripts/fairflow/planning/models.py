"""Models: tables of word vectors, and how one model of any kind comes from another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from glob import escape
from pathlib import Path
from typing import Any, ClassVar, Self, TypeVar

from fairflow.planning.catalogue import (
    Catalogue,
    ancestry,
    download_name,
    entry_packing,
    file_of,
    source_text,
    word_list_arguments,
)
from fairflow.planning.named_sets import Sets, read_named
from fairflow.planning.queries import WORDS, AnyQuery
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

    What kind of model it is, its class says: `kind`, a word for it; `query_kinds`, the kinds of
    queries that it gives vectors for; `source_and_revision`, where it comes from, in words;
    `recorded`, what records say of it; and `identity`, the files that tell what it is.

    Attributes
    ----------
    word_sets : those that the parameters of its transform may name, FILE:SET -> entry.
    """

    name: str
    entry: Mapping[str, Any]
    base: Self | None = None
    word_sets: Sets = field(default_factory=dict, repr=False)

    recorded: ClassVar[Callable[..., dict[str, Any]]]
    identity: ClassVar[Callable[..., dict[str, str]]]

    @property
    def is_given(self) -> bool:
        """Whether nothing but its answers is here."""
        return False

    @property
    def kind(self) -> str:
        """A word for its kind."""
        raise NotImplementedError

    @property
    def source_and_revision(self) -> str | None:
        """Where it comes from, in words."""
        raise NotImplementedError

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

    def folder_of(self, query: AnyQuery) -> str:
        """The kind of its answers to a query, which is the folder of results with them, too."""
        return query.slices

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
class Model(Lineage):
    """A table of word vectors: a file to fetch and convert, or another model's vectors, changed."""

    kind: ClassVar[str] = VECTORS
    query_kinds: ClassVar[tuple[str, ...]] = (WORDS,)

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

    def identity(self, plan: Any, folder: str) -> dict[str, str]:
        """The file that tells what it is, in the folder of all models."""
        return {"card": self.store_files(folder)["card"]}

    @property
    def source_and_revision(self) -> str | None:
        """The model and the transform that it comes from, or the checksum of its file."""
        by = self.transform
        return f"{by.base}, {by.name}" if by else self.entry.get("checksum")

    def recorded(self, columns: Collection[str]) -> dict[str, Any]:
        """What its entry says under some keys; if it is derived, that of its origin."""
        entry = self.origin.entry
        facts = {key: entry[key] for key in columns if key in entry}
        facts |= {"name": self.name, "label": self.label, "vectors_of": self.origin.name}
        return facts | {"sources": " ".join(map(source_text, entry["sources"])), "words": None}

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
            "packing": {} if self.trained else entry_packing(self.entry),
            "words": word_list_arguments(self.entry),
            "promised": {key: self.entry.get(key) for key in ("dims", "vocabulary")},
        } | ({"subwords": True} if self.entry.get("subwords") else {})

    @property
    def word_files(self) -> list[str]:
        """The user's own file of these words."""
        return [self.entry["words"]] if "words" in self.entry else []

    @property
    def files_beside(self) -> list[str]:
        """Arrays or names that the format stores next to its file, if the file is the user's."""
        beside = _BESIDE.get(self.entry.get("format", ""), ())
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


Made = TypeVar("Made", bound=Lineage)


# Before Python 3.13 a type variable has no default, which its type could take.
def models_of(
    catalogue: Catalogue,
    word_sets: Sets = NONE,
    kind: type[Made] = Model,  # type: ignore[assignment]
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
                base = models.get(entry["derive"]["from"]) if "derive" in entry else None
                models.setdefault(each, kind(each, entry, base, word_sets))
    return {name: models[name] for name in catalogue}


def is_converted(model: Lineage, folder: str | Path) -> bool:
    """Whether the folder of all models has the files of its origin: no source is needed then."""
    return all(Path(folder, model.origin.name, name).is_file() for name in CONVERTED.values())
