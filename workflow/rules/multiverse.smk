"""Models compared in every defensible specification, from existing scores."""


rule tabulate_specifications:
    """Compare the models of {wildcards.study} in every specification."""
    input:
        unpack(study_job["tabulate_specifications"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_specifications"),
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.multiverse]),
    params:
        **study_job["tabulate_specifications"].params,
    script:
        "../../scripts/tabulate_specifications.py"
