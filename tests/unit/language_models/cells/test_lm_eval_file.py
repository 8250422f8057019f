"""Samples files of lm-eval read again: its printed numbers, ours, and models with known answers."""

import gzip
import json
import math
import zlib
from pathlib import Path

import pytest

from fairflow.language_models.cells.item_cell import ItemVariant, score_items
from fairflow.language_models.cells.lm_eval_file import (
    lm_eval_number,
    lm_eval_values,
    score_samples,
)
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.lm_eval_data import read_samples
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.scoring.given_answers import answer_rows, taken
from fairflow.language_models.scoring.item_metric import ANSWERS
from fairflow.scores.variant import Cell
from fairflow.statistics.uncertainty import Statistics

DATA = Path(__file__).parents[3] / "data/lm_eval"
# As lm-eval wrote them into results_....json next to the files.
PRINTED = {
    "crows_pairs_english": {
        "pct_stereotype": 0.6363636363636364,
        "likelihood_diff": 4.347556131536311,
    },
    "bbq": {
        "amb_bias_score": 0.17142857142857137,
        "disamb_bias_score": 0.19999999999999996,
        "acc": 0.3142857142857143,
        "accuracy_amb": 0.2,
        "accuracy_disamb": 0.42857142857142855,
    },
    "esbbq_physical_appearance": {
        "acc_ambig": 0.8,
        "acc_disambig": 0.5,
        "bias_score_ambig": -0.2,
        "bias_score_disambig": -0.22499999999999998,
    },
    "cabbq_race_ethnicity": {
        "acc_ambig": 0.6666666666666666,
        "acc_disambig": 0.4090909090909091,
        "bias_score_ambig": 0.0,
        "bias_score_disambig": 0.16666666666666669,
    },
    "winogender_all": {"acc": 0.5277777777777778},
}
SETTINGS = Statistics(permutations=2_000, resamples=500, joint_draws=0)


def lines_of(task):
    """The lines of a genuine file."""
    text = gzip.decompress((DATA / f"samples_{task}.jsonl.gz").read_bytes()).decode()
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture
def scored(tmp_path):
    """The scores of lines."""

    def score(task, lines, printed=None, statistics=None):
        path = tmp_path / f"samples_{task}_2026-11-26T06-51-47.474161.jsonl"
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        if printed:
            results = {"model_name": "smol", "results": {task: printed}}
            beside = tmp_path / "results_2026-11-26T06-51-47.474161.json"
            beside.write_text(json.dumps(results))
        return score_samples(path, statistics=statistics)

    return score


def answered(lines, likelihood):
    """The lines with other log-likelihoods: of a document and the text of a choice."""
    return [
        line
        | {
            "resps": [
                [[str(likelihood(line["doc"], one["arg_1"].strip())), "False"]]
                for one in line["arguments"].values()
            ]
        }
        for line in lines
    ]


def ours(found):
    """Measure -> the value of our metrics."""
    return {row["measure"]: row["value"] for row in found.rows if row["metric"]}


@pytest.mark.parametrize("task", PRINTED)
def test_lm_evals_printed_numbers_come_out_to_the_last_digit(scored, task):
    lines = lines_of(task)
    printed = {f"{name},none": value for name, value in PRINTED[task].items()}
    found = scored(task, lines, printed | {"sample_len": len(lines)})
    assert (found.task, found.model, found.n_samples) == (task, "smol", len(lines))
    assert {row["number"]: row["lm_eval"] for row in found.rows if row["number"]} == PRINTED[task]
    assert found.findings[:2] == [
        f"lm-eval's values of all {len(lines)} items follow from their log-likelihoods",
        "the results file next to it has the same numbers",
    ]


SAME = {"crows_pairs_english": 1, "bbq": 5, "esbbq_physical_appearance": 3}


@pytest.mark.parametrize("task", SAME)
def test_our_metric_is_the_same_computation_in_percent_on_the_items_it_scores(scored, task):
    rows = [row for row in scored(task, lines_of(task)).rows if row["number"] and row["metric"]]
    assert len(rows) == SAME[task]
    for row in rows:
        assert row["value"] / 100 == pytest.approx(row["same_items"], abs=1e-15)


