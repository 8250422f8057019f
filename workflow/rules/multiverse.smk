"""Models compared in every specification that could be defended, from scores that are there."""


rule tabulate_specifications:
    """Compare the models of {wildcards.study} in every specification."""
    input:
        scores="results/studies/{study}/scores.parquet",
        others=lambda w: expand(
            "results/studies/{study}/scores.parquet",
            study=contributing(PLAN, PLAN.studies[w.study]),
        ),
    output:
        tables_of("tabulate_specifications"),
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.multiverse]),
    params:
        settings=lambda w: specification_settings(PLAN, PLAN.studies[w.study]),
        absent=lambda w: absent_contributors(PLAN, PLAN.studies[w.study]),
        code=fingerprint(
            "fairflow.studies.findings.specifications",
            "fairflow.files.tables",
        ),
    script:
        "../../scripts/tabulate_specifications.py"
