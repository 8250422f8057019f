"""Queries of published items are planned without their file, which is fetched as models are."""

from dataclasses import replace
from pathlib import Path

from shipped import faults_of

from fairflow.language_models.planned.views import in_plan
from fairflow.planning.jobs import Jobs
from fairflow.planning.planner import announcement, make_plan
from fairflow.provenance.records import citations, resolved_configuration
from fairflow.scores.variant import Cell

CHECKSUM = f"sha256:{'b' * 64}"
FILE = f"results/downloads/sha256-{'b' * 64}"
WHEEL = {"sources": [{"pypi": "pkg==1"}], "bytes": 43_400_000, "checksum": CHECKSUM}
PAIRS = {
    "published": {"format": "crows_pairs", **WHEEL, "archive": "zip", "member": "pkg/pairs.csv"},
    "items": 1508,
    "licence": "CC0",
    "origin": "Somebody",
    "citation": "Somebody (2020). Pairs.",
}
BLANKS = PAIRS | {
    "published": PAIRS["published"] | {"format": "stereoset_intrasentence", "member": "pkg/b.json"},
    "items": 9,
}
STUDY = {
    "title": "Mine",
    "models": ["smollm2-135m-instruct"],
    "metrics": ["crows_pairs_likelihood", "stereoset"],
    "criteria": {"Pairs": ["the_pairs"], "Blanks": ["the_blanks"]},
    "aggregation": "abs_avg",
    "items": 120,
}


def planned(configuration, pairs=PAIRS, blanks=BLANKS, study=STUDY, **main):
    queries = {"queries": {"the_pairs": pairs, "the_blanks": blanks}, "citation": "The file."}
    models = configuration.further["language_models"].items()
    return make_plan(
        replace(
            configuration,
            further=configuration.further
            | {
                # Given answers are to other queries.
                "language_models": {n: entry for n, entry in models if "answers" not in entry},
                "language_queries": {"mine": queries},
            },
            main=configuration.main | {"studies": ["mine"]} | main,
            studies={"mine": study},
        )
    )


def changed(**published):
    return PAIRS | {"published": PAIRS["published"] | published}


def test_two_queries_of_one_wheel_have_one_download_and_need_no_file_to_be_planned(configuration):
    plan = planned(configuration)
    assert not Path(FILE).exists()
    assert plan.downloads[Path(FILE).name].sources == [{"pypi": "pkg==1"}]
    assert [plan.queries[q].published_files for q in ("the_pairs", "the_blanks")] == [[FILE]] * 2
    assert [plan.queries[q].kind for q in ("the_pairs", "the_blanks")] == ["pair", "candidate"]
    assert [(cell.metric, cell.query) for cell in plan.cells] == [
        ("crows_pairs_likelihood", "the_pairs"),
        ("stereoset", "the_blanks"),
    ]


def test_a_sample_is_taken_of_as_many_items_as_were_published(configuration):
    plan = planned(configuration)
    items = [Jobs(plan).of("items", query=query) for query in ("the_pairs", "the_blanks")]
    assert [one.how["number"] for one in items] == [120, None]


def test_what_decides_its_items_is_not_where_the_file_comes_from_nor_what_is_told_of_it(
    configuration,
):
    one = planned(configuration).queries["the_pairs"].definition
    mirror = changed(sources=[{"url": "http://host/pkg.whl"}]) | {
        "licence": "CC BY",
        "note": "Old.",
    }
    assert planned(configuration, mirror, download="all").queries["the_pairs"].definition == one
    other = changed(member="pkg/other.csv")
    assert planned(configuration, other).queries["the_pairs"].definition != one


def test_its_citation_is_its_own_and_its_record_names_no_folder_of_this_machine(configuration):
    own = changed(sources=[{"file": "/home/me/pkg.whl"}], obtain="Ask me.")
    plan = planned(configuration, own, archive=True)
    assert citations(plan)["query the_pairs"] == "Somebody (2020). Pairs."
    told = resolved_configuration(plan)["item_queries"]["the_pairs"]
    assert told["published"]["sources"] == ["pkg.whl"]
    assert "obtain" not in told["published"]


def test_an_unpacked_archive_fetches_nothing_and_reads_no_published_items(configuration):
    plan = planned(configuration, archive=True)
    assert (plan.downloads, in_plan(plan).readable) == ({}, [])
    assert in_plan(planned(configuration)).readable == ["the_pairs", "the_blanks"]


def test_one_that_a_run_may_not_fetch_is_left_out_as_a_model_is_or_refused(configuration):
    url = changed(sources=[{"url": "http://host/pkg.zip"}], checksum=f"sha256:{'c' * 64}")
    # Without a policy everything that a study names is fetched, models and items alike.
    assert planned(configuration, url).studies["mine"].absent_queries == {}
    skipping = STUDY | {"on_missing_model": "skip"}
    plan = planned(configuration, url, study=skipping)
    why = "not downloaded: a file of 43 MB that download in config.yaml does not allow"
    assert plan.studies["mine"].absent_queries == {"the_pairs": why}
    assert plan.studies["mine"].criteria == {"Blanks": ("the_blanks",)}
    assert "the_pairs" not in announcement(plan, Path("none"))
    for download in ("all", ["the_pairs"]):
        allowed = planned(configuration, url, study=skipping, download=download)
        assert allowed.studies["mine"].criteria["Pairs"] == ("the_pairs",)
    (problem,) = faults_of(planned, configuration, url, study=STUDY | {"on_missing_model": "fail"})
    assert problem.endswith(f"studies/mine.yaml: criteria: the_pairs is {why}")


def test_a_query_that_says_what_measures_it_is_measured_by_nothing_else(configuration):
    by_variant = PAIRS | {"measured_by": ["crows_pairs_likelihood"]}
    by_metric = PAIRS | {"measured_by": ["crows_pairs_score"]}
    for pairs in (by_variant, by_metric):
        plan = planned(configuration, pairs)
        assert Cell("smollm2-135m-instruct", "crows_pairs_likelihood", "the_pairs") in plan.cells
    other = PAIRS | {"measured_by": ["aul_preference"]}
    problems = faults_of(planned, configuration, other)
    assert any("metrics.crows_pairs_likelihood" in one for one in problems)
    assert any("the query is measured by aul_preference" in one for one in problems)


def test_the_study_of_benchmarks_has_one_headline_for_each_set_of_items_and_one_family(
    configuration,
):
    main = configuration.main | {"studies": ["benchmarks"]}
    plan = make_plan(replace(configuration, main=main))
    # BBQ's two headlines are of ambiguous questions and of disambiguated ones.
    asked = {(plan.metrics[cell.metric].metric, cell.query) for cell in plan.cells}
    queries = sorted(query for _, query in asked)
    assert queries == sorted(plan.studies["benchmarks"].queries)
    assert plan.studies["benchmarks"].families == ()


def test_items_of_studies_that_come_with_fairflow_have_a_licence(configuration):
    main = configuration.main
    named = {name: configuration.studies[name] for name in main["language_studies"]}
    used = {q for study in named.values() for group in study["criteria"].values() for q in group}
    licences = {
        name: entry["licence"]
        for contents in configuration.further["language_queries"].values()
        for name, entry in contents["queries"].items()
        if "published" in entry and name in used
    }
    assert [name for name, licence in licences.items() if licence.startswith("not est")] == []
