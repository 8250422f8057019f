"""Record the checksums of all results of a run."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.provenance.checksums import checksum_lines


def record_checksums(paths_to_results: list[str], path_to_checksums: str) -> None:
    write_text(checksum_lines(paths_to_results), path_to_checksums)


if __name__ == "__main__":
    run(snakemake, record_checksums, paths_to_results=[*snakemake.input])
