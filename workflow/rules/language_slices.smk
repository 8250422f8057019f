"""What language models answer: three rules with torch write slices, the others are numpy.

embed_texts ------> slice_embeddings --> score_query
score_tokens -----> score_items
complete_prompts -> score_items
"""

ITEM_QUERIES = PLAN.queries_of("tokens", "completions")


rule materialise_items:
    input:
        unpack(items_job.inputs),
    output:
        item_set="results/items/{query}.json",
    wildcard_constraints:
        query=one_of(PLAN.readable_items),
    localrule: True
    params:
        how=items_job.how,
        code=items_job.code,
    message:
        "Write the items of {wildcards.query}"
    script:
        "../../scripts/materialise_items.py"


rule embed_texts:
    input:
        query="results/words/{query}.json",
        folder=ancient("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    output:
        embeddings="results/embeddings/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("slices")),
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        jobs=embeddings_job.jobs,
        code=embeddings_job.code,
    message:
        "Embed the texts of {wildcards.query} with {wildcards.model}"
    script:
        "../../scripts/embed_texts.py"


rule slice_embeddings:
    input:
        unpack(slice_job.inputs),
    output:
        slice="results/slices/{model}/{query}.npz",
    wildcard_constraints:
        model=EMBEDDING,
        query=one_of(PLAN.queries_of("slices")),
    params:
        jobs=slice_job.jobs,
        code=slice_job.code,
    message:
        "Look up the texts of {wildcards.query} in the embeddings of {wildcards.model}"
    script:
        "../../scripts/slice_embeddings.py"


rule score_tokens:
    input:
        item_set="results/items/{query}.json",
        folder=ancient("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    output:
        tokens="results/tokens/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("tokens")),
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        how=tokens_job.how,
        code=tokens_job.code,
    message:
        "Score the pieces of {wildcards.query} with {wildcards.model}"
    script:
        "../../scripts/score_tokens.py"


rule complete_prompts:
    input:
        item_set="results/items/{query}.json",
        folder=ancient("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    output:
        completions="results/completions/{model}/{query}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        query=one_of(PLAN.queries_of("completions")),
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        how=completions_job.how,
        code=completions_job.code,
    message:
        "Complete the prompts of {wildcards.query} with {wildcards.model}"
    script:
        "../../scripts/complete_prompts.py"


rule import_completions:
    input:
        unpack(completions_job.inputs),
    output:
        completions="results/completions/{model}/{query}.parquet",
    wildcard_constraints:
        model=one_of(PLAN.models_from("completions")),
        query=one_of(PLAN.queries_of("completions")),
    params:
        code=completions_job.code,
    message:
        "Take the given completions of {wildcards.query} by {wildcards.model}"
    script:
        "../../scripts/import_completions.py"


rule score_items:
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
        how=cell_job.how,
        code=cell_job.code,
    message:
        "Score {wildcards.query} on {wildcards.model} with {wildcards.metric}"
    script:
        "../../scripts/score_items.py"
