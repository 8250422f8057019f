"""The tables of a corpus: each score with its draws, each word with its counts."""

import math

import numpy as np
import pandas as pd
import pytest

from fairflow.corpora.drawn_scores import count_queries
from fairflow.corpora.draws import DrawnEstimate, spread
from fairflow.corpora.sample import Subcorpus
from fairflow.corpora.tables import corpus_tables
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.ranked import PRIMARY

SEED = 5
QUERY = Query([["word1"], ["Word2", "absent"]], [["word3"], ["word0"]], ["A", "B"], ["C", "D"])
PARTS = [Subcorpus("times", "old", "Old", 1850.0), Subcorpus("times", "new", "New", 1950.0)]
MODELS = {
    f"c-{n}-sgns": {"subcorpus": n, "embedding": "sgns", "corpus": "c"} for n in ("old", "new")
}
HOW = {"window": 4, "contexts": 0, "minimum_count": 1}


def drawn(model, kind, number, value, reason=None):
    told = {"metric": "weat", "measure": "weat", "query": "q", "subquery": QUERY.query_name}
    return told | {"model": model, "kind": kind, "draw": number, "value": value, "reason": reason}


def score(model, value, primary=True, reason=None):
    told = {"metric": "weat", "query": "q", "subquery": QUERY.query_name, PRIMARY: primary}
    words = {"draws": [value - 0.2, value, value + 0.2], "ci_low_both": -1.0, "ci_high_both": 2.0}
    words |= {"least": math.nan, "most": math.nan}
    return told | {"model": model, "value": value, "reason": reason} | words


VALUES = np.random.default_rng(4).normal(0.5, 0.1, 12)


@pytest.fixture(scope="module")
def tables(sample_of, random_documents):
    asked = {"q": (QUERY, Lookup([{}, {"lowercase": True}]))}
    counts = [
        count_queries(sample_of(texts), "c", asked, 2, SEED, **HOW)
        for texts in (random_documents[:40], random_documents)
    ]
    old, new = MODELS
    draws = [drawn(old, "documents", n, value) for n, value in enumerate(VALUES)]
    draws += [drawn(old, "seeds", n, value) for n, value in enumerate((0.5, 0.52, 0.51), start=1)]
    draws += [drawn(old, "shuffled", n, value) for n, value in enumerate((0.0, 0.1, -0.1))]
    draws += [drawn(new, "documents", 0, math.nan, "sister is missing")]
    draws = [*draws, drawn("other", "documents", 0, 9.0)]
    scores = [score(old, 0.55), score(old, 7.0, primary=False), score("other", 9.0)]
    scores += [score(new, math.nan, reason="B lost 1 of 2 words")]
    frames = pd.DataFrame(draws), pd.DataFrame(scores)
    return corpus_tables(counts, PARTS, *frames, MODELS, 0.95, SEED)


def test_a_score_of_the_study_has_the_draws_of_its_model(tables):
    rows = tables["corpus_scores"].query("metric == 'weat'").to_dict("records")
    assert [row["label"] for row in rows] == ["Old", "New"]
    row = rows[0]
    assert (row["value"], row["embedding"], row["position"]) == (0.55, "sgns", 1850.0)
    assert row["low"] == spread([(1.0, DrawnEstimate.of(0.55, VALUES, 40, factor=40 / 39))]).low
    assert (row["low_words"], row["high_words"]) == (-1.0, 2.0)
    assert (row["n_draws"], row["n_shuffled"], row["n_documents"]) == (12, 3, 40)
    assert (row["null_mean"], row["excess"], row["n_clusters"]) == (0.0, 0.55, 40)
    assert row["null_low"] < -0.1 < 0.1 < row["null_high"]
    # The model itself is one of the seeds.
    seeds = np.var([0.55, 0.5, 0.52, 0.51], ddof=1)
    documents = np.var(VALUES, ddof=1) * 40 / 39 - seeds
    shares = np.array([documents, seeds, 0.04])
    found = [row[f"share_{part}"] for part in ("documents", "seeds", "words")]
    assert found == pytest.approx(shares / shares.sum())
    assert math.isnan(row["analytic_low"])


def test_each_subcorpus_has_a_log_odds_ratio_with_the_ratio_of_its_intervals(tables):
    rows = tables["corpus_scores"].query("embedding == 'counts'")
    assert list(rows["subcorpus"]) == ["old", "new"]
    widths = (rows["high"] - rows["low"]) / (rows["analytic_high"] - rows["analytic_low"])
    assert list(rows["ratio"]) == list(widths)
    assert (rows["n_first"] > 0).all()


def test_words_are_counted_as_the_query_writes_them(tables, random_documents):
    rows = tables["corpus_words"].query("subcorpus == 'new'").to_dict("records")
    texts = [word for text in random_documents for word in text]
    told = {(row["role"], row["set"], row["word"]): row["count"] for row in rows}
    assert told == {
        ("targets", "A", "word1"): texts.count("word1"),
        ("targets", "B", "Word2"): texts.count("word2"),
        ("targets", "B", "absent"): 0,
        ("attributes", "C", "word3"): texts.count("word3"),
        ("attributes", "D", "word0"): texts.count("word0"),
    }
    assert rows[0]["tokens"] == len(texts)
    assert rows[0]["per_million"] == pytest.approx(1e6 * texts.count("word1") / len(texts))


def test_trends_are_of_every_score(tables):
    found = tables["corpus_trends"][["embedding", "contrast"]].itertuples(index=False)
    assert {tuple(row) for row in found} == {
        ("counts", "New minus Old"),
        ("sgns", "New minus Old"),
    }
