"""Language models that are derived from others are planned, and refused in a sentence each."""

from dataclasses import replace

import pytest
from shipped import faults_of

from fairflow.language_models.planned.views import in_plan, in_study
from fairflow.planning import result_files
from fairflow.planning.planner import make_plan
from fairflow.provenance.records import resolved_configuration
from fairflow.scores.variant import Slice

BASE = "all-minilm-l6-v2"
PAIRS = [["she", "he"], ["woman", "man"]]
GROUPS = ["gn_glove:male_terms", "gn_glove:female_terms"]


def derived(transform="linear_projection", base=BASE, **parameters):
    return {"derive": {"from": base, "transform": transform, **parameters}}


PROJECTED = derived(definitional=PAIRS)


def planned(configuration, models, **study):
    main = configuration.main | {"studies": ["mine"]}
    study = {
        "title": "Mine",
        "models": list(models),
        "metrics": ["weat"],
        "criteria": {"Words": ["weat_6"], "Sentences": ["names_sentences"]},
        "aggregation": "avg",
        **study,
    }
    models = configuration.further["language_models"] | models
    further, studies = configuration.further | {"language_models": models}, {"mine": study}
    return make_plan(replace(configuration, main=main, further=further, studies=studies))


def test_it_answers_what_gives_vectors_and_reads_what_its_base_embedded(configuration):
    models = {"one": PROJECTED, "two": derived("leace", "one", groups=GROUPS)}
    plan = planned(configuration, models)
    two = plan.models["two"]
    assert (two.kind, two.origin.name, two.lineage) == ("encoder", BASE, (BASE, "one", "two"))
    assert plan.studies["mine"].every_slice[-1].model == "two"
    assert {"weat_6", "names_sentences"} < {c.query for c in plan.cells if c.model == "two"}
    assert in_plan(plan).embeddings([Slice("two", "weat_6")]) == [
        f"results/embeddings/{BASE}/weat_replication.parquet"
    ]
    assert two.derivations("m") == ["m/one/derivation.npz", "m/two/derivation.npz"]
    assert in_study(plan.studies["mine"]).networks == [BASE]
    assert result_files.manifest_files(plan) == in_plan(plan).files("manifest", [BASE])
    assert result_files.model_records(plan)[-2:] == [
        "results/provenance/models/one.json",
        "results/provenance/models/two.json",
    ]


def test_equal_texts_are_embedded_once_and_sentences_are_not_shown_in_context_templates(
    configuration,
):
    plan = planned(
        configuration,
        {
            "leace": derived("leace", groups=GROUPS),
            "inlp": derived("inlp", groups=GROUPS, iterations=3),
            "sentences": derived("sentence_debias", definitional=PAIRS),
            "unit": derived("normalised"),
        },
    )
    names = [plan.models[name].training.name for name in ("leace", "inlp", "sentences")]
    assert names[0] == names[1] != names[2]
    encoders = ("leace", "inlp", "sentences", "unit")
    own = [file for name in encoders for file in in_plan(plan).training_files(name)]
    assert own == [f"results/embeddings/{BASE}/{name}.parquet" for name in names]
    assert in_plan(plan).training_texts[names[2]].sentences
    assert not in_plan(plan).training_texts[names[0]].sentences
    assert {*own} <= {*result_files.results_of_run(plan)}
    assert plan.studies["mine"].vectors["unit"] == BASE


def test_the_lines_of_a_file_are_learnt_from_and_recorded_by_their_checksum(
    configuration, tmp_path
):
    path = tmp_path / "texts.txt"
    path.write_text("She sat.\n\nIt rains.\nShe sat.\n", encoding="utf-8")
    entry = derived("sentence_debias", definitional=PAIRS, sentences=str(path))
    plan = planned(configuration, {"mine": entry})
    assert plan.models["mine"].training.texts == ("She sat.", "He sat.")
    assert str(path) in result_files.user_files(plan)
    told = resolved_configuration(plan)["language_models"]["mine"]["derive"]["sentences"]
    assert (told["file"], told["lines"], len(told["sha256"])) == ("texts.txt", 2, 64)
    before = plan.models["mine"].training.name
    path.write_text("She sat.\nHe came.\n", encoding="utf-8")
    assert planned(configuration, {"mine": entry}).models["mine"].training.name != before


TEXTS = {"kind": "answers", "answers": {"people_prompts": "config/config.yaml"}}
FAULTS = {
    "unknown base": (derived(base="all-minilm", definitional=PAIRS), "no model 'all-minilm'"),
    "a table of words": (
        derived(base="glove-6B-50d", definitional=PAIRS),
        "no model 'glove-6B-50d' to derive it from",
    ),
    "itself": (derived(base="mine", definitional=PAIRS), "mine from mine: a circle"),
    "unknown transform": (derived("leece", groups=GROUPS), "Did you mean 'leace'"),
    "unknown word set": (
        derived(definitional="debiaswe:pairs"),
        "definitional: unknown word set 'debiaswe:pairs'",
    ),
    "listed words": (
        derived("hard_debias", definitional=PAIRS, equalise=[], specific=["queen"]),
        "hard_debias, with these parameters, changes words one by one",
    ),
    "all vectors": (
        derived("double_hard_debias", definitional=PAIRS, ends=["he", "she"]),
        "take one that changes all texts alike, such as sentence_debias, or hard_debias",
    ),
    "no file": (
        derived("sentence_debias", definitional=PAIRS, sentences="no.txt"),
        "sentences: there is no file no.txt",
    ),
    "unknown parameter": (derived(pairs=PAIRS), "unknown parameter 'pairs'"),
    "given answers": (derived(base="given", definitional=PAIRS), "given answers and no"),
}


@pytest.mark.parametrize(("entry", "sentence"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_derived_is_refused(configuration, entry, sentence):
    told = faults_of(planned, configuration, {"mine": entry, "given": TEXTS})
    assert any("language_models.yaml: mine" in each and sentence in each for each in told), told


def test_a_table_of_words_takes_no_transform_of_sentences(configuration):
    entry = derived("sentence_debias", "glove-6B-50d", definitional=PAIRS)
    asked = replace(configuration, models=configuration.models | {"mine": entry})
    said = "learns from sentences, and a table of word"
    assert any(said in problem for problem in faults_of(make_plan, asked))
