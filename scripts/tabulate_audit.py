"""Make the tables of an audit, and say in a few lines what was found."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.language_models.folders.stated_reading import ASSUMED
from fairflow.language_models.slices.slices import read_embeddings
from fairflow.remains.findings import read_findings
from fairflow.studies.audit_lines import audit_lines
from fairflow.studies.item_tables import language_tables
from fairflow.studies.whole_study import write_tables
from fairflow.studies.wording import listed
from fairflow.vectors.equal_vectors import same_directions
from fairflow.vectors.query_vectors import read_slice

SAID_OF_POOLING = (
    "none of its files says how the positions of a word become one vector: their mean is taken "
    "(audit_pooling=cls and the like for others)"
)


def tabulate_audit(
    folder: Path,
    paths_to_scores: Sequence[str],
    folders_of_slices: Mapping[str, str],
    slices: Mapping[str, Sequence[str]],
    paths_to_audits: Sequence[str],
    paths_to_findings: Sequence[str],
    folders_of_embeddings: Sequence[str],
    planned: Mapping[str, Mapping[str, Any]],
    how: Mapping[str, Any],
    said: Mapping[str, Any],
    path_to_lines: str,
) -> None:
    looked_up = {
        model: {query: read_slice(Path(place, f"{query}.npz")) for query in slices[model]}
        for model, place in folders_of_slices.items()
    }
    every = (
        (model, query, one)
        for model, of_model in looked_up.items()
        for query, one in of_model.items()
    )
    audits = [read_table(path) for path in paths_to_audits]
    own = said["model"]
    equal = [m for m in looked_up if m != own and same_directions(looked_up[own], looked_up[m])]
    how, about = how_of_equal(how, own, equal), said["about"]
    if equal:
        same = listed(how["labels"][model] for model in equal)
        about = f"{about}; its vectors are the same vectors as {same}, whole or in part"
    found = [read_findings(path) for path in paths_to_findings]
    write_tables(folder, paths_to_scores, every, audits, found, how)
    for (model, stated), place in zip(planned.items(), folders_of_embeddings, strict=True):
        facts = json.loads(Path(place, "facts.json").read_text())
        tell_of_network(folder, model, facts, stated, Path(place), slices[model])
        if facts["pooling_stated_by"] == ASSUMED:
            about = f"{about}; {SAID_OF_POOLING}"
    names = ("scores.parquet", "ranking.csv", "pairwise.csv", "coverage.csv", "quality.csv")
    tables = {name.partition(".")[0]: read_table(folder / name) for name in names}
    lines = audit_lines(**tables, labels=how["labels"], **{**said, "about": about})
    with atomic_path(path_to_lines) as temporary:
        temporary.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def how_of_equal(how: Mapping[str, Any], own: str, equal: Sequence[str]) -> Mapping[str, Any]:
    """What decides the tables, where the audited model is the same vectors as others."""
    if not equal:
        return how
    vectors = how["vectors"] | {own: how["vectors"][equal[0]]}
    return {**how, "vectors": vectors, "same": {**how["same"], "vectors": vectors}}


def tell_of_network(
    folder: Path,
    model: str,
    facts: Mapping[str, Any],
    stated: Mapping[str, Any],
    place: Path,
    queries: Sequence[str],
) -> None:
    embedded = [(model, query, read_embeddings(place / f"{query}.parquet")) for query in queries]
    made = language_tables({model: facts}, {model: stated}, embedded)
    for name, table in made.items():
        write_table(table, folder / f"{name}.csv")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        tabulate_audit(
            folder=Path(snakemake.output.lines).parent,
            paths_to_scores=snakemake.input.scores,
            folders_of_slices=dict(
                zip(snakemake.params.models, snakemake.input.slices, strict=True)
            ),
            slices=snakemake.params.slices,
            paths_to_audits=snakemake.input.audits,
            paths_to_findings=snakemake.input.quality,
            folders_of_embeddings=snakemake.input.embeddings,
            planned=snakemake.params.planned,
            how=snakemake.params.how,
            said=snakemake.params.said,
            path_to_lines=snakemake.output.lines,
        )
