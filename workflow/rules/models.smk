"""From a catalogue entry to vectors in word2vec format with an index."""


rule download_model:
    input:
        lambda w: PLAN.models[w.model].local_files,
    output:
        "results/downloads/models/{model}",
    log:
        "results/logs/download_model/{model}.log",
    benchmark:
        "results/benchmarks/download_model/{model}.tsv"
    retries: 2
    conda:
        "../../envs/fairflow.yaml"
    params:
        source=lambda w: PLAN.models[w.model].entry["source"],
        sha256=lambda w: PLAN.models[w.model].entry.get("sha256"),
    message:
        "Download the vectors of {wildcards.model}"
    script:
        "../../scripts/download_model.py"


rule convert_model:
    input:
        source="results/downloads/models/{model}",
    output:
        vectors="results/models/{model}/vectors",
        index="results/models/{model}/index.sqlite",
        card="results/models/{model}/card.json",
    log:
        "results/logs/convert_model/{model}.log",
    benchmark:
        "results/benchmarks/convert_model/{model}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        format=lambda w: PLAN.models[w.model].entry["format"],
        sha256=lambda w: PLAN.models[w.model].entry.get("sha256"),
        code=fingerprint("fairflow.vectors.convert"),
    message:
        "Convert {wildcards.model} to word2vec format and index it"
    script:
        "../../scripts/convert_model.py"
