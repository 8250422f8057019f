"""A model is fetched from a hub whole and as promised, or not at all."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hub_server import hub_server

MODEL, REVISION = "some/model", "a" * 40
WEIGHTS = "model.safetensors"
FILES = {
    "config.json": b"{}",
    WEIGHTS: b"weights" * 100,
    "pytorch_model.bin": b"a pickle",
    "tokenizer.json": b"{}",
}
# The library of the hub comes with what language models need.
pytestmark = pytest.mark.torch

FETCH = """
import sys
from fairflow.errors import DownloadError
from fairflow.language_models.checkpoints.model_files import fetch_from_hub
hub, revision, checksum, folder, kind = sys.argv[1:]
try:
    fetch_from_hub(hub, revision, {"config.json": checksum} if checksum else {}, folder, kind)
except DownloadError as error:
    sys.exit(f"DownloadError: {error}")
"""


def fetch(
    url: str, folder: Path, revision: str = REVISION, checksum: str = "", kind: str = "encoder"
) -> str:
    """What a process says that fetches the model; it reads the hub's address when it starts."""
    own = {"HF_ENDPOINT": url, "HF_HOME": str(folder.parent / "cache"), "HF_HUB_OFFLINE": "0"}
    command = [sys.executable, "-c", FETCH, MODEL, revision, checksum, str(folder), kind]
    environment = os.environ | own | {"PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return result.stderr.strip()


def test_wanted_files_of_the_revision_are_there_and_no_pickle(tmp_path: Path):
    folder = tmp_path / "model"
    with hub_server(MODEL, REVISION, FILES, frozenset({WEIGHTS})) as url:
        assert fetch(url, folder) == ""
    found = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert found == {name: data for name, data in FILES.items() if not name.endswith(".bin")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"revision": "b" * 40}, f"{MODEL} at {'b' * 40} could not be fetched"),
        ({"checksum": "sha256:" + "0" * 64}, "config.json has sha256"),
    ],
)
def test_an_unknown_revision_or_a_wrong_checksum_leaves_nothing(
    tmp_path: Path, options: dict[str, str], message: str
):
    folder = tmp_path / "model"
    with hub_server(MODEL, REVISION, FILES, frozenset({WEIGHTS})) as url:
        assert message in fetch(url, folder, **options)
    assert not folder.exists()


def test_weights_that_are_not_the_promised_ones_are_refused(tmp_path: Path):
    folder = tmp_path / "model"
    other = {WEIGHTS: b"WEIGHTS" * 100}
    with hub_server(MODEL, REVISION, FILES, frozenset({WEIGHTS}), served=other) as url:
        assert "DownloadError" in fetch(url, folder)
    assert not folder.exists()


def test_a_model_of_another_kind_is_refused_before_its_weights_are_fetched(tmp_path: Path):
    folder = tmp_path / "model"
    files = FILES | {"config.json": b'{"architectures": ["BertModel"]}'}
    with hub_server(MODEL, REVISION, files, frozenset({WEIGHTS}), served={WEIGHTS: b""}) as url:
        message = fetch(url, folder, kind="masked")
    assert f"{MODEL}: config.json says BertModel" in message
    assert "write kind: encoder" in message
    assert not folder.exists()
