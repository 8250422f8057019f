"""Items of a published file come out of its archive, all of them or an error that says why."""

import hashlib
import zipfile

import pytest

from fairflow.errors import DownloadError
from fairflow.language_models.errors import ItemError
from fairflow.language_models.items import query_entry
from fairflow.language_models.items.item import InvalidItem
from fairflow.language_models.items.pair_data import read_crows_pairs
from fairflow.language_models.items.query_entry import Format, expected_items, items_of
from fairflow.language_models.items.text_items import PairItem

HEADER = "sent_more,sent_less,stereo_antistereo,bias_type\n"
SOUND = f"{HEADER}She cooks.,He cooks.,stereo,gender\nShe sings.,He sings.,antistereo,gender\n"
TORN = f"{HEADER}She cooks.,He cooks.,stereo,gender\n,He sings.,stereo,age\n"
MEMBER = "pkg/data/pairs.csv"


@pytest.fixture
def wheel(tmp_path):
    """A function that packs texts by name."""

    def pack(**files: str):
        path = tmp_path / "pkg.whl"
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("pkg/__init__.py", "raise SystemExit('code of the package ran')")
            for name, text in files.items():
                archive.writestr(f"pkg/data/{name}.csv", text)
        return path

    return pack


def entry(path, items, **more):
    published = {
        "format": "crows_pairs",
        "sources": [{"pypi": "pkg==1"}],
        "checksum": f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}",
        "archive": "zip",
        "member": MEMBER,
    }
    return {"published": {**published, **more}, "items": items}


def test_items_are_those_of_the_member_as_a_file_of_it_alone_gives_them(wheel, tmp_path):
    path = wheel(pairs=SOUND)
    alone = tmp_path / "alone.csv"
    alone.write_text(SOUND)
    read = items_of(entry(path, 2), path)
    assert read == items_of({"kind": "pair", "file": str(alone)})
    assert [item.direction for item in read.items] == ["stereo", "antistereo"]


def test_several_members_are_read_in_the_order_of_the_entry(wheel, monkeypatch):
    def read(*paths):
        return [
            PairItem(path.stem, one.more, one.less)
            for path in paths
            for one in read_crows_pairs(path)[:1]
        ]

    monkeypatch.setitem(query_entry.FORMATS, "several", Format("pair", read))
    path = wheel(b=SOUND, a=SOUND)
    asked = entry(path, 2, format="several", members=["pkg/data/b.csv", "pkg/data/a.csv"])
    del asked["published"]["member"]
    assert items_of(asked, path).item_ids == ["b", "a"]


def test_another_number_of_items_than_was_published_is_an_error_with_both(wheel):
    path = wheel(pairs=SOUND)
    with pytest.raises(ItemError, match=f"3 are promised, but 2 are in {MEMBER}"):
        items_of(entry(path, 3), path)


def test_an_item_that_cannot_be_read_counts_and_keeps_its_reason(wheel):
    path = wheel(pairs=TORN)
    (invalid,) = items_of(entry(path, 2), path).invalid
    assert invalid == InvalidItem("1", "line 3: sent_more is empty", "age")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"checksum": f"sha256:{'a' * 64}"}, "expected " + "a" * 64),
        ({"bytes": 7}, "bytes, expected 7"),
        ({"member": "pkg/data/none.csv"}, "has no member 'pkg/data/none.csv': pkg/__init__.py"),
        ({"member": "../pairs.csv"}, "is no name of a member"),
        ({"archive": "tar"}, "tar"),
    ],
)
def test_another_file_than_the_promised_one_is_refused(wheel, changes, sentence):
    path = wheel(pairs=SOUND)
    with pytest.raises(DownloadError) as error:
        items_of(entry(path, 2, **changes), path)
    assert sentence in str(error.value)


def test_a_fault_of_the_file_is_told_with_the_archive_and_the_member(wheel):
    path = wheel(pairs="a,b\n1,2\n")
    with pytest.raises(ItemError) as error:
        items_of(entry(path, 1), path)
    assert str(error.value).startswith(f"{path}: {MEMBER}, line 1: the columns sent_more")


def test_before_the_file_is_here_kind_and_number_are_known(tmp_path):
    asked = {"published": {"format": "crows_pairs"}, "items": 1508}
    promised = expected_items(asked)
    assert (promised.kind, promised.number_of_all, promised.items) == ("pair", 1508, ())
    with pytest.raises(ItemError, match="leave cluster out"):
        expected_items(asked | {"cluster": "item"})
