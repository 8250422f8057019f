"""Score the pieces of a query's texts with a language model."""

from collections.abc import Sequence

from fairflow.files.logs import log_to
from fairflow.language_models.items.item_requests import token_requests, with_attention
from fairflow.language_models.items.item_set import read_items
from fairflow.language_models.slices.slices import write_tokens


def score_query_tokens(
    path_to_items: str,
    path_to_model: str,
    needs: Sequence[str],
    device: str,
    threads: int,
    token_budget: int | None,
    path_to_tokens: str,
) -> None:
    from fairflow.language_models.networks.language_model import load_language_model
    from fairflow.language_models.networks.score_tokens import score_tokens

    requests = token_requests(read_items(path_to_items), needs)
    model = load_language_model(path_to_model, device, threads)
    texts = score_tokens(model, requests, token_budget, attention=with_attention(needs))
    write_tokens(texts, path_to_tokens)


if __name__ == "__main__":
    with log_to(str(snakemake.log)):
        score_query_tokens(
            path_to_items=snakemake.input.item_set,
            path_to_model=snakemake.input.folder,
            needs=snakemake.params.needs,
            device=snakemake.params.device,
            threads=snakemake.threads,
            token_budget=snakemake.params.token_budget,
            path_to_tokens=snakemake.output.tokens,
        )
