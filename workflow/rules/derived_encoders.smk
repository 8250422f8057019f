"""Language models derived from others: one pass of the network over the texts of a transform.

embed_training_texts -> derive_encoder -> slice_embeddings (of the network's vectors of the query)
"""

FITTING = "fairflow.language_models.slices.derived_texts"


rule embed_training_texts:
    """Embed the training texts of a transform with {wildcards.model}."""
    input:
        unpack(training_job.inputs),
    output:
        embeddings="results/embeddings/{model}/training/{texts}.parquet",
    wildcard_constraints:
        model=NETWORKS,
        texts=one_of(PLAN.training_texts),
    threads: 4
    params:
        **training_job.params,
    script:
        "../../scripts/embed_training_texts.py"


rule derive_encoder:
    """Derive {wildcards.model} from the language model that its entry names."""
    input:
        embeddings=lambda w: run_files.training_files(PLAN, [w.model]),
        derivations=lambda w: PLAN.models[w.model].base.derivations(MODELS),
    output:
        derivation=f"{MODELS}/{{model}}/derivation.npz",
    wildcard_constraints:
        model=one_of(PLAN.to_make("derive")),
    params:
        how=of_model("transform.fitting"),
        code=lambda w: fingerprint(FITTING, PLAN.models[w.model].transform.module),
    script:
        "../../scripts/derive_encoder.py"
