"""Publications by the BibTeX keys with which the configuration and the metrics cite them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fairflow.errors import ConfigurationError

# In the library, whose metrics cite by it whatever the configuration is; and a project's own.
_SHIPPED, _OWN = Path(__file__).with_name("references.bib"), Path("config/references.bib")
_ENTRY = re.compile(r"^@(\w+)\{([^\s,{}]+),\n(.*?)^\}$", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r" *(\w+) *= *\{(.*)\},?")
_SPECIAL = {c: f"\\{c}" for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@dataclass(frozen=True)
class Reference:
    """A publication: a BibTeX type, a key, and fields as BibTeX has them."""

    kind: str
    key: str
    fields: Mapping[str, str]

    @property
    def text(self) -> str:
        """Authors, year, title, place and address, in the APA's style; of a note, its words."""
        fields = {name: _as_text(value) for name, value in self.fields.items()}
        if "author" not in fields:
            return fields["note"]
        *names, last = re.sub(" and others$", " and et al.", fields["author"]).split(" and ")
        more = last if last == "et al." or not names else f"& {last}"
        number = f"({fields['number']})" if "number" in fields else ""
        place = [fields.get(name) for name in ("journal", "booktitle", "institution")]
        place += [fields.get("volume", "") + number, fields.get("pages")]
        parts = [fields["title"], ", ".join(filter(None, place)), self._address(fields)]
        said = ". ".join(part.rstrip(".") for part in parts if part).replace("?. ", "? ")
        return f"{', '.join([*names, more])} ({fields['year']}). {said}"

    @staticmethod
    def _address(fields: Mapping[str, str]) -> str | None:
        if "doi" in fields:
            return f"https://doi.org/{fields['doi']}"
        return fields.get("url") or (f"arXiv:{fields['eprint']}" if "eprint" in fields else None)

    def bibtex(self, **more: str) -> str:
        """The entry of a BibTeX file.

        Parameters
        ----------
        more : further fields, in plain text.
        """
        fields = {**self.fields, **{name: escaped(text) for name, text in more.items()}}
        lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items())
        return f"@{self.kind}{{{self.key},\n{lines}}}\n"


def _as_text(value: str) -> str:
    plain = re.sub(r"\\([&%$#_{}])|[{}]", r"\1", value)
    return plain.replace("``", '"').replace("''", '"').replace("--", "-")


def escaped(text: str) -> str:
    """Plain text as the value of a field."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def references() -> dict[str, Reference]:
    """The shipped publications by key, and those of the project's config.

    Raises
    ------
    ConfigurationError : a file of them has an entry that cannot be read.
    """
    return _in_folder(Path.cwd())


@cache
def _in_folder(folder: Path) -> dict[str, Reference]:
    return _read(_SHIPPED) | _read(folder / _OWN)


@cache
def _read(path: Path) -> dict[str, Reference]:
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    if left := re.search("^@.*", _ENTRY.sub("", text), re.MULTILINE):
        problem = f"{path}: {left[0]!r} begins no entry of one field a line that ends with a }}"
        raise ConfigurationError([problem])
    found = {}
    for kind, key, body in _ENTRY.findall(text):
        fields = dict(_FIELD.findall(body))
        if missing := {"author", "year", "title"} - fields.keys():
            raise ConfigurationError([f"{path}: {key}: it has no {', '.join(sorted(missing))}"])
        found[key] = Reference(kind, key, fields)
    return found


def _parts(citation: str) -> Iterator[tuple[Reference | None, str]]:
    """The parts between semicolons: a publication and a remark on it, or words alone."""
    known = references()
    for part in " ".join(citation.split()).split("; "):
        key, space, remark = part.partition(" ")
        yield (known[key], space + remark) if key in known else (None, part)


def full_citation(citation: str | None) -> str | None:
    """A citation with its publications in words; what is no key stays as it is."""
    if not citation:
        return citation
    return "; ".join((one.text if one else "") + rest for one, rest in _parts(citation))


def cited(citation: str) -> list[tuple[Reference, str]]:
    """The publications that a citation names by their keys, each with its remark.

    Without any key: a note with the words of the citation.
    """
    found: list[tuple[Reference, str]] = []
    for one, rest in _parts(citation):
        if one:
            found.append((one, rest.strip(" ()")))
        elif found:
            found[-1] = found[-1][0], f"{found[-1][1]}; {rest}".removeprefix("; ")
    if found:
        return found
    text = " ".join(citation.split())
    name = re.sub(r"[^a-z0-9]", "", text.split()[0].lower().encode("ascii", "ignore").decode())
    key = f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:6]}"
    return [(Reference("misc", key, {"note": escaped(text)}), "")]
