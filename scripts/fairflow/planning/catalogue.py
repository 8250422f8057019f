"""Entries of a model catalogue: where a file comes from and how the vectors lie in it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from fairflow.planning.lineage import DERIVATION, Lineage

DOWNLOADS = "results/downloads"
LONGEST_TITLE = 80
VECTORS = "vectors"
# Of a converted model, as `fairflow.vectors.convert` names them.
CONVERTED = {"vectors": "vectors", "index": "index.sqlite", "card": "card.json"}
# Format -> what it reads besides the file that an entry names, in the same folder.
_BESIDE = {
    "gensim": ("{name}.*.np[yz]",),
    "spacy": ("key2row", "strings.json", "vectors.cfg"),
}


@dataclass(frozen=True)
class Model(Lineage):
    """A model: a file to fetch and convert, or a transformation of another model's vectors.

    Attributes
    ----------
    base : the model that it is derived from.
    word_sets : those that the parameters of its transform may name, FILE:SET -> entry.
    """

    name: str
    label: str
    entry: Mapping[str, Any]
    base: Model | None = None
    word_sets: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)

    # Of a table of word vectors; a language model has others of each.
    kind: ClassVar[str] = VECTORS
    query_kinds: ClassVar[tuple[str, ...]] = ("words",)

    def answers(self, query: str) -> bool:
        """Whether it can be asked the items of a query: word vectors tell nothing of them."""
        return False

    def own_files(self, folder: str) -> tuple[str, ...]:
        """The files that are made for it, in the folder of all models."""
        names = [DERIVATION] if "derive" in self.entry else CONVERTED.values()
        return tuple(f"{folder}/{self.name}/{name}" for name in names)

    def store_files(self, folder: str) -> dict[str, str | list[str]]:
        """What its vectors are read from, as `fairflow.vectors.derivation.open_store` takes it.

        Those of its origin, and of each model from there to itself how it is derived.
        """
        origin = self.origin.name
        files = {key: f"{folder}/{origin}/{name}" for key, name in CONVERTED.items()}
        return files | {"derivations": self.derivations(folder)}

    @property
    def file(self) -> str:
        """The file that holds the vectors: a download, or the user's own."""
        return file_of(self.entry)

    @property
    def packing(self) -> dict[str, Any]:
        """How the vector file lies in that file, and what it must be once unpacked."""
        return packing_of(self.entry)

    @property
    def conversion(self) -> dict[str, Any]:
        """What decides the converted form of the file: plain values."""
        return {
            "format": self.entry["format"],
            "packing": self.packing,
            "words": self.words,
            "promised": {key: self.entry.get(key) for key in ("dims", "vocabulary")},
        } | ({"subwords": True} if self.entry.get("subwords") else {})

    @property
    def words(self) -> dict[str, Any] | None:
        """How the words lie that a format without words of its own needs: see `WordList`."""
        return words_of(self.entry)

    @property
    def word_files(self) -> list[str]:
        """The user's own file of these words."""
        return [self.entry["words"]] if "words" in self.entry else []

    @property
    def files_beside(self) -> list[str]:
        """What the format has put beside its file, arrays or names, if that is the user's own."""
        beside = _BESIDE.get(self.entry.get("format"), ())
        if download_name(self.entry):
            return []
        folder, name = Path(self.file).parent, escape(Path(self.file).name)
        found = (folder.glob(pattern.format(name=name)) for pattern in beside)
        return sorted(str(file) for files in found for file in files)

    @property
    def prefix(self) -> str | None:
        """Put in front of each word before it is sought."""
        inherited = self.base.prefix if self.base else None
        return self.entry.get("vocab_prefix", inherited)

    @property
    def frequency(self) -> dict[str, str | None]:
        """What is told of how frequent words are, see `fairflow.vectors.word_frequency`.

        A derived model has the words of its origin.
        """
        keys = ("order", "language", "curated")
        return {key: self.origin.entry.get(key) for key in keys} | {"prefix": self.prefix}


@dataclass(frozen=True)
class Download:
    """A file to fetch, which several models or lexicons may share.

    Attributes
    ----------
    sources : those of all entries that share the file.
    names : what its sources call it. A mirror may hold it under one of them, and earlier versions
        of the workflow kept it under the first, so that only a checksum tells whether it is it.
    uses : what each entry takes it for: its `format`, `archive` and `member`. None where a
        checksum tells whether it is the right file.
    """

    sources: list[dict[str, Any]]
    size: int | None
    checksum: str | None
    names: list[str]
    uses: list[dict[str, str]]

    @property
    def title(self) -> str:
        """What its first source calls it, for people."""
        return self.names[0] if self.names else self.sources[0]["url"]


