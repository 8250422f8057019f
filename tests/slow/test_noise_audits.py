"""Audits of vectors without any meaning: the first finding says so, and nothing else is read.

The audit is that of the README, with its reference models.
"""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from wordfreq import top_n_list

from fairflow.files.configuration_files import read_yaml
from fairflow.vectors.derivation import open_store

ROOT = Path(__file__).parents[2]
N = 30_000


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A clone without results, with the environment and the downloads of this one."""
    folder = tmp_path_factory.mktemp("noise") / "fairflow"
    subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
    for name in (".venv", "results/downloads"):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.fixture(scope="module")
def words():
    """The most frequent words of English with those of every word set."""
    of_sets = [
        word
        for path in sorted((ROOT / "config/word_sets").glob("*.yaml"))
        for entry in read_yaml(path)["sets"].values()
        for word in entry.get("words", ())
        if " " not in word
    ]
    return list(dict.fromkeys([*of_sets, *top_n_list("en", N)]))


def gaussian(dims, seed, mean=0.0):
    def make(project, words):
        return words, np.random.default_rng(seed).normal(mean, 1, (len(words), dims))

    return make


def dealt(seed):
    """The vectors of GloVe, each at another word."""

    def make(project, words):
        folder = project / "results/models/glove-6B-50d"
        files = {"vectors": "vectors", "index": "index.sqlite", "card": "card.json"}
        with open_store(**{key: folder / name for key, name in files.items()}) as store:
            held = [word for word in words if word in store]
            vectors = store.vectors(held)
        return held, np.random.default_rng(seed).permutation(vectors)

    return make


FILES = {
    "gauss300_1": gaussian(300, 1),
    "gauss300_2": gaussian(300, 2),
    "gauss300_3": gaussian(300, 3, mean=0.5),
    "gauss50_1": gaussian(50, 4),
    "gauss50_2": gaussian(50, 5),
    "dealt_1": dealt(6),
    "dealt_2": dealt(7),
}


@pytest.mark.parametrize("name", FILES)
def test_of_noise_it_is_said_first_that_it_is_noise_and_nothing_else(project, words, name):
    held, vectors = FILES[name](project, words)
    lines = (f"{w} {' '.join(f'{x:.5f}' for x in v)}" for w, v in zip(held, vectors, strict=True))
    path = project / f"{name}.txt"
    path.write_text("\n".join(lines) + "\n")
    command = ["make", "audit", f"MODEL={path.name}", "CORES=2"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    heads = ("Model", "Asked", "Found", "Sure", "Control", "Stands", "Quality", "Missing")
    said = [line for line in done.stdout.splitlines() if line[:9].strip() in heads]
    assert [line[:9].strip() for line in said] == ["Model", "Control", "Missing"]
    (folder,) = (project / "results/audit").glob(f"{name}-*")
    ranking = pd.read_csv(folder / "ranking.csv")
    own = ranking[ranking["model"] == folder.name]
    assert own["rank"].isna().all()
    assert set(own["status"]) <= {"fails_control", "no_bias", "scales_with_dimension"}
    assert folder.name not in {*pd.read_csv(folder / "pairwise.csv")["model"]}
    assert not pd.read_csv(folder / "rank_probabilities.csv")["model"].eq(folder.name).any()
    first = (folder / "conclusions.md").read_text().split("- ")[1]
    assert first.startswith(f"{path.name} fails a control query")
    report = (folder / "report.html").read_text()
    assert f"{path.name} is less biased" not in report
    shutil.rmtree(folder)
