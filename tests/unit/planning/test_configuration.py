"""A faulty configuration is refused before anything runs, every fault with its file and remedy."""

import shutil
from pathlib import Path

import pytest
from own_process import output_of
from shipped import CONFIG, faults_of, shipped

from fairflow.capabilities import additions
from fairflow.files.configuration_files import read_yaml
from fairflow.planning.planner import make_plan
from fairflow.planning.study_jobs import Jobs
from fairflow.scores.variant import Cell, Slice
from fairflow.studies.distinct_tests import Sameness

STUDY = "studies/weat_replication.yaml"
QUERIES = "queries/weat_replication.yaml"


class Folder:
    """A copy of the project's configuration that a test may spoil."""

    def __init__(self, path):
        self.path = path

    def replace(self, file, old, new):
        """Replace the first occurrence of `old`."""
        text = (self.path / file).read_text(encoding="utf-8")
        assert old in text
        (self.path / file).write_text(text.replace(old, new, 1), encoding="utf-8")

    def append(self, file, text):
        with open(self.path / file, "a", encoding="utf-8") as open_file:
            open_file.write(text)

    def plan(self, **changes):
        return make_plan(shipped(self.path, **changes))

    def problems(self, **changes):
        return faults_of(self.plan, **changes)

    def only_problem(self, **changes):
        (problem,) = self.problems(**changes)
        return problem


@pytest.fixture
def folder(tmp_path):
    # The lists of 24 languages, which no default study needs, take half of the time.
    ignored = shutil.ignore_patterns("weathub_*", "french.yaml")
    return Folder(Path(shutil.copytree(CONFIG, tmp_path / "config", ignore=ignored)))


def test_the_untouched_configuration_makes_a_plan_of_598_cells_of_its_models(folder):
    # 2 models x 13 WEAT tests by the three variants of WEAT at once, 3 models x 25 queries of the
    # case study by six metrics, 3 models x 16 measures of a single one, 74 of RNSB and of
    # debiased models.
    models = read_yaml(folder.path / "models.yaml")
    cells = [cell for cell in folder.plan().cells if cell.model in models]
    assert len(cells) == len(set(cells)) == 2 * 13 + 3 * 6 * 25 + 3 * 16 + 74 == 598
    assert Cell("word2vec-google-news-300-weat", "weat", "weat_1") in cells
    with_ledger = [cell for cell in folder.plan(ledger=True).cells if cell.model in models]
    assert {*cells} < {*with_ledger}
    assert len(with_ledger) == 748


def test_no_study_of_the_default_run_shows_the_same_vectors_twice(folder):
    studies = folder.plan().studies
    assert len(studies) > 5
    for study in studies.values():
        assert len({*study.vectors.values()}) == len(study.models), study.name


def test_the_ledger_compares_every_file_of_published_numbers_of_word_vectors_that_are_had(folder):
    left_out = folder.plan(ledger=True).uncompared
    commands = {Path(file).stem: why["command"] for file, why in left_out.items()}
    # Its models are large and no study names them.
    assert commands.pop("mukherjee_2023") == ""
    others = {one.command for one in additions("plan")}
    assert {command.partition(" STUDY=")[0] for command in commands.values()} <= {"", *others}
    assert "make ledger" in {why["command"] for why in folder.plan().uncompared.values()}


SPOILT = {
    "config key": ("config.yaml", "seed: 2020", "seed: 2020\nsead: 1", "Did you mean 'seed'?"),
    "model": ("studies/garg_2018.yaml", "- glove-6B-50d", "- glove-6B-5d", "'glove-6B-50d'?"),
    "base of a model": ("models.yaml", "from: word2vec-google-news-300-weat",
                        "from: word2vec-google-news-300-wet",
                        "Did you mean 'word2vec-google-news-300-weat'?"),
    "model of the same vectors": ("models.yaml", "vectors_of: glove.6B.300d",
                                  "vectors_of: glove.6B.30d", "Did you mean 'glove.6B.300d'?"),
    "variant": (STUDY, "weat_es_caliskan,", "weat_es_calskan,", "Did you mean 'weat_es_caliskan'?"),
    "metric": ("metrics.yaml", "metric: rnsb", "metric: rsnb", "Did you mean 'rnsb'?"),
    "measure": ("metrics.yaml", "measure: effect_size", "measure: effect", "weat, effect_size"),
    "parameter": ("metrics.yaml", "{convention: wefe}", "{conventon: wefe}",
                  "Did you mean 'convention'?"),
    "query": (STUDY, "weat_10]", "weat_100]", "Did you mean 'weat_10'?"),
    "word set": (QUERIES, "weat:flowers", "weat:flower", "Did you mean 'weat:flowers'?"),
    "look-up": (QUERIES, "lookup: as_written_then_lowercase", "lookup: as_writen",
                "Did you mean 'as_written'?"),
    "look-up option": ("lookups.yaml", "{lowercase: true}", "{lowecase: true}",
                       "Did you mean 'lowercase'?"),
    "published file": (STUDY, "scores: caliskan_2017", "scores: calskan_2017",
                       "Did you mean 'caliskan_2017'?"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "hint"), SPOILT.values(), ids=SPOILT)
