"""How good vectors are, beside how biased: measured of each table of word vectors once."""


rule measure_quality:
    """Measure how good {wildcards.model} is."""
    input:
        unpack(store_of),
        benchmarks=PLAN.quality.files,
    output:
        findings="results/quality/{model}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        prefix=of_model("prefix"),
        benchmarks=PLAN.quality.reading,
        code=fingerprint("fairflow.studies.residual_bias", "fairflow.vectors.derivation"),
    script:
        "../../scripts/measure_quality.py"


rule tabulate_quality:
    """Tabulate how good the models of {wildcards.study} are."""
    input:
        unpack(study_job["tabulate_quality"].inputs),
    output:
        tables_of("tabulate_quality"),
    params:
        **study_job["tabulate_quality"].params,
    script:
        "../../scripts/tabulate_quality.py"
