"""Tell what the language models of a study are, and which items have no score and why."""

import json
from pathlib import Path

from fairflow.files.jobs import log_to
from fairflow.files.tables import read_table, write_table
from fairflow.language_models.slices.slices import read_embeddings, read_tokens
from fairflow.studies.item_tables import language_tables

if __name__ == "__main__":
    how, inputs = snakemake.params.how, snakemake.input
    with log_to(str(snakemake.log)):
        embedded = zip(how["embedded"], inputs.embeddings, strict=True)
        asked = zip(how["asked"], inputs.tokens, strict=True)
        facts = zip(how["networks"], inputs.facts, strict=True)
        tables = language_tables(
            {model: json.loads(Path(path).read_text()) for model, path in facts},
            how["planned"],
            [(*slice_, read_embeddings(path)) for slice_, path in embedded],
            ((model, read_tokens(path)) for (model, _), path in asked),
            map(read_table, inputs.item_scores),
            how["origins"],
        )
        for path in snakemake.output:
            write_table(tables[Path(path).stem], path)
