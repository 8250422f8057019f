"""Write the scores of a study by one metric as a LaTeX table."""

from collections.abc import Mapping
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.paper.latex import file_text
from fairflow.products.paper.score_table import score_table


def write_score_table(
    study: str,
    metric: str,
    title: str,
    labels: Mapping[str, str],
    direction: Mapping[str, bool],
    grows_with_length: bool,
    of_items: bool,
    path_to_scores: str,
    path_to_table: str,
) -> None:
    scores = read_table(path_to_scores).query("metric == @metric")
    about = study, title, labels, direction, grows_with_length, of_items
    table = score_table(scores, *about)
    with atomic_path(path_to_table) as temporary:
        Path(temporary).write_text(file_text("scores", [table]), encoding="utf-8")


if __name__ == "__main__":
    run(snakemake, write_score_table)
