"""Write down what a reader of a score has to know of its language model."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fairflow.files.atomic import atomic_path
from fairflow.files.jobs import log_to


def describe_language_model(
    path_to_folder: str,
    threads: int,
    path_to_facts: str,
    loading: Mapping[str, Any],
    **how: Any,
) -> None:
    from fairflow.language_models.networks.language_model import load_language_model
    from fairflow.language_models.networks.model_facts import model_facts

    model = load_language_model(path_to_folder, "cpu", threads, **loading)
    facts = model_facts(model, **how)
    with atomic_path(path_to_facts) as temporary:
        Path(temporary).write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        describe_language_model(
            path_to_folder=snakemake.input.folder,
            threads=snakemake.threads,
            path_to_facts=snakemake.output.facts,
            **snakemake.params.how,
        )
