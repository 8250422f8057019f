"""What a study lets one conclude, in a short list."""


rule state_conclusions:
    """State what {wildcards.study} lets one conclude."""
    input:
        unpack(tables_of_conclusions),
        scores="results/studies/{study}/scores.parquet",
        published="results/studies/{study}/published.csv",
        controls="results/studies/{study}/controls.csv",
        ranking="results/studies/{study}/ranking.csv",
        pairwise="results/studies/{study}/pairwise.csv",
        rank_probabilities="results/studies/{study}/rank_probabilities.csv",
        scale="results/studies/{study}/scale.csv",
        quality="results/studies/{study}/quality.csv",
        found=found_vectors,
    output:
        tables_of("state_conclusions"),
    params:
        title=of_study("title"),
        asked=asked_of_study,
        code=fingerprint("fairflow.studies.findings.statements", "fairflow.files.tables"),
    script:
        "../../scripts/state_conclusions.py"
