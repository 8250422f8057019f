"""A property file is a number of each word with its source; a bad one is refused by its line."""

from pathlib import Path

import pytest

from fairflow.errors import FairflowError
from fairflow.queries.query_file import read_property

HEAD = "# label: share\n# unit: %\n# source: census\n# citation: Someone (2000)\n"
SHARES = HEAD.replace("unit: %", "unit: share")


def written(tmp_path, text):
    path = tmp_path / "share.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_words_numbers_and_where_they_come_from(tmp_path):
    path = written(tmp_path, HEAD + 'word,value\nnurse,0.9\n"a, b",-1e3\n\nbaker,2\n')
    found = read_property(path)
    assert found.values == {"nurse": 0.9, "a, b": -1000.0, "baker": 2.0}
    assert found[:5] == ("share", "share", "%", "census", "Someone (2000)")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_marks_of_other_systems_change_nothing(tmp_path, end):
    path = tmp_path / "share.csv"
    text = HEAD + "word,value\nna\u00efve,0.5\nbaker,2\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", end).encode())
    assert read_property(path).values == {"na\u00efve": 0.5, "baker": 2.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,value\nnurse,1\n", r"share.csv, line 1: expected a line '# label: ...'"),
        ("", r"share.csv, line 1: expected a line '# label: ...'"),
        (HEAD + "# colour: red\nword,value\na,1\n", "line 5: expected '# KEY: text'"),
        (HEAD + "# unit: $\nword,value\na,1\n", "line 5: .* once, found '# unit: \\$'"),
        (HEAD + "word;value\na,1\n", "line 5: expected word,value"),
        (HEAD + "word,value\na,1\nbaker,many\n", "line 7: .* number of 'baker', found 'many'"),
        (HEAD + "word,value\nnurse,nan\n", "line 6: expected a finite number .* found 'nan'"),
        (HEAD + "word,value\nnurse,-inf\n", "line 6: .* found '-inf'"),
        (HEAD + "word,value\nnurse,1_0\n", "line 6: .* found '1_0'"),
        (HEAD + "word,value\nnurse,\n", "line 6: .* of 'nurse', found ''"),
        (HEAD + "word,value\na,1\nb,2\na,3\n", "line 8: .* found 'a' with 3, which has 1 before"),
        (HEAD + "word,value\na,1,2\n", "line 6: expected a word and a number"),
        (HEAD + "word,value\n ,1\n", "line 6: expected a word and a number"),
        (HEAD + 'word,value\na,1\n"b,1\n', "line 8: expected a word and a number"),
        (HEAD + "word,value\n", "line 6: expected a word and a number, found none"),
        (SHARES + "word,value\na,0\nb,1\nc,1.5\n", "line 8: expected a share .* found '1.5'"),
        (SHARES + "word,value\na,-.1\n", "line 6: expected a share from 0 to 1"),
    ],
)
def test_what_is_no_property_is_refused_with_its_line(tmp_path, text, message):
    with pytest.raises(FairflowError, match=message):
        read_property(written(tmp_path, text))


def test_another_encoding_is_told_by_line_and_byte(tmp_path):
    path = tmp_path / "share.csv"
    path.write_bytes((HEAD + "word,value\nna\u00efve,1\n").encode("latin-1"))
    with pytest.raises(FairflowError, match="line 6: not UTF-8 \\(byte 0xef"):
        read_property(path)


PROPERTIES = Path(__file__).parents[3] / "config/properties"


@pytest.mark.parametrize(
    ("name", "words", "larger", "smaller"),
    [
        ("share_of_women_2015", 66, "nurse", "carpenter"),
        ("glasgow_gender", 4670, "actress", "admiral"),
        ("us_occupations_share_of_women", 44, "nurse", "carpenter"),
        ("us_names_share_of_women", 50, "Courtney", "Chris"),
        ("survey_gender", 59, "beer", "dress"),
        ("survey_class", 59, "opera", "rap"),
        ("survey_race", 59, "Jamal", "Molly"),
    ],
)
def test_a_property_of_the_project_has_its_words_and_points_where_its_label_says(
    name, words, larger, smaller
):
    values = read_property(PROPERTIES / f"{name}.csv").values
    assert len(values) == words
    assert values[larger] > values[smaller]


def test_every_property_of_the_project_is_examined():
    assert len([*PROPERTIES.glob("*.csv")]) == 7
