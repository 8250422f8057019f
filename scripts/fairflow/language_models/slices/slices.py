"""The three slices that need torch to make, and nothing but numpy and pyarrow to read.

Token slice, one row per scored piece (`token_schema`), a text that could not be scored being one
row without piece; embedding slice, one row per text (`embedding_schema`); completion slice, one
row per completion (`completion_schema`). Equal content gives equal bytes. The answers of a long
job are written block by block, so that one that was killed goes on where it stopped.
"""

from __future__ import annotations

import gc
import json
import logging
import math
import shutil
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from fairflow.errors import FairflowError
from fairflow.files.checksums import identity_digest
from fairflow.files.jobs import JobProgress, partial_folder, write_job_progress
from fairflow.files.parquet import (
    parquet_parts,
    read_parquet,
    read_rows,
    table_of,
    write_parquet,
    write_rows,
)
from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.vectors.random_words import RandomRows

# Status of a row that holds a random word, and the key of what is known of all of them.
RANDOM = "random"
# Key of the texts that words stood in, each with WEAT's effect size in it alone.
CARRIERS = "carriers"

TOKEN_SCHEMA = pa.schema(
    [
        ("text_id", pa.string()),  # names item and role within the query
        ("variant", pa.string()),  # see items.item.VARIANTS
        ("text", pa.string()),  # words in place, nothing masked
        ("position", pa.int32()),  # of the piece in the text, special pieces counted
        ("word_index", pa.int32()),  # number of the tokenizer's word
        ("piece_id", pa.int32()),
        ("piece", pa.string()),
        ("shared", pa.bool_()),  # in the other text of the pair as well; null without pair
        ("logp", pa.float64()),  # natural logarithm, over the whole vocabulary
        ("attention", pa.float64()),  # paid to the piece; null unless asked for
        ("n_pieces", pa.int32()),  # of the text, special ones not counted
        ("status", pa.string()),  # see errors.STATUSES
        ("reason", pa.string()),  # null for "ok"
    ]
)

COMPLETION_SCHEMA = pa.schema(
    [
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
    ]
)


def embedding_schema(dims: int) -> pa.Schema:
    """The columns of an embedding slice; a text without vector has null."""
    return pa.schema(
        [
            ("text", pa.string()),
            ("pooling", pa.string()),
            ("layer", pa.int32()),
            ("n_pieces", pa.int32()),
            ("status", pa.string()),
            ("reason", pa.string()),
            ("vector", pa.list_(pa.float32(), dims)),
        ]
    )


# Columns that are fields of a text, and those that are of a piece: column -> field.
OF_A_TEXT = ("text_id", "variant", "text", "n_pieces", "status", "reason")
OF_A_PIECE = {
    "position": "positions",
    "word_index": "words",
    "piece_id": "piece_ids",
    "piece": "pieces",
    "shared": "shared",
}


def token_rows(texts: Iterable[ScoredText]) -> Iterator[dict[str, Any]]:
    """The rows of a token slice."""
    return (row for text in texts for row in _token_rows(text))


def write_tokens(texts: Iterable[ScoredText], path: str | Path) -> None:
    """Write a token slice."""
    write_rows(list(token_rows(texts)), TOKEN_SCHEMA, path)


def read_tokens(path: str | Path) -> list[ScoredText]:
    """The inverse of `write_tokens`."""
    rows = read_rows(path, TOKEN_SCHEMA)
    same = groupby(rows, key=lambda row: (row["text_id"], row["variant"]))
    # Millions of pieces are of some thousand kinds, and numbers and names take most of the memory.
    kept: dict[Any, Any] = {}
    return [_scored_text(list(group), lambda one: kept.setdefault(one, one)) for _, group in same]


def completion_rows(completions: Iterable[Completion]) -> Iterator[dict[str, Any]]:
    """The rows of a completion slice."""
    return (dict(vars(completion)) for completion in completions)


def write_completions(completions: Iterable[Completion], path: str | Path) -> None:
    """Write a completion slice."""
    write_rows(list(completion_rows(completions)), COMPLETION_SCHEMA, path)


def read_completions(path: str | Path) -> list[Completion]:
    """The inverse of `write_completions`."""
    rows = read_rows(path, COMPLETION_SCHEMA)
    return [Completion(**(row | {"logp": _number(row["logp"])})) for row in rows]


