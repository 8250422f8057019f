"""The conclusions of a study, in a short list."""


rule state_conclusions:
    """State the conclusions of {wildcards.study}."""
    input:
        unpack(study_job["state_conclusions"].inputs),
        scores="results/studies/{study}/scores.parquet",
        published="results/studies/{study}/published.csv",
        controls="results/studies/{study}/controls.csv",
        ranking="results/studies/{study}/ranking.csv",
        pairwise="results/studies/{study}/pairwise.csv",
        rank_probabilities="results/studies/{study}/rank_probabilities.csv",
        quality="results/studies/{study}/quality.csv",
    output:
        tables_of("state_conclusions"),
        page=report(
            "results/studies/{study}/conclusions.md",
            caption="../report/conclusions.rst",
            category="{study}",
            subcategory="Conclusions",
            labels={"text": "conclusions"},
        ),
    params:
        **study_job["state_conclusions"].params,
    script:
        "../../scripts/state_conclusions.py"
