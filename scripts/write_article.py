"""Write a small article that shows every table and figure, and the checksum of every product."""

from pathlib import Path

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.products.paper.article import article, manifest


def write_article(
    studies: dict[str, dict[str, object]],
    figures: list[str],
    paths_to_captions: list[str],
    paths_to_products: list[str],
    path_to_article: str,
    path_to_manifest: str,
) -> None:
    texts = [Path(path).read_text(encoding="utf-8").strip() for path in paths_to_captions]
    write_text(article(studies, dict(zip(figures, texts, strict=True))), path_to_article)
    checksums = manifest([*paths_to_products, path_to_article], Path(path_to_manifest).parent)
    write_text(checksums, path_to_manifest)


if __name__ == "__main__":
    run(snakemake, write_article, paths_to_products=[*snakemake.input])
