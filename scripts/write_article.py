"""Write a small article that shows every table and figure, and the checksum of every product."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import run
from fairflow.products.paper.article import article, manifest


def write_article(
    studies: Mapping[str, Mapping[str, object]],
    figures: Sequence[str],
    paths_to_descriptions: Sequence[str],
    paths_to_products: Sequence[str],
    path_to_article: str,
    path_to_manifest: str,
) -> None:
    texts = [Path(path).read_text(encoding="utf-8") for path in paths_to_descriptions]
    descriptions = dict(zip(figures, texts, strict=True))
    with atomic_path(path_to_article) as temporary:
        Path(temporary).write_text(article(studies, descriptions), encoding="utf-8")
    checksums = manifest([*paths_to_products, path_to_article], Path(path_to_manifest).parent)
    with atomic_path(path_to_manifest) as temporary:
        Path(temporary).write_text(checksums, encoding="utf-8")


if __name__ == "__main__":
    run(snakemake, write_article, paths_to_products=[*snakemake.input])
