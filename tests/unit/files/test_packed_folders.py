"""The wanted files of a folder in an archive are written out, and nothing else of it."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from fairflow.errors import DownloadError
from fairflow.files.packed_files import unpack_folder

FILES = {
    "pkg/__init__.py": b"code",
    "pkg/model/config.json": b"{}",
    "pkg/model/1_Pooling/config.json": b'{"a": 1}',
    "pkg/model/weights": b"w" * 5000,
    "pkg/models/config.json": b"of another",
}
INSIDE = {"config.json": b"{}", "1_Pooling/config.json": b'{"a": 1}', "weights": b"w" * 5000}


def make_zip(path: Path, files=FILES, mode: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items() if isinstance(files, dict) else files:
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            archive.writestr(info, data)
    return path


def make_tar(path: Path, mode: str = "w", files=FILES, **more: tarfile.TarInfo) -> Path:
    with tarfile.open(path, mode) as archive:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in more.values():
            archive.addfile(info)
    return path


def link(name: str, to: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, to
    return info


def unpacked(path: Path, archive: str, folder: str = "pkg/model", wanted=lambda place: True):
    to = path.parent / "out"
    to.mkdir(exist_ok=True)
    places = unpack_folder(path, archive, folder, wanted, to)
    found = {p.relative_to(to).as_posix(): p.read_bytes() for p in to.rglob("*") if p.is_file()}
    assert places == sorted(found)
    return found


def test_a_folder_of_a_zip_is_written_without_its_neighbours(tmp_path: Path):
    assert unpacked(make_zip(tmp_path / "a.zip"), "zip") == INSIDE


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:bz2", "w:xz"])
def test_a_tar_may_be_packed_itself(tmp_path: Path, mode: str):
    assert unpacked(make_tar(tmp_path / "a.tar", mode), "tar") == INSIDE


def test_names_of_a_tar_may_begin_with_the_folder_it_was_made_in(tmp_path: Path):
    files = {f"./{name}": data for name, data in FILES.items()}
    assert unpacked(make_tar(tmp_path / "a.tar", files=files), "tar", "./pkg/model/") == INSIDE


def test_the_root_is_a_folder_too(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip", INSIDE)
    assert unpacked(path, "zip", "") == INSIDE


def test_only_wanted_files_are_written(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip")
    assert unpacked(path, "zip", wanted=lambda place: place.suffix == ".json") == {
        name: data for name, data in INSIDE.items() if name != "weights"
    }


@pytest.mark.parametrize("name", ["pkg/model/../../../evil", "pkg/model/..\\evil", "pkg/model/.."])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str):
    path = make_zip(tmp_path / "a.zip", {name: b"evil", **FILES})
    with pytest.raises(DownloadError, match="leads out of the archive's own folders"):
        unpacked(path, "zip")
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["a.zip"]
    assert not (tmp_path.parent / "evil").exists()


def test_a_name_from_the_root_of_the_disk_is_in_no_folder(tmp_path: Path):
    path = make_zip(tmp_path / "a.zip", {"/pkg/model/evil": b"evil", **INSIDE})
    assert unpacked(path, "zip", "") == INSIDE


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_a_link_or_device_among_the_wanted_files_is_refused(tmp_path: Path, kind: bytes):
    info = link("pkg/model/tokenizer.json", "/etc/passwd", kind)
    path = make_tar(tmp_path / "a.tar", more=info)
    with pytest.raises(DownloadError, match=r"'pkg/model/tokenizer\.json' is a link or a device"):
        unpacked(path, "tar")


def test_links_that_nobody_wants_do_no_harm(tmp_path: Path):
    path = make_tar(tmp_path / "a.tar", more=link("pkg/elsewhere", "/etc/passwd"))
    assert unpacked(path, "tar") == INSIDE


@pytest.mark.parametrize(("mode", "archive"), [("w:gz", "tar"), ("w:xz", "tar"), ("zip", "zip")])
def test_a_damaged_archive_is_told_of_as_one(tmp_path: Path, mode: str, archive: str):
    path = tmp_path / "a"
    make_zip(path) if archive == "zip" else make_tar(path, mode)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(DownloadError, match=f"is not a whole {archive} archive"):
        unpacked(path, archive)
