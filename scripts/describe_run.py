"""Describe a run as an RO-Crate."""

import csv
from pathlib import Path

import yaml

from fairflow.files.atomic import read_json, write_json
from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.provenance.archive import documents
from fairflow.provenance.ro_crate import Run, crate


def describe_run(
    path_to_software: str,
    paths_to_records: dict[str, str],
    paths_to_products: list[str],
    folders: dict[str, str],
    in_place: bool,
    path_to_crate: str,
) -> None:
    with open(paths_to_records["models"], encoding="utf-8", newline="") as file:
        models = list(csv.DictReader(file))
    products = [*paths_to_products, *paths_to_records.values()]
    run = Run(
        software=yaml.safe_load(Path(path_to_software).read_text(encoding="utf-8")),
        environment=read_json(paths_to_records["environment"]),
        configuration=read_json(paths_to_records["configuration"]),
        models=models,
        documents=documents(Path()) if in_place else [],
        products={path: (Path(path).stat().st_size, sha256(path)) for path in products},
        folders=folders,
        in_place=in_place,
    )
    write_json(crate(run), path_to_crate)


if __name__ == "__main__":
    others = ("software", "products")
    records = {name: path for name, path in snakemake.input.items() if name not in others}
    run(snakemake, describe_run, paths_to_records=records)
