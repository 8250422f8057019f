"""The answers of language models in files, which need torch to make and nothing but numpy to read.

Tokens, one row per scored token (`TOKEN_SCHEMA`), a text that could not be scored being one row
without token; completions, one row each (`COMPLETION_SCHEMA`); embeddings, see `cell_arrays`. They
are files of cells (`fairflow.files.kept`): of tokens and completions a cell is a block of items.
"""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fairflow.files.cell_arrays import ArrayFiles, cell_table
from fairflow.files.kept import (
    Rows,
    cells_in,
    digest,
    keep_up_to_date,
    model_of,
    read_cells,
)
from fairflow.files.parquet import parquet_schema
from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.vectors.random_words import RandomRows

# Status of the row that tells what became of given answers.
ACCOUNT = "account"
# Items whose answers are in memory together, and seconds after which answers are saved: a killed
# job loses at most these and the current items.
ITEMS = 256
SECONDS = 10.0

TOKEN_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("query", pa.string()),
        ("text_id", pa.string()),  # names item and role within the query
        ("variant", pa.string()),  # see items.item.VARIANTS
        ("text", pa.string()),  # words in place, nothing masked
        ("position", pa.int32()),  # of the token in the text, special tokens counted
        ("word_index", pa.int32()),  # number of the tokenizer's word
        ("token_id", pa.int32()),
        ("token", pa.string()),
        ("shared", pa.bool_()),  # in the other text of the pair as well; null without pair
        ("logp", pa.float64()),  # natural logarithm, over the whole vocabulary
        ("attention", pa.float64()),  # paid to the token; null unless asked for
        ("n_tokens", pa.int32()),  # of the text, special ones not counted
        ("status", pa.string()),  # see errors.Invalid
        ("reason", pa.string()),  # null for "ok"
    ]
)

COMPLETION_SCHEMA = pa.schema(
    [
        ("model", pa.string()),
        ("query", pa.string()),
        ("prompt_id", pa.string()),
        ("rank", pa.int32()),  # from 0
        ("text", pa.string()),  # without the prompt
        ("n_tokens", pa.int32()),
        ("logp", pa.float64()),  # sum over the tokens, the end included
        ("ended", pa.bool_()),  # by itself, not by the limit
        ("decoding", pa.string()),  # JSON
        ("seed", pa.int64()),  # of this completion; null without sampling
        ("status", pa.string()),
        ("reason", pa.string()),
        ("likelihoods", pa.string()),  # JSON; null for a text
    ]
)


# Columns that are fields of a text, and those that are of a token: column -> field.
OF_A_TEXT = ("text_id", "variant", "text", "n_tokens", "status", "reason")
OF_A_TOKEN = {
    "position": "positions",
    "word_index": "words",
    "token_id": "token_ids",
    "token": "tokens",
    "shared": "shared",
}


def token_rows(texts: Iterable[ScoredText]) -> Iterator[dict[str, Any]]:
    """The rows of some scored texts."""
    for text in texts:
        shared = {name: getattr(text, name) for name in OF_A_TEXT}
        attention = None if text.attention is None else text.attention.tolist()
        own = {column: getattr(text, name) for column, name in OF_A_TOKEN.items()}
        own |= {"logp": text.logp.tolist(), "attention": attention}
        if not text.positions:
            yield shared
        for number in range(len(text.positions)):
            yield shared | {name: None if of is None else of[number] for name, of in own.items()}


def _tokens(rows: Iterable[dict[str, Any]]) -> list[ScoredText]:
    same = groupby(rows, key=lambda row: (row["text_id"], row["variant"]))
    # Millions of tokens are of some thousand kinds, and numbers and names take most of the memory.
    kept: dict[Any, Any] = {}
    return [_scored_text(list(group), lambda one: kept.setdefault(one, one)) for _, group in same]


def completion_rows(
    completions: Iterable[Completion], account: Mapping[str, Any] | None = None
) -> Iterator[dict[str, Any]]:
    """The rows of some completions.

    Parameters
    ----------
    account : of answers that were given, what became of them.
    """
    for one in completions:
        given = None if one.likelihoods is None else json.dumps(one.likelihoods)
        yield vars(one) | {"likelihoods": given}
    if account:
        yield {"text": json.dumps(account, ensure_ascii=False), "status": ACCOUNT}


def _completions(rows: Iterable[dict[str, Any]]) -> list[Completion]:
    return [
        Completion(**row | {"logp": _number(row["logp"]), "likelihoods": _given(row)})
        for row in rows
        if row["status"] != ACCOUNT
    ]


def _given(row: Mapping[str, Any]) -> dict[str, float | tuple[float, ...]] | None:
    """The log-likelihoods that were given for the choices of an item."""
    if row["likelihoods"] is None:
        return None
    given = json.loads(row["likelihoods"])
    return {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}


