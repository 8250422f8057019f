"""From a path to the keys of the entry that a model has in config/models.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from fairflow.errors import FairflowError, nearest
from fairflow.vectors.formats import FORMATS
from fairflow.vectors.recognition.content import GGUF, Content, content_of
from fairflow.vectors.recognition.places import Archive, Folder, Place, packing_of
from fairflow.vectors.recognition.unknown import NoVectors, UnknownFormat
from fairflow.vectors.recognition.words_beside import words_beside

NETWORK = "transformers"
NAMES = (*FORMATS, GGUF, NETWORK)
_OVERRIDE = (
    "If it is one of them, say which: FORMAT=NAME after make audit, --config audit_format=NAME "
    "with snakemake, --vector-format NAME with fairflow score"
)
_MOST_FILES = 100
_SPACY = ("key2row", "strings.json")
_WEIGHTS = (".safetensors", "pytorch_model.bin", ".safetensors.index.json")


@dataclass(frozen=True)
class Recognised:
    """What a path holds.

    Attributes
    ----------
    format : one of `NAMES`.
    entry : keys of an entry in config/models.yaml or, of a network, in config/language_models.yaml,
        where its `kind` is to be added (the configuration in its folder tells it).
    because : a sentence that says what was recognised, and by what.
    """

    format: str
    entry: Mapping[str, Any]
    because: str

    @property
    def is_network(self) -> bool:
        """Whether it is a language model, and not a table of vectors."""
        return self.format in (GGUF, NETWORK)


def recognise(path: str | Path, vector_format: str | None = None) -> Recognised:
    """The format of what lies at a path, by its content.

    Parameters
    ----------
    path : a file, packed or not; a zip or tar with one model in it; a file in such an archive, as
        ARCHIVE/NAME; the folder of a spaCy pipeline or of a network.
    vector_format : one of `NAMES` that it has, whatever its content tells.

    Raises
    ------
    UnknownFormat : nothing is there, it is not recognised or ambiguous; with what to do.
    DownloadError : it is packed in a way that is not read here, or is damaged.
    """
    if vector_format is not None and vector_format not in NAMES:
        raise UnknownFormat(
            f"{vector_format!r} is no format of vectors. {nearest(vector_format, NAMES)} "
            f"Known: {', '.join(NAMES)}"
        )
    path = Path(path).expanduser()
    try:
        place, name = _place(path)
        if name is not None:
            return _file(place, name, vector_format)
        return _within(place, vector_format)
    except NoVectors as error:
        raise NoVectors(f"{path}: {error}") from error
    except OSError as error:
        raise NoVectors(f"{path} cannot be read: {error.strerror or error}") from error
    except UnknownFormat as error:
        known = f"Known formats: {', '.join(NAMES)}"
        raise UnknownFormat(f"{path}: {error}. {known}. {_OVERRIDE}") from error


def _place(path: Path) -> tuple[Place, str | None]:
    """Where a path leads: a folder or archive, and the file in it if one is named."""
    if path.is_dir():
        return Folder(path), None
    if path.is_file():
        kind = packing_of(path)
        archive = kind in ("zip", "tar")
        return (Archive(path, kind), None) if archive else (Folder(path.parent), path.name)
    outer = next((parent for parent in path.parents if parent.is_file()), None)
    if outer and (kind := packing_of(outer)) in ("zip", "tar"):
        place, name = Archive(outer, kind), path.relative_to(outer).as_posix()
        if name in place.names:
            return place, name
        raise NoVectors(f"{outer.name} holds no {name!r}. {nearest(name, place.names)}")
    there = path.parent.iterdir() if path.parent.is_dir() else ()
    names = [entry.name for entry in there]
    hint = nearest(path.name, names) if names else f"There is no folder {path.parent} either."
    raise NoVectors(f"nothing lies there. {hint}")


def _file(place: Place, name: str, stated: str | None) -> Recognised:
    """A file that is named."""
    if stated == NETWORK:
        raise NoVectors("it is a file; of format transformers is a folder. Name that folder")
    if stated is None and name.endswith(_WEIGHTS):
        raise NoVectors(
            f"it holds weights of a network. Name its folder: {Path(place.named(name)).parent}"
        )
    content = content_of(place.head(name)) if stated is None else Content(stated, "you say so")
    found, keys = content.format, {}
    if found == "npy":
        if _has_keys(place, name) and stated is None:
            found = "spacy"
            content = Content(found, f"it is a .npy file with {_SPACY[0]} beside it")
        else:
            keys = words_beside(place, name)
    because = f"{place.named(name)} is read as {found}, because {content.told_by}"
    if keys:
        because += f"; its words lie in {keys.get('words') or keys['words_member']} beside it"
    return Recognised(found, place.entry(name) | {"format": found} | keys, because)


def _within(place: Place, stated: str | None) -> Recognised:
    """The one model in a folder or an archive of which no file is named."""
    networks = _networks(place) if stated in (None, NETWORK) else []
    pipelines = _pipelines(place) if stated in (None, "spacy") else []
    found = [*(_network(place, folder) for folder in networks)]
    found += [_file(place, name, None) for name in pipelines]
    if not found:
        found = _readable(place, stated)
    if len(found) == 1:
        return found[0]
    if found:
        which = "; ".join(one.because for one in found[:4])
        raise NoVectors(f"it holds {len(found)} models ({which}). Name one of them")
    shown = ", ".join(place.names[:8]) + (", ..." if len(place.names) > 8 else "")
    as_stated = f" of format {stated}" if stated else ""
    raise NoVectors(
        f"no model{as_stated} is recognised in it, which holds {shown or 'no file'}. Expected the "
        "folder of a network (config.json and weights), that of a spaCy pipeline (vocab/vectors), "
        f"or one file of vectors; name the file itself, as {place.named('NAME')}"
    )


def _networks(place: Place) -> list[str]:
    """The folders that hold the configuration of a network and weights."""
    folders = {str(PurePosixPath(name).parent) for name in place.names if name.endswith(_WEIGHTS)}
    return sorted(one for one in folders if _joined(one, "config.json") in place.names)


def _network(place: Place, folder: str) -> Recognised:
    where = place.path if folder == "." else place.named(folder)
    because = f"{where} is read as {NETWORK}, because it holds config.json and weights of a network"
    return Recognised(NETWORK, place.network(folder), because)


def _pipelines(place: Place) -> list[str]:
    """The tables of vectors of spaCy's pipelines."""
    return [one for one in place.names if one.endswith("vectors") and _has_keys(place, one)]


def _has_keys(place: Place, name: str) -> bool:
    folder = str(PurePosixPath(name).parent)
    return {_joined(folder, key) for key in _SPACY} <= {*place.beside(name)}


def _joined(folder: str, name: str) -> str:
    return str(PurePosixPath(folder, name))


def _readable(place: Place, stated: str | None) -> list[Recognised]:
    """The files that are recognised; of a folder those that lie in it itself."""
    names = [one for one in place.names if isinstance(place, Archive) or "/" not in one]
    found = []
    for name in names[:_MOST_FILES]:
        try:
            one = _file(place, name, None)
        except FairflowError:
            continue
        if stated in (None, one.format):
            found.append(one)
    if not found and stated not in (None, NETWORK) and len(names) == 1:
        return [_file(place, names[0], stated)]
    return found
