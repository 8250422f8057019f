"""Pack a project with its results into one file, from which all of them can be rebuilt."""

from pathlib import Path
from typing import Any

from fairflow.files.jobs import run
from fairflow.provenance.archive import (
    WORKFLOW_CHECKSUMS,
    archived_settings,
    own_files,
    pack,
    workflow_checksums,
)

CRATE = "ro-crate-metadata.json"


def pack_archive(
    paths_to_results: list[str],
    paths_to_workflow: list[str],
    settings: dict[str, Any],
    files: list[str],
    path_to_crate: str,
    path_to_archive: str,
) -> None:
    contents = archived_settings(settings)
    workflow = [*dict.fromkeys([*paths_to_workflow, *own_files(files)])]
    checksums = {WORKFLOW_CHECKSUMS: workflow_checksums(workflow, contents)}
    # A crate is known by this file in its root.
    contents |= checksums | {CRATE: Path(path_to_crate).read_bytes()}
    folder = Path(path_to_archive).name.split(".")[0]
    pack(folder, [*workflow, *paths_to_results], contents, path_to_archive)


if __name__ == "__main__":
    groups = dict(snakemake.input.items())
    del groups["workflow"]
    results = [path for group in groups.values() for path in group]
    run(snakemake, pack_archive, paths_to_results=results, path_to_crate=groups["crate"][0])
