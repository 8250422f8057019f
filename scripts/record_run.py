"""Record what a run used: versions, configuration, models, word sets and citations."""

from pathlib import Path
from typing import Any

import yaml

from fairflow.files.atomic import read_json, write_json, write_rows, write_text
from fairflow.files.jobs import run
from fairflow.provenance.records import (
    MODEL_COLUMNS,
    WORD_SET_COLUMNS,
    environment,
    listed,
    model_rows,
    software_entry,
    word_set_rows,
)
from fairflow.queries.query_file import read_words


def record_run(
    used: dict[str, Any],
    paths_to_words: list[str],
    paths_to_models: list[str],
    paths_to_manifests: list[str],
    paths_to_requirements: list[str],
    path_to_software: str,
    paths_to_records: dict[str, str],
) -> None:
    software = yaml.safe_load(Path(path_to_software).read_text(encoding="utf-8"))
    manifests = {Path(path).parent.name: listed(path) for path in paths_to_manifests}
    records = {Path(path).stem: read_json(path) for path in paths_to_models}
    words = {name: told for path in paths_to_words for name, told in read_words(path).items()}
    rows_of_models = model_rows(used["models"], records, manifests)
    rows_of_sets = word_set_rows(used["word_sets"], words)
    write_json(environment(paths_to_requirements), paths_to_records["environment"])
    write_json(used["configuration"], paths_to_records["configuration"])
    write_rows(rows_of_models, MODEL_COLUMNS, paths_to_records["models"])
    write_rows(rows_of_sets, WORD_SET_COLUMNS, paths_to_records["word_sets"])
    entries = sorted([*used["citations"], software_entry(software)], key=_key)
    write_text("\n".join(entries), paths_to_records["citations"])


def _key(entry: str) -> str:
    return entry.partition("{")[2]


if __name__ == "__main__":
    run(
        snakemake,
        record_run,
        used=dict(snakemake.params.items()),
        paths_to_models=snakemake.input.models,
        paths_to_records=dict(snakemake.output.items()),
    )
