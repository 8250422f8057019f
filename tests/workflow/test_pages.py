"""What the site tells a reader to write and to run works as it stands, up to a result."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml

from fairflow.scores.ranked import ranked_rows
from pages import commands, follow
from project import ROOT, Project, copy_workflow

pytestmark = pytest.mark.workflow

GLOVE, WORD2VEC = "glove-6B-50d", "word2vec-google-news-300-weat"
STUDIES = {
    "start.md": "start",
    "write/query.md": "care",
    "write/metric.md": "distance",
    "write/study.md": "two_tables",
    "write/transform.md": "centred",
}


def words() -> list[str]:
    """The words of the WEAT tests, those of the pages, and enough others for the latter."""
    sets = yaml.safe_load((ROOT / "config/word_sets/weat.yaml").read_text())["sets"]
    mine = "nurse caring childcare kindergarten midwife babysitter cradle nursery engine machine"
    mine += " tractor motor welding crane bulldozer"
    listed = [word for entry in sets.values() for word in entry.get("words", ())]
    return list(dict.fromkeys([*listed, *mine.split()]))


def write_small_models(project: Project) -> None:
    """Both models of the pages as files of eight dimensions, and little resampling."""
    for seed, model in enumerate((GLOVE, WORD2VEC)):
        vectors = np.random.default_rng(seed).normal(size=(len(words()), 8)).round(5)
        rows = (f"{w} {' '.join(map(str, v))}\n" for w, v in zip(words(), vectors, strict=True))
        path = project.folder / f"data/{model}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(rows))
    file = project.folder / "config/models.yaml"
    entries = yaml.safe_load(file.read_text())
    for model in (GLOVE, WORD2VEC):
        sources = [{"file": f"data/{model}.txt"}]
        entries[model] = {"label": model, "sources": sources, "format": "glove-text"}
    file.write_text(yaml.safe_dump(entries, sort_keys=False))
    with open(project.folder / "config/config.yaml", "a") as settings:
        settings.write(
            "statistics: {resamples: 200, joint_draws: 100, permutations: 200, random_words: 0}\n"
        )


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a reader who followed all the pages and ran their studies at once."""
    project = Project(tmp_path_factory.mktemp("pages") / "project")
    copy_workflow(project.folder, ROOT / "config")
    write_small_models(project)
    for page, study in STUDIES.items():
        paths = follow(page, project.folder)
        assert f"config/studies/{study}.yaml" in paths
        assert commands(page) == [f"make run STUDY={study}"]
    results = [f"results/studies/{study}/scores.csv" for study in STUDIES.values()]
    results += ["results/studies/two_tables/ranking.csv", "results/figures/start/forest_plot.png"]
    project.run("--config", f"studies=[{', '.join(STUDIES.values())}]", "--", *results)
    return project.folder / "results"


def headline(results: Path, study: str) -> pd.DataFrame:
    return ranked_rows(pd.read_csv(results / f"studies/{study}/scores.csv"))


def test_the_query_is_asked_with_its_words(followed: Path):
    (row,) = headline(followed, "care").to_dict("records")
    assert (row["query"], row["status"], row["n_words"]) == ("care", "ok", 32)
    assert row["oov_words"] == "turbine"


def test_the_metric_is_computed_beside_weat(followed: Path):
    rows = headline(followed, "distance")
    assert rows["metric"].value_counts().to_dict() == {"my_distance": 12, "weat_es_caliskan": 6}
    assert rows["value"].notna().all()


def test_the_study_ranks_its_models(followed: Path):
    ranking = pd.read_csv(followed / "studies/two_tables/ranking.csv")
    assert set(ranking["criterion"]) == {"Gender", "Health and age", "Overall"}
    assert set(ranking["model"]) == {GLOVE, WORD2VEC}


def test_the_transform_makes_a_model_of_its_own(followed: Path):
    rows = (
        headline(followed, "centred")
        .query("metric == 'mac'")
        .pivot(index="query", columns="model", values="value")
    )
    assert list(rows) == [GLOVE, f"{GLOVE}-centred"]
    assert (rows[GLOVE] != rows[f"{GLOVE}-centred"]).all()
