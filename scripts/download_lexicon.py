"""Fetch a lexicon and write its words, one per line."""

import tempfile
from pathlib import Path

from fairflow.downloads import fetch
from fairflow.files import atomic_path
from fairflow.lexicon import parse_lexicon
from fairflow.logs import log_to


def download_lexicon(source: dict, path_to_words: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "lexicon"
        fetch(source, raw, source["sha256"])
        words = parse_lexicon(raw, source.get("encoding", "utf-8"), source.get("comment"))
    with atomic_path(path_to_words) as path:
        path.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        download_lexicon(source=snakemake.params.source, path_to_words=str(snakemake.output))
