"""The pinned files that comparisons with WEFE need: its test model and the opinion lexicon."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from fairflow.downloads import fetch, verify
from fairflow.lexicon import parse_lexicon

ROOT = Path(__file__).parents[2]
MODEL = "word2vec-google-news-300-weat"


def model_file(cache: Path) -> Path:
    """The file of the test model: $FAIRFLOW_TEST_MODEL, the workflow's download, or fetched."""
    entry = yaml.safe_load((ROOT / "config/models.yaml").read_text("utf-8"))[MODEL]
    if path := os.environ.get("FAIRFLOW_TEST_MODEL"):
        verify(Path(path), path, entry["sha256"])
        return Path(path)
    return _pinned(f"models/{MODEL}", entry["source"], entry["sha256"], cache)


def lexicon(name: str, cache: Path) -> list[str]:
    """The words of a list of the opinion lexicon, "positive_words" or "negative_words"."""
    sets = yaml.safe_load((ROOT / "config/word_sets/bing_liu.yaml").read_text("utf-8"))["sets"]
    entry = sets[name]["lexicon"]
    path = _pinned(f"lexicons/bing_liu.{name}", entry, entry["sha256"], cache)
    return parse_lexicon(path, entry["encoding"], entry["comment"])


def _pinned(name: str, source: Mapping[str, Any], checksum: str, cache: Path) -> Path:
    for folder in (ROOT / "results/downloads", cache):
        if (folder / name).is_file():
            verify(folder / name, name, checksum)
            return folder / name
    fetch(source, cache / name, checksum)
    return cache / name
