"""Describe a run as an RO-Crate."""

from pathlib import Path

import yaml

from fairflow.files.atomic import read_json, write_json
from fairflow.files.checksums import sha256
from fairflow.files.jobs import run
from fairflow.provenance.archive import documents
from fairflow.provenance.ro_crate import crate


def describe_run(
    path_to_software: str,
    paths_to_records: dict[str, str],
    paths_to_products: list[str],
    folders: dict[str, str],
    in_place: bool,
    path_to_crate: str,
) -> None:
    software = yaml.safe_load(Path(path_to_software).read_text(encoding="utf-8"))
    studies = read_json(paths_to_records["configuration"])["studies"]
    packages = read_json(paths_to_records["environment"])["packages"]
    made = [*paths_to_products, *paths_to_records.values()]
    # The Snakefile is the workflow itself.
    files = {name: {} for name in documents(Path()) if in_place and name != "Snakefile"}
    files |= {p: {"contentSize": str(Path(p).stat().st_size), "sha256": sha256(p)} for p in made}
    titles = [study["title"] for study in studies.values()]
    about = crate(software, packages["snakemake"], titles, files, folders, in_place)
    write_json(about, path_to_crate)


if __name__ == "__main__":
    others = ("software", "products")
    records = {name: path for name, path in snakemake.input.items() if name not in others}
    run(snakemake, describe_run, paths_to_records=records)
