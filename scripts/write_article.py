"""Write a small article that shows every table and figure."""

from pathlib import Path

from fairflow.files.atomic import write_text
from fairflow.files.jobs import running
from fairflow.products.paper.article import article

with running(snakemake) as job:
    texts = [Path(path).read_text(encoding="utf-8").strip() for path in job.input.captions]
    captions = dict(zip(job.params.figures, texts, strict=True))
    write_text(article(job.params.studies, captions), job.output.article)
