"""A path that nothing can make is refused with the reason: a name in it, or a missing source."""

import re

import pytest

from fairflow.planning.models import CONVERTED, models_of
from fairflow.planning.result_files import target_problem

FILE = {"sources": [{"file": "no/glove.txt"}], "format": "glove-text", "obtain": "Ask for it."}
MODELS = models_of(
    {
        "glove": FILE,
        "glove-unit": {"derive": {"from": "glove", "transform": "normalised"}},
        "remote": {"sources": [{"url": "https://host/a.txt"}], "format": "glove-text"},
    }
)
NAMES = {"model": MODELS, "query": ("weat_1", "weat_2"), "run": ("", "-lm")}
ANY = re.compile("|".join(MODELS))
PATTERNS = [
    ("results/models/{model}/card.json", {"model": re.compile("glove|remote")}),
    ("results/models/{model}/derivation.npz", {"model": re.compile("glove-unit")}),
    ("results/slices/{model}/{query}.npz", {"model": ANY, "query": re.compile("weat_[12]")}),
    ("results/report{run}.html", {"run": re.compile("(?:|-lm)")}),
    ("results/ledger.md", {}),
]


def problem(target, store="none"):
    return target_problem(target, PATTERNS, NAMES, MODELS, store)


@pytest.fixture
def store(tmp_path):
    """A folder in which the model glove is converted."""
    (tmp_path / "glove").mkdir()
    for name in CONVERTED.values():
        (tmp_path / "glove" / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("target", "sentence"),
    [
        ("results/models/glov/card.json", "unknown model 'glov'. Did you mean 'glove'?"),
        ("results/slices/remote/weat_3.npz", "unknown query 'weat_3'. Did you mean 'weat_"),
        ("results/report-ml.html", "unknown run '-ml'. Did you mean '-lm'?"),
    ],
)
def test_the_unknown_name_is_told_with_the_nearest(target, sentence):
    assert problem(target).startswith(f"{target}: {sentence}")


@pytest.mark.parametrize(
    "target",
    ["results/models/remote/card.json", "results/slices/remote/weat_1.npz", "results/report.html",
     "results/ledger.md", "results/models/glove/notes", "scores", "--dry-run", "-j4", "all", ""],
)  # fmt: skip
def test_what_a_rule_makes_or_is_no_result_is_no_problem(target):
    assert problem(target) is None


def test_a_model_whose_file_is_missing_says_how_to_get_it(store):
    assert problem("results/slices/glove/weat_1.npz") == (
        "results/slices/glove/weat_1.npz: it is made of the model glove; there is no file "
        "no/glove.txt: Ask for it."
    )
    assert problem("results/slices/glove/weat_1.npz", store) is None


def test_a_derived_model_tells_the_way_to_what_is_missing(store):
    assert problem("results/models/glove-unit/derivation.npz").startswith(
        "results/models/glove-unit/derivation.npz: it is made of the model glove-unit, which is "
        "derived from glove; there is no file no/glove.txt"
    )
    assert problem("results/models/glove-unit/derivation.npz", store) is None


def test_a_model_that_no_rule_makes_here_is_told_as_such():
    # As in an unpacked archive.
    nobody = [("results/models/{model}/card.json", {"model": re.compile("(?!)")})]
    target = "results/models/glove/card.json"
    assert target_problem(target, nobody, NAMES, MODELS, "none") == (
        f"{target}: no rule makes this file of the model 'glove'"
    )


def test_scores_that_lie_in_the_files_of_another_variant_are_told_where():
    metric = {"metric": re.compile("weat")}
    patterns = [("results/scores/{model}/{metric}/{query}.parquet", metric)]
    asked = "results/scores/glove/weat_es/weat_1.parquet"
    assert target_problem(asked, patterns, NAMES, {}, "none", {"weat_es": "weat"}) == (
        f"{asked}: weat_es is computed with weat: ask for results/scores/glove/weat/weat_1.parquet"
    )
