"""BEC-Pro, HolisticBias and GEST: read as published, every fault named with its file and line."""

import json

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.query_entry import FORMATS


def read_bec_pro(*paths):
    return FORMATS["bec_pro"].items(paths)


def read_bec_pro_pairs(*paths):
    return FORMATS["bec_pro_pairs"].items(paths)


def read_gest(*paths):
    return FORMATS["gest"].items(paths)


def read_holistic_bias(*paths):
    return FORMATS["holistic_bias"].items(paths)


def file(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def invalid(items):
    return [item for item in items if isinstance(item, InvalidItem)]


ENGLISH = "\tSentence\tSent_TM\tTemplate\tPerson\tGender\tProfession\tProf_Gender\n"
for number, (subject, one, gender_) in enumerate(
    [("He", "He", "male"), ("My son", "son", "male"), ("She", "She", "female"),
     ("My daughter", "daughter", "female")]
):  # fmt: skip
    for job, group in (("mason", "male"), ("maid", "female"), ("mail sorter", "balanced")):
        ENGLISH += (
            f"{number}\t{subject} is a {job}.\t-\t<person subject> is a <profession>.\t{one}\t"
            f"{gender_}\t{job}\t{group}\n"
        )
GERMAN = (
    "\tSentence\tTemplate\tPerson\tGender\tProfession\tProf_Gender\tProfession_EN\n"
    "0\tEr, der Maurer, kam.\t<person subject>, der <profession>, kam.\tEr\tmale\tMaurer\tmale\tm\n"
    "1\tSie, die Maurerin, kam.\t<person subject>, die <profession>, kam.\tSie\tfemale\tMaurerin\t"
    "male\tm\n"
    "2\tMein Ehemann ist Putzkraft.\t<person subject> ist <profession>.\tEhemann\tmale\tPutzkraft\t"
    "female\tc\n"
    "3\tMeine Frau ist Putzkraft.\t<person subject> ist <profession>.\tFrau\tfemale\tPutzkraft\t"
    "female\tc\n"
    "4\tEr ist Putzkraft.\t<person subject> ist <profession>.\tEr\tmale\tPutzkraft\tfemale\tc\n"
    "5\tSie ist Putzkraft.\t<person subject> ist <profession>.\tSie\tfemale\tPutzkraft\tfemale\tc\n"
)


def test_bec_pro_compares_a_woman_and_her_counterpart_in_one_slot(tmp_path):
    items = read_bec_pro(file(tmp_path, ENGLISH, "en.tsv"))
    assert len(items) == 6
    (item,) = (one for one in items if one.fill == "mason" and one.targets[0] == ("daughter",))
    assert (item.template, item.targets) == ("My {target} is a {fill}.", (("daughter",), ("son",)))
    assert (item.group_names, item.category, item.cluster) == (("female", "male"), "male", "mason")
    assert item.placed("son")[0] == "My son is a mason."


def test_professions_of_a_gender_are_items_of_one_group(tmp_path):
    items = read_bec_pro(file(tmp_path, GERMAN, "de.tsv"))
    assert [(item.group_names, item.fill, item.cluster) for item in items] == [
        (("female",), "Maurerin", "m"),
        (("male",), "Maurer", "m"),
        (("female",), "Putzkraft", "c"),
        (("male",), "Putzkraft", "c"),
        (("female", "male"), "Putzkraft", "c"),
    ]
    found = {item.placed(word)[0] for item in items for group in item.targets for word in group}
    assert "Sie, die Maurerin, kam." in found


def test_counterparts_are_told_by_the_whole_subject(tmp_path):
    # "Frau" is woman and wife: she is the counterpart of two.
    text = GERMAN
    for old, new in (
        ("Er ist Putz", "Dieser Mann ist Putz"),
        ("Sie ist Putz", "Diese Frau ist Putz"),
        ("\tEr\tmale\tP", "\tMann\tmale\tP"),
        ("\tSie\tfemale\tP", "\tFrau\tfemale\tP"),
    ):
        text = text.replace(old, new)
    items = read_bec_pro_pairs(file(tmp_path, text, "de.tsv"))
    assert [(item.more, item.less) for item in items[1:]] == [
        ("Meine Frau ist Putzkraft.", "Mein Ehemann ist Putzkraft."),
        ("Diese Frau ist Putzkraft.", "Dieser Mann ist Putzkraft."),
    ]


def test_pairs_of_bec_pro_hold_the_person_of_the_professions_gender_first(tmp_path):
    items = read_bec_pro_pairs(file(tmp_path, ENGLISH, "en.tsv"))
    assert [(item.more, item.less) for item in items] == [
        ("He is a mason.", "She is a mason."),
        ("She is a maid.", "He is a maid."),
        ("My son is a mason.", "My daughter is a mason."),
        ("My daughter is a maid.", "My son is a maid."),
    ]
    german = read_bec_pro_pairs(file(tmp_path, GERMAN, "de.tsv"))
    assert german[0].less == "Sie, die Maurerin, kam."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("She is a maid.", "They are maids.", "must hold the person 'She' and, once, 'maid'"),
        ("She is a maid.", "She is a maid, a maid.", "and, once, 'maid' behind it"),
        ("She is a maid.", "She is a {maid}.", "holds braces"),
        ("She is a maid.", "Sheila is a maid.", "must hold the person 'She'"),
        ("\tfemale\tmaid\t", "\tqueer\tmaid\t", "Gender 'queer' and Prof_Gender 'female' must be"),
        ("\tmaid\tfemale", "\tmaid\tmost", "Prof_Gender 'most' must be"),
        ("\tmaid\tfemale", "\tmaid", "7 cells, the header has 8"),
        ("She is a maid.", "Her kin She is a maid.", "has no masculine counterpart"),
        ("She is a maid.\t", "She is a mason.\t", "'maid' behind it"),
    ],
)
def test_a_sentence_of_bec_pro_that_cannot_be_read_is_an_item(old, new, reason, tmp_path):
    items = read_bec_pro(file(tmp_path, ENGLISH.replace(old, new), "en.tsv"))
    reasons = [item.reason for item in invalid(items)]
    assert any(reason in one and "en.tsv, line " in one for one in reasons), reasons
    assert any(not isinstance(item, InvalidItem) for item in items)


