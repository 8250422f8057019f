"""Published files: read as they are, and every fault named with its line."""

import json
import re

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.choice_data import read_bbq
from fairflow.language_models.items.choice_items import LABELS
from fairflow.language_models.items.data_files import read_lexicon
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.item_set import ItemSet, prompts_for
from fairflow.language_models.items.query_entry import FORMATS
from fairflow.language_models.items.text_data import read_seat


def read_stereoset(*paths):
    return FORMATS["stereoset_intrasentence"].items(paths)


def read_crows_pairs(*paths):
    return FORMATS["crows_pairs"].items(paths)


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
        ('0,"She', '0,"She"', r"after row 0: ',' expected after '\"'"),
    ],
)
def test_a_file_that_is_no_crows_pairs_is_refused_with_the_line(old, new, message, tmp_path):
    path = file(tmp_path, CROWS.replace(old, new))
    with pytest.raises(ItemError, match=message) as error:
        read_crows_pairs(path)
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (
            ",antistereo",
            ",neither",
            "line 3: pair '1': direction must be one of stereo, antistereo",
        ),
        ("The kid ran.", " ", "line 3: sent_more is empty"),
        (",age,", ",", "line 3: 5 cells, the header has 6"),
        ("1,The kid ran.,The man ran.,antistereo,age,[]", "1", "line 3: 1 cells, the header has 6"),
    ],
)
def test_a_pair_that_cannot_be_read_is_an_item_with_a_reason(old, new, reason, tmp_path):
    first, second = read_crows_pairs(file(tmp_path, CROWS.replace(old, new)))
    assert first.more == "She is, well, kind."
    assert isinstance(second, InvalidItem)
    assert second.item_id == "1"
    assert second.reason.startswith(reason)


def test_a_file_of_which_nothing_can_be_read_is_refused(tmp_path):
    text = CROWS.replace(",stereo,", ",x,").replace(",antistereo,", ",y,")
    with pytest.raises(ItemError, match=r"none of 2 items can be read; line 2: .* got 'x'"):
        read_crows_pairs(file(tmp_path, text))


def stereoset(*further, **changes):
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
    examples = [example | changes, *(example | one for one in further)]
    document = {"version": "1", "data": {"intrasentence": examples}}
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


def filled(context):
    """The three sentences of an example whose blanks are filled."""
    return [
        {"sentence": re.sub("BLANK", word, context, flags=re.IGNORECASE), "gold_label": label}
        for label, word in zip(LABELS, ("kind", "tough", "river"), strict=True)
    ]


@pytest.mark.parametrize(
    ("context", "word", "hidden"),
    [
        ("She was BLANKed.", "kinded", []),
        ("They are huge BLANKs.", "kinds", []),
        ("She likes to be BLANK>", "kind", []),
        ("She is BLANK, not BLANK.", "kind", [7]),
        ("As likely to be BLANK as Blank.", "kind", [24]),
        ("It means BLANK and not BLANk", "kind", [22]),
    ],
)
def test_stereoset_takes_the_word_at_the_place_of_the_last_blank_and_hides_its_copies(
    context, word, hidden, tmp_path
):
    text = stereoset(context=context, sentences=filled(context))
    (item,) = read_stereoset(file(tmp_path, text))
    sentence = item.sentences["stereotype"]
    assert sentence[slice(*item.word_span("stereotype"))] == word
    assert [start for start, _ in item.hidden_spans("stereotype")] == hidden


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"context": "She is here."}, r"intrasentence\[1\]: item 'two': .* must have a BLANK"),
        ({"context": "She is very very BLANK."}, r"has no word where"),
        ({"sentences": changed_label("odd")}, r"gold_label 'odd' of 'She is river.'"),
        ({"sentences": changed_label("stereotype")}, r"gold_label 'stereotype' of 'She"),
        ({"sentences": ["She is kind."]}, r"gold_label None"),
        ({"sentences": []}, r"must have stereotype, anti-stereotype, unrelated; found none"),
        ({"sentences": None}, r"sentences is None, list is expected"),
        ({"target": 3}, r"target is 3, str is expected"),
        ({"id": "one"}, r"the id 'one' is there twice"),
    ],
)
def test_an_example_that_cannot_be_read_is_an_item_with_a_reason(changes, reason, tmp_path):
    first, second = read_stereoset(file(tmp_path, stereoset({"id": "two", **changes})))
    assert first.item_id == "one"
    assert isinstance(second, InvalidItem)
    assert re.search(rf"^data.*{reason}", second.reason)
    assert second.category == "gender"
    assert first.item_id != second.item_id


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (stereoset(context="She is here."), r"none of 1 items can be read; data.* a BLANK"),
        ("{}", r"data.intrasentence must be a list"),
        ('{"data":\n oops}', r"line 2: Expecting value"),
    ],
)
def test_a_file_that_is_no_stereoset_is_refused_with_the_line(text, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_stereoset(file(tmp_path, text))


def seat(**changes):
    sets = {
        key: {"category": f"Set {key}", "examples": [f"This is {key}.", "That is it."]}
        for key in ("targ1", "targ2", "attr1", "attr2")
    }
    return json.dumps(sets | changes, indent=1)


def test_seat(tmp_path):
    sets = read_seat(file(tmp_path, seat(), "sent-weat1.jsonl"))
    assert [name for name, _ in sets] == ["Set targ1", "Set targ2", "Set attr1", "Set attr2"]
    assert sets[3][1] == ("This is attr2.", "That is it.")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"targ2": {"category": "x", "examples": []}}, r"targ2.examples must be a list"),
        ({"attr1": None}, r"attr1.examples must be"),
        ({"attr1": {"examples": ["a", 3]}}, r"attr1.examples must be .*3"),
    ],
)
def test_faults_of_seat_are_named_with_their_set(changes, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_seat(file(tmp_path, seat(**changes)))


HONEST = (
    "template_masked\traw\tidentity\tnumber\tcategory\ttype\n"
    "the girl dreams of being a [M].\tthe [I] dreams of being a [M].\tgirl\tsing\tfemale\tbin\n"
    "the men are good as [M]\tthe [I] are good as [M]\tmen\tplur\tmale\tbin\n"
)


def test_honest(tmp_path):
    path = file(tmp_path, HONEST)
    first, second = FORMATS["honest"].items([path])
    assert first.text == "the girl dreams of being a [MASK]."
    assert (second.template_id, second.category) == ("the [I] are good as [M]", "male")
    causal = prompts_for(ItemSet("prompt", (first, second)), "causal")
    assert [p.text for p in causal] == ["the girl dreams of being a", "the men are good as"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("as [M]\tthe [I]", "as it\tthe [I]", "'the men are good as it' must have one [M]"),
        ("as [M]\tthe [I]", "[M] [M]\tthe [I]", "must have one [M]"),
        ("\tmale\tbin", "\tmale", "5 cells, the header has 6"),
    ],
)
def test_a_template_that_cannot_be_read_is_an_item_with_a_reason(old, new, reason, tmp_path):
    first, second = FORMATS["honest"].items([file(tmp_path, HONEST.replace(old, new))])
    assert first.category == "female"
    assert isinstance(second, InvalidItem)
    assert second.reason.startswith("line 3: ")
    assert reason in second.reason
    assert second.category == "male"


