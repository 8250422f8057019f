"""A query of language models as it is written in YAML, or in a file, made into items.

A new format of files is a function that reads it, and its entry in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

from fairflow.errors import nearest
from fairflow.files.checksums import verify
from fairflow.files.packed_files import BLOCK, open_packed
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items import choice_data, pair_data, text_data
from fairflow.language_models.items.data_files import read_lexicon
from fairflow.language_models.items.item import SLOT, InvalidItem, Item, some_valid
from fairflow.language_models.items.item_set import (
    KINDS,
    ExpectedItems,
    ItemSet,
    in_wordings,
    sample_items,
)
from fairflow.language_models.items.lm_eval_data import read_lm_eval


@dataclass(frozen=True)
class Format:
    """How a file of items is written.

    Attributes
    ----------
    kind : of its items.
    read : one or several files, in their order -> items, and an `InvalidItem` for each that
        cannot be read.
    numbers : of files that it is read from; None for any. files : the same in words.
    """

    kind: str
    read: Callable[..., list[Any]]
    numbers: Container[int] | None = None
    files: str = "one file"

    def items(self, paths: Sequence[str | Path]) -> list[Any]:
        """The items of the files.

        Raises
        ------
        ItemError : another number of files, or files without a readable item.
        """
        if self.numbers is not None and len(paths) not in self.numbers:
            raise ItemError(f"it is read from {self.files}, got {', '.join(map(str, paths))}")
        return some_valid(self.read(*paths), paths[0])


# The first of a kind is that of a file whose entry names none.
FORMATS: dict[str, Format] = {
    "crows_pairs": Format("pair", pair_data.read_crows_pairs, (1,)),
    "stereoset_intrasentence": Format("candidate", choice_data.read_stereoset, (1,)),
    "honest": Format("prompt", text_data.read_honest, (1,)),
    "winobias": Format(
        *("pair", pair_data.read_winobias, range(2, 1000, 2)),
        "two files of each split, the pro-stereotyped and the anti-stereotyped",
    ),
    "winogender": Format(
        *("pair", pair_data.read_winogender, (1, 2)),
        "the sentences and, perhaps, the shares of women in occupations",
    ),
    "bbq": Format("question", choice_data.read_bbq),
    "stereoset_intersentence": Format(
        "continuation", choice_data.read_stereoset_intersentence, (1,)
    ),
    # Samples files of lm-eval; of Winogender with the shares of women in occupations, perhaps.
    "lm_eval_crows_pairs": Format("pair", read_lm_eval, (1,)),
    "lm_eval_bbq": Format("question", read_lm_eval, (1,)),
    "lm_eval_esbbq": Format("question", read_lm_eval, (1,)),
    "lm_eval_cabbq": Format("question", read_lm_eval, (1,)),
    "lm_eval_winogender": Format("pair", read_lm_eval, (1, 2)),
}


def format_of(entry: Mapping[str, Any]) -> Format | None:
    """The format of the file that an entry of a query names; None where it names none.

    Raises
    ------
    ItemError : an unknown format, one of another kind than the entry's, no format of its kind, or
        a cluster, which files name themselves.
    """
    if "file" not in entry and "published" not in entry:
        return None
    if "cluster" in entry:
        raise ItemError("cluster: a file says which items belong together; leave cluster out")
    kind, name = entry.get("kind"), entry.get("published", entry).get("format")
    of_kind = [known for known, one in FORMATS.items() if kind in (None, one.kind)]
    if name is None and (kind is None or not of_kind):
        what = f"of kind {kind!r}" if kind else "without a kind"
        raise ItemError(f"file: there is no reader of files {what}. {nearest(name, FORMATS)}")
    if name is not None and name not in FORMATS:
        raise ItemError(f"format: unknown name {name!r}. {nearest(name, FORMATS)}")
    if name is not None and name not in of_kind:
        found = FORMATS[name].kind
        raise ItemError(f"kind: found {kind}, but files of the format {name!r} hold {found}")
    return FORMATS[name or of_kind[0]]


def _published(entry: Mapping[str, Any], path: Path, format_: Format) -> list[Any]:
    """The items of a published file, invalid ones among them.

    Parameters
    ----------
    path : of the file as its sources give it.

    Raises
    ------
    DownloadError : it is another file than promised, is damaged or lacks a member.
    ItemError : nothing in it can be read, or it holds another number of items.
    """
    published, number = entry["published"], entry["items"]
    verify(path, path, published.get("checksum"), published.get("bytes"))
    members = [published["member"]] if "member" in published else published.get("members", ())
    with TemporaryDirectory(prefix="fairflow-items-") as folder:
        files = [Path(folder) / member for member in members or [path.name]]
        for file, member in zip(files, members or [None], strict=True):
            file.parent.mkdir(parents=True, exist_ok=True)
            packed = open_packed(path, published.get("archive"), member)
            with packed as stream, open(file, "wb") as unpacked:
                copyfileobj(stream, unpacked, BLOCK)
        try:
            items = format_.items(files)
        except ItemError as error:
            # The folder is temporary, and differs in every run.
            raise ItemError(str(error).replace(f"{folder}/", f"{path}: ")) from error
    if len(items) != number:
        where = ", ".join(members) or str(path)
        raise ItemError(
            f"items: {number} are promised, but {len(items)} are in {where}; correct the number "
            "only if the publication says so"
        )
    return [
        replace(item, reason=item.reason.replace(f"{folder}/", ""))
        if isinstance(item, InvalidItem)
        else item
        for item in items
    ]


def files_of(entry: Mapping[str, Any]) -> list[str]:
    """The files of the user's that an entry points to, a published one left out."""
    return [entry[key] for key in ("file", "lexicon_file") if key in entry]


