"""Record what a run used: versions, configuration, models, word sets and citations."""

from pathlib import Path

import yaml

from fairflow.files.atomic import read_json, write_json, write_rows, write_text
from fairflow.files.jobs import running
from fairflow.provenance.model_record import manifest_facts
from fairflow.provenance.records import (
    MODEL_COLUMNS,
    WORD_SET_COLUMNS,
    environment,
    model_rows,
    software_entry,
    word_set_rows,
)
from fairflow.queries.query_file import read_words


def _key(entry: str) -> str:
    return entry.partition("{")[2]


with running(snakemake) as job:
    read, used, made = job.input, job.params, job.output
    software = yaml.safe_load(Path(read.software).read_text(encoding="utf-8"))
    manifests = {Path(path).parent.name: manifest_facts(path) for path in read.manifests}
    records = {Path(path).stem: read_json(path) for path in read.models}
    words = {name: told for path in read.words for name, told in read_words(path).items()}
    write_json(environment(read.requirements), made.environment)
    write_json(used.configuration, made.configuration)
    write_rows(model_rows(used.models, records, manifests), MODEL_COLUMNS, made.models)
    write_rows(word_set_rows(used.word_sets, words), WORD_SET_COLUMNS, made.word_sets)
    entries = sorted([*used.citations, software_entry(software)], key=_key)
    write_text("\n".join(entries), made.citations)
