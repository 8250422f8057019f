"""What config/corpora.yaml plans: a model for each subcorpus and embedding, and their draws."""

from dataclasses import replace
from pathlib import Path

import pytest
from shipped import ROOT, SCHEMAS

from fairflow.corpora.documents import listing
from fairflow.corpora.plan import EXTENSION, corpora_of
from fairflow.corpora.planned_corpus import PlannedCorpus
from fairflow.planning.configuration import shape_problems
from fairflow.planning.fingerprint import _code
from fairflow.planning.planner import make_plan
from fairflow.planning.registry import path_of
from fairflow.planning.study_jobs import Jobs

ENTRY = {
    "sources": [{"file": "news"}],
    "date": "year",
    "language": "en",
    "divisions": {
        "decades": {"date": [1900, 1910, 1920]},
        "parties": {"field": "party", "values": {"Left": ["SPD", "USPD"], "Right": ["DNVP"]}},
    },
    "embeddings": {"pmi": {}, "sgns": {"dims": 50, "draws": {"documents": 60}}},
}
CORPUS = PlannedCorpus("news", ENTRY)
PART = {"study": "mine", "subcorpus": "1900_1909"}
DRAWS = {"study": "mine", "model": "news-1900_1909-sgns", "batch": "documents_0"}
STUDY = {
    "title": "News",
    "corpus": "news",
    "metrics": ["weat"],
    "criteria": {"Gender": ["weat_6"]},
    "aggregation": "abs_avg",
}


def completed(configuration, entry=ENTRY, **keys):
    main = configuration.main | {"studies": ["mine"], "archive": True}
    studies = {"mine": {"models": [], **STUDY, **keys}}
    read = replace(configuration, main=main, studies=studies, further={"corpora": {"news": entry}})
    return EXTENSION.completed(read)


def planned(configuration, entry=ENTRY, **keys):
    return make_plan(completed(configuration, entry, **keys))


def test_the_entry_follows_its_schema():
    assert shape_problems({"news": ENTRY}, "corpora", Path("corpora.yaml"), SCHEMAS) == []


def test_each_subcorpus_and_embedding_is_a_model():
    models = CORPUS.trained()
    assert len(models) == 8
    model = models["news-1900_1909-sgns"]
    assert model["label"] == "1900\N{EN DASH}1909 (sgns)"
    assert (model["language"], model["order"], model["casing"]) == ("en", "frequency", "lower")
    trained = {"corpus": "news", "subcorpus": "1900_1909", "embedding": "sgns"}
    assert model["trained"] == trained


def test_a_study_may_ask_for_some_divisions_and_embeddings_and_for_other_models(configuration):
    keys = {"divisions": ["decades"], "embeddings": ["pmi"], "models": ["glove-6B-50d"]}
    models = completed(configuration, **keys).studies["mine"]["models"]
    assert models == ["news-1900_1909-pmi", "news-1910_1919-pmi", "glove-6B-50d"]


def test_draws_are_dealt_to_jobs_that_a_larger_number_leaves_as_they_are():
    jobs = CORPUS.batches("sgns")
    sizes = {name: len(drawn) for name, drawn in jobs.items()}
    assert sizes == {
        **{"documents_0": 25, "documents_25": 25, "documents_50": 10},
        **{"seeds_0": 4, "shuffled_0": 5},
    }
    # The first of the seeds is the model itself.
    assert jobs["seeds_0"][0] == ["seeds", 1]
    more = PlannedCorpus("news", ENTRY | {"draws": {"seeds": 9}}).batches("sgns")
    assert more["documents_25"] == jobs["documents_25"]
    # Counts are weighted anew, which one job does for all.
    assert {n: len(drawn) for n, drawn in CORPUS.batches("pmi").items()} == {
        **{"documents_0": 200, "shuffled_0": 20}
    }


def test_tests_of_all_subcorpora_are_one_family(configuration):
    assert planned(configuration).studies["mine"].families == ()
    assert planned(configuration, families=["model"]).studies["mine"].families == ("model",)


