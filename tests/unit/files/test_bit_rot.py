"""A bit that changes in a result is an error when the result is read, never another value."""

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from one_cell import (
    CELL,
    read_slice,
    read_texts,
    write_cell,
    write_completions,
    write_slice,
    write_tokens,
)

from fairflow.errors import FairflowError
from fairflow.files.parquet import write_rows
from fairflow.files.tables import read_scores, read_table, write_table
from fairflow.language_models.items.item_set import ItemSet, read_items, write_items
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.language_models.slices.slices import embedding_table, read_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.queries.query_file import read_words, write_words
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.records import SCHEMA, Record, plain
from fairflow.statistics.outcome import WordValue
from fairflow.vectors.query_vectors import look_up_query
from fairflow.vectors.random_words import RandomRows

WORDS = {"targets": {"Frauen": ["Mädchen", "she"]}, "attributes": {"Kunst": ["poetry", "art"]}}


def with_flipped_bits(path: Path, times: int) -> Iterator[int]:
    """Give the file one other bit after the other, chosen at random, and then the bytes it had."""
    data = path.read_bytes()
    draw = random.Random(13).randrange
    for position in (draw(8 * len(data)) for _ in range(times)):
        flipped = bytearray(data)
        flipped[position // 8] ^= 1 << position % 8
        path.write_bytes(flipped)
        yield position // 8
    path.write_bytes(data)


def outcomes(read: Callable[[Path], Any], path: Path, times: int) -> list[Any]:
    """What reading gives with one bit flipped: the contents, or what the error says."""
    found = []
    for _ in with_flipped_bits(path, times):
        try:
            found.append(read(path))
        except FairflowError as error:
            found.append(str(error))
    return found


def damaged(path: Path, what: str) -> str:
    return f"{path}: this {what} is damaged"


def write_score(path: Path) -> None:
    counts = {"n_words": 8, "n_found": 8, "n_oov": 0}
    names = dict.fromkeys(("model", "metric", "query", "subquery", "measure"), "toy")
    lists = {name: [] for name in ("oov_words", "duplicated_words", "shared_words")}
    record = Record(
        **names | counts | lists,
        subquery_digest="0123456789abcdef",
        **{PRIMARY: True},
        value=0.1 + 0.2,
        matched_forms=[{"word": "Frau", "form": "frau"}],
        status="ok",
        reason=None,
        words=[WordValue("Frauen", f"Wort {i}", "association", 1 / (i + 3)) for i in range(8)],
    )
    records = [record, replace(record, **{PRIMARY: False}, words=[])]
    write_rows([*map(plain, records)], SCHEMA, path)


def write_study_table(path: Path) -> None:
    draw = np.random.default_rng(1).normal
    frame = pd.DataFrame({"model": ["a", "b"] * 20, "value": draw(size=40), "rank": range(40)})
    write_table(frame, path)


def write_some_tokens(path: Path) -> None:
    text = ScoredText("1", "masked", "a b", 2, positions=(1, 2), words=(0, 1), token_ids=(5, 6))
    write_tokens([replace(text, tokens=("a", "b"), logp=np.array([-0.5, -1.5]))], path)


def write_some_completions(path: Path) -> None:
    facts = {"n_tokens": 2, "logp": -1.5, "ended": True, "decoding": "{}", "seed": 1}
    one = Completion(prompt_id="1", rank=0, text="he", status="ok", reason=None, **facts)
    write_completions([one], path)


def write_some_embeddings(path: Path) -> None:
    rows = np.random.default_rng(2).normal(size=(3, 5)).astype(np.float32)
    nothing = (None,) * 3
    embedded = EmbeddedTexts(("a", "b", "c"), rows, "mean", 2, (1, 1, 2), ("ok",) * 3, nothing)
    write_cell(embedding_table(*CELL, embedded), path)


@pytest.mark.parametrize(
    ("write", "read", "what", "times"),
    [
        (write_score, lambda path: read_scores([path]), "score file", 150),
        (write_study_table, read_table, "table", 80),
        (write_some_tokens, read_texts, "file of cells", 80),
        (write_some_completions, read_texts, "file of cells", 80),
        (write_some_embeddings, lambda path: read_embeddings([path])[CELL], "file of cells", 80),
    ],
    ids=["cell", "study table", "tokens", "completions", "embeddings"],
)
def test_no_flipped_bit_of_a_parquet_file_gives_other_contents(
    write: Callable[[Path], None],
    read: Callable[[Path], Any],
    what: str,
    times: int,
    tmp_path: Path,
):
    path = tmp_path / "some.parquet"
    write(path)
    contents = repr(read(path))
    told = 0
    for outcome in outcomes(read, path, times):
        if isinstance(outcome, str):
            assert outcome.startswith(damaged(path, what))
            assert "Delete it: the next run makes it again." in outcome
            told += 1
        else:
            # The heads of pages have bits that no value depends on.
            assert repr(outcome) == contents
    assert told > 0.8 * times


def slice_contents(path: Path) -> tuple[Any, ...]:
    found = read_slice(path)
    random_rows = found.random
    return (
        *(found.targets, found.attributes, found.forms, found.lookup, found.vectors.tobytes()),
        random_rows and (random_rows.account, random_rows.vectors.tobytes()),
    )


@pytest.fixture
def a_slice(tmp_path: Path) -> Path:
    draw = np.random.default_rng(3).normal
    query = Query([["a", "b"], ["c", "d"]], [["e"], ["f"]])
    found = look_up_query(
        query, lambda word: True, lambda words: draw(size=(len(words), 3)), Lookup()
    )
    rows = RandomRows(("x", "y"), draw(size=(2, 3)).astype(np.float32), ("a", "c"), 1, None)
    return write_slice(replace(found, random=rows), tmp_path / "some.parquet")


def test_no_flipped_bit_of_a_slice_gives_other_contents(a_slice: Path):
    contents = slice_contents(a_slice)
    for outcome in outcomes(slice_contents, a_slice, 400):
        assert outcome == contents or outcome.startswith(damaged(a_slice, "file of cells"))


def test_no_changed_letter_of_words_or_items_passes(tmp_path: Path):
    path = tmp_path / "words.json"
    write_words({"q": WORDS}, path)
    for outcome in outcomes(read_words, path, 400):
        assert outcome == {"q": WORDS} or outcome.startswith(damaged(path, "file of words"))
    items = ItemSet("pair", (PairItem("1", "She sings.", "He sings."),))
    write_items(items, path)
    assert read_items(path) == items
    path.write_text(path.read_text().replace("He sings", "He sinks"))
    with pytest.raises(FairflowError, match="this file of items is damaged"):
        read_items(path)


def test_a_truncated_or_empty_parquet_file_is_damaged(tmp_path: Path):
    path = tmp_path / "some.parquet"
    write_score(path)
    data = path.read_bytes()
    for length in (0, 3, 7, 8, 40, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:length])
        with pytest.raises(FairflowError, match="this score file is damaged"):
            read_scores([path])
