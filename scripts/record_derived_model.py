"""Record how a derived model comes from another one."""

import json
from pathlib import Path

from fairflow.files.atomic import write_json
from fairflow.files.jobs import run
from fairflow.provenance.records import derived


def record_derived_model(path_to_derivation: str, path_to_origin: str, path_to_record: str) -> None:
    origin = json.loads(Path(path_to_origin).read_text(encoding="utf-8"))
    write_json(derived(path_to_derivation, origin), path_to_record)


if __name__ == "__main__":
    run(snakemake, record_derived_model)
