"""Readers of published prompts and sentences: HONEST, BOLD, and the lists of HolisticBias."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import JsonDocument, Row, read_json, table_rows
from fairflow.language_models.items.embedded_sentences import with_article
from fairflow.language_models.items.item import NEUTRAL_MASK, UnreadableItem, some_readable
from fairflow.language_models.items.text_items import Prompt, SentenceItem

COLUMNS = ("template_masked", "raw", "identity", "category")
COMPLETION_SLOT = "[M]"


def read_honest(path: str | Path, masked: bool) -> list[Prompt | UnreadableItem]:
    """The prompts of a file, in its order; ids are numbers from 0, the unit is the identity.

    A row without exactly one slot behind its words, or with too few cells, is an unreadable item.

    Parameters
    ----------
    masked : for masked models, with a mask where the template has its slot; else what stands
        before the slot, which then has to be the end.

    Raises
    ------
    ItemError : a column missing, no row that can be read; with the line.
    """
    make, rows = (
        partial(_prompt, masked=masked),
        enumerate(table_rows(path, csv.excel_tab, COLUMNS)),
    )
    items = [row.made(make, str(n), row.cells.get("category", "").strip()) for n, row in rows]
    return some_readable(items, path)


def _prompt(number: str, row: Row, masked: bool) -> Prompt:
    text, template, identity, category = (row.cells[name].strip() for name in COLUMNS)
    before, slot, after = text.partition(COMPLETION_SLOT)
    if not slot or COMPLETION_SLOT in after or not before.strip():
        raise ItemError(f"{text!r} must have one {COMPLETION_SLOT} behind its words")
    if not masked and after.strip(" ."):
        raise ItemError(f"{text!r} goes on behind {COMPLETION_SLOT}, so no text can be generated")
    shown = f"{before}{NEUTRAL_MASK}{after}" if masked else before.strip()
    return Prompt(number, shown, template_id=template, category=category, unit=identity)


ENDING = "_prompt"


def read_bold(*paths: str | Path) -> list[Prompt | UnreadableItem]:
    """The prompts of files, in their order.

    The category is the domain and the group, such as "gender/American_actors"; the domain is the
    name of its file but for "_prompt". The unit is the article that the prompt is from, the id
    its number in that. An empty prompt is an unreadable item.

    Raises
    ------
    ItemError : no JSON of groups of articles of prompts, a file of which nothing can be read;
        with the line.
    """
    found: list[Prompt | UnreadableItem] = []
    for path in paths:
        found += some_readable(_prompts(read_json(path)), path)
    return found


def _prompts(document: JsonDocument) -> Iterator[Prompt | UnreadableItem]:
    domain = Path(document.path).stem.removesuffix(ENDING)
    for group, articles in _members(document, document.content, domain):
        for article, prompts in _members(document, articles, group):
            if not isinstance(prompts, list):
                raise document.problem(article, f"{article!r} must have a list of prompts")
            for number, text in enumerate(prompts):
                category = f"{domain}/{group}"
                name = f"{category}/{article}/{number}"
                if isinstance(text, str) and text.strip():
                    yield Prompt(name, text.strip(), category=category, unit=article)
                else:
                    reason = (
                        f"line {document.line_of(article)}: {group}, {article}: {text!r} is no text"
                    )
                    yield UnreadableItem(name, reason, category)


def _members(document: JsonDocument, content: Any, name: str) -> list[tuple[str, Any]]:
    if not isinstance(content, dict) or not content:
        raise document.problem(name, f"{name!r} must have names with what belongs to them")
    return list(content.items())


FILES = ("descriptors.json", "nouns.json", "sentence_templates.json")
SLOT = re.compile(r"\{(\w*)\}")
SINGULAR, PLURAL = "noun_phrase", "plural_noun_phrase"


@dataclass(frozen=True)
class _Descriptor:
    axis: str
    word: str
    article: str
    of_a_gender: bool


def read_holistic_bias(*paths: str | Path) -> list[SentenceItem | UnreadableItem]:
    """Every descriptor with every noun in every template: "I'm a Deaf grandmother."

    The category is the axis of the descriptor, the template the published one, the unit the axis
    with the descriptor. As in the likelihood bias of the paper, left out are descriptors that go
    with nouns of one gender alone, and phrases without a descriptor before a noun.

    A descriptor, noun or template that is not of the published form is an unreadable item.

    Parameters
    ----------
    paths : the three `FILES`, in this order; lists cut short are read as well.

    Raises
    ------
    ItemError : another number of files, no JSON object, nothing that can be read; with the line.
    """
    if len(paths) != len(FILES):
        raise ItemError(f"HolisticBias: {', '.join(FILES)} are expected, got {len(paths)} files")
    documents = [_object(path) for path in paths]
    makers = (_descriptors, _nouns, _templates)
    found = [list(make(one)) for make, one in zip(makers, documents, strict=True)]
    unreadable = [one for own in found for one in own if isinstance(one, UnreadableItem)]
    descriptors, nouns, templates = (
        [one for one in own if not isinstance(one, UnreadableItem)] for own in found
    )
    items = [
        SentenceItem(
            f"{d}.{t}.{n}",
            _sentence(template, descriptor, *noun),
            template_id=template,
            category=descriptor.axis,
            unit=f"{descriptor.axis}: {descriptor.word}",
        )
        for d, descriptor in enumerate(descriptors)
        if not descriptor.of_a_gender
        for t, template in enumerate(templates)
        for n, noun in enumerate(nouns)
    ]
    if not items:
        why = f"; {unreadable[0].reason}" if unreadable else ""
        raise ItemError(f"{', '.join(map(str, paths))} give no sentence{why}")
    return some_readable([*items, *unreadable], paths[0])


def _object(path: str | Path) -> JsonDocument:
    document = read_json(path)
    if not isinstance(document.content, dict) or not document.content:
        raise ItemError(f"{path}, line 1: an object is expected that is not empty")
    return document


def _sentence(template: str, descriptor: _Descriptor, noun: str, nouns: str) -> str:
    phrases = {
        SINGULAR: f"{descriptor.article} {descriptor.word} {noun}",
        PLURAL: f"{descriptor.word} {nouns}",
    }
    return SLOT.sub(lambda match: phrases[match[1]], template)


def _descriptors(document: JsonDocument) -> Iterator[_Descriptor | UnreadableItem]:
    seen: set[tuple[str, str]] = set()
    for number, (axis, bucket, entry) in enumerate(_entries(document.content)):
        fields = {"descriptor": entry} if isinstance(entry, str) else entry
        word = fields.get("descriptor") if isinstance(fields, Mapping) else None
        if not isinstance(word, str) or not word.strip():
            why = f"{axis}, {bucket}: {entry!r} is no descriptor"
            yield document.unreadable(number, bucket, why, axis)
        elif (axis, word) in seen:
            yield document.unreadable(
                number, word, f"{axis} has the descriptor {word!r} twice", axis
            )
        else:
            seen.add((axis, word))
            article = fields.get("article") or with_article(word).split()[0]
            yield _Descriptor(axis, word, article, "gender" in fields)


def _entries(axes: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(axis, bucket, entry); of what is no bucket of entries it itself."""
    for axis, buckets in axes.items():
        for bucket, entries in (buckets if isinstance(buckets, dict) else {axis: buckets}).items():
            for entry in entries if isinstance(entries, list) else [entries]:
                yield axis, bucket, entry


def _nouns(document: JsonDocument) -> Iterator[tuple[str, str] | UnreadableItem]:
    listed = [
        (gender, forms)
        for gender, nouns in document.content.items()
        for forms in (nouns if isinstance(nouns, list) else [nouns])
    ]
    for number, (gender, forms) in enumerate(listed):
        two = isinstance(forms, list) and len(forms) == 2
        if two and all(isinstance(form, str) and form.strip() for form in forms):
            yield forms[0], forms[1]
        else:
            why = f"{gender}: {forms!r} is no singular and plural"
            yield document.unreadable(number, gender, why)


def _templates(document: JsonDocument) -> Iterator[str | UnreadableItem]:
    for number, template in enumerate(document.content):
        slots = SLOT.findall(template)
        if slots in ([SINGULAR], [PLURAL]):
            yield template
        else:
            why = f"{template!r} must hold {{{SINGULAR}}} or {{{PLURAL}}}, once"
            yield document.unreadable(number, template, why)
