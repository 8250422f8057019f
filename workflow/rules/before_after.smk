"""Models before and after: differences over the same words, residual bias, and quality."""


rule compare_pairs:
    """Compare {wildcards.model} in {wildcards.study} with the model before."""
    input:
        unpack(study_job["compare_pairs"].inputs),
    output:
        differences="results/differences/{study}/{model}.parquet",
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.after]),
    params:
        **study_job["compare_pairs"].params,
    script:
        "../../scripts/compare_pairs.py"


rule measure_residual_bias:
    """Measure the residual bias of {wildcards.model} for {wildcards.study}."""
    input:
        unpack(study_job["measure_residual_bias"].inputs),
    output:
        findings="results/residual_bias/{study}/{model}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
        study=one_of([name for name, study in PLAN.studies.items() if study.residual_bias]),
    params:
        **study_job["measure_residual_bias"].params,
    script:
        "../../scripts/measure_residual_bias.py"


rule tabulate_before_after:
    """Tabulate scores, residual bias and quality of {wildcards.study} before and after."""
    input:
        unpack(study_job["tabulate_before_after"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_before_after"),
    params:
        **study_job["tabulate_before_after"].params,
    script:
        "../../scripts/tabulate_before_after.py"
