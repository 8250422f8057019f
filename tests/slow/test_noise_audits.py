"""Audits of vectors without any meaning, and with less than others: none is called less biased.

The audit is that of the README, with its reference models.
"""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from stores import files_in
from wordfreq import top_n_list

from fairflow.files.atomic import read_json
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
    model = "results/models/glove-6B-50d/card.json"
    subprocess.run([".venv/bin/snakemake", "--cores", "2", model], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="module")
def words():
    """The most frequent words of English with those of its word sets."""
    files = map(read_yaml, sorted((ROOT / "config/word_sets").glob("*.yaml")))
    of_sets = [
        word
        for file in files
        for entry in (file["sets"].values() if "language" not in file else ())
        for word in entry.get("words", ())
        if " " not in word
    ]
    return list(dict.fromkeys([*of_sets, *top_n_list("en", N)]))


def gaussian(dims, seed, mean=0.0):
    def make(project, words):
        return words, np.random.default_rng(seed).normal(mean, 1, (len(words), dims))

    return make


def dealt(seed, shuffled=True):
    """The vectors of GloVe, each at another word."""

    def make(project, words):
        with open_store(*files_in(project / "results/models/glove-6B-50d")) as store:
            held = [word for word in words if word in store]
            vectors = store.vectors(held)
        return held, np.random.default_rng(seed).permutation(vectors) if shuffled else vectors

    return make


def noisy(dose, seed):
    """The vectors of GloVe with noise, whose deviation is a multiple of theirs."""

    def make(project, words):
        held, vectors = dealt(seed, shuffled=False)(project, words)
        noise = np.random.default_rng(seed).normal(0, vectors.std(), vectors.shape)
        return held, vectors + dose * noise

    return make


def planted(seed):
    """Noise in which the words of the sanity checks alone have a meaning."""

    def make(project, words):
        vectors = np.random.default_rng(seed).normal(size=(len(words), 300))
        sets = [read_yaml(path)["sets"] for path in (ROOT / "config/word_sets").glob("weat*.yaml")]
        known = {name: of for each in sets for name, of in each.items()}
        for names, sign in (
            ("flowers instruments pleasant", 1),
            ("insects weapons unpleasant", -1),
        ):
            meant = {w for name in known for w in known[name].get("words", ()) if name in names}
            vectors[[n for n, word in enumerate(words) if word in meant], 0] += 8 * sign
        return words, vectors

    return make


NOISE = {
    "gauss300_1": gaussian(300, 1),
    "gauss50_1": gaussian(50, 4),
    "dealt_1": dealt(6),
}
POORER = {"noisy_1": noisy(1, 8), "noisy_2": noisy(2, 9), "planted": planted(10)}


def audited(project, words, name, make):
    """The claims of the audit of a file, its page, and its report."""
    held, vectors = make(project, words)
    lines = (f"{w} {' '.join(f'{x:.5f}' for x in v)}" for w, v in zip(held, vectors, strict=True))
    path = project / f"{name}.txt"
    path.write_text("\n".join(lines) + "\n")
    made = ["make", "audit", f"MODEL={path.name}", "CORES=2"]
    done = subprocess.run(made, cwd=project, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (folder,) = (project / "results/audit").glob(f"{name}-*")
    data = read_json(project / f"results/studies/{folder.name}/claims.json")
    report = (folder / "report.html").read_text()
    shutil.rmtree(folder)
    return data, report


@pytest.mark.parametrize("name", NOISE)
def test_of_noise_it_is_said_that_it_fails_the_sanity_checks_and_nothing_else(project, words, name):
    data, report = audited(project, words, name, NOISE[name])
    assert data["page"]["answer"].startswith(f"{name}.txt fails a sanity check")
    kinds = {one["kind"] for one in data["claims"] if one["subject"]}
    assert not kinds & {"association", "comparison"}
    assert "shows less bias" not in report


@pytest.mark.parametrize("name", POORER)
def test_a_poorer_model_is_never_called_less_biased(project, words, name):
    data, report = audited(project, words, name, POORER[name])
    pairs = [one for one in data["claims"] if one["kind"] == "comparison"]
    assert not any(one["verdict"] == "less biased" for one in pairs)
    assert f"{name}.txt shows less bias" not in report
