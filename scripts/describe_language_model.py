"""Write down what a reader of a score has to know of its language model."""

import json
from pathlib import Path

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to

if __name__ == "__main__":
    how = dict(snakemake.params.how)
    with log_to(str(snakemake.log)):
        from fairflow.language_models.networks.language_model import load_language_model
        from fairflow.language_models.networks.model_facts import model_facts

        loading = how.pop("loading")
        model = load_language_model(snakemake.input.folder, "cpu", snakemake.threads, **loading)
        facts = model_facts(model, **how)
        with atomic_path(snakemake.output.facts) as temporary:
            Path(temporary).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