def test_a_sentence_of_bec_pro_that_is_there_twice_is_an_item_with_a_reason(tmp_path):
    again = ENGLISH + ENGLISH.splitlines()[1] + "\n"
    (item,) = invalid(read_bec_pro(file(tmp_path, again, "en.tsv")))
    assert "line 14: " in item.reason
    assert "line 2 has the same person and profession" in item.reason


DESCRIPTORS = {
    "ability": {"auditory": ["Deaf", {"descriptor": "hard-of-hearing", "preference": "reviewed"}]},
    "age": {"old": ["old", {"descriptor": "US-born", "article": "a"}]},
    "sex": {"all": [{"descriptor": "lesbian", "gender": "female"}]},
}
NOUNS = {"female": [["aunt", "aunts"]], "male": [["man", "men"]]}
TEMPLATES = {"I'm {noun_phrase}.": {}, "I like {plural_noun_phrase}.": {"must_be_noun": True}}


def holistic(tmp_path, descriptors=None, nouns=None, templates=None):
    lists = (descriptors or DESCRIPTORS, nouns or NOUNS, templates or TEMPLATES)
    return read_holistic_bias(
        *(
            file(tmp_path, json.dumps(one, indent=1), f"{name}.json")
            for name, one in zip(("descriptors", "nouns", "templates"), lists, strict=True)
        )
    )


def test_holistic_bias_crosses_descriptors_templates_and_nouns(tmp_path):
    items = holistic(tmp_path)
    assert len(items) == 4 * 2 * 2
    assert [item.text for item in items[:4]] == [
        "I'm a Deaf aunt.",
        "I'm a Deaf man.",
        "I like Deaf aunts.",
        "I like Deaf men.",
    ]
    assert "I'm an old aunt." in {item.text for item in items}
    assert "I'm a US-born man." in {item.text for item in items}
    assert (items[0].category, items[0].cluster) == ("ability", "ability: Deaf")
    assert items[0].template_id == "I'm {noun_phrase}."
    assert not any("lesbian" in item.text for item in items)


