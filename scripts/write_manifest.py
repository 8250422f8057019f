"""Write the checksum of every product of the paper."""

from collections.abc import Sequence
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.logs import log_to
from fairflow.products.paper.manifest import manifest


def write_manifest(paths_to_products: Sequence[str], path_to_manifest: str) -> None:
    text = manifest(paths_to_products, Path(path_to_manifest).parent)
    with atomic_path(path_to_manifest) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_manifest(
            paths_to_products=list(snakemake.input),
            path_to_manifest=snakemake.output.manifest,
        )
