"""Describe a run as an RO-Crate."""

from pathlib import Path

import yaml

from fairflow.files.atomic import read_json, write_json
from fairflow.files.checksums import sha256
from fairflow.files.jobs import running
from fairflow.provenance.archive import documents
from fairflow.provenance.ro_crate import crate

with running(snakemake) as job:
    files, in_place = dict(job.input.items()), job.params.in_place
    software = yaml.safe_load(Path(files.pop("software")).read_text(encoding="utf-8"))
    made = [*files.pop("products"), *files.values()]
    studies = read_json(files["configuration"])["studies"]
    packages = read_json(files["environment"])["packages"]
    # The Snakefile is the workflow itself.
    files = {name: {} for name in documents(Path()) if in_place and name != "Snakefile"}
    files |= {p: {"contentSize": str(Path(p).stat().st_size), "sha256": sha256(p)} for p in made}
    titles = [study["title"] for study in studies.values()]
    about = software, packages["snakemake"], titles, files, job.params.folders, in_place
    write_json(crate(*about), job.output.crate)