def downloads_of(entries: Iterable[Mapping[str, Any]]) -> dict[str, Download]:
    """The files that entries of models and lexicons download, by name."""
    sharing: dict[str, list[Mapping[str, Any]]] = {}
    for entry in entries:
        if name := download_name(entry):
            sharing.setdefault(name, []).append(entry)
    return {name: _shared(entries) for name, entries in sharing.items()}


def _shared(entries: list[Mapping[str, Any]]) -> Download:
    every = [source for entry in entries for source in entry["sources"]]
    sources = [source for i, source in enumerate(every) if source not in every[:i]]
    sizes = (entry["bytes"] for entry in entries if "bytes" in entry)
    names = dict.fromkeys(name for source in sources if (name := _name_in(source)))
    checksum = entries[0].get("checksum")
    keys = ("format", "archive", "member")
    uses = [{key: entry[key] for key in keys if key in entry} for entry in entries]
    return Download(sources, next(sizes, None), checksum, [*names], [] if checksum else uses)


def download_name(entry: Mapping[str, Any]) -> str | None:
    """The name of the file that an entry downloads; None for a file of the user's own.

    It follows from what is to be fetched and from nothing else: from the checksum or, where none
    is promised, from the sources. Files of other contents have other names, and entries that mean
    the same file share it.
    """
    remote = [source for source in entry["sources"] if "url" in source or "pypi" in source]
    if not remote:
        return None
    if "checksum" in entry:
        return entry["checksum"].replace(":", "-")
    identity = hashlib.sha256(json.dumps(entry["sources"], sort_keys=True).encode()).hexdigest()
    readable = re.sub(r"[^A-Za-z0-9.+_-]", "_", _name_in(remote[0]) or "")[-LONGEST_TITLE:]
    return f"sources-{identity[:32]}-{readable}"


def _name_in(source: Mapping[str, Any]) -> str | None:
    """What a source calls its file, if that can be the name of one."""
    if "pypi" in source:
        return source["pypi"].replace("==", "-") + ".whl"
    path = re.split("[?#]", source.get("url", ""))[0].partition("://")[2].partition("/")[2]
    name = unquote(path).rstrip("/").rpartition("/")[2]
    return None if name in ("", ".", "..") or "\0" in name else name


def file_of(entry: Mapping[str, Any]) -> str:
    """The path at which the file of an entry lies."""
    name = download_name(entry)
    return f"{DOWNLOADS}/{name}" if name else entry["sources"][0]["file"]


def packing_of(entry: Mapping[str, Any]) -> dict[str, Any]:
    """How the wanted file lies in the one of `file_of`: see `open_packed`."""
    packing = {
        "archive": entry.get("archive"),
        "member": entry.get("member"),
        "size": entry.get("member_bytes"),
        "checksum": entry.get("member_checksum"),
        "file_size": entry.get("bytes"),
        "file_checksum": entry.get("checksum"),
    }
    return {key: value for key, value in packing.items() if value is not None}


def content_of_set(entry: Mapping[str, Any]) -> list[str] | dict[str, Any]:
    """The words of a word set; of a lexicon its file and how to read it, as `parse_lexicon` does.

    That file stands as "file", its other arguments under their names.
    """
    if "words" in entry:
        return list(entry["words"])
    lexicon = entry["lexicon"]
    return {
        "file": file_of(lexicon),
        "packing": packing_of(lexicon),
        "encoding": lexicon.get("encoding", "utf-8"),
        "comment": lexicon.get("comment"),
    }


def words_of(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """How the words of an entry lie, by the arguments of `WordList`; without `path` beside vectors.

    None where the vectors come with words.
    """
    size, checksum = entry.get("words_bytes"), entry.get("words_checksum")
    if "words" in entry:
        lies = {"path": entry["words"]}
        packing = {"file_size": size, "file_checksum": checksum}
    elif "words_member" in entry:
        lies = {}
        packing = {
            "archive": entry["archive"],
            "member": entry["words_member"],
            "size": size,
            "checksum": checksum,
        }
    else:
        return None
    packing = {key: value for key, value in packing.items() if value is not None}
    column = {"column": entry["words_column"]} if "words_column" in entry else {}
    return lies | column | {"packing": packing}
