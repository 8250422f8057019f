"""Merged runs: each cell once, conflicts found, ties kept, ranks on common cells in any order."""

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tables_of_scores import scores

from fairflow.errors import FairflowError
from fairflow.scores.word_variant import WordVariant
from fairflow.sharing.merged import Merged, Run, merge
from fairflow.studies.comparability import IS_CONTROL
from fairflow.studies.score_table import flattened

WEAT = WordVariant("weat_es", "weat", "effect_size", label="Effect size")
QUERIES = [f"q{n}" for n in range(6)]


def run(name: str, values: Mapping[tuple[str, str], float], study: str = "mine", **facts) -> Run:
    digest = str(sorted((str(k), v) for k, v in values.items())) + str(facts)
    table = scores(values, **facts.pop("columns", {}))
    facts = {"seed": 1, "variants": {"weat_es": WEAT}} | facts
    return Run(name, {study: table}, {study: digest}, **facts)


def merged(*runs: Run, only: tuple[str, ...] = ()) -> Merged:
    return merge(runs, {"weat_es": WEAT}, {}, only)


def ranks(found: Merged, criterion: str = "Gender") -> dict[str, float]:
    (study,) = found.studies
    table = study.frames["ranking"]
    rows = table[(table["criterion"] == criterion) & table["rank"].notna()]
    return dict(zip(rows["model"], rows["rank"], strict=True))


def naive_ranks(values: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """Models that define half of the queries, by mean size over those that all of them define."""
    defined = {key: value for key, value in values.items() if not math.isnan(value)}
    queries = {query for _, query in values}
    of = {m: {q for n, q in defined if n == m} for m, _ in values}
    models = [m for m in of if len(of[m]) >= len(queries) / 2]
    common = set(queries).intersection(*(of[m] for m in models))
    if len(models) < 2 or not common:
        return {}
    mean = {m: sum(abs(defined[m, q]) for q in common) / len(common) for m in models}
    fewer = {m: sum(mean[n] < mean[m] - 1e-9 for n in models) for m in models}
    equal = {m: sum(abs(mean[n] - mean[m]) < 1e-9 for n in models) for m in models}
    return {m: fewer[m] + (equal[m] + 1) / 2 for m in models}


def text_of(found: Merged) -> str:
    """The scores as they are written, without the runs that they are from."""
    return flattened(found.cells.drop(columns="runs")).to_csv()


# A merge takes a third of a second: few examples, and no search for a smaller one.
FEW = settings(phases=[Phase.explicit, Phase.reuse, Phase.generate])
# Values of few decimals, so that models tie; some cells are undefined, some are missing.
cells = st.dictionaries(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(QUERIES[:4])),
    st.sampled_from([-1.0, -0.5, 0.5, 1.0, math.nan]),
    min_size=4,
)


@settings(FEW, max_examples=8)
@given(cells)
def test_a_run_merged_with_itself_is_that_run(values):
    one = run("one", values)
    found = merged(one, replace(one, name="two"))
    assert text_of(found) == text_of(merged(one))
    assert len(found.cells) == len(values)
    assert [own.name for own in found.runs] == ["one"]


@settings(FEW, max_examples=12)
@given(cells, st.data())
def test_halves_in_any_order_give_the_scores_and_ranks_of_the_whole(values, data):
    part_of = {key: data.draw(st.sampled_from("xyz")) for key in values}
    parts = {p: {k: v for k, v in values.items() if part_of[k] == p} for p in part_of.values()}
    whole = merged(run("whole", values))
    expected = naive_ranks(values)
    for order in (sorted(parts), sorted(parts, reverse=True)):
        found = merged(*(run(name, parts[name]) for name in order))
        assert text_of(found) == text_of(whole)
        if len(found.studies) == 1:
            assert ranks(found) == pytest.approx(expected)


def test_models_of_two_runs_are_ranked_on_the_queries_that_both_have_and_no_others():
    # On q0 and q1 b is the fairer model; a, which has no value of q3, would win by losing it.
    first = {("a", "q0"): 0.9, ("a", "q1"): 0.9, ("a", "q2"): 0.0, ("a", "q3"): math.nan}
    second = {("b", "q0"): 0.5, ("b", "q1"): 0.5, ("b", "q3"): 2.0, ("b", "q4"): 2.0}
    found = merged(run("first", first), run("second", second))
    assert ranks(found) == {"a": 2, "b": 1}
    (study,) = found.studies
    assert set(study.frames["ranking"]["n_common"]) == {2}


def test_ties_share_their_rank_and_their_places():
    values = {(m, q): 0.5 for m in "ab" for q in QUERIES} | {("c", q): 1.5 for q in QUERIES}
    first = {key: value for key, value in values.items() if key[0] != "b"}
    second = {key: value for key, value in values.items() if key[0] == "b"}
    assert ranks(merged(run("x", first), run("y", second))) == {"a": 1.5, "b": 1.5, "c": 3}


VALUES = {(m, q): 0.5 for m in "ab" for q in QUERIES[:2]}
OTHER_WEAT = replace(WEAT, parameters={"convention": "caliskan"})