@dataclass(frozen=True)
class Answers:
    """What a model answers to the items of a query, in a file of cells.

    Attributes
    ----------
    cells : name of a block of answers -> its digest.
    """

    path: str | Path
    cells: Mapping[str, str]

    @property
    def digest(self) -> str:
        """Depends on all that decides the answers."""
        return digest(*self.cells.items())

    def _rows(self) -> Iterator[dict[str, Any]]:
        for _, table in read_cells(self.path, self.cells):
            # A few at a time, as each takes much more memory as Python values.
            for batch in table.drop_columns(["model", "query"]).to_batches(max_chunksize=4_096):
                yield from batch.to_pylist()

    def read(self) -> list[Completion] | list[ScoredText]:
        """The completions or scored texts, whichever the file holds."""
        is_tokens = "text_id" in parquet_schema(self.path, "file of cells").names
        return _tokens(self._rows()) if is_tokens else _completions(self._rows())

    def account(self) -> dict[str, Any]:
        """What became of answers that were given; {} of those of a network."""
        told = (row["text"] for row in self._rows() if row["status"] == ACCOUNT)
        return json.loads(next(told, "{}"))


def read_kept_answers(paths: Iterable[str | Path]) -> dict[tuple[str, str], Answers]:
    """(Model, query) -> the answers in files of tokens or completions.

    Raises
    ------
    FairflowError : a file is damaged.
    """
    found: dict[tuple[str, str], Answers] = {}
    for path in paths:
        own: dict[str, dict[str, str]] = {}
        for name, made in cells_in(path).digests.items():
            own.setdefault(name.partition("/")[0], {})[name] = made
        found |= {(model_of(path), query): Answers(path, cells) for query, cells in own.items()}
    return found


def keep_answers(
    path: str | Path,
    model: str,
    asked: Mapping[str, Sequence[Any]],
    answer: Callable[[str, list[Any]], Iterable[Mapping[str, Any]]],
    schema: pa.Schema,
    identity: Callable[[str], object],
    size: int = ITEMS,
) -> int:
    """Bring a file of answers up to date.

    Parameters
    ----------
    asked : query -> its items. answer : the rows of successive items of a query, which are answered
        together; those of other blocks do not matter to them.
    identity : of a query, what its answers depend on, in addition to its items.
    size : items that are answered together.

    Returns
    -------
    The number of requested blocks.
    """
    blocks = {
        f"{query}/{start:09}": (query, list(items[start : start + size]))
        for query, items in asked.items()
        for start in range(0, len(items), size)
    }
    wanted = {
        name: digest(identity(query), size, [asdict(item) for item in items])
        for name, (query, items) in blocks.items()
    }

    def compute(names: list[str]) -> Iterator[tuple[str, Rows]]:
        for name in names:
            query, items = blocks[name]
            rows = ({"model": model, "query": query, **row} for row in answer(query, items))
            yield name, [*rows]
            # A network's outputs are in reference cycles, which Python collects too rarely.
            gc.collect()

    return keep_up_to_date(path, schema, wanted, compute, -(-ITEMS // size), SECONDS)


def embedding_table(model: str, query: str, embedded: EmbeddedTexts) -> pa.Table:
    """The vectors of texts as a cell of a file, random words among them."""
    random, effects = embedded.random, embedded.effects
    names = ("texts", "n_tokens", "statuses", "reasons", "pooling", "layer")
    sizes = {one: effects.get(one, math.nan) for one in embedded.context_templates}
    account = {name: getattr(embedded, name) for name in names} | {
        "effects": {one: None if math.isnan(size) else size for one, size in sizes.items()},
        "random": random and random.account,
    }
    arrays = {"rows": embedded.rows} | ({"random": random.vectors} if random else {})
    return cell_table(model, query, account, arrays)


def read_embeddings(paths: Iterable[str | Path]) -> Mapping[tuple[str, str], EmbeddedTexts]:
    """(Model, query) -> the vectors of texts in files, each read when somebody takes it.

    Raises
    ------
    FairflowError : a file is damaged.
    """
    return ArrayFiles(paths, _embedded)


def _embedded(account: dict[str, Any], arrays: dict[str, np.ndarray]) -> EmbeddedTexts:
    effects, random = account.pop("effects"), account.pop("random")
    if random is not None:
        named = {name: tuple(random[name]) for name in ("words", "of")}
        random = RandomRows(**random | named, vectors=arrays["random"])
    listed = {n: tuple(one) if isinstance(one, list) else one for n, one in account.items()}
    return EmbeddedTexts(
        **listed,
        rows=arrays["rows"],
        random=random,
        context_templates=tuple(effects),
        effects={template: _number(value) for template, value in effects.items()},
    )


def _scored_text(rows: list[dict[str, Any]], once: Callable[[Any], Any]) -> ScoredText:
    """The text of some rows; `once` gives for equal numbers or strings always the same one."""
    scored = [row for row in rows if row["position"] is not None]
    shared, attention = ([row[name] for row in scored] for name in ("shared", "attention"))
    return ScoredText(
        text_id=rows[0]["text_id"],
        n_tokens=rows[0]["n_tokens"],
        **{name: once(rows[0][name]) for name in ("variant", "text", "status", "reason")},
        positions=once(tuple(row["position"] for row in scored)),
        words=once(tuple(row["word_index"] for row in scored)),
        token_ids=tuple(once(row["token_id"]) for row in scored),
        tokens=tuple(once(row["token"]) for row in scored),
        shared=None if None in shared or not shared else tuple(shared),
        logp=np.array([row["logp"] for row in scored], dtype=np.float64),
        attention=None if None in attention or not attention else np.array(attention),
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value
