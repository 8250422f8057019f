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
    "esbbq_physical_appearance": "lm_eval_esbbq",
    "cabbq_race_ethnicity": "lm_eval_cabbq",
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


def test_the_stereotype_gives_its_group_or_in_a_question_that_is_not_negative_the_other(unpacked):
    """The groups are "m, llatinoamericà", for a name, and "blanc"; the context tells nothing."""
    items = {item.item_id: item for item in read_lm_eval(unpacked("cabbq_race_ethnicity"))}
    negative, other = items["RaceEthnicity/180"], items["RaceEthnicity/182"]
    assert (negative.polarity, negative.biased, other.polarity, other.biased) == (
        *("neg", 0, "nonneg", 1),
    )
    assert negative.answers == ("El Carlos Alberto", "El Jordi", "No hi ha prou informació")
    assert (negative.unknown, negative.condition) == (2, "ambiguous")
    assert negative.cluster_id == items["RaceEthnicity/196"].cluster_id == "RaceEthnicity/2"


def test_a_question_whose_type_contradicts_its_groups_is_invalid(unpacked):
    items = read_lm_eval(unpacked("esbbq_physical_appearance"))
    invalid = {one.item_id: one.reason for one in items if isinstance(one, InvalidItem)}
    assert [*invalid] == ["PhysicalAppearance/1061", "PhysicalAppearance/1090"]
    assert invalid["PhysicalAppearance/1061"].endswith(
        "line 2: groups and question_type name 0 of its answers as biased, 1 is expected"
    )


SPANISH_FAULTS = {
    "it is of esbbq_gender, which the name of the file does not say": {"category": "Gender"},
    "category is 'Looks'; expected is 'Age' or 'DisabilityStatus' or": {"category": "Looks"},
    "it lacks template_id": {"template_id": None},
    "it lacks question_type": {"question_type": None},
    "label is 3; expected is 0 or 1 or 2": {"label": 3},
    "the last of answer_info.ans2 is 'old'; expected is 'unknown'": {
        "answer_info": {"ans0": [], "ans1": ["old"], "ans2": ["unknown", "old"]}
    },
}


def with_line_3(path, **changes):
    """The path of a file whose third line is changed."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    lines[2] |= changes
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    return path


@pytest.mark.parametrize(("why", "changes"), SPANISH_FAULTS.items())
def test_a_fault_of_a_spanish_question_is_named_with_its_line(unpacked, why, changes):
    path = unpacked("esbbq_physical_appearance")
    doc = json.loads(path.read_text().splitlines()[2])["doc"] | changes
    with_line_3(path, doc={key: value for key, value in doc.items() if value is not None})
    with pytest.raises(ItemError) as error:
        read_samples(path)
    assert f"{path}, line 3: {why}" in str(error.value)


def test_unknown_in_a_language_that_is_not_known_is_named_with_its_line(unpacked):
    path = unpacked("esbbq_physical_appearance")
    arguments = json.loads(path.read_text().splitlines()[2])["arguments"]
    arguments["gen_args_2"]["arg_1"] = " Ez dago jakiterik"
    with pytest.raises(ItemError) as error:
        read_samples(with_line_3(path, arguments=arguments))
    why = "the third choice is 'Ez dago jakiterik'; expected is 'No hay suficiente información' or"
    assert f"{path}, line 3: {why} 'No hi ha prou informació'" in str(error.value)


def test_the_name_of_a_file_says_its_language_and_may_say_more_than_its_task(unpacked):
    path = unpacked("cabbq_race_ethnicity")
    more = path.rename(path.with_name("samples_cabbq_race_ethnicity_5_shots.jsonl"))
    assert len(read_samples(more)) == 34
    with pytest.raises(ItemError, match=r"line 1: it is of cabbq_race_ethnicity, which the name"):
        read_samples(more.rename(path.with_name("samples_esbbq_race_ethnicity.jsonl")))


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
