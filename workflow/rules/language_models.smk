"""Language models: their files, their answers, which need torch, and what is made of these without it.

embed_texts ------> look_up_embeddings --> score_queries
score_tokens -----> score_items
complete_prompts -> score_items
import_answers ---> score_items, of answers that others give
"""

NETWORKS = PLAN.models_from("folder", "hub", "sources")


rule fetch_language_model:
    """Fetch the files of {wildcards.model}."""
    input:
        unpack(manifest.inputs),
    output:
        folder=directory("results/language_models/{model}/model"),
        manifest=manifest.path,
    wildcard_constraints:
        model=one_of(PLAN.to_make("folder", "hub", "sources")),
    localrule: True
    params:
        **manifest.params,
    script:
        "../../scripts/fetch_language_model.py"


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
        "../../scripts/describe_language_model.py"


rule record_encoder:
    """Record how {wildcards.model} is derived."""
    input:
        unpack(record.inputs),
    output:
        record=record.of(model=PLAN.to_make("derive")),
    params:
        **record.params,
    script:
        "../../scripts/record_encoder.py"


rule write_items:
    """Write the items of {wildcards.query}."""
    input:
        unpack(items.inputs),
    output:
        item_set=items.of(query=PLAN.readable_items),
    localrule: True
    params:
        **items.params,
    script:
        "../../scripts/write_items.py"


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
        "../../scripts/embed_texts.py"


rule look_up_embeddings:
    """Look up the texts of {wildcards.queries} in the embeddings of {wildcards.model}."""
    input:
        unpack(slices.inputs),
    output:
        slices=update(slices.of(model=[*NETWORKS, *PLAN.models_from("derive")])),
    params:
        **slices.params,
    script:
        "../../scripts/look_up_embeddings.py"


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
        "../../scripts/score_tokens.py"


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
        "../../scripts/complete_prompts.py"


rule import_answers:
    """Import the given answers of {wildcards.model} to {wildcards.queries}."""
    input:
        unpack(completions.inputs),
    output:
        completions=update(completions.of(model=PLAN.models_from("answers"))),
    params:
        **completions.params,
    script:
        "../../scripts/import_answers.py"


rule score_items:
    """Score {wildcards.queries} on {wildcards.model} with {wildcards.metric}."""
    input:
        unpack(scores.inputs),
    output:
        scores=update(scores.of(metric=PLAN.metrics_of(items=True))),
        item_scores=update(item_scores.path),
    params:
        **scores.params,
    script:
        "../../scripts/score_items.py"
