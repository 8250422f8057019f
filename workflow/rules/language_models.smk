"""Language models: three rules with torch write slices, everything after them is numpy.

train_tiny_model, fetch_language_model --> embed_texts ------> slice_embeddings --> score_query
                                       --> score_tokens -----> score_items
                                       --> complete_prompts -> score_items
"""

LANGUAGE = PLAN.language


rule language_results:
    input:
        run_files.table_files(PLAN.of(LANGUAGE_STUDIES)),
        expand(
            "results/figures/{figure}.{format}",
            figure=PLAN.of(LANGUAGE_STUDIES).figures,
            format=["pdf", "svg", "png"],
        ),


rule language_models:
    input:
        rules.language_results.input,
        expand("results/report{run}.html", run=[run for run in RUNS if run]),
        expand("results/provenance/checksums{run}.sha256", run=[run for run in RUNS if run]),
        # As in rule all.
        cells=lambda w: run_files.cell_files(PLAN.of(LANGUAGE_STUDIES)),


rule train_tiny_model:
    output:
        folder=directory("results/language_models/{tiny_model}/model"),
        manifest="results/language_models/{tiny_model}/manifest.json",
    log:
        "results/logs/train_tiny_model/{tiny_model}.log",
    benchmark:
        "results/benchmarks/train_tiny_model/{tiny_model}.tsv"
    conda:
        "../../envs/language-models.yaml"
    params:
        kind=lambda w: LANGUAGE.models[w.tiny_model].kind,
        source=lambda w: LANGUAGE.models[w.tiny_model].source,
        seed=PLAN.seed,
        code=fingerprint("fairflow.language_models.networks.tiny.tiny_models"),
    message:
        "Train {wildcards.tiny_model} on generated text"
    script:
        "../../scripts/train_tiny_model.py"


rule fetch_language_model:
    input:
        files=lambda w: LANGUAGE.local_files(w.fetched_model),
    output:
        folder=directory("results/language_models/{fetched_model}/model"),
        manifest="results/language_models/{fetched_model}/manifest.json",
    log:
        "results/logs/fetch_language_model/{fetched_model}.log",
    benchmark:
        "results/benchmarks/fetch_language_model/{fetched_model}.tsv"
    conda:
        "../../envs/language-models.yaml"
    params:
        source=lambda w: LANGUAGE.models[w.fetched_model].source,
        code=fingerprint("fairflow.language_models.folders.model_files"),
    message:
        "Bring the files of {wildcards.fetched_model}"
    script:
        "../../scripts/fetch_language_model.py"


rule describe_language_model:
    input:
        folder=ancient("results/language_models/{language_model}/model"),
        manifest="results/language_models/{language_model}/manifest.json",
    output:
        facts="results/language_models/{language_model}/facts.json",
    log:
        "results/logs/describe_language_model/{language_model}.log",
    benchmark:
        "results/benchmarks/describe_language_model/{language_model}.tsv"
    conda:
        "../../envs/language-models.yaml"
    params:
        pooling=lambda w: LANGUAGE.models[w.language_model].pooling,
        layer=lambda w: LANGUAGE.models[w.language_model].layer,
        unit_length=lambda w: LANGUAGE.models[w.language_model].unit_length,
        carriers=lambda w: LANGUAGE.models[w.language_model].carriers,
        code=fingerprint("fairflow.language_models.networks.model_facts"),
    message:
        "Describe {wildcards.language_model}"
    script:
        "../../scripts/describe_language_model.py"


rule materialise_items:
    input:
        files=lambda w: LANGUAGE.files_of_query(w.language_query),
    output:
        item_set="results/items/{language_query}.json",
    log:
        "results/logs/materialise_items/{language_query}.log",
    benchmark:
        "results/benchmarks/materialise_items/{language_query}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        entry=lambda w: LANGUAGE.queries[w.language_query].entry,
        code=fingerprint("fairflow.language_models.items.query_entry"),
    message:
        "Write the items of {wildcards.language_query}"
    script:
        "../../scripts/materialise_items.py"


rule embed_texts:
    input:
        query="results/words/{query}.json",
        folder=ancient("results/language_models/{language_model}/model"),
        manifest="results/language_models/{language_model}/manifest.json",
    output:
        embeddings="results/embeddings/{language_model}/{query}.parquet",
    log:
        "results/logs/embed_texts/{language_model}/{query}.log",
    benchmark:
        "results/benchmarks/embed_texts/{language_model}/{query}.tsv"
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        lookup=lambda w: PLAN.lookup(w.query),
        pooling=lambda w: LANGUAGE.models[w.language_model].pooling,
        layer=lambda w: LANGUAGE.models[w.language_model].layer,
        unit_length=lambda w: LANGUAGE.models[w.language_model].unit_length,
        carriers=lambda w: LANGUAGE.models[w.language_model].carriers,
        device=config.get("device", "auto"),
        token_budget=config.get("token_budget"),
        random_words=lambda w: PLAN.random_words(w.language_model, w.query),
        language=lambda w: LANGUAGE.models[w.language_model].language,
        seed=lambda w: PLAN.slice_seed(w.language_model, w.query),
        code=fingerprint("fairflow.language_models.networks.embed_query"),
    message:
        "Embed the texts of {wildcards.query} with {wildcards.language_model}"
    script:
        "../../scripts/embed_texts.py"


