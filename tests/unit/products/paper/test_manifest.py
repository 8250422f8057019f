"""The manifest: checksums of all that a paper takes."""

import hashlib
from pathlib import Path

import pytest

from fairflow.products.paper.article import manifest


def test_the_manifest_is_sorted_and_relative(tmp_path: Path):
    for name in ("b.txt", "a/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
    lines = manifest([tmp_path / "b.txt", tmp_path / "a/c.txt"], tmp_path).splitlines()
    digest = hashlib.sha256(b"a/c.txt").hexdigest()
    assert lines[0] == f"{digest}  a/c.txt"
    assert lines[1].endswith("  b.txt")


def test_a_file_outside_the_folder_is_refused(tmp_path: Path):
    (tmp_path / "b.txt").write_text("b")
    with pytest.raises(ValueError, match=r"b\.txt"):
        manifest([tmp_path / "b.txt"], tmp_path / "a")
