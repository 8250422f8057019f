"""Write a small article that shows every table and figure."""

from pathlib import Path
from typing import Any

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.products.paper.article import article


def write_article(job: Any) -> None:
    texts = [Path(path).read_text(encoding="utf-8").strip() for path in job.input.captions]
    captions = dict(zip(job.params.figures, texts, strict=True))
    write_text(article(job.params.studies, captions), job.output.article)


if __name__ == "__main__":
    run(snakemake, write_article)
