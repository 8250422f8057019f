"""From the scores of a study to its tables: aggregates, rankings, published values."""


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


rule aggregate_scores:
    """Aggregate the scores of {wildcards.study} by criterion."""
    input:
        unpack(study_job["aggregate_scores"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("aggregate_scores"),
    params:
        **study_job["aggregate_scores"].params,
    script:
        "../../scripts/aggregate_scores.py"


rule rank_models:
    """Rank the models of {wildcards.study}."""
    input:
        unpack(study_job["rank_models"].inputs),
        aggregates="results/studies/{study}/aggregates.csv",
    output:
        tables_of("rank_models"),
    params:
        **study_job["rank_models"].params,
    script:
        "../../scripts/rank_models.py"


rule correlate_rankings:
    """Correlate the rankings of {wildcards.study}."""
    input:
        ranking="results/studies/{study}/ranking.csv",
    output:
        tables_of("correlate_rankings"),
    params:
        **study_job["correlate_rankings"].params,
    script:
        "../../scripts/correlate_rankings.py"


rule tabulate_study:
    """Compare the models of {wildcards.study}."""
    input:
        unpack(study_job["tabulate_study"].inputs),
        scores="results/studies/{study}/scores.parquet",
        aggregates="results/studies/{study}/aggregates.csv",
    output:
        tables_of("tabulate_study"),
    params:
        **study_job["tabulate_study"].params,
    script:
        "../../scripts/tabulate_study.py"
