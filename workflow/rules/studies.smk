"""From the scores of a study's cells to its tables: aggregates, rankings, published values."""


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
        scores=lambda w: run_files.score_files(PLAN, PLAN.studies[w.study].scored_cells),
        controls=lambda w: run_files.score_files(PLAN, PLAN.studies[w.study].scored_control_cells),
        slices=lambda w: run_files.slice_files(PLAN, PLAN.studies[w.study].slices),
        found=found_vectors,
    output:
        tables_of("tabulate_scores"),
    # In a group, a rule of so many inputs would make planning take minutes.
    localrule: True
    params:
        slices=lambda w: [[*one] for one in PLAN.studies[w.study].slices],
        how=lambda w: score_settings(PLAN.studies[w.study]),
        code=fingerprint(
            "fairflow.studies.aggregation",
            "fairflow.studies.comparability",
            "fairflow.studies.coverage",
            "fairflow.files.tables",
        ),
    script:
        "../../scripts/tabulate_scores.py"


rule aggregate_scores:
    """Aggregate the scores of {wildcards.study} by criterion."""
    input:
        scores="results/studies/{study}/scores.parquet",
        found=found_vectors,
    output:
        tables_of("aggregate_scores"),
    params:
        how=lambda w: aggregation_settings(PLAN.studies[w.study]),
        code=fingerprint("fairflow.studies.aggregation", "fairflow.files.tables"),
    script:
        "../../scripts/aggregate_scores.py"


rule rank_models:
    """Rank the models of {wildcards.study}."""
    input:
        unpack(lambda w: PLAN.studies[w.study].published_files("scores")),
        aggregates="results/studies/{study}/aggregates.csv",
    output:
        tables_of("rank_models"),
    params:
        directions=of_study("directions"),
        incomparable=of_study("incomparable"),
        code=fingerprint(
            "fairflow.studies.ranking",
            "fairflow.studies.published.publication",
        ),
    script:
        "../../scripts/rank_models.py"


rule correlate_rankings:
    """Correlate the rankings of {wildcards.study}."""
    input:
        ranking="results/studies/{study}/ranking.csv",
    output:
        tables_of("correlate_rankings"),
    params:
        directions=of_study("directions"),
        seed=PLAN.seed,
        code=fingerprint("fairflow.studies.ranking", "fairflow.files.tables"),
    script:
        "../../scripts/correlate_rankings.py"


rule tabulate_study:
    """Compare the models of {wildcards.study}."""
    input:
        unpack(lambda w: PLAN.studies[w.study].published_files("scores", "others")),
        scores="results/studies/{study}/scores.parquet",
        aggregates="results/studies/{study}/aggregates.csv",
        audits=lambda w: run_files.audit_files(PLAN.studies[w.study].static_models),
        found=found_vectors,
    output:
        tables_of("tabulate_study"),
    params:
        how=lambda w: comparison_settings(PLAN.studies[w.study]),
        code=fingerprint(
            "fairflow.studies.model_comparison",
            "fairflow.studies.published.comparison",
            "fairflow.studies.ranking",
            "fairflow.files.tables",
        ),
    script:
        "../../scripts/tabulate_study.py"