def write_embeddings(embedded: EmbeddedTexts, path: str | Path) -> None:
    """Write an embedding slice; random words are rows of status "random"."""
    random = embedded.random
    vectors = np.ascontiguousarray(embedded.rows, dtype=np.float32)
    shared = {"pooling": embedded.pooling, "layer": embedded.layer}
    rows = [
        shared
        | {
            "text": text,
            "n_pieces": embedded.n_pieces[number],
            "status": embedded.statuses[number],
            "reason": embedded.reasons[number],
        }
        for number, text in enumerate(embedded.texts)
    ]
    schema = embedding_schema(vectors.shape[1])
    if random is not None:
        rows += [shared | {"text": word, "status": RANDOM} for word in random.words]
        vectors = np.concatenate([vectors, random.vectors])
    table = table_of(rows, schema.remove(schema.get_field_index("vector")))
    values = pa.Array.from_buffers(pa.float32(), vectors.size, [None, pa.py_buffer(vectors)])
    column = pa.FixedSizeListArray.from_arrays(values, vectors.shape[1])
    table = table.append_column("vector", column)
    metadata = {} if random is None else {RANDOM: json.dumps(random.account)}
    if embedded.carriers:
        metadata[CARRIERS] = json.dumps({c: _null(embedded, c) for c in embedded.carriers})
    table = table.replace_schema_metadata(metadata or None)
    write_parquet(table, path)


def read_embeddings(path: str | Path) -> EmbeddedTexts:
    """The inverse of `write_embeddings`.

    Raises
    ------
    FairflowError : the file is damaged.
    """
    table = read_parquet(path, "slice")
    columns = {name: table.column(name).to_pylist() for name in table.column_names[:-1]}
    vectors = table.column("vector").combine_chunks()
    dims = vectors.type.list_size
    flat = vectors.flatten()
    values = np.frombuffer(flat.buffers()[1], dtype=np.float32)[flat.offset :][: len(flat)]
    rows = values.reshape(-1, dims).copy()
    metadata = table.schema.metadata or {}
    account = metadata.get(RANDOM.encode())
    effects = json.loads(metadata.get(CARRIERS.encode(), b"{}"))
    n_texts = len(rows) - columns["status"].count(RANDOM)
    return EmbeddedTexts(
        texts=tuple(columns["text"][:n_texts]),
        rows=rows[:n_texts],
        pooling=columns["pooling"][0] if columns["pooling"] else "",
        layer=columns["layer"][0] if columns["layer"] else -1,
        n_pieces=tuple(columns["n_pieces"][:n_texts]),
        statuses=tuple(columns["status"][:n_texts]),
        reasons=tuple(columns["reason"][:n_texts]),
        random=None if account is None else _random_rows(json.loads(account), rows[n_texts:]),
        carriers=tuple(effects),
        effects={carrier: _number(value) for carrier, value in effects.items()},
    )


def _null(embedded: EmbeddedTexts, carrier: str) -> float | None:
    value = embedded.effects.get(carrier, math.nan)
    return None if math.isnan(value) else value


def _random_rows(account: Mapping[str, Any], vectors: np.ndarray) -> RandomRows:
    named = {name: tuple(account[name]) for name in ("words", "of")}
    return RandomRows(**account | named, vectors=vectors)


def _token_rows(text: ScoredText) -> Iterator[dict[str, Any]]:
    shared = {name: getattr(text, name) for name in OF_A_TEXT}
    attention = None if text.attention is None else text.attention.tolist()
    own = {column: getattr(text, name) for column, name in OF_A_PIECE.items()}
    own |= {"logp": text.logp.tolist(), "attention": attention}
    if not text.positions:
        yield shared
    for number in range(len(text.positions)):
        yield shared | {name: None if of is None else of[number] for name, of in own.items()}


def _scored_text(rows: list[dict[str, Any]], once: Callable[[Any], Any]) -> ScoredText:
    """The text of some rows; `once` gives for equal numbers or strings always the same one."""
    scored = [row for row in rows if row["position"] is not None]
    shared, attention = ([row[name] for row in scored] for name in ("shared", "attention"))
    return ScoredText(
        text_id=rows[0]["text_id"],
        n_pieces=rows[0]["n_pieces"],
        **{name: once(rows[0][name]) for name in ("variant", "text", "status", "reason")},
        positions=once(tuple(row["position"] for row in scored)),
        words=once(tuple(row["word_index"] for row in scored)),
        piece_ids=tuple(once(row["piece_id"]) for row in scored),
        pieces=tuple(once(row["piece"]) for row in scored),
        shared=None if None in shared or not shared else tuple(shared),
        logp=np.array([row["logp"] for row in scored], dtype=np.float64),
        attention=None if None in attention or not attention else np.array(attention),
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value


logger = logging.getLogger(__name__)

# Items of a row group of the file, whose answers are in memory together.
ITEMS = 256
# A block is written when it has taken so long: what a kill may lose, besides items in work.
SECONDS = 10.0
# Key under which a block's file says what it is.
_IS = b"block"

Answer = Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]]