def test_jobs_read_the_corpus_and_the_counts_that_they_need(configuration):
    plan = planned(configuration)
    jobs = Jobs(plan)
    assert jobs.of("corpus", corpus="news").inputs == {"source": "news"}
    model = "news-1900_1909-sgns"
    trained = jobs.of("trained", model=model)
    assert path_of(plan, "trained", model=model) == plan.models[model].file
    assert trained.how["training"]["parameters"] == {"dims": 50}
    assert trained.inputs["tokens"] == "results/corpora/news/tokens.npy"
    counts = jobs.of("counts", **PART)
    assert [counts.how["counting"][name] for name in ("window", "shuffled")] == [10, 20]
    counted = jobs.of("draws", **DRAWS | {"model": "news-1900_1909-pmi"})
    assert counted.inputs["counts"] == [path_of(plan, "counts", **PART)]
    assert jobs.of("draws", **DRAWS).inputs["counts"] == []
    table = jobs.of("tables", study="mine")
    settings = table.how["corpus"]
    assert len(table.inputs["counts"]) == len(settings["subcorpora"]) == 4
    assert len(table.inputs["draws"]) == len(settings["draws"]) == 4 * (2 + 5)


def test_a_cluster_decides_draws_and_no_vectors(configuration):
    jobs, named = (
        Jobs(planned(configuration, entry)) for entry in (ENTRY, ENTRY | {"cluster": "author"})
    )
    assert named.of("counts", **PART).how["part"]["cluster"] == "author"
    assert named.of("draws", **DRAWS).how["part"]["cluster"] == "author"
    model = {"model": DRAWS["model"]}
    assert named.of("trained", **model) == jobs.of("trained", **model)


@pytest.mark.parametrize(
    ("script", "kind", "wildcards"),
    [
        ("read_corpus", "corpus", {"corpus": "news"}),
        ("train_vectors", "trained", {"model": DRAWS["model"]}),
        ("count_cooccurrences", "counts", PART),
        ("score_draws", "draws", DRAWS),
    ],
)
def test_a_change_of_any_module_that_a_script_calls_does_its_jobs_again(
    configuration, script, kind, wildcards
):
    waiting, seen = [*Jobs(planned(configuration)).of(kind, **wildcards).modules], set()
    while waiting:
        if (name := waiting.pop()) not in seen:
            seen.add(name)
            waiting += _code(name)[1]
    called = {
        name for name in _code(str(ROOT / f"scripts/corpora/{script}.py"))[1] if "files" not in name
    }
    assert called
    assert called <= seen


@pytest.mark.parametrize("source", ["a.txt", ""])
def test_a_changed_text_changes_what_decides_the_corpus(tmp_path, source):
    (tmp_path / "a.txt").write_text("one")
    before = listing(tmp_path / source)
    (tmp_path / "a.txt").write_text("three")
    assert [name for name, *_ in listing(tmp_path / source)] == ["a.txt"]
    assert listing(tmp_path / source) != before


def test_a_download_is_known_by_its_checksum_and_not_by_when_it_came(
    configuration, tmp_path, monkeypatch
):
    plan = make_plan(configuration)
    file = tmp_path / corpora_of(plan)["state_of_the_union"].source
    file.parent.mkdir(parents=True)
    file.touch()
    monkeypatch.chdir(tmp_path)
    assert Jobs(plan).of("corpus", corpus="state_of_the_union").how["listing"] == []


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {"divisions": {"d": {"field": "party"}}},
            "a division by date, or by the values",
        ),
        ({"embeddings": {"glove": {}}}, "unknown key 'glove'"),
        ({"clusters": "author"}, "Did you mean 'cluster'"),
        ({"embeddings": {"pmi": {"context": 9}}}, "Did you mean 'contexts'"),
        ({"embeddings": {"sgns": {"min_n": 3}}}, "unknown key 'min_n'"),
        ({"embeddings": {"fasttext": {"negativ": 3}}}, "Did you mean 'negative'"),
        ({"embeddings": {"sgns": {"alpha": "high"}}}, "sgns.alpha: 'high' is not of type 'number'"),
        ({"sources": [{"url": "https://host/a.csv"}]}, "the key 'checksum' is missing"),
    ],
)
def test_a_wrong_entry_is_refused(entry, said):
    problems = shape_problems({"news": ENTRY | entry}, "corpora", Path("corpora.yaml"), SCHEMAS)
    assert said in "\n".join(problems)
