"""What config/validity.yaml names is resolved into a query of words, or refused with the key."""

from types import SimpleNamespace

import pytest

from fairflow.planning.named_sets import with_property_words
from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Entries, Study
from fairflow.scores.word_variant import WordVariant
from fairflow.validity.plan import (
    EXTENSION,
    QUERY,
    SHORT_QUERY,
    contrasted_slices,
    has_poles,
    planned_concepts,
    property_files,
    validity_queries,
    word_slices,
)

SETS = {
    "terms:women": {"words": ["she", "her"], "citation": "a"},
    "terms:men": {"words": ["he", "his"], "citation": "a"},
    "norms:many": {"words": [f"w{i}" for i in range(501)], "citation": "b"},
    "norms:few": {"words": ["nurse", "pilot", "cook"], "citation": "b"},
    "lexicon:long": {"lexicon": {}, "citation": "c"},
}
POLES = ["terms:women", "terms:men"]
ENTRY = {
    "label": "Gender",
    "poles": ["women", "men"],
    "sets": {"A 2020": POLES},
    "norms": {
        "many": {"property": "many", "words": "norms:many", "poles": POLES},
        "few": {"property": "few", "words": "norms:few", "poles": POLES},
    },
    "base_pairs": {"pairs": {"label": "pairs", "pairs": POLES, "words": "norms:few"}},
}

PAIRS = {"pairs": [["she", "he"]]}


class Written:
    """A configuration with one concept."""

    lookups = ("as_written", "lower")

    def __init__(self, folder, entry=ENTRY, **more):
        self.folder = folder
        self.further = {"validity": {"concepts": {"gender": entry}, **more}}


def resolved(tmp_path, entry=ENTRY, **more):
    (tmp_path / "properties").mkdir(exist_ok=True)
    for name in ("many", "few"):
        (tmp_path / "properties" / f"{name}.csv").touch()
    written = Written(tmp_path, entry, **more)
    return validity_queries(written, SETS)


def test_every_word_set_is_looked_up_once_and_long_ones_not_by_language_models(tmp_path):
    queries, faults = resolved(tmp_path, lookup="lower")
    assert not faults
    every = ["terms:women", "terms:men", "norms:many", "norms:few"]
    assert [*queries[QUERY].targets.values()] == every
    assert [*queries[SHORT_QUERY].targets] == ["terms:women", "terms:men", "norms:few"]
    assert queries[QUERY].lookup == "lower"
    assert queries[QUERY].citation == "a; b"


def test_a_norm_of_the_users_is_named_by_its_path(tmp_path):
    path = tmp_path / "mine.csv"
    path.touch()
    norm = {"property": str(path), "words": "norms:few", "poles": POLES}
    entry = ENTRY | {"norms": {"mine": norm}}
    assert not resolved(tmp_path, entry)[1]
    assert [*property_files(planned_concepts(Written(tmp_path, entry)))] == [str(path)]


def test_the_words_of_a_lexicon_are_not_looked_up(tmp_path):
    queries, faults = resolved(tmp_path, ENTRY | {"sets": {"A": ["lexicon:long", "terms:men"]}})
    assert not faults
    assert "lexicon:long" not in queries[QUERY].targets


def test_norms_are_read_from_the_files_of_their_properties(tmp_path):
    concepts = planned_concepts(Written(tmp_path))
    names = [str(tmp_path / "properties" / f"{name}.csv") for name in ("many", "few")]
    assert [*property_files(concepts)] == names


@pytest.mark.parametrize(
    ("changed", "key", "sentence"),
    [
        (
            {"sets": {"A": ["terms:woman", "terms:men"]}},
            "concepts.gender.sets.A",
            "unknown word set 'terms:woman'. Did you mean 'terms:women'?",
        ),
        (
            {"norms": {"few": {"property": "fewer", "words": "norms:few", "poles": POLES}}},
            "concepts.gender.norms.few.property",
            "unknown property 'fewer'. Did you mean 'few'?",
        ),
    ],
)
def test_a_fault_is_reported_with_its_key(changed, key, sentence, tmp_path):
    _, (fault,) = resolved(tmp_path, ENTRY | changed)
    assert (fault.file, fault.key) == ("validity.yaml", key)
    assert fault.sentence.startswith(sentence)


def test_an_unknown_lookup_is_reported(tmp_path):
    _, (fault,) = resolved(tmp_path, lookup="lowr")
    assert fault.key == "lookup"


def test_without_the_file_nothing_is_planned():
    assert validity_queries(SimpleNamespace(further={}), {}) == ({}, [])


def test_a_set_of_a_property_has_the_words_of_its_file(tmp_path):
    (tmp_path / "properties").mkdir(exist_ok=True)
    rows = "# label: l\n# unit: rating\n# source: s\n# citation: c\nword,value\nnurse,6\npilot,2\n"
    (tmp_path / "properties" / "rated.csv").write_text(rows, encoding="utf-8")
    given = {"a:b": {"property": "rated", "citation": "c"}, "a:c": {"property": "ratet"}}
    found, ((reference, sentence),) = with_property_words(given, tmp_path)
    assert found["a:b"]["words"] == ["nurse", "pilot"]
    assert reference == "a:c"
    assert "'ratet'" in sentence
    assert "rated" in sentence


QUERIES = {
    "two": PlannedQuery("two", {"X": "s:x", "Y": "s:y"}, {"A": "s:a", "B": "s:b"}, "lower"),
    "one": PlannedQuery("one", {"X": "s:x"}, {"A": "s:a"}, "lower"),
    "pairs": PlannedQuery("pairs", {"X": "s:x"}, {}, "lower", declared=PAIRS),
    "all": PlannedQuery("all", {}, {}, "lower", declared=PAIRS | {"vocabulary": {}}),
}


def test_words_lie_between_two_attribute_sets_or_along_pairs():
    assert [name for name, query in QUERIES.items() if has_poles(query)] == ["two", "pairs"]


class Kind:
    """A model that knows words."""

    query_kinds = ("words",)

    def __init__(self, kind):
        self.kind = kind

    def speaks(self, language):
        return language == "en"


@pytest.mark.parametrize(("checks", "number"), [("", 2), ("documentation", 0)])
def test_the_models_of_a_study_are_asked_for_the_words_by_their_kind(checks, number, tmp_path):
    queries, _ = resolved(tmp_path)
    models = {"table": Kind("vectors"), "network": Kind("encoder")}
    metrics = {"weat": WordVariant("weat", "weat", "weat")}
    study = Study(
        name="s",
        title="s",
        models=("table", "network"),
        metrics=("weat",),
        criteria={"Gender": ("two",)},
        aggregation="avg",
        figures=(),
        checks=checks,
        entries=Entries(models, metrics, {**queries, **QUERIES}),
    )
    words = word_slices(study, contrasted_slices(study))
    assert len(words) == number
    assert {*words} <= {("table", QUERY), ("network", SHORT_QUERY)}
    made = EXTENSION.parts(study, {}, Written(tmp_path))
    assert [*made] == ["validity"] * bool(number)
