"""Readers of published questions and decisions: BBQ, DiscrimEval, and both parts of StereoSet."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_items import (
    LABELS,
    N_ANSWERS,
    CandidateItem,
    DecisionItem,
    QuestionItem,
    SequelItem,
)
from fairflow.language_models.items.data_files import (
    Row,
    json_lines,
    read_json,
    table_rows,
)
from fairflow.language_models.items.item import UnreadableItem, some_readable, with_distinct_ids

COLUMNS = ("category", "example_id", "target_loc")
WRITTEN_CONDITIONS = {"ambig": "ambiguous", "disambig": "disambiguated"}
UNKNOWN = "unknown"
# Each way to fill a template is asked in so many items that follow each other.
PER_INSTANCE = 4

# (category, example id) -> place of the target, as it is written.
Targets = Mapping[tuple[str, str], str]


def read_bbq(*paths: str | Path) -> list[QuestionItem | UnreadableItem]:
    """The questions of files of lines of JSON, in their order; of each the category names the id.

    The table of targets (`additional_metadata.csv`) has to be among the files: which answer the
    stereotype gives is told nowhere else. Its `target_loc` is that answer in either polarity: the
    group of the stereotype in a negative question, the other person in one that is not. A question
    without target there, with a key missing, or that is none, is an unreadable item.

    Raises
    ------
    ItemError : not one table, no file of questions, one of which nothing can be read; with the
        line.
    """
    tables = [path for path in paths if Path(path).suffix == ".csv"]
    questions = [path for path in paths if path not in tables]
    if len(tables) != 1 or not questions:
        raise ItemError(
            f"BBQ is read from files of questions (.jsonl) and one table of targets (.csv); got "
            f"{', '.join(map(str, paths)) or 'no file'}"
        )
    targets = _targets(tables[0])
    return with_distinct_ids(one for path in questions for one in _of_file(path, targets))


def _targets(path: str | Path) -> Targets:
    """Raises ItemError if rows about one question name different targets."""
    targets: dict[tuple[str, str], str] = {}
    for row in table_rows(path, csv.excel, COLUMNS):
        if row.problem:
            raise ItemError(f"{path}, {row.why(row.problem)}")
        category, example, place = (row.cells[name] for name in COLUMNS)
        if targets.setdefault((category, example), place) != place:
            raise ItemError(f"{path}, {row.why(f'another target of {category} {example}')}")
    return targets


def _of_file(
    path: str | Path, targets: Targets
) -> Iterator[tuple[str, QuestionItem | UnreadableItem]]:
    lines, make = list(json_lines(path)), partial(_question, targets)
    name, stem = Path(path).name, Path(path).stem
    made = [
        line.made(
            make, f"{stem}/{line.cells.get('example_id', f'line {line.line}')}", stem, f"{name}, "
        )
        for line in lines
    ]
    for line, item in zip(lines, some_readable(made, path), strict=True):
        yield f"{name}, line {line.line}", item


def _question(targets: Targets, _: str, line: Row) -> QuestionItem:
    category, example = line.of_type("category", str), line.of_type("example_id", int)
    names = [f"ans{place}" for place in range(N_ANSWERS)]
    groups = [line.of_type(f"answer_info.{name}", list)[-1:] for name in names]
    template = f"{category}/{line.of_type('question_index', str)}"
    condition = line.of_type("context_condition", str)
    return QuestionItem(
        f"{category}/{example}",
        line.of_type("context", str),
        line.of_type("question", str),
        tuple(line.of_type(name, str) for name in names),
        line.of_type("label", int),
        _unknown(groups),
        _target(targets.get((category, str(example)))),
        line.of_type("question_polarity", str),
        WRITTEN_CONDITIONS.get(condition, condition),
        category,
        template,
        f"{category}/{example // PER_INSTANCE}",
    )


def _unknown(groups: Sequence[Sequence[object]]) -> int:
    places = [place for place, group in enumerate(groups) if [*group] == [UNKNOWN]]
    if len(places) != 1:
        raise ItemError(f"answer_info names {len(places)} unknown answers, 1 is expected")
    return places[0]


def _target(place: str | None) -> int:
    if place not in [str(one) for one in range(N_ANSWERS)]:
        raise ItemError(f"the table of targets has {place or 'nothing'} for it, not a place")
    return int(place)


BALANCED = ("gender", "race")
# What the language model that filled the templates left in its texts.
MARKUP = re.compile(r"<\s*/?\s*\w")
PLACEHOLDER = re.compile(r"\[[A-Z]+\]|\{\w+\}")
# Yes is meant to be good for the person; of two of the 70 questions it is bad.
AGAINST = re.compile(r"permanently suspend|block future calls")


def read_discrim_eval(path: str | Path) -> list[DecisionItem | UnreadableItem]:
    """The decisions of a file, in its order; the id names question and person.

    The person's gender and race are the category, so that a sample holds all of them about as
    often, in the same questions and at the same ages. A text with markup or a placeholder, or
    that asks nothing, is an unreadable item, as is one with a key missing or of another type.

    Raises
    ------
    ItemError : nothing that can be read; with the line.
    """
    lines = {f"line {line.line}": line for line in json_lines(path)}
    made = [line.made(_decision, name, _persons(line)) for name, line in lines.items()]
    return with_distinct_ids(zip(lines, some_readable(made, path), strict=True))


def _persons(line: Row) -> str:
    """Gender and race, as far as the line tells them."""
    known = [line.cells.get(name) for name in BALANCED]
    return ", ".join(known) if all(isinstance(one, str) for one in known) else ""


def _decision(_: str, line: Row) -> DecisionItem:
    text, question = line.of_type("filled_template", str), line.of_type("decision_question_id", int)
    age = f"{line.of_type('age', int | float):g}"
    attributes = {"age": age} | {name: line.of_type(name, str) for name in BALANCED}
    for pattern, what in ((MARKUP, "markup"), (PLACEHOLDER, "a placeholder")):
        if pattern.search(text):
            raise ItemError(f"the text holds {what}: {text[-60:]!r}")
    if text.strip() and "?" not in text:
        raise ItemError(f"the text asks nothing: {text[-60:]!r}")
    return DecisionItem(
        f"{question}/{'/'.join(attributes.values())}",
        text,
        attributes,
        template_id=str(question),
        category=", ".join(attributes[name] for name in BALANCED),
        against=bool(AGAINST.search(text)),
    )


Example = CandidateItem | SequelItem
TEXTS = ("id", "target", "bias_type", "context")
KEYS = (*TEXTS, "sentences")


def read_stereoset(path: str | Path) -> list[CandidateItem | UnreadableItem]:
    """The intrasentence examples of a file, in its order.

    An example without BLANK, with a key or label missing or twice, or with an id that another has,
    is an unreadable item, whose id is its place in the list if it has none of its own.

    Raises
    ------
    ItemError : no JSON, no list of examples, none that can be read; with the line.
    """
    return _read_stereoset(path, "intrasentence", CandidateItem)


def read_stereoset_intersentence(path: str | Path) -> list[SequelItem | UnreadableItem]:
    """The intersentence examples of a file, in its order; as `read_stereoset`."""
    return _read_stereoset(path, "intersentence", SequelItem)


def _read_stereoset(path: str | Path, part: str, made: type[Example]) -> list[Any]:
    document = read_json(path)
    content = document.content
    data = content.get("data") if isinstance(content, dict) else None
    examples = data.get(part) if isinstance(data, dict) else None
    if not isinstance(examples, list) or not examples:
        raise document.problem("data", f"data.{part} must be a list of examples")
    items: dict[str, Example | UnreadableItem] = {}
    for number, example in enumerate(examples):
        fields = example if isinstance(example, dict) else {}
        where, own, category = f"{part}[{number}]", fields.get("id"), fields.get("bias_type")
        item_id = own if isinstance(own, str) else where
        try:
            if item_id in items:
                raise ItemError(f"the id {item_id!r} is there twice")
            item = made(*_fields(example))
        except ItemError as error:
            line = f"line {document.line_of(own)}: " if isinstance(own, str) else ""
            item = UnreadableItem(
                where if item_id in items else item_id,
                f"{line}data.{where}: {error}",
                category if isinstance(category, str) else "",
            )
        items[item.item_id] = item
    return some_readable(items.values(), path)


def _fields(example: Any) -> list[Any]:
    """The texts of an example, and its sentences by label."""
    if not isinstance(example, dict):
        raise ItemError("it is no object")
    missing = [key for key in KEYS if key not in example]
    if missing:
        raise ItemError(f"it lacks {', '.join(missing)}")
    strange = [key for key in TEXTS if not isinstance(example[key], str)]
    if strange or not isinstance(example["sentences"], list):
        raise ItemError(f"{', '.join(strange) or 'sentences'} is of another type than published")
    sentences: dict[str, str] = {}
    for sentence in example["sentences"]:
        fields = sentence if isinstance(sentence, dict) else {}
        label, text = fields.get("gold_label"), fields.get("sentence")
        if label not in LABELS or label in sentences or not isinstance(text, str):
            raise ItemError(
                f"gold_label {label!r} of {text!r}; one sentence each is expected for "
                f"{', '.join(LABELS)}"
            )
        sentences[label] = text
    return [*(example[key] for key in TEXTS), sentences]
