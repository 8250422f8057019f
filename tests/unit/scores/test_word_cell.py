"""A cell: one metric variant on one query and one model becomes rows."""

import math
from dataclasses import asdict, fields, replace

import numpy as np
import pytest

from fairflow.queries.lookup import Lookup
from fairflow.queries.query import Query
from fairflow.scores.records import plain_row, ranked
from fairflow.scores.variant import Cell
from fairflow.scores.word_cell import score_cell
from fairflow.scores.word_variant import WordVariant
from fairflow.statistics.uncertainty import Statistics, Uncertainty
from fairflow.statistics.word_draws import kept_draws
from fairflow.vectors.word_frequency import OWN_ORDER, WordFrequency, word_frequency

WEAT = WordVariant("weat_es", "weat", "effect_size")
RND = WordVariant("rnd_sub", "rnd", "rnd", subqueries=True)
OWN = WordFrequency(OWN_ORDER)
RNSB = WordVariant("rnsb", "rnsb", "rnsb", {"n_iterations": 3})


@pytest.fixture(scope="module")
def model(model_of):
    return model_of(
        east=[1, 0], north=[0, 1], steep=[3, 4], flat=[4, 3], far=[5, 0], up=[0, 2], zero=[0, 0]
    )


def score(model, query, variant, seed=1, name="toy", key="q", threshold=0.2):
    vectors = model.look_up(
        query, Lookup(lost_vocabulary_threshold=threshold, zero_vectors="error")
    )
    return score_cell(vectors, variant, Cell(name, variant.name, key), seed)


def test_every_measure_is_a_row_and_one_of_them_the_headline(model):
    query = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]])
    statistic, size = score(model, query, WEAT)
    # Associations -0.2, 1 and 0.2, -1.
    assert [statistic.measure, size.measure] == ["weat", "effect_size"]
    assert ranked([statistic, size]) == [size]
    assert statistic.value == pytest.approx(1.6)
    assert size.value == pytest.approx(0.8 / math.sqrt(2.08 / 3))
    assert (size.model, size.metric, size.query) == ("toy", "weat_es", "q")
    assert (size.subquery, size.subquery_digest) == (query.query_name, query.digest)
    assert (size.n_words, size.n_oov, size.oov_words) == (6, 0, [])
    assert (size.status, size.reason) == ("ok", None)


def test_lost_vocabulary_makes_rows_of_nan_with_status_and_reason(model):
    query = Query([["steep", "absent"], ["flat", "up"]], [["east"], ["north"]])
    records = score(model, query, WEAT)
    assert [record.measure for record in records] == ["weat", "effect_size"]
    for record in records:
        assert math.isnan(record.value)
        assert record.status == "lost_vocabulary"
        assert "Target set 0 lost 1 of 2 words (absent)" in record.reason
        assert (record.n_words, record.n_oov, record.oov_words) == (6, 1, ["absent"])


def test_words_lost_within_the_threshold_are_reported_beside_the_value(model):
    query = Query([["steep", "absent"], ["flat", "up"]], [["east"], ["north"]])
    statistic, _ = score(model, query, WEAT, threshold=0.5)
    assert statistic.value == pytest.approx(-0.2 - (0.2 - 1))
    assert (statistic.status, statistic.n_oov, statistic.oov_words) == ("ok", 1, ["absent"])


@pytest.mark.parametrize(
    ("targets", "threshold", "reason"),
    [
        ([["zero"], ["flat"]], 0.2, "zero or non-finite vectors: zero"),
        ([["absent"], ["flat"]], 1.0, "no word was found of Target set 0"),
    ],
)
def test_a_formula_without_value_makes_degenerate_rows(model, targets, threshold, reason):
    query = Query(targets, [["east"], ["north"]])
    for record in score(model, query, WEAT, threshold=threshold):
        assert math.isnan(record.value)
        assert (record.status, record.reason) == ("degenerate", reason)


def test_one_undefined_measure_leaves_the_others_defined(model):
    statistic, size = score(model, Query([["far"], ["east"]], [["east"], ["north"]]), WEAT)
    assert (statistic.value, statistic.status, statistic.reason) == (0, "ok", None)
    assert (size.status, size.reason) == (
        "degenerate",
        "all target words have the same association: sd is 0",
    )


RANDOM = Query([["w0", "w1"], ["w2"]], [["w4", "w5", "w6"], ["w7", "w8", "w9"]])


def test_the_seed_of_a_cell_depends_on_its_identity_and_not_on_other_cells(random_model):
    model = random_model(5)
    first = [record.value for record in score(model, RANDOM, RNSB)]
    score(model, RANDOM, RNSB, key="another query")
    assert [record.value for record in score(model, RANDOM, RNSB)] == first


QUICK = Statistics(permutations=200, resamples=100, joint_draws=20, random_sets=30)
VARIANTS = {
    "weat": WordVariant("weat", "weat", "effect_size", subqueries=True),
    "rnd": WordVariant("rnd", "rnd", "rnd", subqueries=True),
    "ect": WordVariant("ect", "ect", "ect", subqueries=True),
    "mac": WordVariant("mac", "mac", "mac"),
    "ripa": WordVariant("ripa", "ripa", "ripa", subqueries=True),
    "rnsb": WordVariant("rnsb", "rnsb", "rnsb", {"n_iterations": 3}),
}
WORDS = Query(
    [[f"{name}{i}" for i in range(10)] for name in "xy"],
    [[f"{name}{i}" for i in range(10)] for name in "ab"],
)


