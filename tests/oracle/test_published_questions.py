"""Published questions and continuations: their number, and known faults."""

import json
import runpy
import sys
import types
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.files.downloads import fetch_pinned
from fairflow.language_models.items.item_set import ItemSet
from fairflow.language_models.metrics.bbq import BBQ
from fairflow.language_models.slices.answers import ScoredText

FOLDER = Path(__file__).parents[2] / "config/language_queries"
QUERIES = read_yaml(FOLDER / "benchmarks_by_question.yaml")["queries"]
# Parrish et al. (2022) and Nadeem et al. (2021).
CATEGORIES = {
    "bbq_questions": {
        "Age": 3680,
        "Disability_status": 1556,
        "Gender_identity": 5672,
        "Nationality": 3080,
        "Physical_appearance": 1576,
        "Race_ethnicity": 6880,
        "Race_x_SES": 11160,
        "Race_x_gender": 15960,
        "Religion": 1200,
        "SES": 6864,
        "Sexual_orientation": 864,
    },
    "stereoset_dev_intersentence": {
        "gender": 242,
        "profession": 827,
        "race": 976,
        "religion": 78,
    },
}
UNREADABLE = {"bbq_questions": 16}


def every(found):
    return [*found.items, *found.invalid]


@pytest.mark.parametrize("name", CATEGORIES)
def test_every_category_has_the_items_that_were_published(items, name):
    assert Counter(item.category for item in every(items(name))) == CATEGORIES[name]


@pytest.mark.parametrize("name", QUERIES)
def test_as_many_cannot_be_read_as_its_faults_tell(items, name):
    found = items(name)
    assert len(found.invalid) == UNREADABLE.get(name, 0)
    told = " ".join(QUERIES[name].get("faults", [""])[:1])
    assert not found.invalid or told.startswith(str(len(found.invalid)))


def test_the_questions_of_bbq_are_balanced_and_asked_in_fours(items):
    found = items("bbq_questions").items
    kinds = Counter((item.condition, item.polarity) for item in found)
    assert set(kinds.values()) == {(58492 - 16) / 4}
    assert len(kinds) == 4
    of_instance = {}
    for item in found:
        of_instance.setdefault(item.instance, set()).add((item.condition, item.polarity))
    assert set(map(len, of_instance.values())) == {4}
    assert len({item.cluster_id for item in found}) == 343


def test_the_stereotype_answers_as_a_reader_decided(items, decided):
    answers = {}
    for item in items("bbq_questions").items:
        asked = " ".join(item.context.split()), item.question
        answers.setdefault(asked, set()).add(item.answers[item.biased])
    assert len(decided["bbq_questions"]) == 24
    for one in decided["bbq_questions"]:
        assert answers[one["context"], one["question"]] == {one["biased"]}


def test_the_stereotype_answers_contrary_questions_about_two_persons_with_one_and_the_other(items):
    persons = {}
    for item in items("bbq_questions").items:
        of = persons.setdefault((item.instance, item.condition), {})
        of[item.polarity] = item.answers[item.biased]
    assert len(persons) == 2 * 14619
    assert all(named["neg"] != named["nonneg"] for named in persons.values())


@pytest.fixture(scope="module")
def lm_eval(pinned_folder):
    """The functions of the task BBQ of lm-eval, which reads the group of an answer by its name."""
    file = pinned_folder / "lm_eval_bbq.py"
    checksum = "sha256:5daaa1973bf874005f64f28d3834b875f6886f0d6475878e6a6c821994a5286a"
    of_member = "sha256:eab60fb9adef49491233a864e7462e3654fdd3b23de0833af57acec5a7ad8885"
    packed = {"member": "lm_eval/tasks/bbq/utils.py", "member_checksum": of_member}
    fetch_pinned({"sources": [{"pypi": "lm-eval==0.4.13"}], "checksum": checksum, **packed}, file)
    # It names the class of its data sets, and uses no more of that package.
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "datasets", types.SimpleNamespace(Dataset=list))
        return runpy.run_path(str(file))


class Documents(list):
    """As much of a data set as the task uses."""

    def map(self, change):
        """The documents, each changed."""
        return [change(one) for one in self]


@pytest.fixture(scope="module")
def documents(lm_eval, items, pinned_folder):
    """(category, its question as lm-eval has it, and as we read it) of those that we can read."""
    published = QUERIES["bbq_questions"]["published"]
    known = {item.item_id: item for item in items("bbq_questions").items}
    found = []
    with zipfile.ZipFile(pinned_folder / published["checksum"].replace(":", "-")) as wheel:
        for member in published["members"][:-1]:
            lines = Documents(map(json.loads, wheel.read(member).decode().splitlines()))
            for one in lm_eval["process_docs"](lines):
                item = known.get(f"{one['category']}/{one['example_id']}")
                found += [(one["category"], one, item)] if item else []
    return found


def test_lm_eval_finds_the_same_answers_biased_by_the_names_of_groups(documents):
    """Of two persons of the group, or none, it finds two answers biased, or none.

    What else differs are the questions about an African and a Black person, a fault of the table.
    """
    same, other = Counter(), Counter()
    for category, one, item in documents:
        if len(set(one["biased_answers"])) == 1:
            agrees = item.answers[item.biased] in one["biased_answers"]
            (same if agrees else other)[category] += 1
    whole = {k: n for k, n in CATEGORIES["bbq_questions"].items() if not k.startswith("Race_x")}
    whole["Gender_identity"] -= 16
    assert {name: same[name] for name in whole} == whole
    assert other == {"Race_x_SES": 16, "Race_x_gender": 52}
    assert "In 68 of 344 questions" in QUERIES["bbq_questions"]["faults"][1]


@pytest.mark.parametrize("category", ["Age", "Religion", "Sexual_orientation"])
def test_the_scores_of_the_same_answers_are_those_of_lm_eval(documents, lm_eval, category):
    asked = [(one, item) for name, one, item in documents if name == category]
    found, slice_ = [], []
    for one, item in asked:
        chosen = one["example_id"] % 3
        place = lm_eval["doc_to_choice"](one).index(item.answers[chosen])
        found.append(lm_eval["_process_results"](one, place))
        for place in range(3):
            logp = np.array([-1.0 if place == chosen else -2.0])
            slice_.append(
                ScoredText(item.text_id(place), "continuation", "", 1, positions=(0,), logp=logp)
            )
    questions = ItemSet("question", tuple(item for _, item in asked))
    own = BBQ().measure(questions, slice_, "causal").measures
    for measure, name, aggregate in (
        ("bias_ambiguous", "amb_bias_score", "agg_amb_bias_scores"),
        ("bias_disambiguated", "disamb_bias_score", "agg_disamb_bias_scores"),
        ("accuracy_ambiguous", "accuracy_amb", "agg_accuracy_amb"),
        ("accuracy_disambiguated", "accuracy_disamb", "agg_accuracy_disamb"),
    ):
        expected = 100 * lm_eval[aggregate]([result[name] for result in found])
        assert own[measure] == pytest.approx(expected)


def test_questions_of_bbq_without_a_target_are_named_with_their_lines(items):
    reasons = [item.reason for item in items("bbq_questions").invalid]
    assert reasons[0] == (
        "Gender_identity.jsonl, line 285: the table of targets has NA for it, not a place"
    )


def test_the_sequels_are_those_of_79_terms(items):
    assert len({item.target for item in items("stereoset_dev_intersentence").items}) == 79
