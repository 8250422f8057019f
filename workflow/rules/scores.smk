"""From the words of a query to its score on each model: one cell, one file."""


rule scores:
    input:
        scores=run_files.score_files(PLAN.cells),


rule materialise_query:
    input:
        lexicons=lambda w: PLAN.lexicon_files(w.query),
    output:
        query="results/words/{query}.json",
    log:
        "results/logs/materialise_query/{query}.log",
    benchmark:
        "results/benchmarks/materialise_query/{query}.tsv"
    wildcard_constraints:
        query=one_of(PLAN.queries_of("slices")),
    localrule: True
    conda:
        "../../envs/fairflow.yaml"
    params:
        definition=lambda w: PLAN.definition(w.query),
        code=fingerprint("fairflow.queries.lexicon", "fairflow.files.sealed_json"),
    message:
        "Write the words of query {wildcards.query}"
    script:
        "../../scripts/materialise_query.py"


rule slice_vectors:
    input:
        query="results/words/{query}.json",
        vectors=f"{MODELS}/{{model}}/vectors",
        index=f"{MODELS}/{{model}}/index.sqlite",
        card=f"{MODELS}/{{model}}/card.json",
        order=lambda w: run_files.word_order_files(PLAN, slice_of(w)),
    output:
        slice="results/slices/{model}/{query}.npz",
    log:
        "results/logs/slice_vectors/{model}/{query}.log",
    benchmark:
        "results/benchmarks/slice_vectors/{model}/{query}.tsv"
    wildcard_constraints:
        model=one_of(PLAN.static_models),
        query=one_of(PLAN.queries_of("slices")),
    conda:
        "../../envs/fairflow.yaml"
    params:
        lookup=lambda w: PLAN.lookup(w.query),
        prefix=lambda w: PLAN.models[w.model].prefix,
        random_words=lambda w: PLAN.random_words(slice_of(w)),
        seed=lambda w: PLAN.slice_seed(slice_of(w)),
        code=fingerprint("fairflow.vectors.word_embedding_model"),
    message:
        "Look up the words of {wildcards.query} in {wildcards.model}"
    script:
        "../../scripts/slice_vectors.py"


rule score_query:
    input:
        slice="results/slices/{model}/{query}.npz",
    output:
        scores="results/scores/{model}/{metric}/{query}.parquet",
    log:
        "results/logs/score_query/{model}/{metric}/{query}.log",
    benchmark:
        "results/benchmarks/score_query/{model}/{metric}/{query}.tsv"
    wildcard_constraints:
        metric=one_of(PLAN.metrics_of(items=False)),
        query=one_of(PLAN.queries_of("slices")),
    conda:
        "../../envs/fairflow.yaml"
    params:
        variant=lambda w: PLAN.metrics[w.metric].definition,
        seed=lambda w: PLAN.cell_seed(cell_of(w)),
        statistics=lambda w: PLAN.cell_statistics(cell_of(w)),
        code=lambda w: fingerprint("fairflow.scores.word_cell", PLAN.metrics[w.metric].module),
    message:
        "Score {wildcards.query} on {wildcards.model} with {wildcards.metric}"
    script:
        "../../scripts/score_query.py"
