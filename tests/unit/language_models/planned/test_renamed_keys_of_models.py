"""A key or value of language models that version 0.2 renamed is refused, with the new name."""

from pathlib import Path

import pytest
from shipped import SCHEMAS

from fairflow.errors import former_names
from fairflow.planning.configuration import shape_problems

RENAMED = former_names()["renamed"]
SLOTS = {"kind": "slot", "templates": ["{target} {fill}"], "groups": {"g": ["y"]}, "fills": ["x"]}
ENCODER = {"label": "E", "kind": "encoder", "folder": "e"}
OLD = {
    "carriers": ("language_models", {"e": ENCODER | {"carriers": "none"}}, "e: "),
    "unit": ("language_queries", {"queries": {"q": SLOTS | {"unit": "fill"}}}, "queries.q: "),
    "sequel": ("language_queries", {"queries": {"q": {"kind": "sequel"}}}, "queries.q.kind: "),
    "sequels": (
        "language_queries",
        {"queries": {"q": {"kind": "continuation", "sequels": []}}},
        "queries.q: ",
    ),
    "texts": ("language_models", {"e": {"kind": "texts", "folder": "e"}}, "e.kind: "),
    "completions": (
        "language_models",
        {"e": {"kind": "answers", "answers": "a.jsonl", "completions": {}}},
        "e: ",
    ),
}


@pytest.mark.parametrize("old", OLD)
def test_the_message_says_file_key_and_new_name(old):
    schema, contents, key = OLD[old]
    (sentence,) = shape_problems(contents, schema, Path("config/mine.yaml"), SCHEMAS)
    assert sentence.startswith(f"config/mine.yaml: {key}")
    assert sentence.endswith(f"Since version 0.2 its name is {RENAMED[old]!r}.")
    assert f"{old!r}" in sentence
