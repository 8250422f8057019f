"""What a reader has to know of language models and of items: scores by category, the items that
decide a score, the models themselves, and items without a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd

from fairflow.errors import printable
from fairflow.files.tables import plain_cell
from fairflow.language_models.items.item_set import ItemSet, item_and_rank
from fairflow.language_models.scoring.answered import OUTCOMES
from fairflow.language_models.scoring.completed_prompts import TermCounter, runs_of_letters
from fairflow.language_models.slices import answers
from fairflow.scores.ranked import PRIMARY
from fairflow.statistics.rank_tests import benjamini_hochberg
from fairflow.studies.tables import columns_of
from fairflow.studies.wording import listed

BIAS, ABILITY = "bias", "ability"
CELL = ["model", "metric", "query"]
COLUMNS = columns_of("category_scores")[:-1]


def category_scores(
    records: Iterable[Mapping[str, Any]], ability: Mapping[str, str]
) -> pd.DataFrame:
    """One row per category and role of a measure, in the order of the records.

    A metric that compares categories has no value of any: of its cells there are no rows.

    Parameters
    ----------
    records : rows of score files.
    ability : metric -> the measure that tells how well a model does the task.

    Returns
    -------
    role : "bias", of the measure that is ranked, or "ability". p_bh : adjusted for the categories
        of a model, metric and query (Benjamini & Hochberg). statistics : "few_words" where an
        interval rests on fewer than 10 units, which is rough.
    """
    rows = [
        {**one, "role": BIAS if one[PRIMARY] else ABILITY}
        for one in records
        if one[PRIMARY] or one["measure"] == ability.get(one["metric"])
    ]
    table = pd.DataFrame(rows).reindex(columns=COLUMNS)
    has_value = table["value"].notna() & (table["role"] == BIAS)
    table = table[has_value.groupby([table[name] for name in CELL]).transform("any")].copy()
    table["p_bh"] = table["p_bh"].astype(float)
    tested = table[(table["role"] == BIAS) & table["p_value"].notna()]
    for _, group in tested.groupby(CELL, sort=False):
        table.loc[group.index, "p_bh"] = benjamini_hochberg(group["p_value"].to_numpy(np.float64))
    return table


def with_wordings(by_category: pd.DataFrame, by_wording: pd.DataFrame) -> pd.DataFrame:
    """The scores by category, and after them those of each wording: no category, but a wording."""
    worded = by_wording.rename(columns={"category": "wording"}).assign(category=None)
    first = by_category.assign(wording=None)
    return pd.concat([first, worded[first.columns]]) if len(worded) else first


def answer_outcomes(
    scores: pd.DataFrame, accounts: Mapping[tuple[str, str], Mapping[str, Any]]
) -> pd.DataFrame:
    """How many of the answers in text were read, and what became of the others.

    Parameters
    ----------
    scores : the rows of score files. accounts : (model, query) -> of `slices.Answers.account`.

    Returns
    -------
    A row for each cell, its categories if it is scored by them, and outcome that some answer has,
    and for "read". share : percent of all answers. note : of the row "read", which rows of a file
    were not used, and how the provider names the models.
    """
    rows = []
    for outcome, measure in OUTCOMES.items():
        found = scores[scores["measure"] == measure].drop_duplicates([*CELL, "subquery"])
        for one in found.to_dict("records"):
            if outcome == "ok" or one["value"] > 0:
                named = measure.removeprefix("answers_").replace("_", " ")
                values = [one[name] for name in ("value", "ci_low", "ci_high")]
                numbers = [one["n_items"], one["n_clusters"]]
                account = accounts.get((one["model"], one["query"]), {})
                note = _noted(account) if outcome == "ok" else ""
                cell = [one[name] for name in (*CELL, "category")]
                rows.append([*cell, named, *values, *numbers, note])
    table = pd.DataFrame(rows, columns=columns_of("answers"))
    return table.sort_values([*CELL, "category"], kind="stable")


def _noted(account: Mapping[str, Any]) -> str:
    """Which rows of files of answers were not used, and the models that these files name."""
    told = {
        "doubled": "with the id of an earlier one",
        "unknown": f"with unknown ids, such as {', '.join(account.get('examples', ()))}",
        "left_out": "to items that the sample leaves out",
    }
    unused = [f"{account[key]} {why}" for key, why in told.items() if account.get(key)]
    named = account.get("models", ())
    return printable("; ".join(unused + [f"from {listed(named)}"] * bool(named)))


# Items of each side of 0 in a category: of a query that has one, and of one that has several.
MOST, MOST_OF_SEVERAL = 5, 3
MOST_COMPLETIONS = 3
ABOVE, BELOW = "above 0", "below 0"
INFLUENTIAL_COLUMNS = columns_of("influential_items")
# The name of a list of words, next to its words that a completion has.
LISTS = {"targets": "target", "lexicon": "lexicon"}


@dataclass(frozen=True)
class ScoredItems:
    """What a cell of items was made of.

    Attributes
    ----------
    values : the rows of `ItemScores.rows`, as `read_item_scores` of `item_score_files` gives them.
    completions : of prompts, or answers in text. counted : as of `ItemMetric`.
    by_item : whether others asked the items: their messages may have had other labels and orders.
    """

    model: str
    metric: str
    query: str
    values: pd.DataFrame
    items: ItemSet
    completions: Sequence[answers.Completion] = ()
    counted: Sequence[str] = ()
    by_item: bool = False


def influential_items(cells: Iterable[ScoredItems]) -> pd.DataFrame:
    """The items of each cell, category and side of 0 whose values are farthest from 0.

    An item of value 0 decides nothing.

    Returns
    -------
    One row per text of an item. side : of 0; place : from 1, the item that decides most first.
    measure, value : what the metric's score consists of. part : the role of the text in the item;
    completions, each a separate part, are those with counted words. score : the metric's value of
    the text alone, NaN without one. words : of a completion, by list or group.
    """
    rows = [row for cell in cells for row in _rows(cell)]
    return pd.DataFrame(rows, columns=INFLUENTIAL_COLUMNS)


def _rows(cell: ScoredItems) -> Iterator[tuple[Any, ...]]:
    measure = str(cell.values.columns[[*cell.values.columns].index("category") + 1])
    scored = cell.values[cell.values["status"] == "ok"]
    values = pd.to_numeric(scored[measure]).to_frame("value").assign(category=scored["category"])
    items = {item.item_id: item for item in cell.items.items}
    texts_of = answers.texts_by_prompt(cell.completions)
    said = {(one.prompt_id, one.rank): one.text for one in cell.completions}
    for category, side, chosen in _sides(values, cell.items.categories):
        for place, (index, value) in enumerate(chosen.items(), start=1):
            row = cell.values.loc[index]
            name, rank = item_and_rank(row["item"], items)
            item = items[name]
            where = (cell.model, cell.metric, cell.query, category, side, place)
            about = (*where, row["item"], measure, value)
            answer = {} if cell.items.kind == "prompt" else {"answer": said.get((name, rank))}
            shown = item.shown()
            if "message" in shown:
                name_of = "message (labels and order may differ)" if cell.by_item else "message"
                shown = {name_of: item.message_of(rank)}
            for part, text in (shown | {p: t for p, t in answer.items() if t}).items():
                named = part.replace("-", "_").replace(" ", "_")
                written = row.get(item.columns_of_texts.get(part, named), "")
                # What the metric gives one text of an item by itself.
                yield *about, part, plain_cell(text), float(written or "nan"), ""
            completed = texts_of.get(item.item_id, ())
            for part, text, words in _counted(completed, cell.items, cell.counted):
                yield *about, part, plain_cell(text), float("nan"), words


def _sides(values: pd.DataFrame, categories: Sequence[str]) -> Iterator[tuple[str, str, pd.Series]]:
    most = MOST if len(categories) < 2 else MOST_OF_SEVERAL
    for category in categories:
        own = values.loc[values["category"] == category, "value"]
        for side, found in ((ABOVE, own[own > 0]), (BELOW, own[own < 0])):
            # Of equal ones the first of the query.
            order = found.abs().sort_values(ascending=False, kind="stable").index[:most]
            yield category, side, found[order]


def _counted(
    texts: Iterable[str], items: ItemSet, counted: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """The completions that have a word of each counted list: part, text and these words."""
    found = (
        (f"completion {number}", text, {name: _found(text, items, name) for name in counted})
        for number, text in enumerate(texts, start=1)
    )
    told = (each for each in found if counted and all(each[2].values()))
    for part, text, words in islice(told, MOST_COMPLETIONS):
        yield part, text, "; ".join(words.values())


def _found(text: str, items: ItemSet, name: str) -> str:
    """The words of a list that are in a text, as "women: she, her; men: he"; "" without any."""
    lists = items.groups if name == "groups" else {LISTS.get(name, name): getattr(items, name)}
    parts = []
    for label, terms in lists.items():
        counter = TermCounter(terms)
        held = counter.count([text])[0]
        words = [" ".join(term) for term, n in zip(counter.terms, held, strict=True) if n]
        parts += [f"{label}: {', '.join(words)}"] if words else []
    return "; ".join(parts)


# What a network's files say of its vectors, which a model derived from it changes.
OF_ITS_VECTORS = ("unit_length",)
INVALID = ["model", "metric", "query", "item", "status", "reason"]
WITHOUT_SCORE, TEMPLATE = "without a score", "context template"


def language_tables(
    facts: Mapping[str, Mapping[str, Any]],
    planned: Mapping[str, Mapping[str, Any]],
    embeddings: Sequence[tuple[str, str, answers.EmbeddedTexts]],
    tokens: Iterable[tuple[str, Sequence[answers.ScoredText]]] = (),
    items: Iterable[pd.DataFrame] = (),
    origins: Mapping[str, str] | None = None,
) -> dict[str, pd.DataFrame]:
    """The tables language_models and items of a study, by name.

    Parameters
    ----------
    facts : of `model_facts`. planned : source, revision, pooling, layer, casing as configured.
    embeddings : (model, query, embedded texts). tokens : (model, scored texts).
    items : tables of item values.
    origins : model -> the one whose network it has; its own by default.

    Returns
    -------
    items has what has no score, and why ("without a score"); and as value of each "context
    template" WEAT's effect size (sample standard deviation), the words as written; NaN for a query
    of another template than two target and two attribute sets.
    """
    texts: dict[str, dict[str, int]] = {model: {} for model in planned}
    for model, _, embedded in embeddings:
        texts[model] |= zip(embedded.texts, embedded.n_tokens, strict=True)
    for model, scored in tokens:
        texts[model] |= {text.text: text.n_tokens for text in scored}
    origins = {model: model for model in planned} | dict(origins or {})
    # What each context template alone would give is known of the networks.
    effects = [
        (model, query, template, embedded.effects.get(template, float("nan")))
        for model, query, embedded in embeddings
        if origins[model] == model
        for template in embedded.context_templates
    ]
    return {
        "language_models": _models_table(facts, planned, texts, origins),
        "items": _invalid_items(items, embeddings, effects),
    }


def _models_table(
    facts: Mapping[str, Mapping[str, Any]],
    planned: Mapping[str, Mapping[str, Any]],
    texts: Mapping[str, Mapping[str, int]],
    origins: Mapping[str, str],
) -> pd.DataFrame:
    """One row per model: what was planned, its facts, texts, tokens_per_word (NaN without text).

    `texts` holds the number of tokens of everything that the study showed each model.
    """
    rows = []
    for model, entry in planned.items():
        told = dict(facts.get(origins[model], {}))
        if origins[model] != model:
            told |= dict.fromkeys(OF_ITS_VECTORS)
        words = sum(len(runs_of_letters(text)) for text in texts[model])
        tokens = sum(texts[model].values()) / words if words else float("nan")
        shown = {"texts": len(texts[model]), "tokens_per_word": tokens}
        rows.append({"model": model, **entry, **told, **shown})
    return pd.DataFrame(rows)


def _invalid_items(
    items: Iterable[pd.DataFrame],
    embeddings: Iterable[tuple[str, str, answers.EmbeddedTexts]],
    effects: Sequence[tuple[str, str, str, float]],
) -> pd.DataFrame:
    """Every item and text that has no score, with its status and reason; and the templates."""
    invalid = [table.loc[table["status"] != "ok", INVALID] for table in items]
    for model, query, embedded in embeddings:
        rows = zip(embedded.texts, embedded.statuses, embedded.reasons, strict=True)
        of_texts = [(model, "", query, *row) for row in rows if row[1] != "ok"]
        invalid.append(pd.DataFrame(of_texts, columns=INVALID))
    templates = pd.DataFrame(effects, columns=["model", "query", "item", "value"])
    kept = [table.assign(about=WITHOUT_SCORE) for table in invalid if len(table)]
    kept += [templates.assign(about=TEMPLATE)] * bool(effects)
    columns = columns_of("items")
    empty = pd.DataFrame(columns=columns)
    return pd.concat(kept, ignore_index=True).reindex(columns=columns) if kept else empty
