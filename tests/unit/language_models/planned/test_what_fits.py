"""Models, metrics and queries know their kind, and so what fits what; nobody else asks."""

from dataclasses import replace
from itertools import product

import pytest

from fairflow.language_models.cells.item_cell import ItemVariant
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.planned.models import PlannedLanguageModel
from fairflow.language_models.planned.queries import SENTENCES, ItemQuery
from fairflow.language_models.planned.views import in_study
from fairflow.planning.models import Model
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Entries, Study
from fairflow.scores.variant import Cell, Slice
from fairflow.scores.word_variant import WordVariant

SETS = {"A": "a:a", "B": "a:b"}
PAIRS = {"kind": "pair", "format": "crows_pairs", "file": "pairs.csv"}


def pair_query(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(
        "sent_more,sent_less,stereo_antistereo,bias_type\nShe cooks.,He cooks.,stereo,gender\n"
    )
    entry = PAIRS | {"file": str(path)}
    return ItemQuery("pairs", entry, items_of(entry))


@pytest.fixture
def entries(tmp_path):
    models = [
        Model("glove", {"label": "GloVe"}),
        PlannedLanguageModel("bert", {"kind": "masked", "hub": "a/b", "label": "BERT"}),
        PlannedLanguageModel("gpt", {"kind": "causal", "folder": "gpt"}),
        PlannedLanguageModel("given", {"kind": "answers", "answers": {"other": "x.csv"}}),
    ]
    metrics = [
        WordVariant("weat", "weat", "weat", label="WEAT"),
        ItemVariant("pll", "crows_pairs_score", "score"),
    ]
    queries = [
        PlannedQuery("words", SETS, SETS, "as_written"),
        PlannedQuery("sentences", SETS, SETS, "as_written", kind=SENTENCES),
        pair_query(tmp_path),
    ]
    return Entries(*({one.name: one for one in some} for some in (models, metrics, queries)))


@pytest.fixture
def study(entries):
    return Study(
        name="all",
        title="All",
        models=tuple(entries.models),
        metrics=tuple(entries.metrics),
        criteria={"one": ("words", "sentences"), "two": ("pairs",)},
        aggregation="avg",
        minimum_coverage=0.5,
        figures=(),
        entries=entries,
        controls=("words",),
        control_metric="weat",
    )


def test_words_fit_every_model_with_vectors_sentences_those_that_can_be_run(entries):
    pairs = product(entries.models, ("words", "sentences"))
    fitting = [(m, q) for m, q in pairs if entries.is_applicable(Cell(m, "weat", q))]
    assert fitting == [
        *(("glove", "words"), ("bert", "words"), ("bert", "sentences")),
        *(("gpt", "words"), ("gpt", "sentences")),
    ]


def test_items_fit_the_models_that_can_be_asked_what_the_metric_needs(entries):
    # A pseudo-log-likelihood needs masks; completions were given for another query.
    fitting = [name for name in entries.models if entries.is_applicable(Cell(name, "pll", "pairs"))]
    assert fitting == ["bert"]


def test_a_study_has_the_cells_that_fit_and_tells_the_others(study):
    assert study.cells == [
        Cell("glove", "weat", "words"),
        Cell("bert", "weat", "words"),
        Cell("bert", "weat", "sentences"),
        Cell("bert", "pll", "pairs"),
        Cell("gpt", "weat", "words"),
        Cell("gpt", "weat", "sentences"),
    ]
    assert len(study.cells) + len(study.impossible) == 4 * 2 * 3 + 1  # and a control of given
    assert in_study(study).cells == [Cell("bert", "pll", "pairs")]


def test_its_slices_are_of_vectors_tokens_or_completions_as_the_queries_say(study):
    words = [("glove", "words"), ("bert", "words"), ("bert", "sentences")]
    words += [("gpt", "words"), ("gpt", "sentences")]
    assert study.slices == [Slice(*one) for one in words]
    assert in_study(study).slices("tokens") == [Slice("bert", "pairs")]
    assert in_study(study).slices("completions") == []
    assert in_study(study).embedded == [one for one in study.slices if one.model != "glove"]


def test_its_labels_and_directions_come_from_the_entries(study):
    assert (study.labels["glove"], study.labels["bert"]) == ("GloVe", "BERT")
    assert study.labels["weat"] == "WEAT"
    assert study.labels["words"] == "A and B wrt A and B"
    assert study.directions["weat"] == {
        "signed": True,
        "larger_is_fairer": False,
        "measures_bias": True,
    }
    assert study.of_others == ["pll"]


def test_what_its_models_cannot_be_asked_is_told_with_the_kind_of_model_that_can(study):
    # A pseudo-log-likelihood needs masks, WEAT only vectors.
    assert in_study(study).unanswered == [("pll", ["masked"], ["gpt", "given"])]
    assert study.scored_metrics == ["weat", "pll"]


def test_a_study_tells_which_measure_of_its_metrics_of_items_is_ability(study, entries):
    told = [
        ItemVariant("ss", "stereoset", "preference", label="ss"),
        ItemVariant("hurt", "honest", "score"),
    ]
    metrics = entries.metrics | {one.name: one for one in told}
    entries = replace(entries, metrics=metrics)
    study = replace(study, metrics=("weat", "pll", "ss", "hurt"), entries=entries)
    assert [(name, one["measure"]) for name, one in study.ability.items()] == [("ss", "lms")]
    assert study.readings["ss"]["ability"] == study.ability["ss"]["interpretation"] != ""
    assert in_study(study).queries == ["pairs"]
