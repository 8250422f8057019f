"""Convert a model to word2vec format and index it."""

from pathlib import Path

from fairflow.downloads import verify
from fairflow.logs import log_to
from fairflow.vectors.convert import convert


def convert_model(
    path_to_source: str, sha256: str | None, vector_format: str, paths_to_store: dict[str, str]
) -> None:
    # A file placed by hand has not been verified yet, and a pickle must never be opened before.
    verify(Path(path_to_source), path_to_source, sha256)
    convert(path_to_source, vector_format, **paths_to_store)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        convert_model(
            path_to_source=snakemake.input.source,
            sha256=snakemake.params.sha256,
            vector_format=snakemake.params.format,
            paths_to_store=dict(snakemake.output.items()),
        )
