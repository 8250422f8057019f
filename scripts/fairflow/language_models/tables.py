"""The tables of studies of language models, from facts, answers and scores of items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from fairflow.files.atomic import read_json
from fairflow.files.tables import read_scores
from fairflow.language_models import ITEMS, LANGUAGE
from fairflow.language_models.cells.item_cell import category_records
from fairflow.language_models.cells.item_score_files import read_item_scores
from fairflow.language_models.item_tables import (
    ScoredItems,
    answer_outcomes,
    category_scores,
    influential_items,
    language_tables,
    with_wordings,
)
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.answers import Completion
from fairflow.language_models.slices.slices import read_embeddings, read_kept_answers
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.studies.tabulate import Tabulation


def tables_of_models(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """The models of a study and what has no score, as `fairflow.language_models.jobs` asks."""
    answers = read_kept_answers(study.read["answers"])
    embedded = read_embeddings(study.read["embeddings"])
    values = read_item_scores(study.read["item_scores"])
    return language_tables(
        dict(zip(how["networks"], map(read_json, study.read["facts"]), strict=True)),
        how["planned"],
        # A derived model has the texts of its origin.
        [(model, q, embedded[how["origins"][model], q]) for model, q in how["embedded"]],
        ((model, answers[model, query].read()) for model, query in how["asked"]),
        (pd.DataFrame(values[cell]) for cell in map(tuple, how["cells"])),
        how["origins"],
    )


def tables_of_items(study: Tabulation, how: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Scores of items by category, answers and influential items, asked for in the same way."""
    given = read_kept_answers(study.read["answers"])
    items = dict(zip(how["queries"], map(read_items, study.read["item_sets"]), strict=True))
    values = read_item_scores(study.read["item_scores"])
    accounts = {key: given[key].account() for key in map(tuple, how["slices"])}
    records: dict[str, list[dict[str, Any]]] = {"category": [], "wording": []}
    scored = []
    for place, seed, statistics in how["cells"]:
        cell = Cell(*place)
        answers = given[cell.model, cell.query].read()
        for by, rows in records.items():
            rows += category_records(
                items[cell.query],
                answers,
                how["variants"][cell.metric],
                cell,
                how["kinds"][cell.model],
                seed,
                Statistics(**statistics) if statistics else None,
                by,
            )
        scored.append(
            ScoredItems(
                *(cell.model, cell.metric, cell.query),
                values=pd.DataFrame(values[cell]),
                items=items[cell.query],
                completions=[one for one in answers if isinstance(one, Completion)],
                counted=how["counted"][cell.metric],
                by_item=bool(accounts[cell.model, cell.query].get("by_item")),
            )
        )
    by_category, by_wording = (category_scores(rows, how["ability"]) for rows in records.values())
    stored = read_scores(study.read["scores"])
    own = {tuple(place) for place, _, _ in how["cells"]}
    keys = zip(stored["model"], stored["metric"], stored["query"], strict=True)
    return {
        "category_scores": with_wordings(by_category, by_wording),
        "answers": answer_outcomes(stored[[key in own for key in keys]], accounts),
        "influential_items": influential_items(scored),
    }


MAKERS = {ITEMS: tables_of_items, LANGUAGE: tables_of_models}
