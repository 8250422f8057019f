"""The cluster is exchanged, drawn and left out as a whole."""

from dataclasses import replace

import numpy as np
import pytest
from gensim.models import KeyedVectors
from one_cell import read_slice, write_slice

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import KINDS
from fairflow.language_models.items.query_entry import items_of
from fairflow.language_models.items.text_items import PairItem
from fairflow.language_models.planned.queries import sentence_query
from fairflow.language_models.scoring.item_metric import Measured, item_scores
from fairflow.planning.queries import PlannedQuery
from fairflow.queries.lookup import Lookup
from fairflow.queries.query_file import query_of, read_words, write_words
from fairflow.statistics.permutation import permutation_test
from fairflow.vectors.word_embedding_model import WordEmbeddingModel

PAIR = {"more": "She is a nurse.", "less": "He is a nurse."}
QUESTION = {
    "context": "A", "question": "B", "answers": ["a", "b", "c"], "label": 2, "unknown": 2,
    "biased": 0, "polarity": "neg", "condition": "ambiguous",
}  # fmt: skip
LISTS = {"default": ["he"], "stigmatised": ["she"], "positive": ["a"], "negative": ["b"]}
ITEMS = {
    "pair": {"pairs": [PAIR, {"more": "A", "less": "B"}, {"more": "C", "less": "B"}]},
    "sentence": {"sentences": [{"text": "A"}, {"text": "B", "template": "t"}]},
    "candidate": {
        "candidates": [
            {"target": "she", "context": "She is BLANK.", "stereotype": "a", "anti-stereotype": "b",
             "unrelated": "c"}
        ]
    },
    "prompt": {"prompts": [{"text": "A", "cluster": "he", "template": "t"}, {"text": "B"}]},
    "slot": {"templates": ["{target} is {fill}"], "groups": {"f": ["she", "Amy"],
             "m": ["he", "Tom"]}, "fills": ["kind"]},
    "question": {"questions": [QUESTION | {"template": "t"}, QUESTION]},
    "continuation": {
        "continuations": [{"target": "she", "context": "She.", "stereotype": "a",
                           "anti-stereotype": "b", "unrelated": "c"}]
    },
    "decision": {"decisions": [{"text": "A?", "attributes": {"age": "20"}, "template": "t"}]},
    "word_association": {"instructions": dict.fromkeys("ab", "{label_1} {label_2} {words}"),
                         "associations": [{"id": "age", **LISTS}]},
}  # fmt: skip
UNITS = {
    "pair": ["0", "1", "1"],
    "sentence": ["0", "t"],
    "candidate": ["she"],
    "prompt": ["he", "1"],
    "slot": ["she / he", "Amy / Tom"],
    "question": ["t", "1"],
    "continuation": ["she"],
    "decision": ["t"],
    "word_association": ["age", "age"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_item_has_a_unit_of_its_own_unless_the_data_name_another(kind):
    items = items_of({"kind": kind, **ITEMS[kind]}).items
    assert [item.cluster_id for item in items] == UNITS[kind]
    assert {replace(item, cluster="named").cluster_id for item in items} == {"named"}


@pytest.mark.parametrize(
    ("unit", "units"),
    [("fill", {"a", "b"}), ("template", {"0"}), ("targets", {"she / he"}), (None, {"a", "b"})],
)
def test_slots_of_one_row_are_units_by_fill_and_others_as_the_query_says(unit, units):
    entry = {"kind": "slot", "templates": ["{target} is {fill}"], "fills": ["a", "b"]}
    entry |= {"groups": {"f": ["she"], "m": ["he"]}} | ({"cluster": unit} if unit else {})
    assert {item.cluster_id for item in items_of(entry).items} == units


@pytest.mark.parametrize(("kind", "unit"), [("slot", "word"), ("pair", "fill")])
def test_a_cluster_that_a_kind_does_not_know_is_refused(kind, unit):
    with pytest.raises(ItemError, match="cluster"):
        items_of({"kind": kind, **ITEMS[kind], "cluster": unit})


def statistic_of_values(values, units, templates=None):
    """Pairs with these differences, their mean measured and tested."""
    templates = templates or [""] * len(values)
    items = [
        PairItem(str(i), "more", "less", cluster=unit, template_id=template)
        for i, (unit, template) in enumerate(zip(units, templates, strict=True))
    ]
    scores = item_scores(
        "m", "difference", items, lambda item: {"difference": values[int(item.item_id)]},
    )  # fmt: skip
    means = {"mean": lambda weights: weights @ values / weights.sum(axis=1)}
    return Measured(
        scores, lambda weights: {"mean": means["mean"](weights)}, scores.values, "mean", ("mean",)
    ).statistic


def p_value(statistic):
    return permutation_test(statistic, np.random.default_rng(0)).p_value


def test_under_the_null_p_is_uniform_by_unit_and_much_too_small_by_item():
    random = np.random.default_rng(1)
    units = np.repeat(list("abcdefgh"), 4).tolist()
    by_unit, by_item = [], []
    for _ in range(300):
        values = np.repeat(random.normal(size=8), 4) + random.normal(0, 0.3, 32)
        by_unit.append(p_value(statistic_of_values(values, units)))
        if len(by_item) < 20:
            signs = random.choice([-1, 1], (2_000, 32)) @ values
            by_item.append(np.mean(np.abs(signs) >= abs(values.sum())))
    # Two-sided over 256 choices: p is 2 k / 256, each k as likely as any other.
    levels = np.arange(0.125, 1.01, 0.125)
    shares = (np.array(by_unit)[:, np.newaxis] <= levels + 1e-9).mean(axis=0)
    assert np.abs(shares - levels).max() < 0.087
    assert np.mean(np.array(by_item) <= 0.05) > 0.12


def test_templates_are_crossed_with_units_that_stand_in_several_of_them_and_else_hold_them():
    values = np.arange(4.0)
    crossed = statistic_of_values(values, list("aabb"), list("1212"))
    assert [stratum.names for stratum in crossed.attributes] == [("template 1", "template 2")]
    nested = statistic_of_values(values, list("abcd"), list("1122"))
    assert nested.attributes == []
    # Pairs of a template that name no unit are exchanged by template.
    assert statistic_of_values(values, [""] * 4, list("1122")).units == ("1", "2")


WORDS = {"x": {"words": ["rose", "daisy"]}, "y": {"words": ["woman"]}, "a": {"words": ["good"]}}
QUERY = PlannedQuery("base", {"X": "x", "Y": "y"}, {"A": "a", "B": "a"}, "as_written")


def test_sentences_of_templates_know_their_word_and_template():
    entry = {"words_of": "base", "templates": dict.fromkeys("XYAB", "name")}
    _, sets = sentence_query("q", entry, {"base": QUERY}, WORDS, "")
    units = sets["q#X in sentences"]["units"]
    assert list(units) == sets["q#X in sentences"]["words"]
    assert units["We met rose."] == ["rose", "name", "We met {t}."]
    assert {unit[0] for unit in units.values()} == {"rose", "daisy"}
    _, sets = sentence_query("q", entry | {"cluster": "sentence"}, {"base": QUERY}, WORDS, "")
    assert all("units" not in own for own in sets.values())


SEAT = (
    '{"targ1": {"category": "F", "examples": ["This is a rose.", "Those are daisies."]},'
    '"targ2": {"category": "W", "examples": ["Women are here."]},'
    '"attr1": {"category": "G", "examples": ["It is good."]},'
    '"attr2": {"category": "H", "examples": ["Good is it."]}}'
)


def test_sentences_of_a_file_are_units_of_the_words_that_stand_in_them(tmp_path):
    (tmp_path / "sent.jsonl").write_text(SEAT)
    entry = {"file": str(tmp_path / "sent.jsonl")}
    _, sets = sentence_query("q", entry | {"words_of": "base"}, {"base": QUERY}, WORDS, "")
    assert sets["q#F"]["units"]["Those are daisies."] == ["daisy", "file", "Those are {}."]
    assert sets["q#W"]["units"]["Women are here."] == ["woman", "file", "{} are here."]
    _, unknown = sentence_query("q", entry, {}, WORDS, "")
    assert unknown["q#F"]["units"] == {}
    other = WORDS | {"x": {"words": ["tulip"]}}
    with pytest.raises(ItemError, match="holds no word of the set 'X' of words_of"):
        sentence_query("q", entry | {"words_of": "base"}, {"base": QUERY}, other, "")


def test_units_go_with_the_words_and_the_vectors_of_a_query(tmp_path):
    sets = {"targets": {"X": ["a b"], "Y": ["c d"]}, "attributes": {"A": ["e"], "B": ["f"]}}
    units = {text: [text[0], "kind", "t"] for text in ("a b", "c d", "e", "f")}
    write_words({"words": sets, "sentences": sets | {"units": units}}, tmp_path / "words.json")
    read = read_words(tmp_path / "words.json")
    assert [own.get("units") for own in read.values()] == [None, units]
    query = query_of(read["sentences"])
    vectors = KeyedVectors(2)
    vectors.add_vectors(list(units), np.array([[1.0, i] for i in range(4)], dtype=np.float32))
    model = WordEmbeddingModel(vectors)
    found = replace(model.look_up(query, Lookup()), units=units)
    read = read_slice(write_slice(found, tmp_path / "slice.parquet"))
    assert read.units == read.subquery(query).units == units
