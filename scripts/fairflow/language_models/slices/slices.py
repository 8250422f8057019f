"""The three slices that need torch to make, and nothing but numpy and pyarrow to read.

Token slice, one row per scored token (`TOKEN_SCHEMA`), a text that could not be scored being one
row without token; embedding slice, one row per text (`EMBEDDING_SCHEMA`); completion slice, one
row per completion (`COMPLETION_SCHEMA`). Equal content gives equal bytes. The answers of a long
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
    parquet_schema,
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
# Key of the context templates of words, each with WEAT's effect size for it alone.
CONTEXT_TEMPLATES = "context_templates"
# Key of what became of given answers.
ACCOUNT = "answers"

TOKEN_SCHEMA = pa.schema(
    [
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


# A column `vector` of float32 follows, null of a text without vector.
EMBEDDING_SCHEMA = pa.schema(
    [
        ("text", pa.string()),
        ("pooling", pa.string()),
        ("layer", pa.int32()),
        ("n_tokens", pa.int32()),
        ("status", pa.string()),
        ("reason", pa.string()),
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
    """The rows of a token slice."""
    for text in texts:
        shared = {name: getattr(text, name) for name in OF_A_TEXT}
        attention = None if text.attention is None else text.attention.tolist()
        own = {column: getattr(text, name) for column, name in OF_A_TOKEN.items()}
        own |= {"logp": text.logp.tolist(), "attention": attention}
        if not text.positions:
            yield shared
        for number in range(len(text.positions)):
            yield shared | {name: None if of is None else of[number] for name, of in own.items()}


def write_tokens(texts: Iterable[ScoredText], path: str | Path) -> None:
    """Write a token slice."""
    write_rows(list(token_rows(texts)), TOKEN_SCHEMA, path)


def read_tokens(path: str | Path) -> list[ScoredText]:
    """The inverse of `write_tokens`."""
    rows = read_rows(path, TOKEN_SCHEMA)
    same = groupby(rows, key=lambda row: (row["text_id"], row["variant"]))
    # Millions of tokens are of some thousand kinds, and numbers and names take most of the memory.
    kept: dict[Any, Any] = {}
    return [_scored_text(list(group), lambda one: kept.setdefault(one, one)) for _, group in same]


def completion_rows(completions: Iterable[Completion]) -> Iterator[dict[str, Any]]:
    """The rows of a completion slice."""
    for one in completions:
        given = None if one.likelihoods is None else json.dumps(one.likelihoods)
        yield vars(one) | {"likelihoods": given}


def write_completions(
    completions: Iterable[Completion],
    path: str | Path,
    account: Mapping[str, Any] | None = None,
) -> None:
    """Write a completion slice.

    Parameters
    ----------
    account : of answers that were given, what became of them: see `given_account`.
    """
    table = table_of(list(completion_rows(completions)), COMPLETION_SCHEMA)
    told = {ACCOUNT: json.dumps(account, ensure_ascii=False)} if account else None
    write_parquet(table.replace_schema_metadata(told), path)


def given_account(path: str | Path) -> dict[str, Any]:
    """What became of answers that were given; {} of a slice that a network made."""
    metadata = parquet_schema(path, "slice").metadata or {}
    return json.loads(metadata.get(ACCOUNT.encode(), b"{}"))


def read_completions(path: str | Path) -> list[Completion]:
    """The inverse of `write_completions`."""
    return [
        Completion(**row | {"logp": _number(row["logp"]), "likelihoods": _given(row)})
        for row in read_rows(path, COMPLETION_SCHEMA)
    ]


def _given(row: Mapping[str, Any]) -> dict[str, float | tuple[float, ...]] | None:
    """The log-likelihoods that were given for the choices of an item."""
    if row["likelihoods"] is None:
        return None
    given = json.loads(row["likelihoods"])
    return {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}


def read_slice(path: str | Path) -> list[Completion] | list[ScoredText]:
    """A slice of completions or of tokens, whichever the file is."""
    of_completions = "prompt_id" in parquet_schema(path, "slice").names
    return read_completions(path) if of_completions else read_tokens(path)


def write_embeddings(embedded: EmbeddedTexts, path: str | Path) -> None:
    """Write an embedding slice; random words are rows of status "random"."""
    random, vectors = embedded.random, embedded.rows
    texts = zip(embedded.texts, embedded.n_tokens, embedded.statuses, embedded.reasons, strict=True)
    rows = [dict(zip(("text", "n_tokens", "status", "reason"), one, strict=True)) for one in texts]
    metadata = {}
    if random is not None:
        rows += [{"text": word, "status": RANDOM} for word in random.words]
        vectors = np.concatenate([vectors, random.vectors])
        metadata[RANDOM] = json.dumps(random.account)
    if embedded.context_templates:
        effects = {one: embedded.effects.get(one, math.nan) for one in embedded.context_templates}
        nulls = {one: None if math.isnan(size) else size for one, size in effects.items()}
        metadata[CONTEXT_TEMPLATES] = json.dumps(nulls)
    shared = {"pooling": embedded.pooling, "layer": embedded.layer}
    table = table_of([shared | row for row in rows], EMBEDDING_SCHEMA)
    vectors = np.ascontiguousarray(vectors, dtype=np.float32)
    values = pa.Array.from_buffers(pa.float32(), vectors.size, [None, pa.py_buffer(vectors)])
    column = pa.FixedSizeListArray.from_arrays(values, vectors.shape[1])
    table = table.append_column("vector", column).replace_schema_metadata(metadata or None)
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
    flat = vectors.flatten()
    values = np.frombuffer(flat.buffers()[1], dtype=np.float32)[flat.offset :][: len(flat)]
    rows = values.reshape(-1, vectors.type.list_size).copy()
    metadata = table.schema.metadata or {}
    effects = json.loads(metadata.get(CONTEXT_TEMPLATES.encode(), b"{}"))
    n_texts, random = len(rows) - columns["status"].count(RANDOM), None
    if RANDOM.encode() in metadata:
        account = json.loads(metadata[RANDOM.encode()])
        named = {name: tuple(account[name]) for name in ("words", "of")}
        random = RandomRows(**account | named, vectors=rows[n_texts:])
    return EmbeddedTexts(
        texts=tuple(columns["text"][:n_texts]),
        rows=rows[:n_texts],
        pooling=columns["pooling"][0] if columns["pooling"] else "",
        layer=columns["layer"][0] if columns["layer"] else -1,
        n_tokens=tuple(columns["n_tokens"][:n_texts]),
        statuses=tuple(columns["status"][:n_texts]),
        reasons=tuple(columns["reason"][:n_texts]),
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


logger = logging.getLogger(__name__)

# Items of a row group of the file, whose answers are in memory together.
ITEMS = 256
# Seconds after which a block is written; a killed job loses at most these and the current items.
SECONDS = 10.0

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

    Finished blocks are in `partial_folder(path)` until all are complete, and memory holds one of
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
    folder = partial_folder(path) / digest
    for other in folder.parent.iterdir() if folder.parent.is_dir() else ():
        if other.is_dir() and other != folder:
            logger.info("%s: removed, as what was asked has changed since", other)
            shutil.rmtree(other, ignore_errors=True)

    def ask(start: int, stop: int) -> pa.Table:
        return table_of([dict(row) for row in answer(items[start:stop])], schema)

    told = JobProgress(0, len(items), 0, 0.0, time.time())
    _tell(told, path)
    group = -(-ITEMS // size) * size
    with parquet_parts(path, schema) as write:
        for start in range(0, len(items), group):
            stop, tables = min(start + group, len(items)), []
            while told.done < stop:
                began = time.monotonic()
                found = _found_block(folder, told.done)
                block = found or _new_block(folder, told.done, stop, ask, size, seconds)
                spent = told.seconds + (0.0 if found else time.monotonic() - began)
                n_found = told.found + (block[0] - told.done if found else 0)
                told = JobProgress(block[0], len(items), n_found, spent, time.time())
                tables.append(block[1].cast(schema))
                _tell(told, path)
            write(pa.concat_tables(tables).combine_chunks())
    shutil.rmtree(folder.parent, ignore_errors=True)


def _found_block(folder: Path, start: int) -> tuple[int, pa.Table] | None:
    """Where a block that an earlier run left from some item on ends, and its answers."""
    for path in sorted(folder.glob(f"{start:09}-*.parquet"), reverse=True):
        try:
            table = read_parquet(path, "block of answers")
        except FileNotFoundError:
            continue
        except FairflowError as error:
            logger.warning("asked again: %s", error)
            continue
        if table.schema.metadata == _mark(path):
            return int(path.stem.partition("-")[2]), table
        logger.warning("asked again: %s is of other items, or of another model", path)
    return None


def _new_block(
    folder: Path,
    start: int,
    stop: int,
    ask: Callable[[int, int], pa.Table],
    size: int,
    seconds: float,
) -> tuple[int, pa.Table]:
    """Query the model with items from a position on, `size` at a time, for some seconds."""
    began, done, tables = time.monotonic(), start, []
    while not tables or (done < stop and time.monotonic() - began < seconds):
        end = min(done + size, stop)
        tables.append(ask(done, end))
        done = end
    # A network's outputs are in reference cycles, which Python collects too rarely by itself.
    gc.collect()
    table = pa.concat_tables(tables).combine_chunks()
    path = folder / f"{start:09}-{done:09}.parquet"
    write_parquet(table.replace_schema_metadata(_mark(path)), path)
    return done, table


def _mark(path: Path) -> dict[bytes, bytes]:
    """What a block says it is: of what was asked, and from which item up to which."""
    return {b"block": f"{path.parent.name} {path.stem}".encode()}


def _tell(progress: JobProgress, path: str | Path) -> None:
    earlier = f", {progress.found} of them by an earlier run" if progress.found else ""
    logger.info("%d of %d items answered%s", progress.done, progress.total, earlier)
    write_job_progress(progress, path)
