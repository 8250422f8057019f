"""Readers of published questions: BBQ, and both parts of StereoSet."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items import choice_items as choices
from fairflow.language_models.items.data_files import Row, json_lines, read_document, whole_rows
from fairflow.language_models.items.item import InvalidItem, some_valid, with_distinct_ids

COLUMNS = ("category", "example_id", "target_loc")
WRITTEN_CONDITIONS = {"ambig": "ambiguous", "disambig": "disambiguated"}
UNKNOWN = "unknown"
# Each way to fill a template has this many successive items.
PER_INSTANCE = 4


def read_bbq(*paths: str | Path) -> list[choices.QuestionItem | InvalidItem]:
    """The questions of files of lines of JSON, in their order; of each the category names the id.

    The table of targets (`additional_metadata.csv`) has to be among the files: which answer the
    stereotype gives is not stated elsewhere. Its `target_loc` is that answer in either polarity:
    the group of the stereotype in a negative question, the other person in one that is not. A
    question without a target in this table, or with a missing key, is an invalid item.

    Raises
    ------
    ItemError : not one table, no file of questions, or a file without a readable question; with the
        line.
    """
    tables = [path for path in paths if Path(path).suffix == ".csv"]
    questions = [path for path in paths if path not in tables]
    if len(tables) != 1 or not questions:
        raise ItemError(
            f"BBQ is read from files of questions (.jsonl) and one table of targets (.csv); got "
            f"{', '.join(map(str, paths)) or 'no file'}"
        )
    make = partial(question, _targets(tables[0]))
    found: list[tuple[str, choices.QuestionItem | InvalidItem]] = []
    for path in map(Path, questions):
        where, stem = f"{path.name}, ", path.stem
        items = {
            f"{where}{line.place}": line.made(
                make, f"{stem}/{line.cells.get('example_id', line.place)}", stem, where
            )
            for line in json_lines(path)
        }
        some_valid(items.values(), path)
        found += items.items()
    return with_distinct_ids(found)


def _targets(path: str | Path) -> dict[tuple[str, str], str]:
    """Category and example -> place of the target, as it is written.

    Raises
    ------
    ItemError : rows about one question name different targets.
    """
    targets: dict[tuple[str, str], str] = {}
    for row in whole_rows(path, csv.excel, COLUMNS):
        category, example, place = (row.cells[name] for name in COLUMNS)
        if targets.setdefault((category, example), place) != place:
            raise ItemError(f"{path}, {row.place}: another target of {category} {example}")
    return targets


def question(targets: Mapping[tuple[str, str], str], _: str, line: Row) -> choices.QuestionItem:
    """The question of a line, whose category and example `targets` has.

    Raises
    ------
    ItemError : a key missing or of another type, or no place among the targets.
    """
    category, index, condition, polarity = line.texts(
        "category", "question_index", "context_condition", "question_polarity"
    )
    example = line.of_type("example_id", int)
    names = [f"ans{place}" for place in range(choices.N_ANSWERS)]
    groups = [line.of_type(f"answer_info.{name}", list)[-1:] for name in names]
    unknown = [place for place, group in enumerate(groups) if group == [UNKNOWN]]
    if len(unknown) != 1:
        raise ItemError(f"answer_info names {len(unknown)} unknown answers, 1 is expected")
    target = targets.get((category, str(example)))
    if target not in map(str, range(choices.N_ANSWERS)):
        raise ItemError(f"the table of targets has {target or 'nothing'} for it, not a place")
    return choices.QuestionItem(
        f"{category}/{example}",
        *line.texts("context", "question"),
        answers=tuple(line.texts(*names)),
        label=line.of_type("label", int),
        unknown=unknown[0],
        biased=int(target),
        polarity=polarity,
        condition=WRITTEN_CONDITIONS.get(condition, condition),
        category=category,
        template_id=f"{category}/{index}",
        instance=f"{category}/{example // PER_INSTANCE}",
    )


Example = choices.CandidateItem | choices.ContinuationItem


def read_stereoset(path: str | Path) -> list[choices.CandidateItem | InvalidItem]:
    """The intrasentence examples of a file, in its order.

    An example without BLANK, with a key or label missing or twice, or with an id that another has,
    is an invalid item; if it has no id, its place in the list is the id.

    Raises
    ------
    ItemError : no JSON, or no list of examples.
    """
    return _read_stereoset(path, "intrasentence", choices.CandidateItem)


def read_stereoset_intersentence(
    path: str | Path,
) -> list[choices.ContinuationItem | InvalidItem]:
    """The intersentence examples of a file, in its order; as `read_stereoset`."""
    return _read_stereoset(path, "intersentence", choices.ContinuationItem)


def _read_stereoset(path: str | Path, part: str, made: type[Example]) -> list[Any]:
    content = read_document(path)
    data = content.get("data") if isinstance(content, dict) else None
    examples = data.get(part) if isinstance(data, dict) else None
    if not isinstance(examples, list) or not examples:
        raise ItemError(f"{path}: data.{part} must be a list of examples")
    found = []
    for number, example in enumerate(examples):
        cells = example if isinstance(example, dict) else {}
        own, category = cells.get("id"), str(cells.get("bias_type", ""))
        where = f"data.{part}[{number}]"
        row = Row(where, cells, None if cells is example else "it is no object")
        name = own if isinstance(own, str) else f"{part}[{number}]"
        found.append((where, row.made(partial(_example, made), name, category)))
    return with_distinct_ids(found)


def _example(made: type[Example], _: str, row: Row) -> Example:
    texts, sentences = row.texts("id", "target", "bias_type", "context"), {}
    for sentence in row.of_type("sentences", list):
        fields = sentence if isinstance(sentence, dict) else {}
        label, text = fields.get("gold_label"), fields.get("sentence")
        if label not in choices.LABELS or label in sentences or not isinstance(text, str):
            raise ItemError(
                f"gold_label {label!r} of {text!r}; one sentence each is expected for "
                f"{', '.join(choices.LABELS)}"
            )
        sentences[label] = text
    return made(*texts, sentences)
