"""Recognise the model at a path, and give the keys of its entry in config/models.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import NAME_ADVICE, UNPRINTABLE, FairflowError, nearest
from fairflow.files import packed_files
from fairflow.files.packed_files import damage_named, names_in, open_archive
from fairflow.vectors.convert import FORMATS
from fairflow.vectors.file_content import (
    GGUF,
    HEAD_BYTES,
    Content,
    NoVectors,
    UnknownFormat,
    content_of,
)
from fairflow.vectors.npy import WordList, number_of_rows
from fairflow.vectors.word2vec_format import first_bytes

# How deep a folder is searched: a package of a pipeline has its vectors in X/X-1.0/vocab.
_DEPTH = 3


@dataclass(frozen=True)
class FileSource:
    """Files below a folder, or in a zip or tar archive.

    Attributes
    ----------
    kind : type of the archive; None for a folder.
    """

    path: Path
    kind: str | None = None

    @cached_property
    def names(self) -> list[str]:
        """The names of its files, without hidden or unprintable names in a folder."""
        if self.kind:
            return sorted({*names_in(self.path, self.kind)})
        found, folders = [], [self.path]
        for _ in range(_DEPTH + 1):
            inside = [entry for folder in folders for entry in folder.iterdir()]
            inside = [e for e in inside if e.name[0] != "." and not UNPRINTABLE.search(e.name)]
            found += [entry for entry in inside if entry.is_file()]
            folders = [entry for entry in inside if entry.is_dir()]
        return sorted(str(entry.relative_to(self.path)) for entry in found)

    def named(self, name: str) -> str:
        """The name of one of its files for a person."""
        return str(self.path / name)

    def packed(self, name: str) -> dict[str, Any]:
        """The arguments of `open_packed` for a file."""
        if self.kind:
            return {"path": self.path, "archive": self.kind, "member": name}
        return {"path": self.path / name}

    def head(self, name: str) -> bytes:
        """The first bytes of a file, unpacked if it is packed as gz, bz2 or xz."""
        if self.kind is None:
            return _head(self.path / name, file_packing(self.path / name), None)
        return _head(self.path, self.kind, name)

    def entry(self, name: str) -> dict[str, Any]:
        """The keys of a model for the place of the file."""
        packing = self.packed(name)
        return {"sources": [{"file": str(packing.pop("path"))}]} | packing

    def network(self, name: str) -> dict[str, Any]:
        """The keys of a language model for the place of its folder."""
        if self.kind is None:
            return {"folder": str(self.path / name)}
        entry = self.entry(name)
        return {key: entry[key] for key in entry if key != "member" or name != "."}

    def beside(self, name: str) -> list[str]:
        """The files in the folder of a file, without searching other folders."""
        folder = PurePosixPath(name).parent
        if self.kind:
            return [one for one in self.names if PurePosixPath(one).parent == folder]
        files = (entry for entry in (self.path / folder).iterdir() if entry.is_file())
        return sorted(str(folder / f.name) for f in files if not UNPRINTABLE.search(f.name))


def file_packing(path: Path) -> str | None:
    """How a file is packed; a tar that is itself packed is a tar.

    Raises
    ------
    DownloadError : an unknown kind of archive, with advice; or it is damaged.
    """
    kind = _told(path, None)
    if kind in packed_files.STREAMS and _told(path, kind) == "tar":
        return "tar"
    if kind not in (None, *packed_files.STREAMS, *packed_files.FOLDERS):
        packed_files.checked_packing(path, None)
    return kind


def _told(path: Path, packing: str | None) -> str | None:
    return packed_files.packing_of(_head(path, packing, None, packed_files.HEAD_BYTES))


def _head(path: Path, packing: str | None, member: str | None, size: int = HEAD_BYTES) -> bytes:
    with ExitStack() as stack, damage_named(path, packing):
        return first_bytes(open_archive(path, packing, member, stack)[0], size)


_ENDINGS = (".txt", ".json", ".words", ".vocab", ".tsv", ".lst", "")
# Most bytes per word in a file of words; a larger file is something else.
_BYTES_OF_A_WORD = 400


def words_beside(source: FileSource, name: str) -> dict[str, Any]:
    """The keys of an entry for the file with the words of a .npy file.

    Raises
    ------
    UnknownFormat : no file in its folder has as many words as it has rows, or several have.
    VectorFormatError : it is no matrix of floats.
    """
    rows = number_of_rows(source.head(name), source.named(name))
    fitting = [
        other
        for other in source.beside(name)
        if other != name and PurePosixPath(other).suffix.lower() in _ENDINGS
        if _has_words(source, other, rows)
    ]
    stem = PurePosixPath(name).stem
    chosen = [other for other in fitting if PurePosixPath(other).stem == stem] or fitting
    if len(chosen) == 1:
        words = chosen[0]
        return {"words_member": words} if source.kind else {"words": source.named(words)}
    found = f"{', '.join(chosen)} have that many" if chosen else "none does"
    raise UnknownFormat(
        f"it is a .npy matrix of {rows:,} rows, whose words are expected in a file next to it with "
        f"one word for each row; {found}. Write the words, one a line in the order of the rows, "
        f"into {stem}.txt in the same folder"
    )


def _has_words(source: FileSource, name: str, rows: int) -> bool:
    """Whether a file has as many words as there are rows."""
    packing = source.packed(name)
    path = packing.pop("path")
    # The size of a file in an archive is unknown without reading the archive.
    if not source.kind and path.stat().st_size > max(rows * _BYTES_OF_A_WORD, 1 << 20):
        return False
    try:
        return len(WordList(path, None, packing).read()) == rows
    except (FairflowError, OSError):
        return False


NETWORK = "transformers"
NAMES = (*FORMATS, GGUF, NETWORK)
_OVERRIDE = (
    "If it is one of them, say which: FORMAT=NAME after make audit, --model-format NAME with "
    "fairflow audit, --vector-format NAME with fairflow score, --config audit_format=NAME with "
    "snakemake"
)
_MOST_FILES = 100
_SPACY = ("key2row", "strings.json")
_WEIGHTS = (".safetensors", "pytorch_model.bin", ".safetensors.index.json")


@dataclass(frozen=True)
class Recognised:
    """The model at a path.

    Attributes
    ----------
    format : one of `NAMES`.
    entry : keys of an entry in config/models.yaml or, of a network, in config/language_models.yaml,
        where its `kind` is to be added (the configuration in its folder tells it).
    because : a sentence that says what was recognised, and why.
    """

    format: str
    entry: Mapping[str, Any]
    because: str

    @property
    def is_network(self) -> bool:
        """Whether it is a language model, and not a table of vectors."""
        return self.format in (GGUF, NETWORK)


def recognise(path: str | Path, vector_format: str | None = None) -> Recognised:
    """The format of the file or folder at a path, by its content.

    Parameters
    ----------
    path : a file, packed or not; a zip or tar with one model in it; a file in such an archive, as
        ARCHIVE/NAME; the folder of a spaCy pipeline or of a network.
    vector_format : one of `NAMES`, which overrides the recognised format.

    Raises
    ------
    UnknownFormat : there is no file, or it is not recognised or ambiguous; with advice.
    DownloadError : it is packed in an unknown way, or is damaged.
    """
    if vector_format is not None and vector_format not in NAMES:
        raise UnknownFormat(
            f"{vector_format!r} is no format of vectors. {nearest(vector_format, NAMES)} "
            f"Known: {', '.join(NAMES)}"
        )
    path = Path(path).expanduser()
    if UNPRINTABLE.search(str(path)):
        raise NoVectors(f"{str(path)!r}: {NAME_ADVICE}")
    try:
        source, name = _source_of(path)
        if name is not None:
            return _file(source, name, vector_format)
        return _within(source, vector_format)
    except NoVectors as error:
        raise NoVectors(f"{path}: {error}") from error
    except OSError as error:
        raise NoVectors(f"{path} cannot be read: {error.strerror or error}") from error
    except UnknownFormat as error:
        known = f"Known formats: {', '.join(NAMES)}"
        raise UnknownFormat(f"{path}: {error}. {known}. {_OVERRIDE}") from error


def _source_of(path: Path) -> tuple[FileSource, str | None]:
    """The folder or archive of a path, and the file in it if one is named."""
    if path.is_dir():
        return FileSource(path), None
    if path.is_file():
        kind = file_packing(path)
        archive = kind in ("zip", "tar")
        return (FileSource(path, kind), None) if archive else (FileSource(path.parent), path.name)
    outer = next((parent for parent in path.parents if parent.is_file()), None)
    if outer and (kind := file_packing(outer)) in ("zip", "tar"):
        source, name = FileSource(outer, kind), path.relative_to(outer).as_posix()
        if name in source.names:
            return source, name
        raise NoVectors(f"{outer.name} holds no {name!r}. {nearest(name, source.names)}")
    there = path.parent.iterdir() if path.parent.is_dir() else ()
    names = [entry.name for entry in there]
    hint = nearest(path.name, names) if names else f"There is no folder {path.parent} either."
    raise NoVectors(f"no such file. {hint}")


def _file(source: FileSource, name: str, stated: str | None) -> Recognised:
    """Recognise a file that is named."""
    if stated == NETWORK:
        raise NoVectors("it is a file; of format transformers is a folder. Name that folder")
    if stated is None and name.endswith(_WEIGHTS):
        raise NoVectors(
            f"it holds weights of a network. Name its folder: {Path(source.named(name)).parent}"
        )
    content = content_of(source.head(name)) if stated is None else Content(stated, "you say so")
    found, keys = content.format, {}
    if found == "npy":
        if _has_keys(source, name) and stated is None:
            found = "spacy"
            content = Content(found, f"it is a .npy file with {_SPACY[0]} next to it")
        else:
            keys = words_beside(source, name)
    because = f"{source.named(name)} is read as {found}, because {content.because}"
    if keys:
        because += f"; its words are in {keys.get('words') or keys['words_member']}"
    return Recognised(found, source.entry(name) | {"format": found} | keys, because)


def _within(source: FileSource, stated: str | None) -> Recognised:
    """The only model in a folder or an archive, if no file is named."""
    # The folders with the configuration and the weights of a network.
    folders = {str(PurePosixPath(name).parent) for name in source.names if name.endswith(_WEIGHTS)}
    networks = sorted(one for one in folders if _joined(one, "config.json") in source.names)
    # The vector tables of spaCy pipelines.
    tables = (one for one in source.names if one.endswith("vectors") and _has_keys(source, one))
    pipelines = [*tables] if stated in (None, "spacy") else []
    found = []
    for folder in networks if stated in (None, NETWORK) else ():
        why = f"{NETWORK}, because it holds config.json and weights of a network"
        told = f"{source.named(folder)} is read as {why}"
        found.append(Recognised(NETWORK, source.network(folder), told))
    found += [_file(source, name, None) for name in pipelines]
    if not found:
        found = _readable(source, stated)
    if len(found) == 1:
        return found[0]
    if found:
        which = "; ".join(one.because for one in found[:4])
        raise NoVectors(f"it holds {len(found)} models ({which}). Name one of them")
    shown = ", ".join(source.names[:8]) or "no file with a name in UTF-8"
    as_stated = f" of format {stated}" if stated else ""
    raise NoVectors(
        f"no model{as_stated} is recognised in it, which holds {shown}. Expected the "
        "folder of a network (config.json and weights), that of a spaCy pipeline (vocab/vectors), "
        f"or one file of vectors; name the file itself, as {source.named('NAME')}"
    )


def _has_keys(source: FileSource, name: str) -> bool:
    folder = str(PurePosixPath(name).parent)
    return {_joined(folder, key) for key in _SPACY} <= {*source.beside(name)}


def _joined(folder: str, name: str) -> str:
    return str(PurePosixPath(folder, name))


def _readable(source: FileSource, stated: str | None) -> list[Recognised]:
    """The files that are recognised; in a folder only those directly in it."""
    names = [one for one in source.names if source.kind or "/" not in one]
    found = []
    for name in names[:_MOST_FILES]:
        try:
            one = _file(source, name, None)
        except FairflowError:
            continue
        if stated in (None, one.format):
            found.append(one)
    if not found and stated not in (None, NETWORK) and len(names) == 1:
        return [_file(source, names[0], stated)]
    return found
