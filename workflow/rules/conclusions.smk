"""What a study lets one conclude, in a short list."""


rule state_conclusions:
    input:
        unpack(tables_of_conclusions),
        scores="results/studies/{study}/scores.parquet",
        published="results/studies/{study}/published.csv",
        controls="results/studies/{study}/controls.csv",
        ranking="results/studies/{study}/ranking.csv",
        pairwise="results/studies/{study}/pairwise.csv",
        scale="results/studies/{study}/scale.csv",
    output:
        text=table("conclusions.md", subcategory="Conclusions", labels={"text": "conclusions"}),
    log:
        "results/logs/state_conclusions/{study}.log",
    benchmark:
        "results/benchmarks/state_conclusions/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        title=lambda w: PLAN.studies[w.study].title,
        labels=lambda w: PLAN.studies[w.study].labels,
        vectors=lambda w: PLAN.studies[w.study].vectors,
        signed=lambda w: PLAN.studies[w.study].signed,
        of_items=lambda w: PLAN.studies[w.study].of_items,
        unanswered=lambda w: PLAN.studies[w.study].unanswered,
        code=fingerprint("fairflow.studies.conclusions", "fairflow.files.tables"),
    message:
        "State what {wildcards.study} lets one conclude"
    script:
        "../../scripts/state_conclusions.py"
