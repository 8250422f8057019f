"""Decide what tells how frequent the words of a model are."""

import logging
from itertools import islice
from typing import Any

from fairflow.files.jobs import run
from fairflow.vectors.store import VectorStore
from fairflow.vectors.word_frequency import word_frequency, write_word_frequency

# Enough to see that words are in order of frequency, and a tenth of the longest vocabularies.
FIRST_WORDS = 300_000

logger = logging.getLogger(__name__)


def order_words(
    path_to_vectors: str,
    path_to_index: str,
    path_to_card: str,
    path_to_order: str,
    frequency: dict[str, Any],
) -> None:
    order = frequency["order"]
    with VectorStore(path_to_vectors, path_to_index, path_to_card) as vectors:
        words = list(islice(vectors.words(), FIRST_WORDS if order == "frequency" else None))
    found = word_frequency(words, **frequency)
    if found.reason:
        logger.warning("No random words will be drawn: %s", found.reason)
    write_word_frequency(found, path_to_order)


if __name__ == "__main__":
    run(snakemake, order_words)
