"""From the scores of a study's cells to its tables: aggregates, rankings, published values."""


rule rankings:
    input:
        tables=expand(
            "results/studies/{study}/{table}.csv",
            study=PLAN.studies,
            table=run_files.tables_of_study("rankings"),
        ),


rule tabulate_scores:
    input:
        scores=lambda w: run_files.score_files(PLAN.studies[w.study].scored_cells),
    output:
        parquet="results/studies/{study}/scores.parquet",
        csv=table("scores.csv"),
    log:
        "results/logs/tabulate_scores/{study}.log",
    benchmark:
        "results/benchmarks/tabulate_scores/{study}.tsv"
    # In a group, a rule of so many inputs would make planning take minutes.
    localrule: True
    conda:
        "../../envs/fairflow.yaml"
    params:
        variants=lambda w: PLAN.studies[w.study].variants,
        criteria=lambda w: PLAN.studies[w.study].criteria,
        families=lambda w: PLAN.studies[w.study].families,
        same=lambda w: PLAN.studies[w.study].sameness._asdict(),
        labels=lambda w: PLAN.studies[w.study].labels,
        code=fingerprint(
            "fairflow.studies.aggregation",
            "fairflow.studies.variant_rows",
            "fairflow.files.tables",
        ),
    message:
        "Gather the scores of {wildcards.study}"
    script:
        "../../scripts/tabulate_scores.py"


rule tabulate_coverage:
    input:
        slices=lambda w: run_files.slice_files(PLAN, PLAN.studies[w.study].slices),
    output:
        table=table("coverage.csv"),
    log:
        "results/logs/tabulate_coverage/{study}.log",
    benchmark:
        "results/benchmarks/tabulate_coverage/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        slices=lambda w: [[*one] for one in PLAN.studies[w.study].slices],
        code=fingerprint("fairflow.studies.coverage", "fairflow.files.tables"),
    message:
        "Tell which words each model of {wildcards.study} holds"
    script:
        "../../scripts/tabulate_coverage.py"


rule aggregate_scores:
    input:
        scores="results/studies/{study}/scores.parquet",
    output:
        table=table("aggregates.csv"),
    log:
        "results/logs/aggregate_scores/{study}.log",
    benchmark:
        "results/benchmarks/aggregate_scores/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        comparison=lambda w: PLAN.studies[w.study].comparison,
        vectors=lambda w: PLAN.studies[w.study].vectors,
        derived=lambda w: PLAN.studies[w.study].derived,
        code=fingerprint("fairflow.studies.aggregation", "fairflow.files.tables"),
    message:
        "Aggregate the scores of {wildcards.study} by criterion"
    script:
        "../../scripts/aggregate_scores.py"


rule check_controls:
    input:
        scores=lambda w: run_files.score_files(PLAN.studies[w.study].scored_control_cells),
    output:
        table=table("controls.csv"),
    log:
        "results/logs/check_controls/{study}.log",
    benchmark:
        "results/benchmarks/check_controls/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        variants=lambda w: PLAN.studies[w.study].control_variants,
        labels=lambda w: PLAN.studies[w.study].control_labels,
        code=fingerprint(
            "fairflow.studies.controls",
            "fairflow.studies.variant_rows",
            "fairflow.files.tables",
        ),
    message:
        "Check the control queries of {wildcards.study}"
    script:
        "../../scripts/check_controls.py"


rule rank_models:
    input:
        unpack(lambda w: PLAN.studies[w.study].published_files("scores")),
        aggregates="results/studies/{study}/aggregates.csv",
        controls="results/studies/{study}/controls.csv",
    output:
        table=table("ranking.csv"),
    log:
        "results/logs/rank_models/{study}.log",
    benchmark:
        "results/benchmarks/rank_models/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        directions=lambda w: PLAN.studies[w.study].directions,
        scaling=lambda w: PLAN.studies[w.study].scaling,
        of_items=lambda w: PLAN.studies[w.study].of_items,
        code=fingerprint(
            "fairflow.studies.ranking",
            "fairflow.studies.controls",
            "fairflow.studies.published.publication",
        ),
    message:
        "Rank the models of {wildcards.study}"
    script:
        "../../scripts/rank_models.py"


rule correlate_rankings:
    input:
        ranking="results/studies/{study}/ranking.csv",
    output:
        table=table("correlations.csv"),
    log:
        "results/logs/correlate_rankings/{study}.log",
    benchmark:
        "results/benchmarks/correlate_rankings/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        directions=lambda w: PLAN.studies[w.study].directions,
        seed=PLAN.seed,
        code=fingerprint("fairflow.studies.ranking", "fairflow.files.tables"),
    message:
        "Correlate the rankings of {wildcards.study}"
    script:
        "../../scripts/correlate_rankings.py"


rule compare_models:
    input:
        scores="results/studies/{study}/scores.parquet",
    output:
        rank_probabilities=table("rank_probabilities.csv"),
        rank_uncertainty=table("rank_uncertainty.csv"),
        pairwise=table("pairwise.csv"),
        friedman=table("friedman.csv"),
        mean_ranks=table("mean_ranks.csv"),
    log:
        "results/logs/compare_models/{study}.log",
    benchmark:
        "results/benchmarks/compare_models/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        comparison=lambda w: PLAN.studies[w.study].comparison,
        vectors=lambda w: PLAN.studies[w.study].vectors,
        derived=lambda w: PLAN.studies[w.study].derived,
        scaling=lambda w: PLAN.studies[w.study].scaling,
        code=fingerprint("fairflow.studies.model_comparison", "fairflow.files.tables"),
    message:
        "Tell how sure the ranking of the models of {wildcards.study} is"
    script:
        "../../scripts/compare_models.py"


rule compare_published:
    input:
        unpack(lambda w: PLAN.studies[w.study].published_files("scores", "others")),
        scores="results/studies/{study}/scores.parquet",
        aggregates="results/studies/{study}/aggregates.csv",
    output:
        table=table("published.csv"),
    log:
        "results/logs/compare_published/{study}.log",
    benchmark:
        "results/benchmarks/compare_published/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        models=lambda w: PLAN.studies[w.study].stand_ins,
        absent=lambda w: PLAN.studies[w.study].only_published,
        left_out=lambda w: PLAN.studies[w.study].left_out,
        directions=lambda w: PLAN.studies[w.study].directions,
        drawn=lambda w: PLAN.studies[w.study].published.get("scores", ""),
        code=fingerprint("fairflow.studies.published.comparison", "fairflow.files.tables"),
    message:
        "Set published numbers beside those of {wildcards.study}"
    script:
        "../../scripts/compare_published.py"


rule audit_scale:
    input:
        scores="results/studies/{study}/scores.parquet",
        audits=lambda w: run_files.audit_files(PLAN.studies[w.study].static_models),
    output:
        table=table("scale.csv"),
    log:
        "results/logs/audit_scale/{study}.log",
    benchmark:
        "results/benchmarks/audit_scale/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        scaling=lambda w: PLAN.studies[w.study].scaling,
        comparison=lambda w: PLAN.studies[w.study].comparison,
        code=fingerprint("fairflow.studies.scale", "fairflow.files.tables"),
    message:
        "Tell how much of the rankings of {wildcards.study} is vector length"
    script:
        "../../scripts/audit_scale.py"
