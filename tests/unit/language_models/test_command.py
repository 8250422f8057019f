"""Commands on language models, their queries, and samples files of lm-eval."""

import gzip
import json
from pathlib import Path

import pytest

from fairflow.command.parser import main

ROOT = Path(__file__).parents[3]
MODEL = "word2vec-google-news-300-weat"


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize(
    ("kind", "name", "part"),
    [
        ("model", "all-minilm-l6-v2", "kind: encoder"),
        ("metric", "lpbs", "variant of: lpbs"),
        ("query", "people_pairs", "- category: work"),
    ],
)
def test_whatever_has_a_name_is_shown(kind, name, part, capsys):
    assert main(["show", kind, name]) == 0
    assert part in capsys.readouterr().out


@pytest.mark.usefixtures("in_the_clone")
@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["explain", MODEL, "weat", "people_pairs"], "weat cannot measure people_pairs on"),
        (
            ["score", MODEL, "--query", "weat:6", "--metric", "lpbs"],
            "does not measure word vectors",
        ),
        (["score", MODEL, "--query", "people_pairs", "--metric", "weat"], "only a language model"),
    ],
)
def test_what_measures_no_words_is_refused_for_vectors(arguments, part, capsys):
    assert main(arguments) == 2
    assert part in capsys.readouterr().err


def test_a_samples_file_of_lm_eval_is_scored_item_by_item(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    packed = ROOT / "tests/data/lm_eval/samples_bbq.jsonl.gz"
    name, date = "samples_bbq_2026-11-26T06-51-47.474161.jsonl", "2026-11-26T06-51-47.474161"
    (tmp_path / name).write_bytes(gzip.decompress(packed.read_bytes()))
    (tmp_path / f"results_{date}.json").write_text('{"model_name": "smol", "results": {}}')
    assert main(["score", name]) == 0
    told, table = capsys.readouterr().out.split("\n\n")
    assert told.splitlines()[0] == "task bbq of lm-eval, 70 items, by smol"
    header, bias, *_ = table.splitlines()
    assert header.split("  ")[0] == "lm-eval"
    assert bias.split()[:5] == ["amb_bias_score", "0.1714", "0.1935", "bbq", "bias_ambiguous"]
    assert main(["score", name, "--no-statistics", "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["n_clusters"] for row in rows] == [21, 18, 21, 21, 21]
    assert rows[0]["ci_low"] is None


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (None, "No such file or directory"),
        ("", "samples_x.jsonl has no lines"),
        ('{"doc_id": 0, "doc"', "line 1: no JSON"),
        ('{"doc_id": 0, "doc": {"premise": "A"}}', "the task is not known"),
    ],
)
def test_a_samples_file_that_cannot_be_read_says_why(tmp_path, monkeypatch, capsys, content, why):
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / "samples_x.jsonl").write_text(content)
    assert main(["score", "samples_x.jsonl"]) == 2
    assert why in capsys.readouterr().err
