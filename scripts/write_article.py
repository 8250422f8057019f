"""Write a small article that shows every table and figure."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.logs import log_to
from fairflow.products.paper.article import article


def write_article(
    studies: Mapping[str, Mapping[str, object]],
    figures: Sequence[str],
    paths_to_descriptions: Sequence[str],
    path_to_article: str,
) -> None:
    texts = [Path(path).read_text(encoding="utf-8") for path in paths_to_descriptions]
    descriptions = dict(zip(figures, texts, strict=True))
    with atomic_path(path_to_article) as temporary:
        Path(temporary).write_text(article(studies, descriptions), encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        write_article(
            studies=snakemake.params.studies,
            figures=snakemake.params.figures,
            paths_to_descriptions=snakemake.input.descriptions,
            path_to_article=snakemake.output.article,
        )
