"""The quality of vectors, next to their bias: measured once for each model of word vectors."""


rule measure_quality:
    """Measure the quality of {wildcards.model}."""
    input:
        unpack(store_of),
        benchmarks=lambda w: [*dict.fromkeys(map(file_of, PLAN.benchmarks_of(w.model).values()))],
    output:
        findings="results/quality/{model}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        prefix=of_model("prefix"),
        benchmarks=lambda w: benchmark_reading(PLAN.benchmarks_of(w.model)),
        code=fingerprint("fairflow.studies.quality", "fairflow.vectors.derivation"),
    script:
        "../../scripts/measure_quality.py"
