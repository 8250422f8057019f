"""Language models: their files, their answers, which need torch, and what is made of these without it.

embed_texts ------> look_up_embeddings --> score_queries
score_tokens -----> score_items
complete_prompts -> score_items
import_answers ---> score_items, of answers that others give

kind            path                                              made from
manifest        results/language_models/MODEL/manifest.json       a folder, a hub, or a download
facts           results/language_models/MODEL/facts.json          the files of the model
encoder         results/models/MODEL/derivation.npz               the models from which MODEL comes
encoder_record  results/provenance/models/MODEL.json              derivation and manifest
items           results/items/QUERY.json                          files of items
embeddings      results/embeddings/MODEL/QUERIES.parquet          words, the files of the model
text_slices     results/slices/MODEL/QUERIES.parquet              words, embeddings
tokens          results/tokens/MODEL/QUERIES.parquet              items, the files of the model
completions     results/completions/MODEL/QUERIES.parquet         items, the files of the model or of answers
scored_items    results/scores/MODEL/METRIC/QUERIES.parquet       items, tokens or completions
item_scores     results/item_scores/MODEL/METRIC/QUERIES.parquet  the same, by the same job
"""

from fairflow.language_models.audit import torch_missing
from fairflow.language_models.planned.views import in_plan, in_study

LANGUAGE = in_plan(PLAN)
manifest, facts, items = job("manifest"), job("facts"), job("items")
encoder, encoder_record = job("encoder"), job("encoder_record")
embeddings, text_slices = job("embeddings"), job("text_slices")
tokens, completions, scored_items = job("tokens"), job("completions"), job("scored_items")
NETWORKS = LANGUAGE.models_from("folder", "hub", "sources")
DERIVED_ENCODERS = LANGUAGE.to_make("derive")
NAMES["query"] = LANGUAGE.queries
NAMES["queries"] |= dict.fromkeys(map(PLAN.file_of, LANGUAGE.queries)) | LANGUAGE.training_texts
SETTINGS |= {
    "language_models": bool(config.get("language_models", False)),
    "items": config.get("items"),
}
# Scripts that import torch, or fetch and read the files of its models.
ENVIRONMENTS |= dict.fromkeys(
    (
        *("fetch_language_model", "describe_language_model", "embed_texts", "score_tokens"),
        "complete_prompts",
    ),
    "language-models",
)


# The studies with language models have their own report and record.
LANGUAGE_STUDIES = [name for name, study in PLAN.studies.items() if in_study(study).models]
OF_THEM = PLAN.of(LANGUAGE_STUDIES)
if LANGUAGE_STUDIES:
    RUNS["-lm"], REPORTS["-lm"] = OF_THEM, run_description(OF_THEM)
    REQUIREMENTS.append(of_workflow("envs/requirements-lm.in"))
RECORDED["-lm"] = lambda: {
    "products": rules.language_results.input,
    "page": "results/report-lm.html",
    "figures": report_figures("-lm"),
    "cells": run_files.results_of_run(OF_THEM),
    "settings": "results/provenance/settings-lm.json",
}
AUDIT_CHECKS.append(torch_missing)


rule fetch_language_model:
    """Fetch the files of {wildcards.model}."""
    input:
        unpack(manifest.inputs),
    output:
        folder=directory("results/language_models/{model}/model"),
        manifest=manifest.path,
    wildcard_constraints:
        model=one_of(LANGUAGE.to_make("folder", "hub", "sources")),
    localrule: True
    params:
        **manifest.params,
    script:
        "../../../scripts/language_models/fetch_language_model.py"


rule describe_language_model:
    """Describe {wildcards.model}."""
    input:
        unpack(facts.inputs),
    output:
        facts=facts.path,
    # As for the other rules with torch, so that two cores hold one network in memory at a time.
    threads: 4
    params:
        **facts.params,
    script:
        "../../../scripts/language_models/describe_language_model.py"


rule derive_encoder:
    """Derive {wildcards.model} from the model that its entry names."""
    input:
        unpack(encoder.inputs),
    output:
        derivation=encoder.of(model=DERIVED_ENCODERS),
    params:
        **encoder.params,
    script:
        "../../../scripts/language_models/derive_encoder.py"


rule record_encoder:
    """Record how {wildcards.model} is derived."""
    input:
        unpack(encoder_record.inputs),
    output:
        record=encoder_record.of(model=DERIVED_ENCODERS),
    params:
        **encoder_record.params,
    script:
        "../../../scripts/language_models/record_encoder.py"


rule write_items:
    """Write the items of {wildcards.query}."""
    input:
        unpack(items.inputs),
    output:
        item_set=items.of(query=LANGUAGE.readable),
    localrule: True
    params:
        **items.params,
    script:
        "../../../scripts/language_models/write_items.py"


rule embed_texts:
    """Embed the texts of {wildcards.queries} with {wildcards.model}."""
    input:
        unpack(embeddings.inputs),
    output:
        embeddings=update(embeddings.path),
    threads: 4
    params:
        **embeddings.params,
    script:
        "../../../scripts/language_models/embed_texts.py"


rule look_up_embeddings:
    """Look up the texts of {wildcards.queries} in the embeddings of {wildcards.model}."""
    input:
        unpack(text_slices.inputs),
    output:
        slices=update(text_slices.of(model=[*NETWORKS, *LANGUAGE.models_from("derive")])),
    params:
        **text_slices.params,
    script:
        "../../../scripts/language_models/look_up_embeddings.py"


rule score_tokens:
    """Score the tokens of {wildcards.queries} with {wildcards.model}."""
    input:
        unpack(tokens.inputs),
    output:
        tokens=update(tokens.path),
    threads: 4
    params:
        **tokens.params,
    script:
        "../../../scripts/language_models/score_tokens.py"


rule complete_prompts:
    """Complete the prompts of {wildcards.queries} with {wildcards.model}."""
    input:
        unpack(completions.inputs),
    output:
        completions=update(completions.of(model=NETWORKS)),
    threads: 4
    params:
        **completions.params,
    script:
        "../../../scripts/language_models/complete_prompts.py"


rule import_answers:
    """Import the given answers of {wildcards.model} to {wildcards.queries}."""
    input:
        unpack(completions.inputs),
    output:
        completions=update(completions.of(model=LANGUAGE.models_from("answers"))),
    params:
        **completions.params,
    script:
        "../../../scripts/language_models/import_answers.py"


rule score_items:
    """Score {wildcards.queries} on {wildcards.model} with {wildcards.metric}."""
    input:
        unpack(scored_items.inputs),
    output:
        scores=update(scored_items.of(metric=PLAN.metrics_of("scored_items"))),
        item_scores=update(job("item_scores").path),
    params:
        **scored_items.params,
    script:
        "../../../scripts/language_models/score_items.py"


rule language_results:
    input:
        tables=run_files.table_files(OF_THEM),
        figures=expand("results/figures/{figure}.png", figure=OF_THEM.figures),


rule language_models:
    input:
        results=rules.language_results.input,
        reports=expand("results/report{run}.html", run=[run for run in RUNS if run]),
        checksums=expand(
            "results/provenance/checksums{run}.sha256", run=[run for run in RUNS if run]
        ),
        # So that missing files are written again, although no other rule needs them. As a function,
        # because Snakemake hashes a list once for each of its files.
        cells=lambda w: run_files.results_of_run(OF_THEM),
