"""`fairflow.score`: the numbers of the terminal, as a table that shows and draws itself."""

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from gensim.models import KeyedVectors
from matplotlib.figure import Figure

import fairflow
from fairflow import WEAT, BaseMetric, Outcome, Query, WordEmbeddingModel
from fairflow.command.parser import main
from fairflow.errors import FairflowError

SETS = yaml.safe_load((Path(__file__).parents[3] / "config/word_sets/weat.yaml").read_text())[
    "sets"
]
OF_WEAT_6 = [SETS[name]["words"] for name in ("male_names", "female_names", "career", "family")]
WORDS = [word for words in OF_WEAT_6 for word in words]
ROWS = np.random.default_rng(6).standard_normal((len(WORDS), 5)).round(4).astype(np.float32)
VECTORS = dict(zip(WORDS, ROWS, strict=True))
OWN = Query(OF_WEAT_6[:2], OF_WEAT_6[2:], ["Men", "Women"], ["Career", "Family"])


def keyed() -> KeyedVectors:
    made = KeyedVectors(5)
    made.add_vectors(WORDS, ROWS)
    return made


@pytest.fixture
def file(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    lines = [f"{word} {' '.join(map(str, row))}\n" for word, row in VECTORS.items()]
    Path("my.txt").write_text("".join(lines))
    return Path("my.txt")


def test_it_has_the_rows_of_the_terminal(file, capsys):
    assert main(["score", "my.txt", "--query", "weat:6", "--metric", "weat_es", *FORMAT]) == 0
    (told,) = json.loads(capsys.readouterr().out)
    (row,) = fairflow.score(file, "weat:6", "weat_es").to_dict("records")
    assert {name: row[name] for name in told} == told
    assert row["sets"] == "Male names, Female names - Career, Family"


FORMAT = ["--format", "json"]


@pytest.mark.parametrize(
    "vectors",
    [VECTORS, keyed(), WordEmbeddingModel(VECTORS, "mine")],
    ids=lambda v: type(v).__name__,
)
def test_vectors_in_memory_have_the_scores_of_their_file(file, vectors):
    of_file = fairflow.score("my.txt", "weat_6", "weat_es")
    in_memory = fairflow.score(vectors, "weat_6", "weat_es", name="my")
    pd.testing.assert_frame_equal(pd.DataFrame(in_memory), pd.DataFrame(of_file))


def test_what_is_scored_is_what_run_query_says():
    (row,) = fairflow.score(VECTORS, OWN, WEAT).to_dict("records")
    found = WEAT().run_query(OWN, keyed(), calculate_p_value=True, calculate_intervals=True)
    ends = found["intervals"]["effect_size"]["targets"]
    assert (row["value"], row["p_value"]) == (found["effect_size"], found["p_value"])
    assert (row["ci_low"], row["ci_high"]) == tuple(ends)
    assert (row["metric"], row["query"], row["n_oov"]) == ("WEAT", OWN.query_name, 0)


class Nearest(BaseMetric):
    """The largest inner product."""

    metric_template = (1, 1)
    metric_name = metric_short_name = "Nearest"
    measure_names = ("nearest",)

    def compute(self, targets, attributes) -> Outcome:
        value = float((targets[0].vectors @ attributes[0].vectors.T).max())
        return Outcome(value, {"nearest": value})


def test_a_metric_and_a_query_of_ones_own_need_no_file():
    query = Query([["John", "Paul"]], [["career"]], ["Names"], ["Career"])
    (row,) = fairflow.score(VECTORS, query, Nearest).to_dict("records")
    expected = max(VECTORS[name] @ VECTORS["career"] for name in ("John", "Paul"))
    assert row["value"] == pytest.approx(expected)


@pytest.fixture(scope="module")
def table() -> pd.DataFrame:
    return fairflow.score(VECTORS | {"he": ROWS[0]}, [OWN, "weat_7"], ["weat_es", "mac"])


def test_it_shows_what_a_person_reads_and_is_a_frame(table):
    head, *lines = repr(table).splitlines()
    assert head.split()[:3] == ["sets", "measure", "value"]
    assert len(lines) == 4
    assert "lost_vocabulary: Math lost 8 of 8 words" in lines[2]
    assert '<td style="text-align: left">Men, Women - Career, Family</td>' in table._repr_html_()
    assert repr(table[table["query"] == "weat_7"]).count("\n") == 2
    # Without the columns that are read, it is any frame.
    assert repr(table[["value"]]) == repr(pd.DataFrame(table)[["value"]])
    assert repr(pickle.loads(pickle.dumps(table))) == repr(table)


def test_it_and_its_figure_say_which_measure_a_metric_has():
    def head(*metrics):
        found = fairflow.score(VECTORS, OWN, metrics, statistics=False)
        (panel,) = found.plot("effect_sizes").axes
        return re.split("  +", repr(found))[1], panel.get_title(loc="left")

    sample = "WEAT effect size (sample sd)"
    assert head("weat") == ("WEAT difference", "WEAT difference")
    assert head("weat_es") == ("WEAT effect size", "WEAT effect size")
    assert head("weat_es_caliskan") == head(WEAT) == (sample, sample)


def test_only_what_scores_alone_show_is_drawn(table):
    suited = "Figures that it has: effect_sizes, forest_plot, word_associations$"
    for name in ("overview", "eat_map", "ranking_bars", "no_such"):
        with pytest.raises(FairflowError, match=f"drawn as '{name}'. {suited}"):
            table.plot(name)
    with pytest.raises(FairflowError, match=r"^figure 'no_such.py': there is no such file"):
        table.plot("no_such.py")


def test_two_scores_of_one_model_are_not_drawn_as_one(table):
    with pytest.raises(FairflowError, match=r"two scores of .* by weat_es .* own name"):
        fairflow.plot(table, fairflow.score(VECTORS, OWN, "weat_es", statistics=False))
    other = fairflow.score(VECTORS, "weat_6", WEAT, statistics=False)
    assert isinstance(fairflow.plot(table, other), Figure)


def test_it_draws_itself_and_others(table):
    drawn = table.plot()
    assert isinstance(drawn, Figure)
    assert drawn._repr_png_().startswith(b"\x89PNG")
    other = fairflow.score(VECTORS, OWN, "weat_es", name="other")
    of_both = fairflow.plot(other, fairflow.score(VECTORS, OWN, "weat_es", name="mine"))
    labels = [text.get_text() for legend in of_both.legends for text in legend.get_texts()]
    assert labels[:2] == ["other", "mine"]
    words = table[table["metric"] == "weat_es"].plot("word_associations")
    assert "John" in {label.get_text() for label in words.axes[0].get_yticklabels()}


def test_what_it_rests_on_can_be_cited(file):
    (cited,) = fairflow.score(file, "caliskan2017", statistics=False).citations()
    assert cited.startswith("Caliskan, A., Bryson")


def test_queries_of_words_are_listed_by_name_in_one_language():
    listed = fairflow.list_queries("career", "NAMES")
    assert "weat_6" in listed
    assert repr(listed).splitlines()[0].startswith(next(iter(listed)))
    with pytest.raises(FairflowError, match="no query in 'la' has 'career' in its line"):
        fairflow.list_queries("career", language="la")
    with pytest.raises(FairflowError, match="no query in 'en' has 'nothing like it'"):
        fairflow.list_queries("nothing like it")


@pytest.mark.parametrize(
    ("arguments", "error", "part"),
    [
        ((VECTORS, "weat_66"), FairflowError, "weat_6"),
        ((VECTORS, OWN, "waet"), FairflowError, "Did you mean 'weat'"),
        ((VECTORS, OWN, [WEAT()]), TypeError, "metrics must be a name, a class"),
        ((VECTORS, OWN, 3), TypeError, "metrics must be a name, a class of metrics or a list"),
        ((VECTORS, OWN, int), TypeError, "a metric must be a name or a subclass"),
        ((VECTORS, [3]), TypeError, "queries must be a name, a Query or a list of these, got 3"),
        ((1, OWN), TypeError, "vectors must be a path, a name, KeyedVectors"),
        (("my.text",), FairflowError, "there is no file 'my.text'"),
    ],
)
def test_whatever_is_wrong_is_said(arguments, error, part):
    with pytest.raises(error, match=part):
        fairflow.score(*arguments)
