"""A packed file comes out as it was promised, or not at all."""

import gzip
import hashlib
import io
import tarfile
import zipfile

import pytest

from fairflow.errors import DownloadError
from fairflow.streams import open_packed

CONTENT = b"cat 1 2\n" * 5000
SHA256 = f"sha256:{hashlib.sha256(CONTENT).hexdigest()}"


def read(path, **packing):
    with open_packed(path, **packing) as stream:
        return b"".join(iter(lambda: stream.read(1000), b""))


@pytest.fixture
def packed(tmp_path):
    """A function that packs the content: kind -> path."""

    def pack(kind, name="folder/vectors.txt"):
        path = tmp_path / f"packed.{kind}"
        if kind == "gz":
            path.write_bytes(gzip.compress(CONTENT))
        elif kind == "zip":
            with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
                archive.writestr(name, CONTENT)
        else:
            with tarfile.open(path, "w:gz") as archive:
                entry = tarfile.TarInfo(name)
                entry.size = len(CONTENT)
                archive.addfile(entry, io.BytesIO(CONTENT))
        return path

    return pack


@pytest.mark.parametrize("kind", ["gz", "zip", "tar"])
def test_the_promised_bytes_come_out(packed, kind):
    member = None if kind == "gz" else "folder/vectors.txt"
    packing = {"archive": kind, "member": member, "size": len(CONTENT), "checksum": SHA256}
    assert read(packed(kind), **packing) == CONTENT


@pytest.mark.parametrize("kind", ["gz", "zip"])
def test_another_content_is_an_error_that_names_both_sums(packed, kind):
    member = None if kind == "gz" else "folder/vectors.txt"
    with pytest.raises(DownloadError, match=f"{SHA256.partition(':')[2]}.*{'0' * 64}"):
        read(packed(kind), archive=kind, member=member, checksum=f"sha256:{'0' * 64}")


def test_what_unpacks_to_far_more_than_promised_is_stopped(tmp_path):
    bomb = tmp_path / "bomb.gz"
    bomb.write_bytes(gzip.compress(bytes(50_000_000)))
    with (
        pytest.raises(DownloadError, match="more than the 1100 bytes"),
        open_packed(bomb, archive="gz", size=1000) as stream,
    ):
        stream.read(1 << 16)


@pytest.mark.parametrize("member", ["/etc/passwd", "../secret", "a/../../b", "", None])
@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_member_outside_its_folder_is_refused(packed, kind, member):
    with pytest.raises(DownloadError, match="no name of a member"):
        read(packed(kind), archive=kind, member=member)


@pytest.mark.parametrize("kind", ["zip", "tar"])
def test_a_missing_member_is_an_error_that_names_those_there(packed, kind):
    with pytest.raises(DownloadError, match=r"'other.txt': folder/vectors.txt"):
        read(packed(kind), archive=kind, member="other.txt")


@pytest.mark.parametrize(("kind", "member"), [("gz", None), ("zip", "folder/vectors.txt")])
def test_a_truncated_archive_is_an_error(packed, kind, member):
    path = packed(kind)
    path.write_bytes(path.read_bytes()[:-40])
    with pytest.raises(DownloadError, match="is not a whole"):
        read(path, archive=kind, member=member)


def test_a_stream_that_is_left_early_is_verified_to_its_end(packed):
    with (
        pytest.raises(DownloadError, match="expected"),
        open_packed(packed("gz"), archive="gz", checksum=f"sha256:{'0' * 64}") as stream,
    ):
        stream.read(10)
