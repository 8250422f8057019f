"""A packed file comes out as it was promised, or not at all."""

import bz2
import gzip
import hashlib
import io
import lzma
import tarfile
import zipfile

import pytest

from fairflow.errors import DownloadError
from fairflow.files.packed_files import open_packed

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


@pytest.mark.parametrize("mode", ["gz", "xz"])
def test_a_damage_behind_what_is_read_is_found(tmp_path, mode):
    path = tmp_path / "file"
    packed = {"gz": gzip.compress, "xz": lzma.compress}[mode](CONTENT + NOISE)
    path.write_bytes(damaged(packed, 0.99))
    with pytest.raises(DownloadError, match="not a whole"), open_packed(path) as stream:
        assert stream.read(len(CONTENT)) == CONTENT


def test_a_stream_that_is_left_early_is_verified_to_its_end(packed):
    with (
        pytest.raises(DownloadError, match="expected"),
        open_packed(packed("gz"), archive="gz", checksum=f"sha256:{'0' * 64}") as stream,
    ):
        stream.read(10)


def zipped(content=CONTENT, name="v.txt", method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def in_tar_header(data):
    """A tar whose first member is said to have 2**94 bytes."""
    head = bytearray(data[:512])
    head[124:136] = b"\x80" + b"\xff" * 11
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head) + data[512:]


def in_pax_header(records):
    """A tar of a file of a long name, whose header of pax begins with other records."""
    whole = tarred(("d/" * 60,), format=tarfile.PAX_FORMAT)
    return whole.replace(b"130 path=" + b"d/" * 20, records)


def tarred(*entries, mode="w", **options):
    """A tar of files (name,), of links (name, kind, to) or of whatever else has a kind."""
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode, **options) as archive:
        for name, *link in entries:
            entry = tarfile.TarInfo(name)
            if link:
                entry.type, entry.linkname = link
            else:
                entry.size = len(CONTENT)
            archive.addfile(entry, None if link else io.BytesIO(CONTENT))
    return file.getvalue()


def damaged(data, at=0.5):
    """The data with one byte changed."""
    place = int(at * len(data))
    return data[:place] + bytes([data[place] ^ 0xFF]) + data[place + 1 :]


def in_header(data, offset, value):
    """A zip with two bytes changed in the headers of its only member."""
    central = data.index(b"PK\x01\x02")
    for start in (offset, central + offset + 2):
        data = data[:start] + value + data[start + 2 :]
    return data


