"""Files of slices: the vectors of queries' words in a model, kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from fairflow.files.cell_arrays import SCHEMA
from fairflow.files.checksums import sha256
from fairflow.files.kept import digest, keep_up_to_date
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import Words, query_of, read_words
from fairflow.vectors.derivation import open_store
from fairflow.vectors.query_vectors import QueryVectors, check_found, read_slices, slice_table
from fairflow.vectors.vocabulary import with_vocabulary
from fairflow.vectors.word_embedding_model import WordEmbeddingModel
from fairflow.vectors.word_frequency import UNKNOWN, read_word_frequency


def keep_slices(
    path: str | Path,
    model: str,
    path_to_words: str | Path,
    queries: Mapping[str, str],
    lookups: Mapping[str, Mapping[str, Any]],
    identity: Mapping[str, object],
    look_up: Callable[[list[tuple[str, Words, Lookup]]], Iterator[tuple[str, QueryVectors]]],
) -> int:
    """Look up the words of queries whose slices are not right any more.

    Parameters
    ----------
    queries : query -> the name of its look-up in `lookups`. identity : query -> what decides its
        slice, in addition to its words and look-up.
    look_up : gives the slice of each of the given queries, by its words and look-up.

    Returns
    -------
    The number of looked-up queries.
    """
    words = read_words(path_to_words)
    how = {query: Lookup(**lookups[name]) for query, name in queries.items()}
    wanted = {
        query: digest(words[query], lookups[name], identity[query])
        for query, name in queries.items()
    }

    def compute(missing: list[str]) -> Iterator[tuple[str, pa.Table]]:
        for query, found in look_up([(query, words[query], how[query]) for query in missing]):
            yield query, slice_table(model, query, found)

    return keep_up_to_date(path, SCHEMA, wanted, compute, together=1)


def keep_store_slices(
    path: str | Path,
    store: Mapping[str, Any],
    path_to_record: str | Path,
    paths_to_order: Sequence[str | Path],
    path_to_words: str | Path,
    how: Mapping[str, Any],
    code: str,
) -> int:
    """The slices of a table of word vectors.

    Parameters
    ----------
    store : as `open_store` takes it. path_to_record : of the checksums of its vectors.
    paths_to_order : what tells how frequent words are, if words are drawn at random.
    how : model, queries, lookups, prefix, those that have `random` words, `random_words`, their
        number, and `seed`; `most_are_found` for a model that is refused if it knows few words.
    """
    drawn = dict.fromkeys(how["random"], (how["random_words"], how["seed"]))
    files = [*map(sha256, (path_to_record, *store["derivations"]))]
    order = [*map(sha256, paths_to_order)]

    def look_up(
        asked: list[tuple[str, Words, Lookup]],
    ) -> Iterator[tuple[str, QueryVectors]]:
        frequency = read_word_frequency(*paths_to_order) if paths_to_order else UNKNOWN
        with open_store(**store) as vectors:
            for query, words, lookup in asked:
                model = WordEmbeddingModel(vectors, vocab_prefix=how["prefix"])
                random, seed = drawn.get(query, (0, 0))
                settings = {"random_words": random, "seed": seed, "frequency": frequency}
                found = model.look_up(query_of(words), lookup, **settings)
                yield query, with_vocabulary(found, model)

    identity = {
        query: (files, how["prefix"], code, (*drawn[query], order) if query in drawn else ())
        for query in how["queries"]
    }
    about = path_to_words, how["queries"], how["lookups"], identity
    looked_up = keep_slices(path, how["model"], *about, look_up)
    if how["most_are_found"]:
        check_found(read_slices([path]).values())
    return looked_up
