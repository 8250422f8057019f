"""Where the further specifications of a study come from."""

from types import SimpleNamespace

from fairflow.planning.queries import PlannedQuery
from fairflow.planning.study import Entries, Study
from fairflow.scores.word_variant import WordVariant
from fairflow.validity import SEVERAL
from fairflow.validity.jobs import specifications
from fairflow.validity.plan import EXTENSION, Multiverse

METRICS = {
    one.name: one
    for one in (
        WordVariant("weat", "weat", "weat", label="WEAT"),
        WordVariant("weat_right", "weat", "weat", alternative="greater"),
        WordVariant("rnd", "rnd", "rnd", subqueries=True),
        WordVariant("rnd_unit", "rnd", "rnd", subqueries=True, normalize=True),
    )
}
QUERIES = {n: PlannedQuery(n, {"A": "a:a"}, {"B": "a:b"}, "as_written") for n in ("g", "h", "r")}


def study(name, metrics, criteria, **parts):
    return Study(
        name=name,
        title=name,
        models=(),
        metrics=metrics,
        criteria=criteria,
        aggregation="avg",
        minimum_coverage=0.5,
        figures=(),
        entries=Entries({}, METRICS, QUERIES),
        parts=parts,
    )


OTHER = study("other", ("rnd", "rnd_unit", "weat_right"), {"Gender": ("h",), "Age": ("r",)})
ASKED = Multiverse(("other", "elsewhere"), {"third": {"Gender": ("r",)}})
MINE = study("mine", ("weat",), {"Gender": ("g",), "Religion": ("r",)}, **{SEVERAL: ASKED})
PLAN = SimpleNamespace(
    studies={"mine": MINE, "other": OTHER}, metrics=METRICS, queries=QUERIES, seed=7
)
JOB = specifications(SimpleNamespace(plan=PLAN), "mine")


def test_scores_come_from_the_studies_of_this_run_and_the_others_are_told():
    assert JOB.inputs["others"] == ["results/studies/other/scores.parquet"]
    assert JOB.how["absent"] == ["elsewhere"]


def test_lists_are_the_own_those_of_criteria_of_one_name_and_those_that_are_written():
    settings = JOB.how["settings"]
    assert settings["lists"] == {
        "mine": {"Gender": ["g"], "Religion": ["r"]},
        "other": {"Gender": ["h"]},
        "third": {"Gender": ["r"]},
    }
    assert settings["lookups"] == dict.fromkeys("grh", "as_written")


def test_variants_that_differ_in_test_or_normalisation_alone_are_one_convention():
    variants = JOB.how["settings"]["variants"]
    assert [*variants] == ["weat", "rnd", "rnd_unit", "weat_right"]
    conventions = {name: facts["convention"] for name, facts in variants.items()}
    assert conventions["weat"] == conventions["weat_right"] != conventions["rnd"]
    assert conventions["rnd"] == conventions["rnd_unit"]
    assert (variants["rnd"]["normalize"], variants["rnd_unit"]["normalize"]) == (False, True)
    assert variants["rnd_unit"]["scales"]
    assert not variants["weat"]["scales"]
    assert variants["weat"]["metric"] == "WEAT"


def test_faults_of_lists_are_told_with_what_is_there():
    given = {
        "lists": {"third": {"Gendr": ["g"], "Religion": ["q"]}},
    }
    problems = EXTENSION.faults(MINE, {"multiverse": given}, SimpleNamespace(studies=()))
    assert [*problems] == [
        ("multiverse.lists.third", "unknown criterion 'Gendr'. Did you mean 'Gender'?"),
        ("multiverse.lists.third.Religion", "unknown name 'q'. Valid: g, h, r."),
    ]
