"""From the scores of a study to its tables: rankings, comparisons, published values."""


rule rankings:
    input:
        tables=expand(
            "results/studies/{study}/{table}.csv",
            study=PLAN.studies,
            table=run_files.tables_of_study("rankings"),
        ),


rule tabulate_scores:
    """Gather the scores of {wildcards.study}."""
    input:
        unpack(study_job["tabulate_scores"].inputs),
    output:
        tables_of("tabulate_scores"),
    # In a group, a rule with thousands of inputs would make planning take minutes.
    localrule: True
    params:
        **study_job["tabulate_scores"].params,
    script:
        "../../scripts/tabulate_scores.py"


rule tabulate_study:
    """Rank and compare the models of {wildcards.study}."""
    input:
        unpack(study_job["tabulate_study"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_study"),
    params:
        **study_job["tabulate_study"].params,
    script:
        "../../scripts/tabulate_study.py"