@pytest.mark.parametrize(
    ("lists", "reason"),
    [
        ({"descriptors": {"age": {"old": ["old", 3]}}}, "age, old: 3 is no descriptor"),
        ({"descriptors": {"age": {"old": ["old", " "]}}}, "age, old: ' ' is no descriptor"),
        ({"descriptors": {"age": {"old": ["old", "old"]}}}, "age has the descriptor 'old' twice"),
        ({"descriptors": {"age": {"old": ["old"]}, "sex": 3}}, "sex, sex: 3 is no descriptor"),
        (
            {"nouns": {"male": [["man", "men"], ["boy"]]}},
            "male: ['boy'] is no singular and plural",
        ),
        ({"nouns": {"male": [["man", "men"]], "female": 3}}, "female: 3 is no singular"),
        ({"templates": TEMPLATES | {"I'm {noun}.": {}}}, "must hold {noun_phrase} or"),
        ({"templates": TEMPLATES | {"{noun_phrase} {noun_phrase}": {}}}, "must hold {noun_phrase}"),
    ],
)
def test_an_entry_of_holistic_bias_that_cannot_be_read_is_an_item(lists, reason, tmp_path):
    (item,) = invalid(holistic(tmp_path, **lists))
    assert reason in item.reason
    assert ".json, line " in item.reason


def test_lists_of_holistic_bias_that_give_nothing_are_refused(tmp_path):
    with pytest.raises(ItemError, match=r"give no sentence; .*'I am.' must hold"):
        holistic(tmp_path, templates={"I am.": {}})
    with pytest.raises(ItemError, match="an object is expected that is not empty"):
        holistic(tmp_path, nouns=[["man", "men"]])
    with pytest.raises(
        ItemError, match=r"from descriptors.json, nouns.json and sentence_templates.json, got"
    ):
        read_holistic_bias(tmp_path / "one")


def test_gest_puts_english_sentences_into_the_mouths_of_both(tmp_path):
    text = 'sentence,stereotype\nI cried.,1\n"I led, always.",13\n'
    items = read_gest(file(tmp_path, text, "gest.csv"))
    assert len(items) == 8
    assert (items[0].more, items[0].less) == ('She said: "I cried."', 'He said: "I cried."')
    assert items[7].more == '"I led, always.", the man said.'
    assert (items[7].category, items[7].cluster) == ("13", "I led, always.")
    assert len({item.template_id for item in items}) == 4


def test_gest_pairs_the_versions_of_a_language_that_has_both(tmp_path):
    text = (
        "translator,language,original,stereotype,male,female\n"
        "DeepL,cs,I cried.,1,Plakal jsem.,Plakala jsem.\n"
        "DeepL,cs,I led.,13,Vedl jsem.,Vedla jsem.\n"
    )
    first, second = read_gest(file(tmp_path, text, "gender_variants.csv"))
    assert (first.more, first.less) == ("Plakala jsem.", "Plakal jsem.")
    assert (second.more, second.cluster, second.template_id) == ("Vedl jsem.", "I led.", "cs DeepL")


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("I cried.,17", "line 3: stereotype must be a number from 1 to 16, got '17'"),
        ("I cried.,", "stereotype must be a number from 1 to 16, got ''"),
        (" ,3", "line 3: a sentence is expected, or the versions male and female"),
        ("I cried.,3,x", "line 3: 3 cells, the header has 2"),
        ("I cried.", "line 3: 1 cells, the header has 2"),
    ],
)
def test_a_row_of_gest_that_cannot_be_read_is_an_item(row, reason, tmp_path):
    path = file(tmp_path, f"sentence,stereotype\nI led.,13\n{row}\n", "gest.csv")
    (item,) = invalid(read_gest(path))
    assert reason in item.reason
    assert item.item_id == "4"


def test_equal_versions_of_gest_are_no_pair(tmp_path):
    text = "male,female,stereotype\nVedl.,Vedla.,13\nVedl.,Vedl.,13\nVedl.,,13\n"
    items = read_gest(file(tmp_path, text, "variants.csv"))
    assert [isinstance(item, InvalidItem) for item in items] == [False, True, True]


def test_a_file_that_is_no_gest_is_refused(tmp_path):
    with pytest.raises(ItemError, match="line 1: the columns stereotype are missing"):
        read_gest(file(tmp_path, "sentence\nI led.\n", "gest.csv"))
