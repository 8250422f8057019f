"""Planted texts on the way of a study: read, counted, scored, and tabulated."""

from functools import partial

import numpy as np
import pandas as pd
from planted_corpora import SETS, WINDOW, texts_of, write_table

from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.corpora.drawn_scores import count_queries, drawn_rows
from fairflow.corpora.embeddings import Training
from fairflow.corpora.sample import Sample, documents_of, subcorpora
from fairflow.corpora.tables import corpus_tables
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.ranked import PRIMARY
from fairflow.scores.word_variant import WordVariant

_WORDS, _NAMES = [*SETS.values()], [*SETS]
QUERIES = {"genders": (Query(_WORDS[:2], _WORDS[2:], _NAMES[:2], _NAMES[2:]), Lookup())}
DEFINITION = {"text": "text", "date": "part", "preparation": {"token": "[a-z]+"}}
SIZE = WordVariant("weat", "weat", "effect_size", parameters={"convention": "wefe"})
# Of the vectors. The study's table of scores has more columns.
CONTEXTS, SEED = 100, 1
NO_DRAWS = pd.DataFrame(columns=["model", "kind", "draw", "metric", "query", "subquery"])
OF_SCORE = {PRIMARY: True, "draws": [], "ci_low_both": np.nan, "ci_high_both": np.nan}
OF_SCORE |= {"least": -2.0, "most": 2.0}


def planted_tables(folder, documents, shuffled=0, draws=0, of_author=1, cluster=""):
    """The card of a corpus of decades, and its tables.

    documents : of each decade, word numbers and bounds. draws : of documents, for the effect size
    of vectors of positive PMI; 0 for no vectors. of_author : consecutive documents of one author.
    """
    years = range(1000, 1000 + 10 * len(documents), 10)
    rows = {year: texts_of(*drawn) for year, drawn in zip(years, documents, strict=True)}
    write_table(folder / "texts.csv", rows, of_author)
    paths = {name: folder / file for name, file in FILES.items()}
    card = read_corpus(folder / "texts.csv", DEFINITION, paths)
    corpus = Corpus.open(paths)
    divisions = {"decades": {"date": [*years, years[-1] + 10]}}
    parts = subcorpora(divisions)
    how = {"window": WINDOW, "contexts": CONTEXTS if draws else 0, "minimum_count": 1}
    counts = [
        count_queries(
            Sample(corpus, documents_of(corpus, divisions, part.name), cluster),
            *(f"planted-{part.name}", QUERIES, shuffled, SEED),
            **how,
        )
        for part in parts
    ]
    models = {f"{one.name}-pmi": one for one in counts} if draws else {}
    asked = [("seeds", 0), *(("documents", n) for n in range(draws))]
    asked += [("shuffled", n) for n in range(shuffled)]
    drawn = [_drawn(name, counted, asked) for name, counted in models.items()]
    every = pd.concat([*drawn, NO_DRAWS])
    scores = [row | OF_SCORE for row in every[every["kind"] == "seeds"].to_dict("records")]
    scores = pd.DataFrame(scores, columns=[*every, *OF_SCORE])
    every = every[every["kind"] != "seeds"]
    told = (({"subcorpus": part.name, "embedding": "pmi"}) for part in parts)
    told = dict(zip(models, told, strict=False))
    return card, corpus_tables(counts, parts, every, scores, told, 0.95, SEED)


def _drawn(name, counts, asked):
    """The draws of the model of a subcorpus, the model itself among them."""
    training = Training(name, "pmi", {"contexts": CONTEXTS}, WINDOW, 1, SEED)
    vectors_of = partial(training.reweighted, counts)
    rows = drawn_rows(asked, vectors_of, QUERIES, {"weat": SIZE}, {"weat": "weat"}, SEED, name)
    return pd.DataFrame([*rows]).assign(model=name)
