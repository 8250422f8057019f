"""Models before and after: differences over the same words, what remains, and what was lost."""


rule compare_pairs:
    """Compare {wildcards.model} in {wildcards.study} with what it comes of."""
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


rule measure_remains:
    """Measure what remains in {wildcards.model} for {wildcards.study}."""
    input:
        unpack(study_job["measure_remains"].inputs),
    output:
        findings="results/remains/{study}/{model}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
        study=one_of([name for name, study in PLAN.studies.items() if study.remains]),
    params:
        **study_job["measure_remains"].params,
    script:
        "../../scripts/measure_remains.py"


rule tabulate_before_after:
    """Tabulate what {wildcards.study} shows before and after, what remains and what was lost."""
    input:
        unpack(study_job["tabulate_before_after"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_before_after"),
    params:
        **study_job["tabulate_before_after"].params,
    script:
        "../../scripts/tabulate_before_after.py"
