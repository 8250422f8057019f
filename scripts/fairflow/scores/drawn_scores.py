"""Scores of the vectors of draws: other samples of documents, other seeds, shuffled tokens.

A draw is scored as a cell is (`fairflow.scores.word_cell`), so that the draw that is the model
itself has the values of its cell.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from fairflow.corpora.cooccurrence import vocabulary
from fairflow.corpora.embeddings import pmi_vectors, train
from fairflow.corpora.sample import Sample, draw
from fairflow.corpora.subcorpus_counts import SubcorpusCounts, count_subcorpus
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordScorer, WordVariant, reason_of
from fairflow.vectors.query_vectors import QueryVectors, look_up_query
from fairflow.vectors.word_embedding_model import WordEmbeddingModel, word_rows

_TEXT = pa.string()
SCHEMA = pa.schema(
    {
        "kind": _TEXT,
        "draw": pa.int64(),
        **dict.fromkeys(("metric", "measure", "query", "subquery"), _TEXT),
        "value": pa.float64(),
        "reason": _TEXT,
    }
)
# Draws whose co-occurrences are in memory at once.
_TOGETHER = 20


class DrawnVectors(NamedTuple):
    """The vectors of a draw: kind and number of the draw, words, (words, dims)."""

    kind: str
    number: int
    words: Sequence[str]
    vectors: np.ndarray


def trained_draws(
    sample: Sample, draws: Iterable[tuple[str, int]], seed: int, name: str, **how: Any
) -> Iterator[DrawnVectors]:
    """Vectors that are trained for each draw.

    Parameters
    ----------
    name : of the model. how : embedding, parameters, window and minimum_count, see `train`.
    """
    for kind, number in draws:
        drawn, own = draw(sample, kind, number, seed, name)
        yield DrawnVectors(kind, number, *train(drawn, seed=own, **how))


def reweighted_draws(
    counts: SubcorpusCounts, draws: Sequence[tuple[str, int]], seed: int, minimum_count: int
) -> Iterator[DrawnVectors]:
    """Vectors of `pmi` of the words of queries, without counting anew.

    Words that are too rare in the subcorpus are missing, as in its model, and words without a
    token in the draw.
    """
    blocks, contexts = counts.blocks, counts.blocks.n_frequent
    known = np.array([counts.numbers[word] >= minimum_count for word in blocks.words], bool)
    for start in range(0, len(draws), _TOGETHER):
        some = draws[start : start + _TOGETHER]
        found = blocks.total(counts.weights(some, seed))
        sums = found.word_sums, found.context_sums[:, :contexts], found.total
        # Where a word is missing, what is divided by 0 is left out below.
        vectors = pmi_vectors(found.counts[..., :contexts], *sums).astype(np.float32)
        for draw_, of_draw, tokens in zip(some, vectors, found.tokens, strict=True):
            there = known & (tokens > 0)
            words = [word for word, held in zip(blocks.words, there, strict=True) if held]
            yield DrawnVectors(*draw_, words, of_draw[there])


def drawn_rows(
    drawn: Iterable[DrawnVectors],
    queries: Mapping[str, Query],
    lookups: Mapping[str, Lookup],
    variants: Mapping[str, WordVariant],
    computed: Mapping[str, str],
    seed: int,
    name: str,
) -> Iterator[dict[str, Any]]:
    """The value of each metric on each draw and query that it takes, as rows of `SCHEMA`.

    measure : the one that the variant is ranked by.
    reason : why the value is NaN, else None.

    Parameters
    ----------
    queries, lookups : by name of the query. variants : by name of the metric.
    computed : variant -> the one after which its score files are named. name : of the model.
    """
    shared: dict[str, list[str]] = {}
    for metric in variants:
        shared.setdefault(computed[metric], []).append(metric)
    for one in drawn:
        model = WordEmbeddingModel(word_rows((one.words, one.vectors)))
        for query, asked in queries.items():
            found = model.look_up(asked, lookups[query])
            for base, metrics in shared.items():
                some = {metric: variants[metric] for metric in metrics}
                variant = some[metrics[0]].base_variant
                if variant.query_problem(asked.template, asked.declared.names):
                    continue
                scorer = WordScorer(variant, Cell(name, base, query), seed)
                for row in _of_cell(scorer, found, some):
                    yield {"kind": one.kind, "draw": one.number, "query": query, **row}


def _of_cell(
    scorer: WordScorer, vectors: QueryVectors, variants: Mapping[str, WordVariant]
) -> Iterator[dict[str, Any]]:
    """The rows of the variants that one computation gives."""
    for subquery in scorer.variant.split(vectors.query):
        part = vectors.subquery(subquery)
        outcome = scorer.evaluated(part)
        for metric, variant in variants.items():
            names = {shown: stored for stored, shown in (variant.view["measures"] or {}).items()}
            measure = names.get(variant.measure, variant.measure)
            value = outcome.measures.get(measure, math.nan)
            yield {
                "metric": metric,
                "measure": variant.measure,
                "subquery": subquery.query_name,
                "value": value,
                "reason": reason_of(outcome, measure) if math.isnan(value) else None,
            }


def count_queries(
    sample: Sample,
    name: str,
    queries: Mapping[str, Query],
    lookups: Mapping[str, Lookup],
    shuffled: int,
    seed: int,
    **how: int,
) -> SubcorpusCounts:
    """The words of queries in a subcorpus, looked up and counted.

    Parameters
    ----------
    name : CORPUS-SUBCORPUS. queries, lookups : by name of the query.
    shuffled, how : see `count_subcorpus`.
    """
    held = {sample.corpus.words[number] for number in vocabulary(sample)}
    sets, forms = {}, []
    for query, asked in queries.items():
        found, every = (
            look_up_query(asked, held.__contains__, lambda some: np.ones((len(some), 1)), lookup)
            for lookup in (lookups[query], replace(lookups[query], strategy="all"))
        )
        sets[query] = {
            role: [asdict(account) for account in getattr(found, role)]
            for role in ("targets", "attributes")
        }
        # Where a model lacks the first form of a word, it may have another.
        forms += every.forms
    return count_subcorpus(sample, name, sets, [*dict.fromkeys(forms)], shuffled, seed, **how)
