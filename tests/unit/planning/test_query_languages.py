"""A query of one language is not put to a model of another one, and the study says so."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from shipped import CONFIG, shipped

from fairflow.errors import ConfigurationError, FairflowError
from fairflow.files.configuration_files import read_yaml
from fairflow.language_models.planned.models import PlannedLanguageModel
from fairflow.language_models.planned.queries import planned_language_queries
from fairflow.planning.audit import with_audit
from fairflow.planning.configuration import only
from fairflow.planning.languages import languages_of, preset_in
from fairflow.planning.models import Model
from fairflow.planning.planner import make_plan
from fairflow.planning.queries import planned_queries

SETS = {
    "mots:fleurs": {"words": ["rose", "lis"], "language": "fr"},
    "worte:blumen": {"words": ["Rose"], "language": "de"},
    "weat:flowers": {"words": ["rose"]},
}
GLOVE, GOOGLE = "glove-6B-50d", "word2vec-google-news-300-weat"


def query_of(*references, of_file=None, **entry):
    """The query of a file, by the word sets that it names, and the sentences on its faults."""
    entry = {"targets": {name: name for name in references}, **entry}
    file = {"queries": {"q": entry}} | ({"language": of_file} if of_file else {})
    given = SimpleNamespace(queries={"f": file}, lookups={"as_written": {}}, folder=Path())
    queries, faults = planned_queries(given, SETS)
    return queries["q"], [fault.sentence for fault in faults]


def test_a_query_has_the_language_of_its_own_of_its_file_or_of_its_words():
    assert query_of("weat:flowers")[0].language == "en"
    assert query_of("mots:fleurs", "weat:flowers")[0].language == "fr"
    assert query_of("mots:fleurs", of_file="fr-CA")[0].language == "fr-CA"
    assert query_of("mots:fleurs", of_file="fr-CA", language="es")[0].language == "es"


def test_words_of_two_languages_are_a_fault_unless_the_query_says_its_own():
    sentence = "its word sets are in fr and de: give the query a language"
    assert query_of("mots:fleurs", "worte:blumen")[1] == [sentence]
    assert query_of("mots:fleurs", "worte:blumen", language="fr")[1] == []


def test_sentences_have_the_language_of_their_words_and_items_that_of_their_file():
    words = {"q": query_of("mots:fleurs")[0]}
    association = {"kind": "association", "words_of": "q", "templates": {"mots:fleurs": "noun"}}
    pair = {"category": "work", "more": "Lei cucina.", "less": "Lui cucina."}
    items = {"kind": "pair", "pairs": [pair]}
    file = {"language": "it", "queries": {"items": items}}
    given = SimpleNamespace(
        further={"language_queries": {"a": {"queries": {"sentences": association}}, "b": file}},
        metrics={},
    )
    made, _, faults = planned_language_queries(given, words, SETS)
    assert faults == []
    assert {name: query.language for name, query in made.items()} == {
        "sentences": "fr",
        "items": "it",
    }


@pytest.mark.parametrize(
    ("language", "asked"),
    [
        (None, ["fleurs", "weat_1"]),
        ("en", ["weat_1"]),
        ("fr", ["fleurs"]),
        (["en", "fr-BE"], ["fleurs", "weat_1"]),
        ("de", []),
    ],
)
def test_a_model_is_asked_in_its_languages_and_in_all_if_it_names_none(language, asked):
    entry = {} if language is None else {"language": language}
    spoken = {"fleurs": "fr", "weat_1": "en"}
    for model in (Model("m", entry), PlannedLanguageModel("m", {"kind": "masked", **entry})):
        assert [query for query, tag in spoken.items() if model.speaks(tag)] == asked


def test_a_derived_model_has_the_languages_of_its_origin():
    base = Model("base", {"language": "fr"})
    assert Model("m", {"derive": {"from": "base"}}, base).languages == ("fr",)


def test_random_words_are_of_the_one_language_of_a_model():
    tags = ("zh-Hans", "ckb", ["en", "fr"])
    assert [Model("m", {"language": tag}).frequency_list for tag in tags] == ["zh", None, None]


@pytest.fixture
def planned(tmp_path):
    """Plan a study of some models and queries, of a configuration with GloVe of two languages."""
    folder = Path(shutil.copytree(CONFIG, tmp_path / "config"))
    models = read_yaml(folder / "models.yaml")
    text = (folder / "models.yaml").read_text(encoding="utf-8")
    assert models[GLOVE]["language"] == "en"
    before, name, after = text.partition(f"\n{GLOVE}:\n")
    after = after.replace("language: en", "language: [en, fr]", 1)
    (folder / "models.yaml").write_text(before + name + after, encoding="utf-8")

    def plan(models, queries):
        (folder / "studies/mine.yaml").write_text(
            f"title: Mine\nmodels: {models}\nmetrics: [weat]\naggregation: avg\n"
            f"criteria: {{All: {queries}}}\n".replace("'", "")
        )
        return make_plan(shipped(folder, **only("mine"))).studies["mine"]

    return plan


def test_a_study_leaves_out_these_cells_and_counts_them(planned):
    study = planned([GLOVE, GOOGLE], ["weathub_fr_weat1", "weathub_fr_weat7", "weat_1"])
    assert [(cell.model, cell.query) for cell in study.cells] == [
        (GLOVE, "weathub_fr_weat1"),
        (GLOVE, "weathub_fr_weat7"),
        (GLOVE, "weat_1"),
        (GOOGLE, "weat_1"),
    ]
    assert {cell.model for cell in study.impossible} == {GOOGLE}
    # The usual checks are those of each language.
    in_french = [cell.query for cell in study.control_cells if cell.model == GLOVE]
    assert in_french == ["weat_1", "weat_2", "weathub_fr_weat1", "weathub_fr_weat2"]
    assert [c.query for c in study.control_cells if c.model == GOOGLE] == ["weat_1", "weat_2"]
    ((model, languages, numbers),) = languages_of(study)["unspoken"]
    assert (model, [*languages], dict(numbers)) == (GOOGLE, ["en"], {"fr": 2})


def test_a_query_that_no_model_of_a_study_knows_is_a_fault(planned):
    sentence = f"query 'weathub_fr_weat1' is in fr, and no model is \\({GOOGLE}: en\\)"
    with pytest.raises(ConfigurationError, match=sentence):
        planned([GOOGLE], ["weathub_fr_weat1", "weat_1"])


def test_the_french_study_has_the_queries_that_may_be_grammar_and_the_model_without_it():
    plan = make_plan(shipped(**only("french")))
    asked = languages_of(plan.studies["french"])
    tests = ("weat6", "weat7", "weat8", "weat11", "weat12")
    assert asked["gendered"] == {f"weathub_fr_{name}": "fr" for name in tests}
    assert asked["without_gender"] == {"fr-core-news-md-without-gender": "fr-core-news-md"}


FRENCH = read_yaml(CONFIG / "word_sets/weathub_fr.yaml")["sets"]


def audited(path, **more):
    return with_audit(shipped(audit=str(path), audit_references=[], **more))


def written(path, words):
    path.write_text("".join(f"{word} 1 2\n" for word in words), encoding="utf-8")
    return path


@pytest.fixture
def french(tmp_path):
    words = [w for one in FRENCH.values() for w in one.get("words", ()) if " " not in w]
    return written(tmp_path / "my.txt", dict.fromkeys([*words, *(f"x{i}" for i in range(500))]))


def test_french_vectors_are_asked_in_french(french):
    configuration = audited(french)
    plan = make_plan(configuration)
    (study,) = plan.studies.values()
    assert {name.rpartition("_")[0] for name in study.queries} == {"weathub_fr"}
    assert plan.models[plan.audited.model].entry["language"] == "fr"
    assert configuration.audited.language.startswith("The language is French (fr): the")


def test_a_language_without_tests_is_a_problem_of_the_audit(french):
    with pytest.raises(ConfigurationError, match="audit_language: there are no queries in fi"):
        audited(french, audit_language="fi")


def test_a_language_without_tests_is_refused_with_those_that_have_some():
    queries = {"mine": {"language": "nl", "lookup": "lowercase", "queries": {"nl_1": {}}}}
    preset = {"metrics": ["weat"], "criteria": {"WEAT": ["weat_1"]}, "lookup": "as_written"}
    assert preset_in("en", preset, queries) == preset
    made = preset_in("nl", preset, queries)
    assert (made["criteria"], made["lookup"]) == ({"WEAT": ["nl_1"]}, "lowercase")
    assert preset_in("NL-be", preset, queries) == made
    with pytest.raises(FairflowError, match=r"Thai \(th\), only in English \(en\), Dutch \(nl\)"):
        preset_in("th", preset, queries)