rule slice_embeddings:
    input:
        query="results/words/{query}.json",
        embeddings="results/embeddings/{language_model}/{query}.parquet",
    output:
        slice="results/slices/{language_model}/{query}.npz",
    log:
        "results/logs/slice_embeddings/{language_model}/{query}.log",
    benchmark:
        "results/benchmarks/slice_embeddings/{language_model}/{query}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        lookup=lambda w: PLAN.lookup(w.query),
        code=fingerprint(
            "fairflow.language_models.slices.slices", "fairflow.vectors.word_embedding_model"
        ),
    message:
        "Look up the texts of {wildcards.query} in the embeddings of {wildcards.language_model}"
    script:
        "../../scripts/slice_embeddings.py"


rule score_tokens:
    input:
        item_set="results/items/{language_query}.json",
        folder=ancient("results/language_models/{language_model}/model"),
        manifest="results/language_models/{language_model}/manifest.json",
    output:
        tokens="results/tokens/{language_model}/{language_query}.parquet",
    log:
        "results/logs/score_tokens/{language_model}/{language_query}.log",
    benchmark:
        "results/benchmarks/score_tokens/{language_model}/{language_query}.tsv"
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        needs=lambda w: LANGUAGE.needs(w.language_model, w.language_query),
        device=config.get("device", "auto"),
        token_budget=config.get("token_budget"),
        code=fingerprint(
            "fairflow.language_models.networks.score_tokens",
            "fairflow.language_models.items.item_requests",
        ),
    message:
        "Score the pieces of {wildcards.language_query} with {wildcards.language_model}"
    script:
        "../../scripts/score_tokens.py"


rule complete_prompts:
    input:
        item_set="results/items/{language_query}.json",
        folder=ancient("results/language_models/{network}/model"),
        manifest="results/language_models/{network}/manifest.json",
    output:
        completions="results/completions/{network}/{language_query}.parquet",
    log:
        "results/logs/complete_prompts/{network}/{language_query}.log",
    benchmark:
        "results/benchmarks/complete_prompts/{network}/{language_query}.tsv"
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        kind=lambda w: LANGUAGE.models[w.network].kind,
        decoding=lambda w: LANGUAGE.decoding(w.network, w.language_query, PLAN.seed),
        device=config.get("device", "auto"),
        token_budget=config.get("token_budget"),
        code=fingerprint(
            "fairflow.language_models.networks.complete_prompts",
            "fairflow.language_models.items.item_requests",
        ),
    message:
        "Complete the prompts of {wildcards.language_query} with {wildcards.network}"
    script:
        "../../scripts/complete_prompts.py"


rule import_completions:
    input:
        item_set="results/items/{language_query}.json",
        texts=lambda w: LANGUAGE.models[w.given_model].entry["completions"][w.language_query],
    output:
        completions="results/completions/{given_model}/{language_query}.parquet",
    log:
        "results/logs/import_completions/{given_model}/{language_query}.log",
    benchmark:
        "results/benchmarks/import_completions/{given_model}/{language_query}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        code=fingerprint("fairflow.language_models.slices.slices"),
    message:
        "Take the given completions of {wildcards.language_query} by {wildcards.given_model}"
    script:
        "../../scripts/import_completions.py"


rule score_items:
    input:
        item_set="results/items/{language_query}.json",
        slice=lambda w: LANGUAGE.slice_file(w.language_model, w.language_query),
    output:
        scores="results/scores/{language_model}/{language_metric}/{language_query}.parquet",
        item_scores="results/item_scores/{language_model}/{language_metric}/{language_query}.csv",
    log:
        "results/logs/score_items/{language_model}/{language_metric}/{language_query}.log",
    benchmark:
        "results/benchmarks/score_items/{language_model}/{language_metric}/{language_query}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        variant=lambda w: LANGUAGE.variants[w.language_metric].definition,
        model_kind=lambda w: LANGUAGE.models[w.language_model].kind,
        seed=PLAN.seed,
        statistics=lambda w: PLAN.cell_statistics(
            w.language_model, w.language_metric, w.language_query
        ),
        code=lambda w: fingerprint(
            "fairflow.scores.item_cell",
            "fairflow.language_models.slices.slices",
            LANGUAGE.module(w.language_metric),
        ),
    message:
        "Score {wildcards.language_query} on {wildcards.language_model} with {wildcards.language_metric}"
    script:
        "../../scripts/score_items.py"


rule tabulate_language_models:
    input:
        facts=lambda w: PLAN.language_files(w.study)["facts"],
        tokens=lambda w: PLAN.language_files(w.study)["tokens"],
        embeddings=lambda w: PLAN.language_files(w.study)["embeddings"],
        item_scores=lambda w: PLAN.language_files(w.study)["items"],
    output:
        models=table("language_models.csv"),
        invalid=table("invalid_items.csv", "items without a score"),
        carriers=table("carriers.csv", "carriers of words"),
    log:
        "results/logs/tabulate_language_models/{study}.log",
    benchmark:
        "results/benchmarks/tabulate_language_models/{study}.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        planned=lambda w: LANGUAGE.stated(PLAN.studies[w.study].models),
        code=fingerprint("fairflow.studies.language_tables", "fairflow.files.tables"),
    message:
        "Tell what the language models of {wildcards.study} are"
    script:
        "../../scripts/tabulate_language_models.py"
