"""Every transform on a store, written and read again, gives what it gives on arrays; cheaply."""

import numpy as np
import pytest
from own_process import output_of

from fairflow.transforms import TRANSFORMS, transform_class
from fairflow.vectors import store as store_module
from fairflow.vectors.convert import convert
from fairflow.vectors.derivation import derive, open_store

WORDS = [f"w{number}" for number in range(60)]
VECTORS = np.random.default_rng(3).standard_normal((60, 6)).astype(np.float32)
PAIRS = [["w0", "w1"], ["w2", "w3"], ["w4", "missing"]]
GROUPS = [WORDS[:12], WORDS[12:20]]
PARAMETERS = {
    "normalised": {},
    "hard_debias": {"definitional": PAIRS, "equalise": [["w8", "w9"]], "specific": ["w9", "w20"]},
    "multiclass_hard_debias": {"definitional": [WORDS[:3]], "equalise": [WORDS[5:8]]},
    "half_sibling_regression": {"definitional": WORDS[:4], "alpha": 2},
    "double_hard_debias": {"definitional": PAIRS, "ends": ["w0", "w1"], "components": 3},
    "ran": {"definitional": PAIRS, "words": ["w30", "w31"], "neighbours": 5},
    "linear_projection": {"definitional": PAIRS},
    "mean_projection": {"groups": GROUPS},
    "leace": {"groups": GROUPS},
    "inlp": {"groups": GROUPS},
    # The words are the sentences.
    "sentence_debias": {"definitional": PAIRS, "templates": ["{word}"]},
}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A store of these words, read in blocks of a few."""
    monkeypatch.setattr(store_module, "BLOCK", 128)
    lines = (
        f"{word} {' '.join(repr(float(number)) for number in row)}\n"
        for word, row in zip(WORDS, VECTORS, strict=True)
    )
    (tmp_path / "source").write_text("".join(lines))
    paths = {name: tmp_path / name for name in ("vectors", "index", "card")}
    convert(tmp_path / "source", "glove-text", **paths)
    return paths


def test_every_registered_transform_is_among_these():
    assert set(PARAMETERS) == set(TRANSFORMS.names)


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_store_gives_the_vectors_that_arrays_give(name, files, tmp_path):
    transform = transform_class(name)(**PARAMETERS[name])
    on_arrays = transform.fit((WORDS, VECTORS))
    path = tmp_path / "derivation.npz"
    derive(transform, path, **files)
    with open_store(**files, derivations=[path]) as store:
        assert store.vectors(WORDS) == pytest.approx(on_arrays.apply(WORDS, VECTORS), abs=1e-5)
        kept = store.facts["derivation"]
    missing = on_arrays.facts.get("words_missing", {})
    assert kept.get("words_missing", {}) == missing
    if "definitional" in PARAMETERS[name] and name.endswith(("hard_debias", "ran")):
        assert "directions" in kept


def test_a_chain_is_fitted_to_what_the_one_before_it_gives(files, tmp_path):
    first, second = tmp_path / "first.npz", tmp_path / "second.npz"
    hard, unit = (
        transform_class(name)(**PARAMETERS[name]) for name in ("mean_projection", "normalised")
    )
    derive(hard, first, **files)
    derive(unit, second, **files, derivations=[first])
    derived = hard.fit((WORDS, VECTORS)).apply(WORDS, VECTORS)
    with open_store(**files, derivations=[first, second]) as store:
        lengths = np.linalg.norm(derived, axis=1, keepdims=True)
        assert store.vectors(WORDS) == pytest.approx(derived / lengths, abs=1e-5)


def test_fitting_what_is_linear_imports_no_large_package():
    light = [name for name in PARAMETERS if name not in ("double_hard_debias", "leace", "ran")]
    code = (
        "import sys; import numpy as np\n"
        "from fairflow.transforms import transform_class\n"
        f"words = {WORDS}\n"
        "vectors = np.random.default_rng(3).standard_normal((60, 6))\n"
        f"for name, given in { ({name: PARAMETERS[name] for name in light}) }.items():\n"
        "    transform_class(name)(**given).fit((words, vectors))\n"
        "large = {'sklearn', 'scipy', 'pandas', 'gensim', 'torch', 'matplotlib'}\n"
        "print(sorted(large & set(sys.modules)))"
    )
    assert output_of(code).strip() == "[]"
