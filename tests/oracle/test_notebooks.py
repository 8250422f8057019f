"""The notebooks run with the import of WEFE alone changed, and give the values that WEFE gave.

`make oracle` runs them with WEFE itself; its answers are kept in tests/data/wefe_notebooks.json,
which `python -m oracle.live.notebooks PYTHON --record FILE` writes.
"""

import json
import re
import shutil
import warnings
from pathlib import Path

import pytest

from fairflow.files.downloads import cache_folder
from fairflow.vectors.convert import convert
from fairflow.vectors.example_vectors import FILES, NAME

from .document_defects import read_defects
from .live.notebooks import CHAPTERS, COMPAT, NOTEBOOKS, deviations, problems
from .live.run_notebook import run_notebook
from .pinned import lexicon, model_file

WEFE = json.loads((Path(__file__).parents[1] / "data/wefe_notebooks.json").read_text("utf-8"))


@pytest.fixture(scope="module", autouse=True)
def cache(request, tmp_path_factory):
    """A user's cache that holds the test model and the opinion lexicon; no network is needed."""
    kept = getattr(request.config, "cache", None)
    pinned = kept.mkdir("pinned") if kept else tmp_path_factory.mktemp("pinned")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        patch.chdir(tmp_path_factory.mktemp("work"))
        model, words = cache_folder() / NAME, cache_folder() / "bing_liu"
        for folder in (model, words):
            folder.mkdir(parents=True)
        convert(model_file(pinned), "gensim", *(model / name for name in FILES))
        for name in ("positive_words", "negative_words"):
            lexicon(name, pinned)
            shutil.copy(pinned / name, words / f"{name}.txt")
        yield


def answers(chapter):
    """What the notebook finds with fairflow."""
    text = (NOTEBOOKS / f"{chapter}.py").read_text("utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = run_notebook(re.sub(r"\bwefe\b", COMPAT, text))
    return json.loads(json.dumps(found))


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_notebook_gives_the_values_and_shows_the_tables_and_pictures_of_wefe(chapter):
    assert problems(WEFE[chapter], answers(chapter), deviations().get(chapter, {})) == []


def test_every_deviation_is_a_reviewed_defect():
    defects = read_defects()
    named = deviations()
    assert named.keys() <= set(CHAPTERS)
    for entries in named.values():
        for entry in entries.values():
            assert entry["defect"] in defects
            assert entry["reason"]
