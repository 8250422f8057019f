"""Pack a project with its results into one file, from which all of them can be rebuilt."""

from itertools import chain
from pathlib import Path

from fairflow.files.jobs import running
from fairflow.provenance.archive import (
    WORKFLOW_CHECKSUMS,
    archived_settings,
    own_files,
    pack,
    workflow_checksums,
)

CRATE = "ro-crate-metadata.json"

with running(snakemake) as job:
    groups, contents = dict(job.input.items()), archived_settings(job.params.settings)
    workflow = [*dict.fromkeys([*groups.pop("workflow"), *own_files(job.params.files)])]
    checksums = {WORKFLOW_CHECKSUMS: workflow_checksums(workflow, contents)}
    # A crate is known by this file in its root.
    contents |= checksums | {CRATE: Path(*job.input.crate).read_bytes()}
    folder, results = Path(job.output.archive).name.split(".")[0], chain(*groups.values())
    pack(folder, [*workflow, *results], contents, job.output.archive)
