"""Models from mirrors, catalogues and stores of the user's, and conversions that are killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgpack
import numpy as np
import pytest
from gensim.models import KeyedVectors

from fairflow.files.checksums import sha256
from fairflow.vectors.convert import convert
from fairflow.vectors.example_vectors import FILES
from fairflow.vectors.spacy_file import keys_of
from fairflow.vectors.store import VectorStore
from project import ENVIRONMENT, ROOT, Project

pytestmark = pytest.mark.workflow


def test_a_mirror_serves_what_the_catalogue_would_download(fresh: Project):
    (fresh.folder / "mirror").mkdir()
    shutil.move(fresh.folder / "data/first.txt", fresh.folder / "mirror/first.txt")
    checksum = sha256(fresh.folder / "mirror/first.txt")
    fresh.edit(
        "config/models.yaml",
        "[{file: data/first.txt}]",
        f"[{{url: 'http://127.0.0.1:9/first.txt'}}]\n  checksum: sha256:{checksum}",
    )
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write("mirrors: [mirror]\n")
    fresh.run("results/models/first/card.json")
    assert (fresh.folder / f"results/downloads/sha256-{checksum}").is_file()


@pytest.fixture
def served(fresh: Project) -> Iterator[str]:
    """The address of a server that gives the folder `served` of the fresh project."""
    folder = fresh.folder / "served"
    folder.mkdir()
    handler = partial(SimpleHTTPRequestHandler, directory=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_download_that_is_older_than_the_clone_is_not_fetched_again(fresh: Project):
    digest = sha256(fresh.folder / "data/first.txt")
    fetched = fresh.folder / f"results/downloads/sha256-{digest}"
    fetched.parent.mkdir(parents=True)
    (fresh.folder / "data/first.txt").rename(fetched)
    os.utime(fetched, (10**9, 10**9))
    source = f"[{{url: 'http://127.0.0.1:9/first.txt'}}]\n  checksum: sha256:{digest}"
    fresh.edit("config/models.yaml", "[{file: data/first.txt}]", source)
    planned = fresh.planned()
    assert "download_file" not in planned
    assert planned["convert_model"] == 2
    fetched.unlink()
    assert fresh.planned()["download_file"] == 1


def test_a_page_in_place_of_a_file_without_checksum_is_not_believed(
    fresh: Project, served: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(ENVIRONMENT, "NO_PROXY", "127.0.0.1")
    (fresh.folder / "served/first.txt").write_text("<!DOCTYPE html>\n<html>Sign in</html>\n")
    address = f"{served}/first.txt"
    fresh.edit("config/models.yaml", "[{file: data/first.txt}]", f"[{{url: '{address}'}}]")
    output = fresh.run("results/models/first/card.json", check=False).stdout
    assert f"{address}: is not a file of format glove-text: it is a web page (it begins" in output
    assert list((fresh.folder / "results").glob("downloads/*")) == []
    shutil.copy(fresh.folder / "data/first.txt", fresh.folder / "served/first.txt")
    fresh.run("results/models/first/card.json")


def test_a_spacy_folder_of_the_users_is_read_with_the_names_beside_its_vectors(fresh: Project):
    vectors = KeyedVectors.load_word2vec_format(str(fresh.folder / "data/second.txt"))
    vocab = fresh.folder / "data/mini-3.8.0/vocab"
    vocab.mkdir(parents=True)
    with open(vocab / "vectors", "wb") as file:
        np.save(file, vectors.vectors)
    keys = dict(zip(keys_of(vectors.index_to_key).tolist(), range(len(vectors)), strict=True))
    (vocab / "key2row").write_bytes(msgpack.packb(keys))
    (vocab / "strings.json").write_text(json.dumps(vectors.index_to_key))
    fresh.edit(
        "config/models.yaml",
        "data/second.txt}]\n  format: word2vec-text",
        "data/mini-3.8.0/vocab/vectors}]\n  format: spacy",
    )
    fresh.run("results/models/second/card.json")
    with VectorStore(*(fresh.folder / "results/models/second" / name for name in FILES)) as store:
        np.testing.assert_array_equal(store.vectors(vectors.index_to_key), vectors.vectors)
    # As in a pruned pipeline: the first word gets the vector of the last.
    keys[next(iter(keys))] = len(vectors) - 1
    (vocab / "key2row").write_bytes(msgpack.packb(keys))
    fresh.run("results/vector_norms/second.csv")
    audit = (fresh.folder / "results/vector_norms/second.csv").read_text()
    assert audit.endswith(f",2,{len(vectors) - 1}\n")


def test_a_catalogue_of_the_users_own_adds_models(fresh: Project):
    (fresh.folder / "mine.yaml").write_text(
        "third:\n  sources: [{file: data/second.txt}]\n  format: word2vec-text\n"
    )
    with open(fresh.folder / "config/config.yaml", "a") as file:
        file.write("model_catalogues: [mine.yaml]\n")
    fresh.edit("config/studies/toy.yaml", "first-normalised]", "first-normalised, third]")
    fresh.run("results/scores/third/weat/toy.parquet")
    (fresh.folder / "mine.yaml").write_text(
        "first:\n  sources: [{file: data/second.txt}]\n  format: word2vec-text\n"
    )
    assert "another catalogue has a model of this name" in fresh.run(check=False).stdout


SHIFTED = """
import numpy as np

