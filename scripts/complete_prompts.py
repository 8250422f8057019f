"""Let a language model complete the prompts of a query."""

from collections.abc import Mapping
from typing import Any

from fairflow.files.logs import log_to
from fairflow.language_models.items.decoding import Decoding
from fairflow.language_models.items.item_requests import prompts_for
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import write_completions


def complete_query(
    path_to_items: str,
    path_to_model: str,
    kind: str,
    decoding: Mapping[str, Any],
    device: str,
    threads: int,
    token_budget: int | None,
    path_to_completions: str,
) -> None:
    from fairflow.language_models.networks.complete_prompts import complete_prompts
    from fairflow.language_models.networks.language_model import load_language_model

    prompts = prompts_for(read_items(path_to_items), kind)
    model = load_language_model(path_to_model, device, threads)
    completions = complete_prompts(model, prompts, Decoding(**decoding), token_budget)
    write_completions(completions, path_to_completions)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        complete_query(
            path_to_items=snakemake.input.item_set,
            path_to_model=snakemake.input.folder,
            kind=snakemake.params.kind,
            decoding=snakemake.params.decoding,
            device=snakemake.params.device,
            threads=snakemake.threads,
            token_budget=snakemake.params.token_budget,
            path_to_completions=snakemake.output.completions,
        )
