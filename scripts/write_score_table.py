"""Write the scores of a study by one metric as a LaTeX table."""

from fairflow.files.atomic import write_text
from fairflow.files.jobs import run
from fairflow.files.tables import read_table
from fairflow.products.paper.latex import file_text
from fairflow.products.paper.study_tables import score_table


def write_score_table(
    study: str,
    metric: str,
    title: str,
    labels: dict[str, str],
    direction: dict[str, bool],
    grows_with_length: bool,
    of_items: bool,
    path_to_scores: str,
    path_to_table: str,
) -> None:
    scores = read_table(path_to_scores).query("metric == @metric")
    about = study, title, labels, direction, grows_with_length, of_items
    table = score_table(scores, *about)
    write_text(file_text("scores", [table]), path_to_table)


if __name__ == "__main__":
    run(snakemake, write_score_table)
