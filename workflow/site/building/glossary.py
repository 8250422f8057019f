"""Links from the first appearance of each term on a page to its definition in the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape

_ENTRY = re.compile(r"^(?P<name>\S.*) \{ #(?P<anchor>[\w-]+) \}\n:   (?P<text>.+)$", re.M)
_TAG = re.compile(r"(<!--.*?-->|<[^>]*>)", re.S)
_NAME = re.compile(r"<(/?)(\w+)")
# Within these elements no term is linked.
_LEFT_OUT = {"a", "button", "code", "dt", "label", "math", "pre", "script", "style", "summary"}
_LEFT_OUT |= {"svg", "th", *(f"h{level}" for level in range(1, 7))}
# A case study is no study of the configuration, and a cell of a notebook is no cell of a study.
_OTHER_SENSE = r"(?<!case\s)(?<!notebook\s)"
_PLURALS = {"criterion": "criteria"}


@dataclass(frozen=True)
class Term:
    """A term of the glossary, the anchor of its definition, and the definition."""

    name: str
    anchor: str
    definition: str


def terms_of(glossary: str) -> list[Term]:
    """The terms of the glossary's page in Markdown."""
    return [Term(*found.groups()) for found in _ENTRY.finditer(glossary)]


def with_links(html: str, terms: list[Term], glossary: str) -> str:
    """The content of a page with a link at the first appearance of each term.

    Parameters
    ----------
    glossary : the address of the glossary, relative to the page.
    """
    open_terms = {spelling: term for term in terms for spelling in _spellings(term.name)}
    depth, parts = 0, []
    for part in _TAG.split(html):
        tag = _NAME.match(part)
        if tag and tag[2] in _LEFT_OUT:
            depth += -1 if tag[1] else 1
        elif not tag and not depth and not part.startswith("<"):
            part = _linked(part, open_terms, glossary)
        parts.append(part)
    return "".join(parts)


def _linked(text: str, open_terms: dict[str, Term], glossary: str) -> str:
    """The text with links; the terms that it contains are removed from the open ones."""

    def link(found: re.Match[str]) -> str:
        term = open_terms.get(_plain(found[0]))
        if term is None:
            return found[0]
        for spelling in _spellings(term.name):
            open_terms.pop(spelling, None)
        title = escape(re.sub(r"[`*]", "", term.definition))
        return f'<a class="term" href="{glossary}#{term.anchor}" title="{title}">{found[0]}</a>'

    return _pattern(open_terms).sub(link, text) if open_terms else text


def _pattern(spellings: Mapping[str, Term]) -> re.Pattern[str]:
    """Any of the spellings as whole words, the longest first."""
    ordered = sorted(spellings, key=len, reverse=True)
    either = "|".join(re.escape(spelling).replace(r"\ ", r"[\s-]+") for spelling in ordered)
    return re.compile(rf"(?<![\w-]){_OTHER_SENSE}(?:{either})(?![\w-])", re.I)


def _spellings(name: str) -> tuple[str, str]:
    """Singular and plural in lower case, with spaces in place of hyphens."""
    singular = _plain(name)
    regular = f"{singular[:-1]}ies" if singular.endswith("y") else f"{singular}s"
    return singular, _PLURALS.get(singular, regular)


def _plain(found: str) -> str:
    return re.sub(r"[\s-]+", " ", found.lower())