from fairflow.transforms.base_transform import BaseTransform
from fairflow.vectors.derivation import Derivation


class Shifted(BaseTransform):
    word_sets = {"kept": "words"}

    def __init__(self, by, kept=()):
        self.by, self.kept = by, kept

    def fit(self, base):
        return Derivation(shift=np.full(base.dims, self.by), untouched=self.kept)
"""
# A model of unit length that is derived from a derived one.
CHAIN = """
shifted:
  derive: {from: first, transform: my_transforms/shifted.py, by: 1}
shifted-unit:
  derive: {from: shifted, transform: normalised}
"""
DERIVED = tuple(f"results/models/{model}/derivation.npz" for model in ("shifted", "shifted-unit"))
UNIT = ("first", "shifted", "shifted-unit")


@pytest.fixture
def chained(fresh: Project) -> Project:
    """The toy project with two derived models more, one of the other, nothing run yet."""
    (fresh.folder / "my_transforms").mkdir()
    (fresh.folder / "my_transforms/shifted.py").write_text(SHIFTED)
    with open(fresh.folder / "config/models.yaml", "a") as file:
        file.write(CHAIN)
    return fresh


def test_a_model_is_derived_from_a_derived_one_and_each_edit_remakes_what_follows(chained: Project):
    chained.run(*DERIVED)
    shifted = chained.vectors("first") + 1
    unit = shifted / np.linalg.norm(shifted, axis=1, keepdims=True)
    np.testing.assert_allclose(chained.vectors(*UNIT), unit, rtol=1e-6)
    assert chained.planned(*DERIVED) == {}
    chained.edit("config/models.yaml", "by: 1}", "by: 2}")
    assert chained.planned(*DERIVED) == {"derive_model": 2}
    chained.edit("config/models.yaml", "by: 2}", "by: 1}")
    chained.edit("config/models.yaml", "from: shifted,", "from: first,")
    assert chained.planned(*DERIVED) == {"derive_model": 1}
    chained.edit("my_transforms/shifted.py", "dims, self.by", "dims, -self.by")
    assert chained.planned(*DERIVED) == {"derive_model": 2}
    source = chained.folder / "data/first.txt"
    source.write_text(source.read_text().replace("lynx", "panther"))
    assert chained.planned(*DERIVED) == {"convert_model": 1, "derive_model": 2}


def test_an_edited_word_set_remakes_what_is_derived_by_it_and_what_follows_alone(chained: Project):
    with open(chained.folder / "config/word_sets/toy.yaml", "a") as file:
        file.write("  kept: {words: [lynx]}\n")
    chained.edit("config/models.yaml", "by: 1}", "by: 1, kept: toy:kept}")
    slices = [f"results/slices/{model}/toy.parquet" for model in UNIT]
    chained.run(*slices, "results/models/shifted-unit/vectors")
    assert chained.planned(*slices) == {}
    chained.edit("config/word_sets/toy.yaml", "[lynx]", "[lynx, poodle]")
    assert chained.planned(*slices) == {"derive_model": 2, "look_up_words": 2}
    chained.edit("config/models.yaml", "kept: toy:kept", "kept: toy:kepd")
    output = chained.run("--dry-run", check=False).stdout
    assert (
        "config/models.yaml: shifted.derive: kept: unknown word set 'toy:kepd'. Did you mean "
        "'toy:kept'?"
    ) in output


def test_a_derived_model_is_scored_as_any_other_and_takes_part_in_a_study(chained: Project):
    chained.edit("config/studies/toy.yaml", "first-normalised]", "shifted-unit]")
    chained.run()
    assert chained.planned() == {}
    scores = chained.folder / "results/scores/shifted-unit/weat/toy.parquet"
    assert scores.is_file()
    # The models between them are recorded too, as the scores come from all of them.
    records = {path.stem for path in (chained.folder / "results/provenance/models").iterdir()}
    assert records == {"first", "second", "shifted", "shifted-unit"}
    configuration = (chained.folder / "results/provenance/configuration.json").read_text()
    assert '"by": 1' in configuration
    assert chained.verify().returncode == 0


CONVERT = """
import sys
from fairflow.files.checksums import sha256
from fairflow.vectors.convert import convert
convert(sys.argv[1], "glove-text", *(f"{sys.argv[2]}/{name}" for name in ("v", "i", "c")))
"""


def test_a_conversion_that_is_killed_leaves_no_model_behind(tmp_path: Path):
    source, target = tmp_path / "glove.txt", tmp_path / "model"
    line = " ".join(["0.123456"] * 300)
    with open(source, "w") as file:
        file.writelines(f"w{i} {line}\n" for i in range(60_000))
    process = subprocess.Popen(
        [sys.executable, "-c", CONVERT, str(source), str(target)],
        env=ENVIRONMENT | {"PYTHONPATH": str(ROOT / "scripts")},
    )
    deadline = time.monotonic() + 30
    while not any(path.stat().st_size > 1 << 20 for path in target.glob(".v.*")):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.005)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    names = ("v", "i", "c")
    assert not any((target / name).exists() for name in names)
    convert(source, "glove-text", *(target / name for name in names))
    with VectorStore(*(target / name for name in names)) as store:
        assert len(store) == 60_000
    # Nor what the killed process had written.
    assert sorted(path.name for path in target.iterdir()) == sorted(names)