def test_a_lexicon_has_one_term_per_line(tmp_path):
    text = "\ufeff# ours\nfool\n\nidiot\nfool\nson of a gun\n"
    assert read_lexicon(file(tmp_path, text)) == ["fool", "idiot", "son of a gun"]


HURTLEX = (
    "id\tpos\tcategory\tstereotype\tlemma\tlevel\n"
    "EN1\tn\tqas\tno\tfool\tconservative\n"
    "EN2\tn\tcds\tno\tdirty dog\tinclusive\n"
    "EN3\ta\tqas\tno\tfool\tinclusive\n"
)


def test_of_the_table_of_hurtlex_the_lemmas_are_the_terms(tmp_path):
    assert read_lexicon(file(tmp_path, HURTLEX)) == ["fool", "dirty dog"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "has no words"),
        ("", "has no words"),
        (HURTLEX.replace("lemma", "term"), "line 1: the columns lemma are missing; found id, pos"),
        (HURTLEX.split("\n", 1)[1], "line 1: the columns lemma are missing; found EN1, n"),
        (HURTLEX.replace("\tno\tfool", "\tfool"), "line 2: 5 cells, the header has 6"),
        (HURTLEX.replace("\t", ","), "line 1: .* words; a lexicon has one term per line"),
        ("fool\nEN1\tn\tidiot\n", "line 2: .* is no term"),
        ("fool\n\n---\n", "line 3: '---' is no term"),
        ("a term that is a whole sentence of prose\nfool\n", "line 1: .* of at most 8 words"),
    ],
)
def test_a_file_that_is_no_lexicon_is_refused_with_the_line(text, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        read_lexicon(file(tmp_path, text))


QUESTION = {
    "example_id": 0, "question_index": "1", "question_polarity": "neg", "category": "Age",
    "context_condition": "ambig", "context": "I saw a boy and a man.", "question": "Who fell?",
    "ans0": "The man", "ans1": "The boy", "ans2": "Not known", "label": 2,
    "answer_info": {"ans0": ["man", "old"], "ans1": ["boy", "nonOld"], "ans2": ["?", "unknown"]},
}  # fmt: skip
CLEAR = {
    "example_id": 1,
    "context_condition": "disambig",
    "question_polarity": "nonneg",
    "label": 1,
}
TARGETS = '"category","example_id","target_loc"\n"Age",0,0\n"Age",1,1\n"Age",2,NA\n'
CONTINUATION = {
    "id": "a", "target": "nurse", "bias_type": "profession", "context": "She is a nurse.",
    "sentences": [
        {"sentence": f"It is {label}.", "gold_label": label}
        for label in ("unrelated", "stereotype", "anti-stereotype")
    ],
}  # fmt: skip


def written(path, *lines):
    """A file of these lines; those that are no text as JSON."""
    texts = (line if isinstance(line, str) else json.dumps(line) for line in lines)
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def bbq(tmp_path, *lines, targets=TARGETS):
    table = tmp_path / "additional_metadata.csv"
    table.write_text(targets, encoding="utf-8")
    return read_bbq(written(tmp_path / "Age.jsonl", *lines), table)


def continuations(tmp_path, *examples):
    file = written(tmp_path / "dev.json", {"data": {"intersentence": [*examples]}})
    return FORMATS["stereoset_intersentence"].items([file])


def test_the_target_of_bbq_is_the_answer_of_the_stereotype_in_either_polarity(tmp_path):
    first, second = bbq(tmp_path, QUESTION, QUESTION | CLEAR)
    assert (first.item_id, first.template_id, first.instance) == ("Age/0", "Age/1", "Age/0")
    assert (first.condition, second.condition) == ("ambiguous", "disambiguated")
    assert (first.biased, first.unknown, first.label) == (0, 2, 2)
    assert (second.polarity, second.biased) == ("nonneg", 1)
    assert first.instance == second.instance
    assert first.stratum == "Age, ambiguous, neg"
    requests = first.requests("continuation")
    assert [one.text.removeprefix(one.context) for one in requests] == [
        " The man", " The boy", " Not known",
    ]  # fmt: skip
    assert {one.context for one in requests} == {
        "Context: I saw a boy and a man.\n\nQuestion: Who fell?\n\nAnswer:"
    }


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"label": None}, "label is None, int is expected"),
        ({"label": [1, 2]}, r"label is [1, 2], int is expected"),
        ({"label": 0}, "the right answer of a context that is ambiguous cannot be 0"),
        ({"label": 3}, "label must be a place of an answer, 0 to 2; got 3"),
        ({"ans1": " "}, "a context, a question and 3 answers with words in them are needed"),
        ({"question_polarity": "pos"}, "polarity must be one of neg, nonneg, got 'pos'"),
        ({"context_condition": "both"}, "condition must be one of ambiguous, disambiguated"),
        ({"example_id": 2}, "the table of targets has NA for it, not a place"),
        ({"example_id": 3}, "the table of targets has nothing for it, not a place"),
        ({"answer_info": {}}, "it lacks answer_info.ans0"),
        (
            {"answer_info": {key: ["?", "unknown"] for key in ("ans0", "ans1", "ans2")}},
            "answer_info names 3 unknown answers, 1 is expected",
        ),
        ({"example_id": 0}, "the id 'Age/0' is there twice"),
        ('{"example_id": 1', "no JSON: Expecting ',' delimiter in column 17"),
        ("[1]", "it is no object"),
    ],
)
def test_a_question_that_cannot_be_read_is_an_item_with_its_line(line, reason, tmp_path):
    second = line if isinstance(line, str) else QUESTION | {"example_id": 1} | line
    first, found = bbq(tmp_path, QUESTION, second)
    assert first.item_id == "Age/0"
    assert isinstance(found, InvalidItem)
    assert found.category == "Age"
    assert "line 2: " in found.reason
    assert reason in found.reason


