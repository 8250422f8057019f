"""A download is named by what it is, so that no two files ever share a name."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairflow.errors import DownloadError
from fairflow.files.downloads import fetch
from fairflow.planning.catalogue import download_name, downloads_of

A, B = {"url": "http://A/a/v.txt"}, {"url": "http://A/b/v.txt"}
CONTENT = b"cat 1 2\n"
CHECKSUM = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"
OTHER = f"sha256:{hashlib.sha256(b'dog 1 2').hexdigest()}"


def entry(*sources, **keys):
    return {"sources": list(sources), **keys}


@pytest.fixture
def target(tmp_path):
    return tmp_path / "downloads" / CHECKSUM.replace(":", "-")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (entry(A), entry(B), False),
        (entry(A), entry(A), True),
        (entry(A), entry(A, B), False),
        (entry(A), entry({**A, "parts": 2}), False),
        (entry(A), entry(A, checksum=CHECKSUM), False),
        (entry(A, checksum=CHECKSUM), entry(A, checksum=OTHER), False),
        (entry(A, checksum=CHECKSUM), entry(B, checksum=CHECKSUM), True),
        (entry({"pypi": "a==1"}), entry({"pypi": "a==2"}), False),
        (entry(A), entry({"url": "http://A/a/v.txt?v=2"}), False),
        (entry(A, format="npy", bytes=3), entry(A, format="gensim"), True),
    ],
)
def test_files_share_a_name_exactly_if_checksum_or_sources_say_that_they_are_the_same(
    one, other, same
):
    assert (download_name(one) == download_name(other)) == same
    assert len(downloads_of([one, other])) == 2 - same


def test_a_file_is_fetched_from_the_sources_of_all_that_share_it():
    shared = downloads_of([entry(A, checksum=OTHER), entry(B, A, checksum=OTHER, bytes=7)])
    (download,) = shared.values()
    assert download.sources == [A, B]
    assert (download.size, download.checksum, download.names) == (7, OTHER, ["v.txt"])


@given(st.text().map(lambda rest: {"url": f"http://{rest}"}))
def test_any_address_gives_a_name_that_a_file_system_takes(source):
    name = download_name(entry(source))
    assert len(name.encode()) < 200
    assert set("/\0{}\n") & set(name) == set()
    assert name.startswith("sources-")


def test_a_mirror_is_asked_for_the_sources_name_where_a_checksum_tells_whether_it_is_the_file(
    target, tmp_path
):
    (tmp_path / "v.txt").write_bytes(CONTENT)
    with pytest.raises(DownloadError, match="could not fetch"):
        fetch([], target, mirrors=[tmp_path], names=["v.txt"])
    fetch([], target, CHECKSUM, mirrors=[tmp_path], names=["v.txt"])
    assert target.read_bytes() == CONTENT
