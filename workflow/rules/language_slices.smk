"""Answers of language models: three rules with torch write slices, the others need only numpy.

embed_texts ------> slice_embeddings --> score_query
score_tokens -----> score_items
complete_prompts -> score_items
import_answers ---> score_items, of answers that others give
"""

ITEM_QUERIES = PLAN.queries_of("tokens", "completions")


rule materialise_items:
    """Write the items of {wildcards.query}."""
    input:
        unpack(items_job.inputs),
    output:
        item_set="results/items/{query}.json",
    wildcard_constraints:
        query=one_of(PLAN.readable_items),
    localrule: True
    params:
        **items_job.params,
    script:
        "../../scripts/materialise_items.py"


rule embed_texts:
    """Embed the texts of {wildcards.query} with {wildcards.model}."""
    input:
        unpack(embeddings_job.inputs),
    output:
        embeddings="results/embeddings/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("slices")),
    threads: 4
    params:
        **embeddings_job.listed,
    script:
        "../../scripts/embed_texts.py"


rule slice_embeddings:
    """Look up the texts of {wildcards.query} in the embeddings of {wildcards.model}."""
    input:
        unpack(slice_job.inputs),
    output:
        slice="results/slices/{model}/{query}.npz",
    wildcard_constraints:
        model=EMBEDDING,
        query=one_of(PLAN.queries_of("slices")),
    params:
        **slice_job.listed,
    script:
        "../../scripts/slice_embeddings.py"


rule score_tokens:
    """Score the tokens of {wildcards.query} with {wildcards.model}."""
    input:
        unpack(tokens_job.inputs),
    output:
        tokens="results/tokens/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("tokens")),
    threads: 4
    params:
        **tokens_job.params,
    script:
        "../../scripts/score_tokens.py"


rule complete_prompts:
    """Complete the prompts of {wildcards.query} with {wildcards.model}."""
    input:
        unpack(completions_job.inputs),
    output:
        completions="results/completions/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("completions")),
    threads: 4
    params:
        **completions_job.params,
    script:
        "../../scripts/complete_prompts.py"


rule import_answers:
    """Import the given answers of {wildcards.model} to {wildcards.query}."""
    input:
        unpack(completions_job.inputs),
    output:
        completions="results/completions/{model}/{query}.parquet",
    wildcard_constraints:
        model=one_of(PLAN.models_from("answers")),
        query=one_of(ITEM_QUERIES),
    params:
        **completions_job.params,
    script:
        "../../scripts/import_answers.py"


rule score_items:
    """Score {wildcards.query} on {wildcards.model} with {wildcards.metric}."""
    input:
        unpack(cell_job.inputs),
    output:
        scores="results/scores/{model}/{metric}/{query}.parquet",
        item_scores="results/item_scores/{model}/{metric}/{query}.csv",
    wildcard_constraints:
        model=one_of(PLAN.language_models),
        metric=one_of(PLAN.metrics_of(items=True)),
        query=one_of(ITEM_QUERIES),
    params:
        **cell_job.params,
    script:
        "../../scripts/score_items.py"