@pytest.mark.parametrize(
    ("second", "named"),
    [
        (run("two", VALUES | {("a", "q1"): 0.500003}), ["cell weat_es, a, q1", "value 0.500003"]),
        (
            run("two", VALUES, columns={"subquery_digest": "another"}),
            ["query q0", "digest of q0", "items another"],
        ),
        (
            run("two", VALUES, variants={"weat_es": OTHER_WEAT}),
            ["metric weat_es", "parameters {}", "{'convention': 'caliskan'}"],
        ),
        (
            run("two", VALUES, models={"a": {"vectors_sha256": "f00"}}),
            ["model a", "vectors_sha256 bar", "vectors_sha256 f00"],
        ),
    ],
)
def test_a_conflict_is_refused_and_names_both_runs_what_differs_and_what_to_do(second, named):
    first = run("one", VALUES, models={"a": {"vectors_sha256": "bar"}})
    for pair in permutations([first, second]):
        with pytest.raises(FairflowError) as error:
            merged(*pair)
        message = str(error.value)
        assert all(part in message for part in [*named, " in one", " in two", "Rename", "--only"])
    # What is not in conflict is merged.
    assert len(merged(first, run("two", {("c", "q0"): 1.0}), only=("c",)).cells) == 1


# In one run and in the other.
OTHER_COLUMNS = {
    "value": (0.5, math.nan),
    "p_value": (1e-8, 3e-8),
    "ci_high": (1.5, 1.7),
    "status": ("ok", "degenerate"),
    "n_found": (8, 7),
    "n_oov": (0.0, math.nan),
}


@pytest.mark.parametrize("column", OTHER_COLUMNS)
def test_equal_cells_are_equal_in_every_column(column):
    values = {("a", "q1"): 0.5}
    one, other = OTHER_COLUMNS[column]
    first = run("one", values, columns={column: one})
    with pytest.raises(FairflowError, match="cell weat_es, a, q1") as error:
        merged(first, run("two", values, columns={column: other}))
    assert f"{column} {one} (study mine) in one" in str(error.value)
    assert f"{column} {other} (study mine) in two" in str(error.value)
    again = run("two", values, study="yours", columns={column: one, "family": "another"})
    assert len(merged(first, again).cells) == 1


def test_only_what_is_named_of_each_kind_is_merged_and_conflicts_elsewhere_do_not_count():
    second = run("two", VALUES | {("a", "q1"): 0.6})
    found = merged(run("one", VALUES), second, only=("q1", "b"))
    assert found.cells[["model", "query"]].to_numpy().tolist() == [["b", "q1"]]
    with pytest.raises(FairflowError, match=r"--only q7: it is no study, .* Valid: Gender, a, b"):
        merged(second, only=("q7",))


def test_a_debiased_model_and_a_second_name_of_the_same_vectors_are_no_rivals():
    values = {(m, q): v for q in QUERIES for m, v in {"a": 0.5, "b": 1.0, "d": 0.1}.items()}
    first = run("one", values, bases={"d": "m", "m": "a"}, models={"a": {"vectors_sha256": "same"}})
    copy = {("copy", query): 0.5 for query in QUERIES}
    second = run("two", copy, models={"copy": {"vectors_sha256": "same"}})
    found = merged(first, second)
    assert ranks(found) == {"a": 1, "b": 2}
    ranking = found.studies[0].frames["ranking"].set_index("model")["status"]
    assert ranking[["copy", "d"]].tolist() == ["same_vectors", "derived"]


def test_a_model_that_fails_a_control_in_one_study_has_no_rank_in_the_merged_one():
    fails = {"control_status": "fails", "control": "weat_1 (-0.20, p 0.6)"}
    first = run("one", {("a", "q0"): 0.5}, columns=fails)
    second = run("two", {(m, q): 1.0 for m in "abc" for q in QUERIES})
    found = merged(first, replace(second, tables={"mine": second.tables["mine"][1:]}))
    assert ranks(found) == {"b": 1.5, "c": 1.5}


def test_draws_are_joined_only_of_runs_with_one_seed():
    values = {("a", q): 0.5 for q in QUERIES}, {("b", q): 1.5 for q in QUERIES}
    same = merged(run("x", values[0]), run("y", values[1])).studies[0].frames
    assert same["pairwise"]["p_fairer"].tolist() == [1.0, 0.0]
    other = merged(run("x", values[0]), run("y", values[1], seed=2)).studies[0].frames
    assert other["pairwise"]["p_fairer"].isna().all()
    assert set(other["ranking"]["draws_note"]) == {"the scores hold no draws"}


def test_queries_that_share_words_are_one_group_in_the_test_over_queries():
    values = {(m, q): v for q in QUERIES for m, v in {"a": 0.5, "b": 1.5}.items()}
    apart = merged(run("x", values)).studies[0].frames["pairwise"]
    assert set(apart["n_groups"]) == {6}
    shared = merged(
        run(
            "x",
            values,
            columns={"words": [{"word": "he", "set": "a", "measure": "m", "value": 0.0}]},
        )
    )
    assert set(shared.studies[0].frames["pairwise"]["n_groups"]) == {1}


def test_what_a_run_does_not_use_is_no_conflict():
    first = run("one", VALUES, models={"c": {"vectors_sha256": "bar"}})
    second = run("two", {("c", "q0"): 1.0}, models={"c": {"vectors_sha256": "f00"}})
    assert len(merged(first, second).cells) == 5


def test_p_values_are_adjusted_for_each_model_and_without_control_queries():
    first = run("x", {("a", "weat_1"): 0.5}, columns={IS_CONTROL: True})
    second = run("y", {(m, q): 0.5 for m in "ab" for q in QUERIES[:3]} | {("a", "weat_1"): 0.5})
    (study,) = merged(first, second).studies
    rows = study.frames["scores"].set_index(["model", "query"])["p_holm"]
    assert rows.dropna().to_dict() == {(m, q): 0.03 for m in "ab" for q in QUERIES[:3]}