HARD, SOFT, FOLDER = tarfile.LNKTYPE, tarfile.SYMTYPE, tarfile.DIRTYPE
ZIP, TAR = {"archive": "zip", "member": "v.txt"}, {"archive": "tar", "member": "v.txt"}
NOISE = hashlib.shake_128(b"noise").digest(9000)
PAGE = b"<!DOCTYPE html>\n<html><body>Sign in</body></html>\n"
NO_SUM = f"sha256:{'0' * 64}"
BOTH_SUMS = f"{SHA256[7:]}.*{'0' * 64}"
FAULTS = {
    # What is wrong: the file, its packing, the sentence.
    "encrypted zip": (in_header(zipped(), 6, b"\1\0"), ZIP, "'v.txt' is encrypted"),
    "unknown method": (in_header(zipped(), 8, b"\x5d\0"), ZIP, "compression method is not"),
    "damaged deflate": (damaged(zipped(NOISE)), ZIP, "is not a whole zip archive: "),
    "damaged gz": (damaged(gzip.compress(NOISE)), {"archive": "gz"}, "is not a whole gz archive: "),
    "damaged bz2": (damaged(bz2.compress(NOISE)), {}, "is not a whole bz2 archive: Invalid data"),
    "damaged xz": (damaged(lzma.compress(NOISE)), {}, "is not a whole xz archive: Corrupt input"),
    "damaged tar.gz": (damaged(gzip.compress(tarred(("v.txt",)))), TAR, "not a whole tar archive"),
    "cut gz": (gzip.compress(NOISE)[:-40], {"archive": "gz"}, "is not a whole gz archive: "),
    "cut zip": (zipped()[:-40], ZIP, "is not a whole zip archive: "),
    "other content, gz": (gzip.compress(CONTENT), {"archive": "gz", "checksum": NO_SUM}, BOTH_SUMS),
    "other content, zip": (zipped(), ZIP | {"checksum": NO_SUM}, BOTH_SUMS),
    "cut tar": (tarred(("v.txt",))[:5000], TAR, "is not a whole tar archive: unexpected end"),
    "link outside": (tarred(("v.txt", SOFT, "/etc/passwd")), TAR, "'v.txt' is no file"),
    "link to itself": (tarred(("v.txt", SOFT, "v.txt")), TAR, "is not a whole tar archive"),
    "folder": (tarred(("v.txt", FOLDER, "")), TAR, "'v.txt' is no file. Name a file of the"),
    "long name of GNU without an end": (
        in_tar_header(tarred(("d/" * 60,), format=tarfile.GNU_FORMAT)), TAR, "is not a whole tar"
    ),
    "size before the file": (
        in_pax_header(b"23 size=-9999999999999\n107 path=" + b"d" * 17), TAR, "is not a whole tar"
    ),
    "zip declared gz": (zipped(), {"archive": "gz"}, "is packed as zip; its entry says gz. If"),
    "zip declared tar": (zipped(), TAR, "is packed as zip; its entry says tar. If it is"),
    "text declared tar": (CONTENT, TAR, "is not a whole tar archive: "),
    "page declared zip": (PAGE, ZIP, "begins with b'<!DOCTYPE html>.*; its entry says zip"),
    "undeclared zip": (zipped(), {}, "is a zip archive: unpack it, or add archive: zip"),
    "tar.gz": (gzip.compress(tarred(("v.txt",))), {}, "is a packed tar: set archive: tar and the"),
    "7z": (b"7z\xbc\xaf\x27\x1c" + NOISE, {}, "is packed as 7z, which is not read here: unpack it"),
    "checksum of no kind": (CONTENT, {"checksum": "crc:12"}, "'crc:12' is no checksum. Expected"),
    "another file": (
        gzip.compress(CONTENT), {"file_checksum": SHA256}, f"expected {SHA256[7:]}. It is not the"
    ),
    "shorter file": (CONTENT, {"file_size": 40_001}, "has 40000 bytes, expected 40001. It is not"),
}  # fmt: skip


@pytest.mark.parametrize(("data", "packing", "sentence"), FAULTS.values(), ids=FAULTS)
def test_a_faulty_file_is_named_with_what_is_wrong(tmp_path, data, packing, sentence):
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(DownloadError, match=sentence) as error:
        read(path, **packing)
    assert str(path) in str(error.value) or "is no checksum" in sentence


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_an_undeclared_packing_is_recognised_by_its_first_bytes(tmp_path, pack):
    path = tmp_path / "vectors.txt.gz"
    path.write_bytes(pack(CONTENT))
    assert read(path, checksum=SHA256, file_size=len(pack(CONTENT))) == CONTENT


@pytest.mark.parametrize("word", [b"BZh9", b"PK", b"Rar!", b"LZIP", b"ustar"])
def test_a_text_that_begins_like_an_archive_is_none(tmp_path, word):
    path = tmp_path / "vectors.txt"
    path.write_bytes(word + b" 0.5 0.25\n")
    assert read(path) == word + b" 0.5 0.25\n"


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize(
    "links",
    [
        [("a/v.txt", SOFT, "../b/w.txt")],
        [("a/v.txt", HARD, "b/w.txt")],
        [("a/v.txt", SOFT, "x"), ("a/x", SOFT, "../b/w.txt")],
    ],
)
def test_a_link_within_a_tar_is_followed(tmp_path, links, mode):
    path = tmp_path / "vectors.tar"
    path.write_bytes(tarred(("b/w.txt",), *links, mode=mode))
    assert read(path, archive="tar", member="a/v.txt", checksum=SHA256) == CONTENT
