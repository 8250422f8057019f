"""References as a BibTeX file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fairflow.provenance.references import Reference, merged, parse_reference

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
