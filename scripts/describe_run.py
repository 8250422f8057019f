"""Describe a run as an RO-Crate."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from fairflow.files.atomic import sha256
from fairflow.files.logs import log_to
from fairflow.files.text_files import write_json
from fairflow.provenance.crate import Run, crate
from fairflow.provenance.project_files import documents


def describe_run(
    path_to_software: str,
    path_to_environment: str,
    path_to_configuration: str,
    path_to_models: str,
    paths_to_products: Iterable[str],
    folders: Iterable[str],
    path_to_crate: str,
) -> None:
    with open(path_to_models, encoding="utf-8", newline="") as file:
        models = list(csv.DictReader(file))
    run = Run(
        software=yaml.safe_load(Path(path_to_software).read_text(encoding="utf-8")),
        environment=read_json(path_to_environment),
        configuration=read_json(path_to_configuration),
        models=models,
        documents=documents(Path()),
        products={path: (Path(path).stat().st_size, sha256(path)) for path in paths_to_products},
        folders=folders,
    )
    write_json(crate(run), path_to_crate)


def read_json(path: str) -> Any:
    return json.loads(Path(path).read_text(encoding="utf-8"))


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        describe_run(
            path_to_software=snakemake.input.software,
            path_to_environment=snakemake.input.environment,
            path_to_configuration=snakemake.input.configuration,
            path_to_models=snakemake.input.models,
            paths_to_products=[p for p in snakemake.input if p.startswith("results/")],
            folders=snakemake.params.folders,
            path_to_crate=str(snakemake.output),
        )
