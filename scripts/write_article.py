"""Write a small article that shows every table and figure."""

from pathlib import Path

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.products.paper.article import article


def write_article(
    studies: dict[str, dict[str, object]],
    figures: list[str],
    paths_to_captions: list[str],
    path_to_article: str,
) -> None:
    texts = [Path(path).read_text(encoding="utf-8").strip() for path in paths_to_captions]
    write_text(article(studies, dict(zip(figures, texts, strict=True))), path_to_article)


if __name__ == "__main__":
    run(snakemake, write_article)
