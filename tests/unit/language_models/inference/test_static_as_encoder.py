"""A static model in the place of an encoder: the same numbers, tests and intervals."""

import dataclasses

import numpy as np

from fairflow.language_models.slices.answers import EmbeddedTexts
from fairflow.language_models.slices.slices import read_embeddings, write_embeddings
from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant, score_cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.vectors.query_vectors import read_slice, write_slice
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

WORDS = [f"word{number}" for number in range(24)]
QUERY = Query(
    [WORDS[:6], WORDS[6:12]], [WORDS[12:18], [*WORDS[18:23], "absent"]], list("XY"), list("AB")
)
FEW = Statistics(permutations=1_000, resamples=100, joint_draws=10)


class Table:
    """The least that a static model is: words and rows."""

    def __init__(self):
        self.rows = np.random.default_rng(3).normal(size=(24, 5)).astype(np.float32)

    def __contains__(self, word):
        return word in WORDS

    def __len__(self):
        return len(WORDS)

    def vectors(self, words):
        return self.rows[[WORDS.index(word) for word in words]]


def records(model, path, metric, measure):
    write_slice(model.look_up(QUERY, Lookup()), path)
    found = score_cell(
        read_slice(path), WordVariant("v", metric, measure), Cell("m", "v", "q"), 1, FEW
    )
    return [repr(dataclasses.asdict(record)) for record in found]


def test_a_static_model_as_an_encoder_gives_the_same_numbers(tmp_path):
    table = Table()
    embedded = EmbeddedTexts(
        texts=tuple(WORDS), rows=table.rows, pooling="static", layer=0, n_tokens=(1,) * 24,
        statuses=("ok",) * 24, reasons=(None,) * 24,
    )  # fmt: skip
    write_embeddings(embedded, tmp_path / "embeddings.parquet")
    encoder = WordEmbeddingModel(read_embeddings(tmp_path / "embeddings.parquet"))
    for metric, measure in (("weat", "effect_size"), ("mac", "mac")):
        as_table = records(WordEmbeddingModel(table), tmp_path / "static.npz", metric, measure)
        as_encoder = records(encoder, tmp_path / "encoder.npz", metric, measure)
        assert as_encoder == as_table