def write_in_blocks(
    items: Sequence[Any],
    answer: Answer,
    schema: pa.Schema,
    path: str | Path,
    identity: Iterable[object],
    size: int = ITEMS,
    seconds: float = SECONDS,
) -> None:
    """Write what is answered to items, in their order.

    Finished blocks lie in `partial_folder(path)` until all are there, and memory holds one of
    them. Equal items and answers give equal bytes, however long each took and whether or not a
    job was killed in between.

    Parameters
    ----------
    answer : the rows of some items; those of other items must not matter to them, but for the
        rounding of what is computed together.
    identity : what the answers depend on, items included. Blocks of another one are removed.
    size : items that are answered together.
    seconds : after which a block is written, when the items in work are answered.
    """
    digest = identity_digest(*identity, schema, size, len(items)).hex()
    folder = partial_folder(path)
    _remove_others(folder, digest)
    blocks = _Blocks(folder / digest, items, answer, schema, size, seconds)
    group = -(-ITEMS // size) * size
    spans = [(start, min(start + group, len(items))) for start in range(0, len(items), group)]
    told = JobProgress(0, len(items), 0, 0.0, time.time())
    _tell(told, path)
    for span in spans:
        began = time.monotonic()
        for done, _, is_found in blocks.within(*span):
            now = time.monotonic()
            found, spent = (done - told.done, 0.0) if is_found else (0, now - began)
            found, spent = told.found + found, told.seconds + spent
            told = JobProgress(done, len(items), found, spent, time.time())
            _tell(told, path)
            began = now
    with parquet_parts(path, schema) as write:
        for span in spans:
            # Another process may have removed some, which are asked again.
            tables = [table for _, table, _ in blocks.within(*span)]
            write(pa.concat_tables(tables).combine_chunks())
    shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True)
class _Blocks:
    """Files of what was answered to items from one number up to another, both in their names."""

    folder: Path
    items: Sequence[Any]
    answer: Answer
    schema: pa.Schema
    size: int
    seconds: float

    def within(self, start: int, stop: int) -> Iterator[tuple[int, pa.Table, bool]]:
        """The blocks of some items in their order: where each ends, its answers, if it was found.

        What no file holds is asked, and kept.
        """
        while start < stop:
            block = self._found(start)
            start, table = block or self._made(start, stop)
            yield start, table, block is not None

    def _found(self, start: int) -> tuple[int, pa.Table] | None:
        for path in sorted(self.folder.glob(f"{start:09}-*.parquet"), reverse=True):
            try:
                table = read_parquet(path, "block of answers")
            except FileNotFoundError:
                continue
            except FairflowError as error:
                logger.warning("asked again: %s", error)
                continue
            if table.schema.metadata == self._mark(path):
                return int(path.stem.partition("-")[2]), table.cast(self.schema)
            logger.warning("asked again: %s is of other items, or of another model", path)
        return None

    def _made(self, start: int, stop: int) -> tuple[int, pa.Table]:
        starts = [int(path.stem.partition("-")[0]) for path in self.folder.glob("*.parquet")]
        stop = min([stop, *(other for other in starts if other > start)])
        began, done, tables = time.monotonic(), start, []
        while not tables or (done < stop and time.monotonic() - began < self.seconds):
            together = self.items[done : min(done + self.size, stop)]
            rows = [dict(row) for row in self.answer(together)]
            tables.append(table_of(rows, self.schema))
            done += len(together)
        # Answers of a network lie in circles, which Python collects too seldom by itself.
        gc.collect()
        table = pa.concat_tables(tables).combine_chunks()
        path = self.folder / f"{start:09}-{done:09}.parquet"
        write_parquet(table.replace_schema_metadata(self._mark(path)), path)
        return done, table

    def _mark(self, path: Path) -> dict[bytes, bytes]:
        return {_IS: f"{self.folder.name} {path.stem}".encode()}


def _tell(progress: JobProgress, path: str | Path) -> None:
    earlier = f", {progress.found} of them by an earlier run" if progress.found else ""
    logger.info("%d of %d items answered%s", progress.done, progress.total, earlier)
    write_job_progress(progress, path)


def _remove_others(folder: Path, digest: str) -> None:
    """Remove the blocks that other questions, models or code have left."""
    for other in folder.iterdir() if folder.is_dir() else ():
        if other.is_dir() and other.name != digest:
            logger.info("%s: removed, as what was asked has changed since", other)
            shutil.rmtree(other, ignore_errors=True)