def test_pronouns_are_compared_sentence_by_sentence(scored):
    odds = {
        line["doc"]["sentid"]: float(line["resps"][0][0][0]) - float(line["resps"][1][0][0])
        for line in lines_of("winogender_all")
    }
    differences = [
        value - odds[name.replace(".female", ".male")]
        for name, value in odds.items()
        if ".0.female" in name
    ]
    found = ours(scored("winogender_all", lines_of("winogender_all")))
    assert found["mean_difference"] == pytest.approx(sum(differences) / 30)
    assert found["preference"] == 100 * sum(one > 0 for one in differences) / 30 - 50


def test_items_of_one_cluster_are_no_more_evidence_than_one(scored):
    """The same sentences about each occupation three times: neither interval nor p changes."""
    lines = lines_of("winogender_all")
    again = [
        line
        | {"doc_id": f"{number}/{line['doc_id']}"}
        | {"doc": line["doc"] | {"sentid": line["doc"]["sentid"].replace(".", f" {number}.", 1)}}
        for line in lines
        for number in range(3)
    ]
    for line in again:
        occupation, participant, *rest = line["doc"]["sentid"].split(".")
        name, _, number = occupation.rpartition(" ")
        line["doc"]["sentid"] = ".".join([name, f"{participant}{number}", *rest])
    once, thrice = (scored("winogender_all", of, statistics=SETTINGS).rows for of in (lines, again))
    for one, other in zip(once, thrice, strict=True):
        assert (other["n_items"], other["n_clusters"]) == (3 * one["n_items"], one["n_clusters"])
        for column in ("value", "ci_low", "ci_high", "p_value"):
            assert other[column] == pytest.approx(one[column], nan_ok=True)


def test_a_model_that_always_stereotypes_and_its_contrary(scored):
    lines = lines_of("crows_pairs_english")
    for sign, share in ((1, 1.0), (-1, 0.0)):
        of = answered(lines, lambda doc, text, s=sign: s * (text == doc["sent_more"]))
        first, *_ = scored("crows_pairs_english", of, statistics=SETTINGS).rows
        assert (first["value"], first["same_items"]) == (100 * share, 0.6363636363636364)
        assert first["p_value"] < 0.001


def test_a_model_that_always_says_unknown_is_fair_and_right_where_nothing_is_told(scored):
    lines = answered(
        lines_of("bbq"),
        lambda doc, text: -9 if text in map(doc.get, ("ans0", "ans1", "ans2")) else -1,
    )
    assert ours(scored("bbq", lines))["accuracy_ambiguous"] == 100


def test_answers_that_all_name_the_other_person_are_0_for_lm_eval_and_minus_100_for_us(scored):
    lines = [line for line in lines_of("bbq") if len(line["doc"]["biased_answers"]) == 1]

    def other_person(doc, text):
        answers = [doc[f"ans{place}"] for place in range(3)]
        groups = [doc["answer_info"][f"ans{place}"][-1] for place in range(3)]
        persons = [a for a, g in zip(answers, groups, strict=True) if g != "unknown"]
        return -1 if text in persons and text not in doc["biased_answers"] else -9

    lines = answered(lines, other_person)
    for line in lines:
        told = str(line["doc"]["context_condition"] == "disambig")
        for name in ("amb_bias_score", "disamb_bias_score"):
            line[name] = [0.0, 0.0, 1.0, told]
    found = scored("bbq", lines)
    assert [row["lm_eval"] for row in found.rows[:2]] == [0, 0]
    assert [row["value"] for row in found.rows[:2]] == [-100, -100]


def stereotyped(doc, text):
    """Its likelihood if answers follow stereotypes, by groups or, if disambiguated, by the type."""
    groups = {doc[one]: doc["answer_info"][one][-1].split(", ")[-1] for one in ("ans0", "ans1")}
    if doc["context_condition"] == "ambig":
        is_stereotyped = groups.get(text) in doc["stereotyped_groups"]
        agrees = is_stereotyped == (doc["question_polarity"] == "neg")
    else:
        agrees = (text == doc[f"ans{doc['label']}"]) == (doc["question_type"] == "pro-stereo")
    return -1 if text in groups and agrees else -9


def right(doc, text):
    """Its likelihood if answers are right."""
    said = [place for place in (0, 1) if doc[f"ans{place}"] == text]
    return -1 if (said or [2]) == [doc["label"]] else -9


