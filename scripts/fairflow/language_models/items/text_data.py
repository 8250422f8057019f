"""Published prompts and sentences: HONEST, BOLD, HolisticBias, SEAT; and templates of sentences.

May et al. (2019, https://doi.org/10.18653/v1/N19-1063) test encoders on sentences that say little
but a word; their files have another licence (CC BY-NC), and the templates here are different.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.data_files import JsonDocument, Row, read_json, table_rows
from fairflow.language_models.items.item import NEUTRAL_MASK, InvalidItem, some_valid
from fairflow.language_models.items.text_items import Prompt, SentenceItem

COLUMNS = ("template_masked", "raw", "identity", "category")
COMPLETION_SLOT = "[M]"


def read_honest(path: str | Path) -> list[Prompt | InvalidItem]:
    """The prompts of a file, in its order; ids are numbers from 0, the cluster is the identity.

    A prompt has a mask where the template has its slot; see `item_set.prompts_for`. A row without
    exactly one slot behind its words, or with too few cells, is an invalid item.

    Raises
    ------
    ItemError : a column missing; with the line.
    """
    rows = enumerate(table_rows(path, csv.excel_tab, COLUMNS))
    return [row.made(_prompt, str(number), row.text("category")) for number, row in rows]


def _prompt(number: str, row: Row) -> Prompt:
    text, template, identity, category = map(row.text, COLUMNS)
    before, slot, after = text.partition(COMPLETION_SLOT)
    if not slot or COMPLETION_SLOT in after or not before.strip():
        raise ItemError(f"{text!r} must have one {COMPLETION_SLOT} behind its words")
    shown = f"{before}{NEUTRAL_MASK}{after}"
    return Prompt(number, shown, template_id=template, category=category, cluster=identity)


ENDING = "_prompt"


def read_bold(*paths: str | Path) -> list[Prompt | InvalidItem]:
    """The prompts of files, in their order.

    The category is the domain and the group, such as "gender/American_actors"; the domain is the
    name of its file but for "_prompt". The cluster is the article that the prompt is from, the id
    its number in that. An empty prompt is an invalid item.

    Raises
    ------
    ItemError : no JSON of groups of articles of prompts, a file without a readable prompt;
        with the line.
    """
    found: list[Prompt | InvalidItem] = []
    for path in paths:
        found += some_valid(_prompts(read_json(path)), path)
    return found


def _prompts(document: JsonDocument) -> Iterator[Prompt | InvalidItem]:
    domain = Path(document.path).stem.removesuffix(ENDING)
    for group, articles in _members(document, document.content, domain):
        for article, prompts in _members(document, articles, group):
            if not isinstance(prompts, list):
                raise document.problem(article, f"{article!r} must have a list of prompts")
            for number, text in enumerate(prompts):
                category = f"{domain}/{group}"
                name = f"{category}/{article}/{number}"
                if isinstance(text, str) and text.strip():
                    yield Prompt(name, text.strip(), category=category, cluster=article)
                else:
                    where = f"line {document.line_of(article)}: {group}, {article}"
                    yield InvalidItem(name, f"{where}: {text!r} is no text", category)


def _members(document: JsonDocument, content: Any, name: str) -> list[tuple[str, Any]]:
    if not isinstance(content, dict) or not content:
        raise document.problem(name, f"{name!r} must have names with what belongs to them")
    return list(content.items())


SLOT = re.compile(r"\{(\w*)\}")
SINGULAR, PLURAL = "noun_phrase", "plural_noun_phrase"


def read_holistic_bias(*paths: str | Path) -> list[SentenceItem | InvalidItem]:
    """Every descriptor with every noun in every template: "I'm a Deaf grandmother."

    The category is the axis of the descriptor, the template the published one, the cluster the axis
    with the descriptor. As in the likelihood bias of the paper, left out are descriptors that go
    with nouns of one gender alone, and phrases without a descriptor before a noun.

    A descriptor, noun or template that is not of the published form is an invalid item.

    Parameters
    ----------
    paths : descriptors.json, nouns.json and sentence_templates.json; lists cut short are read
        as well.

    Raises
    ------
    ItemError : no JSON object, nothing that can be read; with the line.
    """
    found: list[list[Any]] = []
    for make, path in zip((_descriptors, _nouns, _templates), paths, strict=True):
        document = read_json(path)
        if not isinstance(document.content, dict) or not document.content:
            raise ItemError(f"{path}, line 1: an object is expected that is not empty")
        found.append(list(make(document)))
    invalid = [one for own in found for one in own if isinstance(one, InvalidItem)]
    descriptors, nouns, templates = (
        [one for one in own if not isinstance(one, InvalidItem)] for own in found
    )
    items = []
    for d, (axis, word, article, of_a_gender) in enumerate(descriptors):
        for t, template in enumerate(templates if not of_a_gender else ()):
            for n, (noun, plural) in enumerate(nouns):
                phrases = {SINGULAR: f"{article} {word} {noun}", PLURAL: f"{word} {plural}"}
                text = SLOT.sub(lambda slot, of=phrases: of[slot[1]], template)
                about = {"template_id": template, "category": axis, "cluster": f"{axis}: {word}"}
                items.append(SentenceItem(f"{d}.{t}.{n}", text, **about))
    if not items:
        why = f"; {invalid[0].reason}" if invalid else ""
        raise ItemError(f"{', '.join(map(str, paths))} give no sentence{why}")
    return [*items, *invalid]


def _descriptors(
    document: JsonDocument,
) -> Iterator[tuple[str, str, str, bool] | InvalidItem]:
    """Axis, descriptor, its article, and whether it goes with nouns of one gender alone."""
    seen: set[tuple[str, str]] = set()
    for number, (axis, bucket, entry) in enumerate(_entries(document.content)):
        fields = {"descriptor": entry} if isinstance(entry, str) else entry
        word = fields.get("descriptor") if isinstance(fields, Mapping) else None
        if not isinstance(word, str) or not word.strip():
            why = f"{axis}, {bucket}: {entry!r} is no descriptor"
            yield document.invalid(number, bucket, why, axis)
        elif (axis, word) in seen:
            why = f"{axis} has the descriptor {word!r} twice"
            yield document.invalid(number, word, why, axis)
        else:
            seen.add((axis, word))
            article = fields.get("article") or with_article(word).split()[0]
            yield axis, word, article, "gender" in fields


def _entries(axes: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """(axis, bucket, entry); of what is no bucket of entries it itself."""
    for axis, buckets in axes.items():
        for bucket, entries in (buckets if isinstance(buckets, dict) else {axis: buckets}).items():
            for entry in entries if isinstance(entries, list) else [entries]:
                yield axis, bucket, entry


def _nouns(document: JsonDocument) -> Iterator[tuple[str, str] | InvalidItem]:
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
            yield document.invalid(number, gender, why)


def _templates(document: JsonDocument) -> Iterator[str | InvalidItem]:
    for number, template in enumerate(document.content):
        slots = SLOT.findall(template)
        if slots in ([SINGULAR], [PLURAL]):
            yield template
        else:
            why = f"{template!r} must hold {{{SINGULAR}}} or {{{PLURAL}}}, once"
            yield document.invalid(number, template, why)


SEAT_KEYS = ("targ1", "targ2", "attr1", "attr2")


def read_seat(path: str | Path) -> list[tuple[str, tuple[str, ...]]]:
    """The name and the texts of the two sets of targets and the two of attributes of a file.

    Raises
    ------
    ItemError : a set missing or empty, or something in it that is no text; with the line.
    """
    document = read_json(path)
    if not isinstance(document.content, dict):
        raise document.problem("targ1", f"an object with {', '.join(SEAT_KEYS)} is expected")
    sets = []
    for key in SEAT_KEYS:
        entry = document.content.get(key)
        examples = entry.get("examples") if isinstance(entry, dict) else None
        if not isinstance(examples, list) or not examples:
            raise document.problem(key, f"{key}.examples must be a list of texts")
        for text in examples:
            if not isinstance(text, str) or not text.strip():
                raise document.problem(key, f"{key}.examples holds {text!r}, which is no text")
        sets.append((entry.get("category", key), tuple(examples)))
    return sets


# {a} is the word with its article, {A} the same at the start of a sentence, {T} the word there.
TEMPLATES = {
    "name": ("We met {t}.", "{T} came in.", "I know {t}.", "They talked about {t}."),
    "noun": ("We saw {a}.", "{A} was there.", "I think of {a}.", "They talked about the {t}."),
    "mass": ("We saw {t}.", "{T} was there.", "I think of {t}.", "They talked about {t}."),
    "adjective": ("It was {t}.", "All of it seems {t}.", "I would call it {t}.", "They were {t}."),
}


def bleached_sentences(words: Iterable[str], kind: str) -> dict[str, tuple[str, str, str]]:
    """Every template of a kind with every word, word by word: sentence -> word, kind, template.

    Parameters
    ----------
    kind : a key of `TEMPLATES`. "noun" is for words that take an article.
    """
    return {
        template.format(
            t=word,
            T=word[:1].upper() + word[1:],
            a=with_article(word),
            A="A" + with_article(word)[1:],
        ): (word, kind, template)
        for word in words
        for template in TEMPLATES[kind]
    }


def with_article(word: str) -> str:
    """The word with "a" or "an", by its first letter."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"
