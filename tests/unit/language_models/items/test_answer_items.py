"""Word associations: how they are written, and what each draw asks."""

from itertools import product

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item_set import read_items, write_items
from fairflow.language_models.items.query_entry import items_of

LISTS = {"default": ["thin", "slim"], "stigmatised": ["fat"]}
LISTS |= {"positive": ["joy", "peace", "love"], "negative": ["agony", "evil", "hurt"]}
PICK = "Pick {label_1} or {label_2} for each of {words}."
ASSOCIATIONS = {
    "kind": "word_association",
    "instructions": {"pick": PICK, "other": f"Please! {PICK}"},
    "associations": [
        {"id": "weight", "category": "health", **LISTS}
        | {"instead": {"other": {"positive": ["bliss"], "neither": ["managers"]}}},
        {"id": "age", **LISTS},
    ],
}


@pytest.fixture
def items():
    return {item.item_id: item for item in items_of(ASSOCIATIONS).items}


def test_each_stimulus_is_asked_with_each_instruction(items):
    assert list(items) == ["weight_pick", "weight_other", "age_pick", "age_other"]
    other = items["weight_other"]
    assert (other.cluster_id, other.template_id, other.category) == ("weight", "other", "health")
    assert (other.positive, other.neither) == (("bliss",), ("managers",))
    assert other.negative == items["weight_pick"].negative == ("agony", "evil", "hurt")
    assert items["age_pick"].category == ""


def test_a_draw_shows_one_label_of_each_group_and_every_word_in_an_order_of_its_own(items):
    item = items["weight_pick"]
    messages = [item.message_of(rank) for rank in range(200)]
    assert messages == [item.message_of(rank) for rank in range(200)]
    assert messages[0] == item.message
    labels = {tuple(message.split()[1:4:2]) for message in messages}
    assert labels == {*product(["thin", "slim"], ["fat"]), *product(["fat"], ["thin", "slim"])}
    orders = {message.partition("each of ")[2] for message in messages}
    assert len(orders) > 150
    for order in orders:
        assert sorted(order.strip(".").split(", ")) == sorted(f"'{word}'" for word in item.words)
    first_words = {order.split("'")[1] for order in orders}
    assert first_words == set(item.words)


def test_they_are_read_as_they_were_written(tmp_path):
    write_items(items_of(ASSOCIATIONS), tmp_path / "items.json")
    found = read_items(tmp_path / "items.json")
    assert found == items_of(ASSOCIATIONS)
    assert hash(found.items[0]) == hash(items_of(ASSOCIATIONS).items[0])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"positive": ["joy", "Fat"]}, "'weight_pick': fat is there twice"),
        ({"stigmatised": []}, "default, stigmatised, positive and negative need words"),
        ({"negative": [" "]}, "default, stigmatised, positive and negative need words"),
        ({"instruction": "Pick {label_1} for {words}"}, "the instruction has no {label_2}"),
        ({"instruction": PICK + "{more}"}, "the instruction has another place than"),
    ],
)
def test_an_association_that_no_answer_could_be_read_of_is_refused(change, sentence):
    lists = {"id": "weight", **LISTS, "instead": {"pick": change}}
    with pytest.raises(ItemError, match=sentence):
        items_of(ASSOCIATIONS | {"associations": [lists]})


def test_without_instructions_or_with_another_cluster_nothing_is_asked():
    with pytest.raises(ItemError, match="needs instructions"):
        items_of({name: ASSOCIATIONS[name] for name in ("kind", "associations")})
    with pytest.raises(ItemError, match="cluster"):
        items_of(ASSOCIATIONS | {"cluster": "item"})
