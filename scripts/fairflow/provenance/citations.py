"""Citations of what a run used, taken apart (authors, year, title, place) and written as BibTeX."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fairflow.metrics.direct_bias import DirectBias
from fairflow.metrics.hidden_bias import HiddenBias
from fairflow.planning.plan import (
    Plan,
    used_item_queries,
    used_language_lineages,
    used_lineages,
    used_queries,
    used_transforms,
    used_variants,
    used_word_sets,
)
from fairflow.transforms import transform_class


def citations(plan: Plan) -> dict[str, str]:
    """'metric WEAT', 'model NAME', 'query NAME', 'word set FILE:SET', ... -> its citation."""
    citation_of = {}
    for name in used_variants(plan):
        metric = plan.metrics[name].declared
        title = getattr(metric, "metric_short_name", None) or metric.title
        citation_of[f"metric {title}"] = metric.citation
    for name in [*used_lineages(plan), *used_language_lineages(plan)]:
        citation_of[f"model {name}"] = plan.models[name].entry.get("citation", "")
    for name in used_transforms(plan):
        citation_of[f"transform {name}"] = transform_class(name).citation
    for name in [*used_item_queries(plan), *used_queries(plan)]:
        citation_of[f"query {name}"] = plan.queries[name].citation
    for name in used_word_sets(plan):
        entry = plan.word_sets[name]
        citation_of[f"word set {name}"] = entry["citation"]
        citation_of[f"source of word set {name}"] = entry.get("source", "")
    for name, entry in plan.benchmarks.items():
        citation_of[f"benchmark {name}"] = entry["citation"]
    if any(study.remains for study in plan.studies.values()):
        citation_of["test of hidden bias"] = HiddenBias.citation
        citation_of["test of direct and indirect bias"] = DirectBias.citation
    return {use: citation for use, citation in citation_of.items() if citation}


_FULL = re.compile(r"(?P<authors>[^()]+?) \((?P<year>\d{4})[a-z]?\)\. (?P<rest>.+)", re.DOTALL)
_SHORT = re.compile(r"(?P<authors>[^()\d]+?) (?P<year>\d{4})[.,]? ?(?P<rest>.*)", re.DOTALL)
_URL = re.compile(r"https?://[^\s,;]*[^\s,;.]")
_DOI = "https://doi.org/"
_ARXIV = re.compile(r"arXiv:? ?(\d{4}\.\d{4,5})")
_PAGES = r"(?P<pages>[A-Z]?\d+(?:-[A-Z]?\d+)?)"
_JOURNAL = re.compile(rf"(?P<journal>.+?),? (?P<volume>\d+)\((?P<number>\d+)\), {_PAGES}")
_BOOK = re.compile(rf"(?P<booktitle>.+), {_PAGES}")
# Words that say little about a title.
_SMALL = {"a", "an", "the", "on", "of", "in", "for", "and"}


@dataclass(frozen=True)
class Reference:
    """A publication: a BibTeX type, fields as plain text, and a key that depends on them alone."""

    kind: str
    fields: dict[str, str]
    key: str

    @property
    def identity(self) -> str:
        """Equal for two citations of one publication: its DOI, or its key and title."""
        if "doi" in self.fields:
            return self.fields["doi"].lower()
        return f"{self.key} {self.fields.get('title', sorted(self.fields.items()))}".lower()


def parse_reference(citation: str) -> Reference:
    """Take a citation in the APA's style apart; what is not understood is kept as a note.

    "Surname, A., & Surname, B. (2017). Title. Journal, 356(6334), 183-186. https://doi.org/..." and
    the short "Surname & Surname 2017, https://doi.org/..." are understood.
    """
    text = " ".join(citation.split())
    parts = _FULL.fullmatch(text) or _SHORT.fullmatch(text)
    if parts is None:
        return Reference("misc", {"note": text}, _key_of_text(text))
    fields = {"author": " and ".join(_authors(parts["authors"])), "year": parts["year"]}
    rest, places = _without_places(parts["rest"])
    kind, published = _publication(rest)
    fields |= published | places
    return Reference(kind, fields, _key(fields))


def merged(references: Iterable[Reference]) -> list[Reference]:
    """One reference per publication, the fullest one, sorted by key; equal keys get a letter."""
    fullest: dict[str, Reference] = {}
    for reference in sorted(references, key=_rank):
        fullest.setdefault(reference.identity, reference)
    chosen = sorted(fullest.values(), key=lambda r: (r.key, r.identity))
    keys = [reference.key for reference in chosen]
    return [
        Reference(
            r.kind, r.fields, r.key + "bcdefghijk"[n - 1] if (n := keys[:i].count(r.key)) else r.key
        )
        for i, r in enumerate(chosen)
    ]


def _rank(reference: Reference) -> tuple[int, str]:
    return -len(reference.fields), str(sorted(reference.fields.items()))


def _authors(text: str) -> list[str]:
    """'Caliskan, A., & Narayanan, A.' or 'Caliskan, Bryson & Narayanan' one by one."""
    if text.endswith(" et al."):
        return [text.removesuffix(" et al."), "others"]
    if re.search(r", (?:\w\.|\w\.-)", text):
        return re.split(r"(?<=\.),? & |(?<=\.), ", text)
    return re.split(r",? & |, ", text)


def _without_places(text: str) -> tuple[str, dict[str, str]]:
    """The text up to its address, and the fields that address and remarks give."""
    url = _URL.search(text)
    preprint = _ARXIV.search(text)
    fields = {}
    if url:
        fields["url"] = url[0]
        if url[0].startswith(_DOI):
            fields["doi"] = url[0].removeprefix(_DOI)
        remark = text[url.end() :].strip(" .,;()")
        text = text[: url.start()]
    else:
        text, _, remark = text.partition("; ")
    if preprint and not url:
        fields |= {"eprint": preprint[1], "archiveprefix": "arXiv"}
    if remark:
        fields["note"] = remark
    return text.strip(" .,;("), fields


def _publication(text: str) -> tuple[str, dict[str, str]]:
    """Type, title and place of 'Title. Place'; a text without a title is the place."""
    title, _, venue = text.rpartition(". ")
    named = {"title": title} if title else {}
    if journal := _JOURNAL.fullmatch(venue):
        return "article", named | _with_ranges(journal.groupdict())
    if book := _BOOK.fullmatch(venue):
        return "inproceedings", named | _with_ranges(book.groupdict())
    if not venue or _ARXIV.search(venue):
        return "misc", named
    return ("inproceedings" if title else "misc"), named | {
        "booktitle" if title else "howpublished": venue
    }


def _with_ranges(fields: dict[str, str]) -> dict[str, str]:
    return fields | {"pages": fields["pages"].replace("-", "--")}


def _key(fields: dict[str, str]) -> str:
    """'caliskan2017semantics': first author, year, first telling word of the title."""
    surname = re.split(r",| and ", fields["author"])[0]
    words = (_plain(word) for word in fields.get("title", "").split())
    first = next((word for word in words if word and word not in _SMALL), "")
    return f"{_plain(surname)}{fields['year']}{first}"


def _key_of_text(text: str) -> str:
    return f"{_plain(text.split()[0])}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"


def _plain(text: str) -> str:
    """ASCII letters and digits in lower case; a word with a hyphen or colon up to there."""
    text = re.split(r"[-:]", text)[0] or text
    spelt = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]", "", spelt.lower())


_SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
# An address or an identifier is typeset as it stands.
_VERBATIM = ("doi", "url", "eprint")


def bibtex(references: Iterable[Reference]) -> str:
    """The entries of a BibTeX file, one per publication, sorted by key."""
    return "\n".join(_entry(reference) for reference in merged(references))


def references_of(citations: Mapping[str, str], software: Mapping[str, Any]) -> list[Reference]:
    """The publications behind what a run used, each with what it is cited for as its keywords.

    Parameters
    ----------
    citations : what it is cited for ("metric weat") -> citation. software : a CITATION.cff.
    """
    parsed = {use: parse_reference(text) for use, text in citations.items()}
    uses: dict[str, list[str]] = {}
    for use, reference in parsed.items():
        uses.setdefault(reference.identity, []).append(use)
    return [
        *(
            Reference(r.kind, r.fields | {"keywords": ", ".join(sorted(uses[r.identity]))}, r.key)
            for r in parsed.values()
        ),
        software_reference(software),
    ]


def software_reference(software: Mapping[str, Any]) -> Reference:
    """The entry of the software that a CITATION.cff describes."""
    name = software["title"].split(":")[0].split()[0].lower()
    fields = {
        "author": " and ".join(_person(author) for author in software["authors"]),
        "title": software["title"],
        "note": f"Version {software['version']}",
    }
    if "date-released" in software:
        fields["year"] = str(software["date-released"])[:4]
    if "doi" in software:
        fields["doi"] = software["doi"]
    return Reference("misc", fields | {"keywords": "software"}, name)


def _person(author: Mapping[str, str]) -> str:
    if "name" in author:
        # The inner braces keep the name of a group in one piece.
        return "{" + author["name"] + "}"
    return f"{author['family-names']}, {author['given-names']}"


def _entry(reference: Reference) -> str:
    fields = (f"  {name} = {{{_value(name, text)}}},\n" for name, text in reference.fields.items())
    return f"@{reference.kind}{{{reference.key},\n{''.join(fields)}}}\n"


def _value(name: str, text: str) -> str:
    if name in _VERBATIM:
        return text.replace("{", "%7B").replace("}", "%7D")
    if name == "author" and text.startswith("{"):
        return text
    escaped = "".join(_SPECIAL.get(character, character) for character in text)
    # The braces keep the capitals of a title.
    return f"{{{escaped}}}" if name == "title" else escaped
