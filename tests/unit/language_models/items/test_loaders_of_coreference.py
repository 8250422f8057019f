"""WinoBias and Winogender: read as published, and every fault named with its file and line."""

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.pair_data import problem_of_versions
from fairflow.language_models.items.query_entry import FORMATS


def read_winobias(*paths):
    return FORMATS["winobias"].items(paths)


def read_winogender(*paths):
    return FORMATS["winogender"].items(paths)


def file(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def invalid(items):
    return [item for item in items if isinstance(item, InvalidItem)]


@pytest.mark.parametrize(
    ("one", "other", "problem"),
    [
        ("She left her bag.", "He left his bag.", None),
        ("He said so to himself.", "She said so to herself.", None),
        ("A cook saw her.", "A cook saw him.", None),
        ("The bag was hers.", "The bag was his.", None),
        ("She left.", "She left.", "both versions are 'She left.'"),
        ("He left.", "She came.", "differ in more than a pronoun ('left' and 'came')"),
        ("A cook saw her.", "A cook saw he.", "('her' and 'he')"),
        ("He left.", "She has left.", "(3 words and signs, and 4)"),
    ],
)
def test_versions_of_a_sentence_differ_in_pronouns_alone(one, other, problem):
    found = problem_of_versions(one, other)
    assert found is None if problem is None else problem in found


PRO = (
    "1 [The developer] saw the designer because [he] came.\r\n2 The cook told [the nurse] off.\r\n"
)
ANTI = PRO.replace("[he]", "[she]")


def wino(tmp_path, pro=PRO, anti=ANTI, split="type1.txt.dev"):
    return read_winobias(
        file(tmp_path, pro, f"pro_stereotyped_{split}"),
        file(tmp_path, anti, f"anti_stereotyped_{split}"),
    )


def test_winobias_pairs_the_line_of_both_files_without_brackets(tmp_path):
    first, _ = wino(tmp_path)
    assert first.more == "The developer saw the designer because he came."
    assert first.less == "The developer saw the designer because she came."
    assert (first.item_id, first.category) == ("type1.txt.dev:1", "type1")
    assert first.cluster == "designer / developer"


@pytest.mark.parametrize(
    ("pro", "anti", "reason"),
    [
        (PRO, ANTI, "line 2: both versions are 'The cook told the nurse off.'"),
        (PRO, ANTI.replace("2 ", "3 "), "line 2: the numbers 2 and 3 differ"),
        (PRO, ANTI.replace("2 ", ""), "is no number with a sentence behind it"),
        (PRO, ANTI.splitlines()[0], "line 2: '' is no number"),
        (PRO.splitlines()[0], ANTI, "line 2: '' is no number"),
        (PRO.replace("told", "[tells]"), ANTI, "('tells' and 'told')"),
    ],
)
def test_a_line_of_winobias_that_is_no_pair_is_an_item_with_a_reason(pro, anti, reason, tmp_path):
    first, second = wino(tmp_path, pro, anti)
    assert first.direction == "stereo"
    assert isinstance(second, InvalidItem)
    assert reason in second.reason
    assert "pro_stereotyped_type1.txt.dev, line 2: " in second.reason
    assert (second.item_id, second.category) == ("type1.txt.dev:2", "type1")


def test_files_of_winobias_that_are_no_splits_are_refused(tmp_path):
    pro = file(tmp_path, PRO, "pro_stereotyped_type1.txt.dev")
    anti = file(tmp_path, ANTI, "anti_stereotyped_type1.txt.dev")
    with pytest.raises(ItemError, match="from two files of each split, "):
        read_winobias(pro)
    with pytest.raises(
        ItemError, match=r"anti_.*: the pro-stereotyped sentences are expected here"
    ):
        read_winobias(anti, pro)
    with pytest.raises(ItemError, match=r"none of 2 items can be read; .*both versions"):
        read_winobias(pro, file(tmp_path, PRO, "other"))
    bad = tmp_path / "bad"
    bad.write_bytes(b"1 caf\xe9\n")
    with pytest.raises(ItemError, match="bad: 'utf-8'"):
        read_winobias(bad, anti)


SENTENCES = "sentid\tsentence\n" + "".join(
    f"{name}.{gender}.txt\t{text.format(word)}\n"
    for name, text in (
        ("technician.customer.1", "The technician told the customer that {} could pay."),
        ("technician.customer.0", "The technician told the customer that {} was done."),
        ("nurse.someone.0", "The nurse told someone that {} was done."),
    )
    for gender, word in (("male", "he"), ("female", "she"), ("neutral", "they"))
)
SHARES = "occupation\tbergsma_pct_female\tbls_pct_female\ntechnician\t9\t40.34\nnurse\t80\t90\n"


def gender(tmp_path, sentences=SENTENCES, shares=SHARES):
    given = [file(tmp_path, sentences, "sentences.tsv")]
    given += [file(tmp_path, shares, "shares.tsv")] if shares else []
    return read_winogender(*given)


def test_winogender_pairs_the_versions_whose_pronoun_is_that_of_the_occupation(tmp_path):
    first, second = gender(tmp_path)
    assert first.more == "The technician told the customer that she was done."
    assert first.less == "The technician told the customer that he was done."
    assert (first.cluster, first.value) == ("technician", 0.4034)
    assert (second.item_id, second.value) == ("nurse.someone", 0.9)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("nurse.someone.0.male", "nurse.0", "line 8: sentid 'nurse.0.txt' is not occupation."),
        ("nurse.someone.0.male", "nurse.someone.1.male", "nurse.someone has no version that is m"),
        ("nurse.someone.0.male", "nurse.someone.0.female", "line 9: the sentid 'nurse.someone.0.f"),
        ("someone that she was", "someone that she is", "('is' and 'was')"),
        ("nurse.someone.0", "baker.someone.0", "the occupation 'baker' has no share of women"),
        ("nurse.someone.0.male.txt\t", "nurse.someone.0.male.txt\tx\t", "line 8: 3 cells"),
    ],
)
def test_a_sentence_of_winogender_that_cannot_be_read_is_an_item(old, new, reason, tmp_path):
    items = gender(tmp_path, SENTENCES.replace(old, new))
    assert any(reason in item.reason for item in invalid(items)), invalid(items)
    assert all("sentences.tsv, line " in item.reason for item in invalid(items))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("90", "many", r"shares.tsv, line 3: bls_pct_female must be from 0 to 100, got 'many'"),
        ("90", "100.5", r"line 3: bls_pct_female must be from 0 to 100, got '100.5'"),
        ("90", "nan", r"line 3: bls_pct_female must be from 0 to 100, got 'nan'"),
        ("bls_pct_female", "bls", r"line 1: the columns bls_pct_female are missing"),
    ],
)
def test_shares_that_are_none_are_refused(old, new, message, tmp_path):
    with pytest.raises(ItemError, match=message):
        gender(tmp_path, shares=SHARES.replace(old, new))
