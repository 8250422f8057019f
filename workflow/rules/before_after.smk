"""Models before and after: differences over the same words."""


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


rule tabulate_before_after:
    """Tabulate the scores of {wildcards.study} before and after."""
    input:
        unpack(study_job["tabulate_before_after"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_before_after"),
    params:
        **study_job["tabulate_before_after"].params,
    script:
        "../../scripts/tabulate_before_after.py"
