"""Decide what tells how frequent the words of a model are."""

import logging
from itertools import islice
from typing import Any

from fairflow.files.jobs import log_to
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_frequency import word_frequency, write_word_frequency

# Enough to see that words are in order of frequency, and a tenth of the longest vocabularies.
FIRST_WORDS = 300_000

logger = logging.getLogger(__name__)


def order_words(
    path_to_vectors: str,
    path_to_index: str,
    path_to_card: str,
    order: str | None,
    path_to_order: str,
    **known: Any,
) -> None:
    with VectorStore(path_to_vectors, path_to_index, path_to_card) as vectors:
        words = list(islice(vectors.words(), FIRST_WORDS if order == "frequency" else None))
    frequency = word_frequency(words, order, **known)
    if frequency.reason:
        logger.warning("No random words will be drawn: %s", frequency.reason)
    write_word_frequency(frequency, path_to_order)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        order_words(
            path_to_vectors=snakemake.input.vectors,
            path_to_index=snakemake.input.index,
            path_to_card=snakemake.input.card,
            path_to_order=snakemake.output.order,
            **snakemake.params.frequency,
        )
