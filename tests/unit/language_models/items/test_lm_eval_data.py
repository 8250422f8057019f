"""Samples files of lm-eval: genuine ones (tests/data/lm_eval), and each fault with its line."""

import gzip
import json
from pathlib import Path

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.lm_eval_data import (
    given_likelihoods,
    is_samples_file,
    read_lm_eval,
    read_samples,
)
from fairflow.language_models.items.query_entry import FORMATS, items_of

DATA = Path(__file__).parents[3] / "data/lm_eval"
TASKS = {
    "crows_pairs_english": "lm_eval_crows_pairs",
    "bbq": "lm_eval_bbq",
    "winogender_all": "lm_eval_winogender",
}


@pytest.fixture
def unpacked(tmp_path):
    """The path of a genuine file, unpacked."""

    def unpack(task):
        path = tmp_path / f"samples_{task}.jsonl"
        path.write_bytes(gzip.decompress((DATA / f"{path.name}.gz").read_bytes()))
        return path

    return unpack


@pytest.mark.parametrize(("task", "format_"), TASKS.items())
def test_each_item_has_a_log_likelihood_of_each_of_its_texts(unpacked, task, format_):
    path = unpacked(task)
    items = items_of({"file": path, "format": format_})
    given = given_likelihoods(read_samples(path))
    assert items.kind == FORMATS[format_].kind
    for item in items.items:
        texts = {item.text_id(choice) for choice in given[item.item_id]}
        assert {request.text_id for request in item.requests(item.likelihood)} == texts
    assert {*given} == {*items.item_ids} | {one.item_id for one in items.invalid}


def test_pairs_are_the_sentences_whose_log_likelihoods_lm_eval_compares(unpacked):
    path = unpacked("crows_pairs_english")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line, item in zip(lines, read_lm_eval(path), strict=True):
        texts = [argument["arg_1"] for argument in line["arguments"].values()]
        assert [item.more, item.less] == texts
        assert (item.direction, item.category) == tuple(
            line["doc"][key] for key in ("stereo_antistereo", "bias_type")
        )
    # Of the published pairs, these two alone share a sentence.
    items = items_of({"file": path, "format": "lm_eval_crows_pairs"})
    clusters = [item.cluster_id for item in items.items]
    assert len(clusters) - len({*clusters}) == 1


def test_unknown_is_as_likely_as_the_likeliest_of_its_ten_wordings(unpacked):
    path = unpacked("bbq")
    line = json.loads(path.read_text().splitlines()[0])
    values = [float(of_choice[0][0]) for of_choice in line["resps"]]
    given = given_likelihoods(read_samples(path))["Age/8"]
    assert [line["doc"][f"ans{place}"] for place in range(3)] == [
        *("The grandfather", "Undetermined", "The granddaughter")
    ]
    assert given == {"0": values[0], "1": max(values[2:]), "2": values[1]}


def test_a_question_without_one_answer_of_the_stereotype_is_invalid(unpacked):
    invalid = [one for one in read_lm_eval(unpacked("bbq")) if isinstance(one, InvalidItem)]
    assert [one.item_id for one in invalid] == [
        *(f"Gender_identity/{number}" for number in (284, 285, 286, 287)),
        *(f"Race_x_gender/{number}" for number in (13164, 13165, 13166, 13167)),
    ]
    assert invalid[0].reason.endswith("lm-eval names 0 of its answers as biased, 1 is expected")
    assert invalid[-1].category == "Race_x_gender"


def test_winogender_compares_how_either_pronoun_is_resolved(unpacked):
    path = unpacked("winogender_all")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    odds = {
        line["doc"]["sentid"]: float(line["resps"][0][0][0]) - float(line["resps"][1][0][0])
        for line in lines
    }
    given = given_likelihoods(read_samples(path))
    assert {item.cluster for item in read_lm_eval(path)} == {
        line["doc"]["occupation"] for line in lines
    }
    for item in read_lm_eval(path):
        sides = {"more": "female", "less": "male"}
        assert given[item.item_id] == {
            side: odds[f"{item.item_id}.0.{gender}.txt"] for side, gender in sides.items()
        }


DOC = {"sent_more": "A.", "sent_less": "B.", "stereo_antistereo": "stereo", "bias_type": "age"}
LINE = {
    "doc_id": 0,
    "doc": DOC,
    "arguments": {f"gen_args_{n}": {"arg_0": "", "arg_1": text} for n, text in enumerate("AB")},
    "resps": [[["-1.5", "False"]], [["-2.5", "False"]]],
}
FAULTS = {
    "doc_id 0 is in line 1 already": LINE,
    "it lacks doc_id": {"doc": DOC},
    "doc is 'A', dict is expected": LINE | {"doc_id": 1, "doc": "A"},
    "the task is not known: its documents have premise. Known are crows_pairs_": (
        LINE | {"doc_id": 1, "doc": {"premise": "A."}}
    ),
    "the log-likelihood of 'B' is nan: the model is broken": (
        LINE | {"doc_id": 1, "resps": [[["-1.5", "False"]], [["nan", "False"]]]}
    ),
    "the log-likelihood of 'A' is -inf": (
        LINE | {"doc_id": 1, "resps": [[["-inf", "False"]], [["-1", "False"]]]}
    ),
    "arguments and resps are not choices and log-likelihoods": (
        LINE | {"doc_id": 1, "resps": [[["-1.5", "False"]]]}
    ),
}


@pytest.mark.parametrize(("why", "line"), FAULTS.items())
def test_a_fault_is_named_with_its_line(tmp_path, why, line):
    path = tmp_path / "samples_crows_pairs_english.jsonl"
    path.write_text(f"{json.dumps(LINE)}\n{json.dumps(line)}\n")
    with pytest.raises(ItemError) as error:
        read_samples(path)
    assert f"{path}, line 2: {why}" in str(error.value)


def test_older_versions_write_arguments_as_lists(unpacked):
    path = unpacked("winogender_all")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    for line in lines:
        line["arguments"] = [[*one.values()] for one in line["arguments"].values()]
        line["resps"] = [[[float(one[0][0]), False]] for one in line["resps"]]
    older = path.with_name("samples_older.jsonl")
    older.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert [(one.choices, one.likelihoods) for one in read_samples(older)] == [
        (one.choices, one.likelihoods) for one in read_samples(path)
    ]


def test_a_samples_file_is_known_by_its_name():
    assert is_samples_file("runs/samples_bbq_2026-11-26T06-51-47.474161.jsonl")
    assert not is_samples_file("samples.jsonl")
    assert not is_samples_file("samples_of_words.txt")
