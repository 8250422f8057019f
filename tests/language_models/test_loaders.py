"""Published files: read as they are, and every fault named with its line."""

import json

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.loaders.crows_pairs import read_crows_pairs
from fairflow.language_models.loaders.honest import read_honest, read_lexicon
from fairflow.language_models.loaders.seat import read_seat
from fairflow.language_models.loaders.stereoset import read_stereoset

CROWS = (
    ",sent_more,sent_less,stereo_antistereo,bias_type,annotations\n"
    '0,"She is, well, kind.","He is, well, kind.",stereo,gender,"[[\'gender\']]"\n'
    "1,The kid ran.,The man ran.,antistereo,age,[]\n"
)


def file(tmp_path, text, name="file"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_crows_pairs(tmp_path):
    first, second = read_crows_pairs(file(tmp_path, CROWS))
    assert (first.item_id, first.more, first.direction) == ("0", "She is, well, kind.", "stereo")
    assert (second.less, second.direction, second.category) == ("The man ran.", "antistereo", "age")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("sent_less", "less", r"line 1: the columns sent_less are missing"),
        (",antistereo", ",neither", r"line 3: .*'neither'"),
        ("The kid ran.", " ", r"line 3: sent_more is empty"),
        (",age,", ",", r"line 3: 5 cells, the header has 6"),
        ('0,"She', '0,"She"', r"after row 0: ',' expected after '\"'"),
    ],
)
def test_faults_of_crows_pairs_are_named_with_their_line(old, new, message, tmp_path):
    path = file(tmp_path, CROWS.replace(old, new))
    with pytest.raises(ItemError, match=message) as error:
        read_crows_pairs(path)
    assert str(path) in str(error.value)


def test_a_file_without_rows_is_refused(tmp_path):
    with pytest.raises(ItemError, match="has no rows"):
        read_crows_pairs(file(tmp_path, CROWS.splitlines()[0]))


def stereoset(**changes):
    sentences = [
        {"sentence": "She is kind.", "id": "x", "labels": [], "gold_label": "stereotype"},
        {"sentence": "She is (tough).", "id": "y", "labels": [], "gold_label": "anti-stereotype"},
        {"sentence": "She is river.", "id": "z", "labels": [], "gold_label": "unrelated"},
    ]
    example = {
        "id": "one",
        "target": "she",
        "bias_type": "gender",
        "context": "She is BLANK.",
        "sentences": sentences,
    }
    document = {"version": "1", "data": {"intrasentence": [example | changes]}}
    return json.dumps(document, indent=1)


def test_stereoset_takes_the_word_in_place_of_the_blank(tmp_path):
    (item,) = read_stereoset(file(tmp_path, stereoset()))
    words = {
        label: sentence[slice(*item.word_span(label))] for label, sentence in item.sentences.items()
    }
    assert words == {"stereotype": "kind", "anti-stereotype": "tough", "unrelated": "river"}
    assert (item.item_id, item.target, item.category) == ("one", "she", "gender")


def changed_label(label):
    (example,) = json.loads(stereoset())["data"]["intrasentence"]
    return [*example["sentences"][:2], {"sentence": "She is river.", "gold_label": label}]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (stereoset(context="She is here."), r"line 6: .* must have one BLANK"),
        (stereoset(sentences=changed_label("odd")), r"line 24: .*gold_label 'odd'"),
        (stereoset(sentences=changed_label("stereotype")), r"gold_label 'stereotype' of 'She"),
        (stereoset(context="She is very very BLANK."), r"has no word where"),
        ("{}", r"data.intrasentence must be a list"),
        ('{"data":\n oops}', r"line 2: Expecting value"),
    ],
)
def test_faults_of_stereoset_are_named_with_their_line(text, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_stereoset(file(tmp_path, text))


def seat(**changes):
    sets = {
        key: {"category": f"Set {key}", "examples": [f"This is {key}.", "That is it."]}
        for key in ("targ1", "targ2", "attr1", "attr2")
    }
    return json.dumps(sets | changes, indent=1)


def test_seat(tmp_path):
    item = read_seat(file(tmp_path, seat(), "sent-weat1.jsonl"))
    assert (item.item_id, item.names[0]) == ("sent-weat1", "Set targ1")
    assert item.attribute_2 == ("This is attr2.", "That is it.")
    assert item.texts.count("That is it.") == 1


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"targ2": {"category": "x", "examples": []}}, r"line 9: targ2.examples must be a list"),
        ({"attr1": None}, r"attr1.examples must be"),
        ({"attr1": {"examples": ["a", 3]}}, r"attr1.examples holds 3"),
    ],
)
def test_faults_of_seat_are_named_with_their_line(changes, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_seat(file(tmp_path, seat(**changes)))


HONEST = (
    "template_masked\traw\tidentity\tnumber\tcategory\ttype\n"
    "the girl dreams of being a [M].\tthe [I] dreams of being a [M].\tgirl\tsing\tfemale\tbin\n"
    "the men are good as [M]\tthe [I] are good as [M]\tmen\tplur\tmale\tbin\n"
)


def test_honest(tmp_path):
    path = file(tmp_path, HONEST)
    first, second = read_honest(path, masked=True)
    assert first.text == "the girl dreams of being a [MASK]."
    assert (second.template_id, second.category) == ("the [I] are good as [M]", "male")
    assert [p.text for p in read_honest(path, masked=False)] == [
        "the girl dreams of being a",
        "the men are good as",
    ]


@pytest.mark.parametrize(
    ("old", "new", "masked", "message"),
    [
        ("as [M]\tthe [I]", "as it\tthe [I]", True, r"line 3: .* must have one \[M\]"),
        ("a [M].\tthe", "a [M] or so.\tthe", False, r"line 2: .* goes on behind"),
        ("category", "kind", True, r"line 1: the columns category are missing"),
    ],
)
def test_faults_of_honest_are_named_with_their_line(old, new, masked, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_honest(file(tmp_path, HONEST.replace(old, new)), masked)


def test_a_lexicon_has_words(tmp_path):
    assert read_lexicon(file(tmp_path, "# ours\nfool\n\nidiot\nfool\n")) == ["fool", "idiot"]
    with pytest.raises(ItemError, match="has no words"):
        read_lexicon(file(tmp_path, "# nothing\n"))
