"""Scores of the vectors of draws: other samples of documents, other seeds, shuffled tokens.

A draw is scored as a cell is (`fairflow.scores.word_cell`), so that the draw that is the model
itself has the values of its cell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pyarrow as pa

from fairflow.corpora.cooccurrence import SubcorpusCounts, count_subcorpus, numbered_words
from fairflow.corpora.sample import Sample
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.queries.query_file import query_of, read_words
from fairflow.scores.records import ranked
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.vectors.query_vectors import look_up_query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_rows import word_rows

_TEXTS = dict.fromkeys(("metric", "query", "subquery", "reason"), pa.string())
SCHEMA = pa.schema({"kind": pa.string(), "draw": pa.int64(), "value": pa.float64(), **_TEXTS})
# By name: a query, and how its words are looked up.
Queries = Mapping[str, tuple[Query, Lookup]]


def read_queries(paths: Iterable[str], lookups: Mapping[str, Mapping[str, Any]]) -> Queries:
    """The queries in files, with their look-ups by name."""
    words = {name: told for path in paths for name, told in read_words(path).items()}
    return {name: (query_of(words[name]), Lookup(**how)) for name, how in lookups.items()}


def drawn_rows(
    draws: Iterable[tuple[str, int]],
    vectors_of: Callable[[str, int], tuple[Sequence[str], np.ndarray]],
    queries: Queries,
    variants: Mapping[str, WordVariant],
    computed: Mapping[str, str],
    seed: int,
    name: str,
) -> Iterator[dict[str, Any]]:
    """The value of each metric on each draw and query that it takes, as rows of `SCHEMA`.

    value : of the measure that the variant is ranked by. reason : why it is NaN, else None.

    Parameters
    ----------
    draws : kind and number. vectors_of : a draw's words and vectors (words, dims).
    variants : by name of the metric. computed : metric -> the one after which its score files are
        named. name : of the model.
    """
    for kind, number in draws:
        model = WordEmbeddingModel(word_rows(vectors_of(kind, number)))
        for query, (asked, lookup) in queries.items():
            found = model.look_up(asked, lookup)
            for metric, variant in variants.items():
                if variant.query_problem(asked.template, asked.declared.names):
                    continue
                cell = Cell(name, computed[metric], query)
                for one in ranked(score_cell(found, variant, cell, seed)):
                    told = {key: getattr(one, key) for key in SCHEMA.names[2:]}
                    yield told | {"kind": kind, "draw": number, "metric": metric}


def count_queries(
    sample: Sample, name: str, queries: Queries, shuffled: int, seed: int, **how: int
) -> SubcorpusCounts:
    """The words of queries in a subcorpus, looked up and counted.

    Parameters
    ----------
    name : CORPUS-SUBCORPUS. shuffled, how : see `count_subcorpus`.
    """
    held = {sample.corpus.words[number] for number in numbered_words(sample)}
    sets, forms = dict[str, Any](), list[str]()
    for query, (asked, lookup) in queries.items():
        found, every = (
            look_up_query(asked, held.__contains__, lambda some: np.ones((len(some), 1)), policy)
            for policy in (lookup, replace(lookup, strategy="all"))
        )
        sets[query] = {
            role: [asdict(account) for account in getattr(found, role)]
            for role in ("targets", "attributes")
        }
        # Where a model lacks the first form of a word, it may have another.
        forms += every.forms
    return count_subcorpus(sample, name, sets, forms, shuffled, seed, **how)
