"""State in a short list what a study lets one conclude."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.logs import log_to
from fairflow.files.tables import read_table
from fairflow.studies.conclusions import conclusions


def state_conclusions(
    title: str,
    paths_to_tables: Mapping[str, str],
    labels: Mapping[str, str],
    vectors: Mapping[str, str],
    signed: Sequence[str],
    of_items: Sequence[str],
    unanswered: Sequence[tuple[str, Sequence[str], Sequence[str]]],
    path_to_conclusions: str,
) -> None:
    tables = {name: read_table(path) for name, path in paths_to_tables.items()}
    how = {"labels": labels, "vectors": vectors, "signed": signed, "of_items": of_items}
    text = conclusions(title, **tables, **how, unanswered=unanswered)
    with atomic_path(path_to_conclusions) as temporary:
        Path(temporary).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        state_conclusions(
            title=snakemake.params.title,
            paths_to_tables=dict(snakemake.input.items()),
            labels=snakemake.params.labels,
            vectors=snakemake.params.vectors,
            signed=snakemake.params.signed,
            of_items=snakemake.params.of_items,
            unanswered=snakemake.params.unanswered,
            path_to_conclusions=snakemake.output.text,
        )