@pytest.fixture(scope="module")
def large_model(model_of):
    """Forty words of a query among a thousand."""
    query = [word for words in (*WORDS.target_sets, *WORDS.attribute_sets) for word in words]
    others = [f"z{i}" for i in range(960)]
    rows = np.random.default_rng(1).normal(0.2, 1, (1_000, 5))
    return model_of(**dict(zip(query + others, rows, strict=True)))


def quantified(model, variant, statistics=QUICK, name="toy", key="q", known=OWN):
    vectors = model.look_up(WORDS, Lookup(), random_words=80, seed=1, frequency=known)
    return score_cell(vectors, variant, Cell(name, variant.name, key), 1, statistics)


def empty_columns(record):
    values = {c.name: getattr(record.uncertainty, c.name) for c in fields(Uncertainty)}
    # Words of static vectors are crossed with no templates.
    for name in ("statistics_note", "ci_low_factors", "ci_high_factors"):
        del values[name]
    return {name for name, value in values.items() if value in (None, []) or value != value}


BOTH = {"ci_low_both", "ci_high_both"}
TEST = {
    "p_value", "alternative", "p_method", "p_statistic", "n_permutations", "p_smallest", "p_error",
    "p_normal", "null_mean", "null_sd", "tests",
}  # fmt: skip
EVERYTHING = {c.name for c in fields(Uncertainty)} - {"statistics", "statistics_note"}
EVERYTHING -= {"ci_low_factors", "ci_high_factors", "least", "most"}


@pytest.mark.parametrize("metric", VARIANTS)
def test_every_column_of_statistics_is_filled_or_has_a_note(large_model, metric):
    for record in quantified(large_model, VARIANTS[metric]):
        expected = {
            "mac": TEST,
            "rnsb": BOTH | TEST,
            "rnsb_of_mean": BOTH | TEST,
            "rnsb_sd": EVERYTHING,
            "rnsb_between_sets": BOTH,
        }
        empty = empty_columns(record) - {"least", "most"}
        assert empty == expected.get(record.measure, set())
        assert (record.uncertainty.statistics_note is not None) == bool(empty)
        assert len(record.uncertainty.draws) == (0 if record.measure == "rnsb_sd" else 20)


def test_a_value_does_not_depend_on_statistics(large_model):
    for variant in VARIANTS.values():
        with_, without = (quantified(large_model, variant, statistics=s) for s in (QUICK, None))
        assert [(r.measure, r.value, r.words) for r in with_] == [
            (r.measure, r.value, r.words) for r in without
        ]


@pytest.mark.parametrize("metric", VARIANTS)
def test_the_value_at_unit_length_is_that_of_normalised_vectors(large_model, metric):
    variant = VARIANTS[metric]
    twin = quantified(large_model, replace(variant, normalize=True))
    for record, other in zip(quantified(large_model, variant), twin, strict=True):
        assert record.value_normalized == pytest.approx(other.value, rel=1e-9)
        assert other.value_normalized == other.value


def test_words_without_random_ones_beside_them_have_no_null_band(model):
    query = Query([["steep", "far"], ["flat", "up"]], [["east"], ["north"]])
    for record in score_cell(
        model.look_up(query, Lookup()), WEAT, Cell("toy", "weat_es", "q"), 1, QUICK
    ):
        assert math.isnan(record.uncertainty.p_null_band)
        assert "no random words in the slice" in record.uncertainty.statistics_note


def test_a_metric_without_a_statistic_says_so_and_how_the_words_of_the_model_were_chosen(
    large_model, tmp_path
):
    path = tmp_path / "own.py"
    path.write_text(
        "from fairflow.metrics.base_metric import BaseMetric\n\n\n"
        "class OWN(BaseMetric):\n"
        "    metric_template = (2, 2)\n"
        "    metric_name = metric_short_name = 'OWN'\n\n"
        "    def run_query(self, query, model, **_):\n"
        "        return {'result': 0.5}\n"
    )
    variant = WordVariant("own", str(path), "result")
    (record,) = quantified(large_model, variant)
    assert record.value == 0.5
    nothing = "OWN resamples nothing, so that it has no test and no interval"
    assert record.uncertainty.statistics_note == nothing
    curated = word_frequency(["east"], curated="by hand")
    (record,) = quantified(large_model, variant, known=curated)
    assert record.uncertainty.statistics_note == (
        f"{nothing}; no null band: the words of the model were chosen: by hand"
    )


def test_statistics_do_not_depend_on_the_cells_scored_before(large_model):
    few = replace(QUICK, exact_up_to=10)
    first = quantified(large_model, VARIANTS["ect"], statistics=few)
    quantified(large_model, VARIANTS["rnd"], statistics=few, key="another")
    assert quantified(large_model, VARIANTS["ect"], statistics=few) == first


def test_all_models_are_resampled_and_exchanged_alike(large_model):
    few = replace(QUICK, exact_up_to=10)
    first, other = (
        quantified(large_model, VARIANTS["ect"], statistics=few, name=name)[0].uncertainty
        for name in "ab"
    )
    assert first.draws == other.draws
    assert first.null_mean == other.null_mean


TOGETHER = {
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
    cells = [(Cell("toy", metric, query), 7) for metric in TOGETHER for query in queries]

    def scored():
        return [
            record
            for cell, seed in cells
            for record in score_cell(
                slices[cell.query],
                WordVariant(cell.metric, **TOGETHER[cell.metric]),
                cell,
                seed,
                Statistics(**asdict(SMALL)),
            )
        ]

    with kept_draws():
        together = scored()
    alone = scored()
    assert repr([*map(plain_row, together)]) == repr([*map(plain_row, alone)])
    assert {record.query for record in together} == {"first", "second"}