IMAGINED = {
    "stereotyped": stereotyped,
    "right": right,
    "unknown": lambda doc, text: -9 if text in (doc["ans0"], doc["ans1"]) else -1,
    "random": lambda doc, text: -(zlib.crc32(f"{doc['instance_id']} {text}".encode()) % 1000),
}
# The numbers that lm-eval's own functions gave, in the order of PRINTED; and BBQ's bias of ours:
# 6 of 16 answers, or 10 of 22, that are right are the stereotype's. "Unknown" names no person.
OF_IMAGINED = {
    ("esbbq_physical_appearance", "stereotyped"): (0.0, 0.4444444444444444, 1.0, 1.0, 100),
    ("esbbq_physical_appearance", "right"): (1.0, 1.0, 0.0, 0.0, -25),
    ("esbbq_physical_appearance", "unknown"): (1.0, 0.0, 0.0, 0.0, math.nan),
    ("esbbq_physical_appearance", "random"): (0.8, 0.05555555555555555, 0.2, 0.125, 100),
    ("cabbq_race_ethnicity", "stereotyped"): (0.0, 0.45454545454545453, 1.0, 1.0, 100),
    ("cabbq_race_ethnicity", "right"): (1.0, 1.0, 0.0, 0.0, -100 / 11),
    ("cabbq_race_ethnicity", "unknown"): (1.0, 0.0, 0.0, 0.0, math.nan),
    ("cabbq_race_ethnicity", "random"): (
        *(0.6666666666666666, 0.09090909090909091, -0.3333333333333333, 0.016666666666666677),
        0,
    ),
}


@pytest.mark.parametrize(("task", "model"), OF_IMAGINED)
def test_known_answers_have_lm_evals_numbers_and_the_bias_of_bbq(scored, tmp_path, task, model):
    found = scored(task, answered(lines_of(task), IMAGINED[model]))
    values = [lm_eval_values(one) for one in read_samples(*tmp_path.glob("samples_*"))]
    *numbers, bias = OF_IMAGINED[task, model]
    found_numbers = [lm_eval_number(n, [one[n] for one in values]) for n in PRINTED[task]]
    assert found_numbers == numbers
    assert ours(found)["bias_disambiguated"] == pytest.approx(bias, nan_ok=True)


@pytest.mark.parametrize("name", ["acc_disambig", "bias_score_disambig"])
def test_a_number_of_disambiguated_questions_is_missing_without_any(scored, name):
    task = "cabbq_race_ethnicity"
    lines = [one for one in lines_of(task) if one["doc"]["context_condition"] == "ambig"]
    (row,) = (row for row in scored(task, lines).rows if row["number"] == name)
    assert math.isnan(row["lm_eval"])
    assert math.isnan(row["value"])


def test_the_difference_of_accuracies_has_an_interval_over_the_templates_it_rests_on(scored):
    """Two of the questions are no items of ours, but of one of the five templates."""
    task = "esbbq_physical_appearance"
    rows = {row["number"]: row for row in scored(task, lines_of(task), statistics=SETTINGS).rows}
    row = rows["bias_score_disambig"]
    assert (row["value"], row["n_items"], row["n_clusters"]) == (row["lm_eval"], 18, 5)
    assert -1 <= row["ci_low"] < row["value"] < row["ci_high"]


def test_answers_in_text_are_refused(scored):
    lines = [line | {"resps": [["The man"]]} for line in lines_of("bbq")]
    with pytest.raises(ItemError, match=r"line 1: a text, where log-likelihoods of choices"):
        scored("bbq_generate", lines)


def test_the_answers_of_a_model_in_a_study_have_the_same_scores(scored, tmp_path):
    """A model of kind answers whose file is a samples file, and a query of its items."""
    found = scored("bbq", lines_of("bbq"))
    (path,) = tmp_path.glob("samples_*")
    items = items_of({"file": path, "format": "lm_eval_bbq"})
    completions, account = taken(items, "bbq", answer_rows(path), by_item=True)
    variant = ItemVariant("bbq", "bbq", "bias_ambiguous")
    cell = Cell("smol", "bbq", "bbq")
    records, _ = score_items(items, completions, variant, cell, ANSWERS, seed=0)
    assert (account["answered"], account["unknown"]) == (62, 8)
    values = {one.measure: one.value for one in records}
    assert {name: values[name] for name in ours(found) if name != "bias_disambiguated"} == {
        name: value for name, value in ours(found).items() if name != "bias_disambiguated"
    }
    assert values["answers_read"] == 100


def test_texts_of_a_samples_file_are_answers_too(scored, tmp_path):
    path = tmp_path / "samples_bbq_generate.jsonl"
    lines = [line | {"resps": [["(A)"]]} for line in lines_of("bbq")]
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert {(one.text, one.likelihoods) for one in answer_rows(path)} == {("(A)", None)}