def wordings_of(entry: Mapping[str, Any], kind: type[Item]) -> dict[str, str]:
    """The wordings of an entry of a query: name -> text with the places of the kind.

    Raises
    ------
    ItemError : a kind with one wording, an unknown or missing place, or the same text twice.
    """
    wordings = dict(entry.get("wordings", {}))
    if wordings and not kind.places:
        raise ItemError(f"wordings: items of kind {kind.kind!r} have one wording; leave it out")
    for name, text in wordings.items():
        found, known = set(SLOT.findall(text)), {*kind.places, *kind.further_places}
        if wrong := (found - known) | ({*kind.places} - found):
            places = " ".join(map("{{{}}}".format, (*kind.places, *kind.further_places)))
            raise ItemError(
                f"wordings: {name}: {{{min(wrong)}}} is unknown or missing in {text!r}; the places "
                f"of this kind are {places}"
            )
    if len(set(wordings.values())) < len(wordings):
        raise ItemError("wordings: the same text is there twice, and would count twice")
    return wordings


def expected_items(entry: Mapping[str, Any]) -> ExpectedItems:
    """What an entry says of published items, whose file need not be here.

    Raises
    ------
    ItemError : a format that there is not, or a lexicon; FileNotFoundError : no file of that.
    """
    kind = KINDS[format_of(entry).kind]
    wordings_of(entry, kind)
    return ExpectedItems(kind.kind, (), **_counted(entry, kind), number=entry["items"])


def items_of(entry: Mapping[str, Any], published: str | Path | None = None) -> ItemSet:
    """The items of an entry of a query file.

    Parameters
    ----------
    published : where the file lies that the sources of a published query give.

    Raises
    ------
    ItemError : something that no model could score, or faulty wordings; FileNotFoundError : a file
    that is not there; DownloadError : a published file that is not the one promised.
    """
    format_ = format_of(entry)
    kind = KINDS[format_.kind if format_ else entry["kind"]]
    wordings_of(entry, kind)
    if "published" in entry:
        items = _published(entry, Path(published), format_)
    elif format_:
        items = format_.items([entry["file"]])
    elif kind.key in entry:
        items = kind.from_entry(entry)
    else:
        of_files = any(one.kind == kind.kind for one in FORMATS.values())
        more = ", file or published" if of_files else ""
        raise ItemError(f"kind {kind.kind!r} needs {kind.key}{more}")
    readable = [item for item in items if not isinstance(item, InvalidItem)]
    return ItemSet(
        kind=kind.kind,
        items=tuple(kind.together(readable)),
        invalid=tuple(item for item in items if isinstance(item, InvalidItem)),
        **_counted(entry, kind),
    )


def drawn_items(how: Mapping[str, Any], query: str, published: str | Path | None = None) -> ItemSet:
    """The items that a run asks: the sample of an entry's, each in every wording.

    Parameters
    ----------
    how : the entry, and the number and seed of `sample_items`. published : as of `items_of`, as
        are the errors.
    """
    items = items_of(how["entry"], published)
    sample = sample_items(items, how["number"], how["seed"], query)
    return in_wordings(sample, how["entry"].get("wordings", {}))


def _counted(entry: Mapping[str, Any], kind: type[Item]) -> dict[str, Any]:
    """What is counted in completions: the words of groups, targets, and hurtful words."""
    lexicon = read_lexicon(entry["lexicon_file"]) if "lexicon_file" in entry else []
    counted = entry.get("groups", {}) if kind.slice_ == "completions" else {}
    return {
        "groups": {name: tuple(words) for name, words in counted.items()},
        "targets": tuple(entry.get("targets", ())),
        "lexicon": tuple(dict.fromkeys([*entry.get("lexicon", ()), *lexicon])),
    }
