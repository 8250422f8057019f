"""A format of items says of what kind they are; one that there is not is refused by name."""

import pytest

from fairflow.language_models.errors import ItemError
from fairflow.language_models.items import query_entry
from fairflow.language_models.items.query_entry import FORMATS, Format, format_of, items_of
from fairflow.language_models.items.text_items import PairItem

CROWS = "sent_more,sent_less,stereo_antistereo,bias_type\nShe cooks.,He cooks.,stereo,gender\n"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(CROWS)
    return str(path)


def test_a_file_without_a_format_is_read_in_the_first_of_its_kind(pairs):
    assert next(one for one in FORMATS.values() if one.kind == "pair") is FORMATS["crows_pairs"]
    (item,) = items_of({"kind": "pair", "file": pairs}).items
    assert (item.more, item.less, item.category) == ("She cooks.", "He cooks.", "gender")


def test_the_kind_follows_from_the_format(pairs):
    entry = {"format": "crows_pairs", "file": pairs}
    assert items_of(entry).kind == "pair"
    assert items_of(entry) == items_of(entry | {"kind": "pair"})


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        (
            {"format": "crow_pairs", "file": "a.csv"},
            "format: unknown name 'crow_pairs'. Did you mean 'crows_pairs'?",
        ),
        (
            {"published": {"format": "stereo_set_intrasentence"}},
            "format: unknown name 'stereo_set_intrasentence'. "
            "Did you mean 'stereoset_intrasentence'?",
        ),
        (
            {"kind": "slot", "format": "crows_pairs", "file": "a.csv"},
            "kind: found slot, but files of the format 'crows_pairs' hold pair",
        ),
        (
            {"kind": "association", "file": "a.csv"},
            "there is no reader of files of kind 'association'",
        ),
    ],
)
def test_a_format_that_cannot_be_meant_is_told_with_the_one_that_may(entry, sentence):
    with pytest.raises(ItemError) as error:
        format_of(entry)
    assert sentence in str(error.value)


def test_a_new_format_is_its_loader_and_its_place_in_the_list(monkeypatch, tmp_path):
    def read_lines(*paths):
        sentences = [line.split("|") for path in paths for line in path.read_text().splitlines()]
        return [PairItem(str(n), more, less) for n, (more, less) in enumerate(sentences)]

    monkeypatch.setitem(query_entry.FORMATS, "lines", Format("pair", read_lines))
    files = [tmp_path / "a", tmp_path / "b"]
    for file, line in zip(files, ("She cooks.|He cooks.\n", "She sings.|He sings.\n"), strict=True):
        file.write_text(line)
    assert [item.more for item in FORMATS["lines"].items(files)] == ["She cooks.", "She sings."]
    assert FORMATS["lines"].items(files[::-1])[0].more == "She sings."


def test_a_format_of_one_file_refuses_several(pairs):
    with pytest.raises(ItemError, match=r"read from one file, got .*pairs\.csv"):
        FORMATS["crows_pairs"].items([pairs, pairs])