def test_an_unknown_name_is_refused_with_its_file_and_the_nearest_one(folder, file, old, new, hint):
    folder.replace(file, old, new)
    problem = folder.only_problem()
    assert problem.startswith(f"{folder.path / file}: ")
    assert hint in problem


def test_faults_of_shape_are_told_at_once_and_then_those_of_meaning(folder):
    folder.replace("models.yaml", "  order: frequency\n", "  ordr: frequency\n")
    folder.replace("config.yaml", "seed: 2020", "seed: -1")
    folder.replace(QUERIES, "weat:flowers", "weat:flower")
    folder.replace(STUDY, "  - forest_plot\n", "  - forest\n")
    _, key = folder.problems(studies=["weat_replication"])
    assert "Did you mean 'order'?" in key
    folder.replace("models.yaml", "  ordr: frequency\n", "  order: frequency\n")
    folder.replace("config.yaml", "seed: -1", "seed: 1")
    query, figure = folder.problems(studies=["weat_replication"])
    assert "'weat:flowers'?" in query
    assert "'forest_plot'?" in figure


def test_a_query_that_a_metric_cannot_take_is_named_with_both(folder):
    # RND takes one attribute set, and this variant is not to split queries.
    folder.replace("metrics.yaml", "  measure: rnd\n  subqueries: true", "  measure: rnd")
    folder.replace(STUDY, "weat_es_caliskan,", "rnd,")
    problems = folder.problems(studies=["weat_replication"])
    assert len(problems) == 13
    assert problems[0] == (
        f"{folder.path / STUDY}: metrics.rnd: query 'weat_1': "
        "RND takes 1 attribute sets, the query has 2"
    )


@pytest.mark.parametrize(("word", "read"), [("no", "False"), ("1", "1")])
def test_a_word_that_yaml_reads_as_something_else_is_to_be_quoted(folder, word, read):
    folder.append("word_sets/weat.yaml", f"  mine:\n    words: [yours, {word}]\n")
    problem = folder.only_problem()
    assert f"sets.mine.words[1]: found {read}, expected a string" in problem
    assert "put it in quotes" in problem


def test_a_query_in_two_criteria_of_a_study_is_refused(folder):
    folder.replace(STUDY, "criteria:", "criteria:\n  Again: [weat_3]")
    assert "query 'weat_3' is in two criteria" in folder.only_problem()


def test_variants_that_exchange_one_statistic_are_known(folder):
    twin = "  - word2vec-google-news-300-weat-normalised\n"
    folder.replace("studies/case_study.yaml", "models:\n", f"models:\n{twin}")
    plan = folder.plan(studies=["case_study"])
    how = Jobs(plan).of("tables", study="case_study").how["scores"]
    same = Sameness(*(how[name] for name in Sameness._fields))
    statistics = same.statistics
    assert statistics["weat"] == statistics["weat_es"]
    assert len({statistics[metric] for metric in ("weat", "rnd", "rnsb_100")}) == 3
    subset = "word2vec-google-news-300-weat"
    assert same.vectors_for(f"{subset}-normalised", "weat") == same.vectors_for(subset, "weat")
    assert same.vectors_for(f"{subset}-normalised", "rnd") != same.vectors_for(subset, "rnd")


def test_a_study_has_the_usual_control_queries_unless_it_names_others(folder):
    study = folder.plan(studies=["case_study"]).studies["case_study"]
    assert study.controls == ("weat_1", "weat_2")
    subset = "word2vec-google-news-300-weat"
    assert Cell(subset, "weat_es_caliskan", "weat_1") in study.control_cells
    assert not set(study.control_cells) & set(study.cells)
    assert Slice(subset, "weat_1") in study.every_slice
    plan = folder.plan(studies=["case_study"])
    (scored,) = (cell for cell in plan.cells if (cell.model, cell.query) == (subset, "weat_1"))
    assert scored.metric == "weat"
    file = {"queries": plan.file_of("weat_1")}
    assert "weat_1" in Jobs(plan).of("scores", model=subset, metric="weat", **file).how["tested"]
    folder.append("studies/case_study.yaml", "controls: []\n")
    assert folder.plan(studies=["case_study"]).studies["case_study"].control_cells == []


@pytest.mark.parametrize("file", ["models.yaml", "metrics.yaml", "lookups.yaml"])
def test_a_missing_file_is_named(folder, file):
    (folder.path / file).unlink()
    assert folder.only_problem() == f"{folder.path / file}: the file is missing"


def test_planning_loads_no_tables_statistics_or_figures():
    # Each job of the workflow plans again.
    code = (
        "import sys, fairflow.planning.planner\n"
        "heavy = {'pandas', 'scipy', 'sklearn', 'matplotlib', 'gensim', 'torch'}\n"
        "print(*sorted(heavy & {*sys.modules}))"
    )
    assert output_of(code).split() == []
