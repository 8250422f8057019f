"""A property file is a number of each word with its source; a bad one is refused by its line."""

import pytest

from fairflow.errors import FairflowError
from fairflow.queries.properties import read_property

HEAD = "# label: share\n# unit: %\n# source: census\n# citation: Someone (2000)\n"


def written(tmp_path, text):
    path = tmp_path / "share.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_words_numbers_and_where_they_come_from(tmp_path):
    path = written(tmp_path, HEAD + 'word,value\nnurse,0.9\n"a, b",-1e3\n\nbaker,2\n')
    found = read_property(path)
    assert found.values == {"nurse": 0.9, "a, b": -1000.0, "baker": 2.0}
    assert found[:5] == ("share", "share", "%", "census", "Someone (2000)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,value\nnurse,1\n", r"share.csv: no line '# label: ...'"),
        (HEAD + "# colour: red\nword,value\na,1\n", "line 5: expected '# KEY: text'"),
        (HEAD + "word;value\na,1\n", "line 5: expected word,value"),
        (HEAD + "word,value\nnurse,0.9\nbaker,many\n", "line 7: 'many' of 'baker' is not a number"),
        (HEAD + "word,value\nnurse,nan\n", "line 6: 'nan' of 'nurse' is not a number"),
        (HEAD + "word,value\na,1\nb,2\na,3\n", "line 8: 'a' has a value in line 6 already"),
        (HEAD + "word,value\na,1,2\n", "line 6: expected a word and a number"),
        (HEAD + "word,value\n", "holds no word"),
    ],
)
def test_what_is_no_property_is_refused(tmp_path, text, message):
    with pytest.raises(FairflowError, match=message):
        read_property(written(tmp_path, text))
