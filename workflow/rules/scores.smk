"""From the words of queries to their scores.

A job has a file of queries of one model, and one metric; it keeps the cells of its file that are right.
"""


rule scores:
    input:
        scores=run_files.score_files(PLAN, PLAN.cells),


rule write_words:
    """Write the words of {wildcards.queries}."""
    input:
        unpack(words.inputs),
    output:
        words=words.path,
    localrule: True
    params:
        **words.params,
    script:
        "../../scripts/write_words.py"


rule look_up_words:
    """Look up the words of {wildcards.queries} in {wildcards.model}."""
    input:
        unpack(slices.inputs),
    output:
        slices=update(slices.of(model=PLAN.static_models)),
    params:
        **slices.params,
    script:
        "../../scripts/look_up_words.py"


rule score_queries:
    """Score {wildcards.queries} on {wildcards.model} with {wildcards.metric}."""
    input:
        unpack(scores.inputs),
    output:
        scores=update(scores.of(metric=PLAN.metrics_of("scores"))),
    params:
        **scores.params,
    script:
        "../../scripts/score_queries.py"
