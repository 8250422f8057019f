"""An interrupted download goes on where it stopped, if the file is still the same."""

import json

import pytest

from fairflow.errors import DownloadError
from fairflow.files.downloads import fetch

from .test_downloads_server import CHECKSUM, CONTENT, server, slept, status, whole

# Fixtures.
__all__ = ["server", "slept"]
CUT = 400_000
HALF = CUT // 2


@pytest.fixture
def target(tmp_path):
    return tmp_path / "model.gz"


def interrupted(server, target, cut=CUT, source=None, **answer):
    """A call that gives up and leaves a part."""
    server.answers["/model.gz"] = [whole(cut_at=cut, **answer), *[status(503)] * 5]
    with pytest.raises(DownloadError, match="503"):
        fetch([source or {"url": server.url()}], target, CHECKSUM)
    assert not target.exists()
    server.requests.clear()
    return target.with_name("model.gz.part").read_bytes()


def test_a_connection_that_is_cut_is_resumed(server, target):
    server.answers["/model.gz"] = [whole(cut_at=CUT), whole(cut_at=CUT + 9)]
    fetch([{"url": server.url()}], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None, f"bytes={CUT}-", f"bytes={CUT + 9}-"]
    assert list(target.parent.iterdir()) == [target]


def test_another_call_resumes_and_still_verifies_all_bytes(server, target):
    assert interrupted(server, target) == CONTENT[:CUT]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [f"bytes={CUT}-"]
    assert list(target.parent.iterdir()) == [target]


def test_a_part_that_was_damaged_is_found_out_and_not_used_again(server, target):
    interrupted(server, target)
    with open(target.with_name("model.gz.part"), "r+b") as file:
        file.write(b"damaged")
    with pytest.raises(DownloadError, match="has sha256"):
        fetch([{"url": server.url()}], target, CHECKSUM)
    assert list(target.parent.iterdir()) == []


def test_a_date_serves_where_there_is_no_strong_tag(server, target):
    date = "Mon, 01 Jan 2024 00:00:00 GMT"
    interrupted(server, target, etag='W/"1"', Last_Modified=date)
    server.answers["/model.gz"] = [whole(etag='W/"1"', checks=False, Last_Modified=date)]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert server.ranges() == [f"bytes={CUT}-"]
    assert server.requests[0][1]["If-Range"] == date
    assert target.read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("requests", "rest"),
    [
        (1, whole(ranges=False)),
        (1, whole(etag='"2"')),
        (2, whole(etag='"2"', checks=False)),
        (2, whole(checks=False, Last_Modified="Mon, 01 Jan 2024 00:00:00 GMT")),
        (2, whole(checks=False, Content_Range=f"bytes {CUT - 1}-599999/600000")),
        (2, whole(checks=False, Content_Range=f"bytes {CUT}-699999/700000")),
        (2, whole(checks=False, Content_Range="nonsense")),
        (2, whole(checks=False, Content_Range=f"bytes {'9' * 5000}-1/2")),
        (2, whole(checks=False, Content_Range=f"bytes {CUT}-599999/{'9' * 5000}")),
        (2, status(416)),
    ],
    ids=[
        "no-ranges",
        "changed",
        "ignored-tag",
        "other-date",
        "other-start",
        "other-length",
        "none",
        "digits",
        "digits-of-length",
        "416",
    ],
)
def test_a_file_that_cannot_be_resumed_is_fetched_whole(server, target, requests, rest):
    interrupted(server, target)
    server.answers["/model.gz"] = [rest]
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [f"bytes={CUT}-", None][:requests]


def test_a_file_without_tag_and_date_is_fetched_whole(server, target):
    interrupted(server, target, etag=None)
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None]


def test_a_part_of_another_source_is_not_continued(server, target):
    server.files["/other"] = CONTENT
    interrupted(server, target)
    fetch([{"url": server.url("/other")}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None]


def test_a_source_that_fails_leaves_the_part_of_the_next(server, target, tmp_path):
    interrupted(server, target)
    sources = [{"file": tmp_path / "none"}, {"url": server.url("/none")}, {"url": server.url()}]
    fetch(sources, target, CHECKSUM)
    assert server.ranges() == [None, f"bytes={CUT}-"]


def test_a_part_that_is_complete_is_not_asked_for_again(server, target):
    interrupted(server, target)
    target.with_name("model.gz.part").write_bytes(CONTENT)
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.requests == []


@pytest.mark.parametrize("notes", ["", "{", "[]", '{"url": 1, "unknown": 2}'])
def test_half_written_notes_are_not_believed(server, target, notes):
    interrupted(server, target)
    target.with_name("model.gz.part.json").write_text(notes)
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert server.ranges() == [None]


def test_a_part_longer_than_the_file_is_not_believed(server, target):
    interrupted(server, target)
    target.with_name("model.gz.part").write_bytes(CONTENT + b"more")
    fetch([{"url": server.url()}], target, CHECKSUM)
    assert target.read_bytes() == CONTENT


@pytest.fixture
def pieces(server):
    """The file split as in gensim-data."""
    for i in range(3):
        server.files[f"/model.gz_0{i}"] = CONTENT[i * HALF : (i + 1) * HALF]
    return {"url": server.url(), "parts": 3}


def test_the_pieces_of_a_split_file_are_joined(server, target, pieces):
    fetch([pieces], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert [path for path, _ in server.requests] == [f"/model.gz_0{i}" for i in range(3)]


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_piece_that_is_cut_is_resumed_by_the_next_call(server, target, pieces, size):
    server.answers["/model.gz_01"] = [whole(cut_at=1000), *[status(503)] * 5]
    with pytest.raises(DownloadError, match="503"):
        fetch([pieces], target, CHECKSUM, size)
    notes = json.loads(target.with_name("model.gz.part.json").read_text())
    assert (notes["url"], notes["start"]) == (server.url("/model.gz_01"), HALF)
    server.requests.clear()
    fetch([pieces], target, CHECKSUM, size)
    assert target.read_bytes() == CONTENT
    assert [path for path, _ in server.requests] == ["/model.gz_01", "/model.gz_02"]
    assert server.ranges() == ["bytes=1000-", None]


def test_a_piece_that_cannot_be_resumed_is_fetched_without_the_earlier_ones(server, target, pieces):
    server.answers["/model.gz_01"] = [whole(cut_at=1000), whole(etag='"2"')]
    fetch([pieces], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert len(server.requests) == 4


def test_a_piece_of_unknown_length_is_not_asked_for_again_once_it_is_complete(
    server, target, pieces
):
    server.answers["/model.gz_00"] = [whole(Content_Length=None)]
    server.answers["/model.gz_01"] = [status(503)] * 6
    with pytest.raises(DownloadError, match="503"):
        fetch([pieces], target, CHECKSUM)
    server.requests.clear()
    fetch([pieces], target, CHECKSUM)
    assert target.read_bytes() == CONTENT
    assert [path for path, _ in server.requests] == ["/model.gz_01", "/model.gz_02"]


def test_a_piece_that_is_missing_fails_the_source(server, target, pieces):
    del server.files["/model.gz_02"]
    with pytest.raises(DownloadError, match="404"):
        fetch([pieces], target, CHECKSUM)
    assert not target.exists()
