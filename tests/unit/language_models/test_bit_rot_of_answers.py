"""A bit that changes in answers or items is an error when they are read."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from answer_cells import read_texts, write_completions, write_tokens
from damage import assert_told
from one_cell import CELL, write_cell

from fairflow.errors import FairflowError
from fairflow.language_models.items.item_set import ItemSet, read_items, write_items
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.slices.answers import Completion, EmbeddedTexts, ScoredText
from fairflow.language_models.slices.slices import embedding_table, read_embeddings


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
    ("write", "read"),
    [
        (write_some_tokens, read_texts),
        (write_some_completions, read_texts),
        (write_some_embeddings, lambda path: read_embeddings([path])[CELL]),
    ],
    ids=["tokens", "completions", "embeddings"],
)
def test_no_flipped_bit_of_answers_gives_other_contents(write, read, tmp_path):
    assert_told(write, read, "file of cells", 80, tmp_path / "some.parquet")


def test_no_changed_letter_of_items_passes(tmp_path):
    path = tmp_path / "items.json"
    items = ItemSet("pair", (PairItem("1", "She sings.", "He sings."),))
    write_items(items, path)
    assert read_items(path) == items
    path.write_text(path.read_text().replace("He sings", "He sinks"))
    with pytest.raises(FairflowError, match="this file of items is damaged"):
        read_items(path)
