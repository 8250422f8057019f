"""From the words of a query to its score on each model, one file per cell."""


rule scores:
    input:
        scores=run_files.score_files(PLAN, PLAN.cells),


rule materialise_query:
    """Write the words of query {wildcards.query}."""
    input:
        unpack(words_job.inputs),
    output:
        query="results/words/{query}.json",
    wildcard_constraints:
        query=one_of(PLAN.queries_of("slices")),
    localrule: True
    params:
        **words_job.listed,
    script:
        "../../scripts/materialise_query.py"


rule slice_vectors:
    """Look up the words of {wildcards.query} in {wildcards.model}."""
    input:
        unpack(slice_job.inputs),
    output:
        slice="results/slices/{model}/{query}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
        query=one_of(PLAN.queries_of("slices")),
    params:
        **slice_job.listed,
    script:
        "../../scripts/slice_vectors.py"


rule score_query:
    """Score {wildcards.query} on {wildcards.model} with {wildcards.metric}."""
    input:
        unpack(cell_job.inputs),
    output:
        scores="results/scores/{model}/{metric}/{query}.parquet",
    wildcard_constraints:
        metric=one_of(PLAN.metrics_of(items=False)),
        query=one_of(PLAN.queries_of("slices")),
    params:
        **cell_job.listed,
        cells=lambda w: [[w.model, w.metric, w.query]],
    script:
        "../../scripts/score_query.py"
