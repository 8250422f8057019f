"""Planted texts on the way of a study: read, counted, and tabulated."""

import numpy as np
import pandas as pd
from planted_corpora import SETS, WINDOW, texts_of, write_table

from fairflow.corpora.corpus import FILES, Corpus, read_corpus
from fairflow.corpora.sample import Sample
from fairflow.corpora.subcorpora import documents_of, subcorpora
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.drawn_scores import count_queries
from fairflow.studies.corpora.every_table import corpus_tables

_WORDS, _NAMES = [*SETS.values()], [*SETS]
QUERY = Query(_WORDS[:2], _WORDS[2:], _NAMES[:2], _NAMES[2:])
DEFINITION = {"text": "text", "date": "part", "preparation": {"token": "[a-z]+"}}
NO_DRAWS = pd.DataFrame(columns=["model", "kind", "draw", "metric", "query", "subquery"])
NO_SCORES = NO_DRAWS.assign(is_primary=np.empty(0, bool))


def planted_tables(folder, documents, shuffled=0):
    """The card of a corpus of decades, and its tables.

    documents : of each decade, word numbers and bounds.
    """
    years = range(1000, 1000 + 10 * len(documents), 10)
    rows = {year: texts_of(*drawn) for year, drawn in zip(years, documents, strict=True)}
    write_table(folder / "texts.csv", rows)
    paths = {name: folder / file for name, file in FILES.items()}
    card = read_corpus(folder / "texts.csv", DEFINITION, paths)
    corpus = Corpus.open(paths)
    divisions = {"decades": {"date": [*years, years[-1] + 10]}}
    parts = subcorpora(divisions)
    counts = [
        count_queries(
            Sample(corpus, documents_of(corpus, divisions, part.name)),
            f"planted-{part.name}",
            {"genders": (QUERY, Lookup())},
            shuffled,
            1,
            window=WINDOW,
            contexts=0,
            minimum_count=1,
        )
        for part in parts
    ]
    return card, corpus_tables(counts, parts, NO_DRAWS, NO_SCORES, {}, 0.95, 1)
