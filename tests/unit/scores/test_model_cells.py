"""All cells of a model at once have the rows of each by itself, byte for byte."""

from dataclasses import asdict

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.records import plain
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import WordVariant, score_cell
from fairflow.statistics.uncertainty import Statistics
from fairflow.statistics.word_draws import kept_draws
from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency

VARIANTS = {
    "weat": {"metric": "weat", "measure": "effect_size"},
    "rnd": {"metric": "rnd", "measure": "rnd", "subqueries": True},
    "rnsb": {"metric": "rnsb", "measure": "rnsb", "parameters": {"n_iterations": 2}},
}
SMALL = Statistics(permutations=99, resamples=50, joint_draws=20, random_sets=10)


def test_cells_scored_together_are_those_scored_alone(model_of):
    words = {f"w{i}": [i % 3 - 1, i % 5 + 1, i % 7] for i in range(60)}
    model = model_of(**words)
    sets = [[f"w{i + 4 * k}" for i in range(4)] for k in range(6)]
    queries = {"first": Query(sets[:2], sets[2:4]), "second": Query(sets[3:5], [sets[5], sets[0]])}
    how = {"random_words": 20, "seed": 1, "frequency": WordFrequency(OWN_ORDER)}
    slices = {name: model.look_up(q, Lookup(), **how) for name, q in queries.items()}
    cells = [(Cell("toy", metric, query), 7) for metric in VARIANTS for query in queries]

    def scored():
        return [
            record
            for cell, seed in cells
            for record in score_cell(
                slices[cell.query],
                WordVariant(cell.metric, **VARIANTS[cell.metric]),
                cell,
                seed,
                Statistics(**asdict(SMALL)),
            )
        ]

    with kept_draws():
        together = scored()
    alone = scored()
    assert repr([*map(plain, together)]) == repr([*map(plain, alone)])
    assert {record.query for record in together} == {"first", "second"}
