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
        unpack(store_of),
        query="results/words/{query}.json",
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
        # One function, because Snakemake's work on each adds up over thousands of jobs.
        how=lambda w: PLAN.slicing(slice_of(w)),
        code=fingerprint("fairflow.vectors.looking_at", "fairflow.vectors.derived_store"),
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
        how=lambda w: PLAN.scoring(cell_of(w)),
        code=lambda w: fingerprint("fairflow.scores.word_cell", PLAN.metrics[w.metric].module),
    message:
        "Score {wildcards.query} on {wildcards.model} with {wildcards.metric}"
    script:
        "../../scripts/score_query.py"