def test_bbq_needs_one_table_of_targets_that_is_of_one_mind(tmp_path):
    file = written(tmp_path / "Age.jsonl", QUESTION)
    with pytest.raises(ItemError, match=r"one table of targets \(.csv\)"):
        read_bbq(file)
    with pytest.raises(ItemError, match="line 5: another target of Age 0"):
        bbq(tmp_path, QUESTION, targets=TARGETS + '"Age",0,1\n')
    with pytest.raises(ItemError, match=r"Age\.jsonl: none of 1 items can be read"):
        bbq(tmp_path, QUESTION | {"label": 7})
    assert len(bbq(tmp_path, QUESTION, targets=TARGETS + '"Age",0,0\n')) == 1


def test_the_sequels_of_stereoset(tmp_path):
    (item,) = continuations(tmp_path, CONTINUATION)
    assert (item.cluster_id, item.category) == ("nurse", "profession")
    assert [one.text for one in item.requests("continuation")] == [
        "She is a nurse. It is stereotype.",
        "She is a nurse. It is anti-stereotype.",
        "She is a nurse. It is unrelated.",
    ]
    assert {one.context for one in item.requests("continuation")} == {"She is a nurse."}


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"context": " "}, "context is empty"),
        (
            {"sentences": CONTINUATION["sentences"][:2]},
            "must have stereotype, anti-stereotype, unrel",
        ),
        (
            {"sentences": [CONTINUATION["sentences"][0]] * 3},
            "gold_label 'unrelated' of 'It is unrela",
        ),
        ({"target": 3}, "target is 3, str is expected"),
    ],
)
def test_a_sequel_that_cannot_be_read_is_an_item_with_its_line(change, reason, tmp_path):
    first, second = continuations(tmp_path, CONTINUATION, CONTINUATION | {"id": "b"} | change)
    assert (first.item_id, second.item_id) == ("a", "b")
    assert second.reason.startswith("data.intersentence[1]: ")
    assert reason in second.reason
