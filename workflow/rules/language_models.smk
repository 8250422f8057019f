"""Language models: download, description, and tables.

language_slices.smk has the rules of their answers to queries.
"""

NETWORKS = one_of(PLAN.models_from("folder", "hub", "sources"))
EMBEDDING = one_of(PLAN.models_from("folder", "hub", "sources", "derive"))


rule language_results:
    input:
        tables=run_files.table_files(PLAN.of(LANGUAGE_STUDIES)),
        figures=expand(
            "results/figures/{figure}.{format}",
            figure=PLAN.of(LANGUAGE_STUDIES).figures,
            format=["pdf", "svg", "png"],
        ),


rule language_models:
    input:
        results=rules.language_results.input,
        reports=expand("results/report{run}.html", run=[run for run in RUNS if run]),
        checksums=expand(
            "results/provenance/checksums{run}.sha256", run=[run for run in RUNS if run]
        ),
        # So that missing files are written again, although no other rule needs them. As a function,
        # because Snakemake hashes a list once for each of its files.
        cells=lambda w: run_files.results_of_run(PLAN.of(LANGUAGE_STUDIES)),


rule download_language_model:
    """Download the files of {wildcards.model}."""
    input:
        files=of_model("local_files"),
    output:
        folder=directory("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    wildcard_constraints:
        model=one_of(PLAN.to_make("folder", "hub")),
    localrule: True
    params:
        source=of_model("definition"),
        code=fingerprint("fairflow.language_models.checkpoints.model_files"),
    script:
        "../../scripts/download_language_model.py"


rule unpack_language_model:
    """Unpack {wildcards.model} from the file that holds it."""
    input:
        file=of_model("file"),
    output:
        folder=directory("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    wildcard_constraints:
        model=one_of(PLAN.to_make("sources")),
    params:
        source=of_model("definition"),
        code=fingerprint("fairflow.language_models.checkpoints.packed_model"),
    script:
        "../../scripts/unpack_language_model.py"


rule describe_language_model:
    """Describe {wildcards.model}."""
    input:
        folder=ancient("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    output:
        facts="results/language_models/{model}/facts.json",
    wildcard_constraints:
        model=NETWORKS,
    # As for the other rules with torch, so that two cores hold one network in memory at a time.
    threads: 4
    params:
        how=lambda w: {"loading": PLAN.models[w.model].loading, **PLAN.models[w.model].reading},
        code=fingerprint("fairflow.language_models.inference.model_facts"),
    script:
        "../../scripts/describe_language_model.py"


rule tabulate_items:
    """Tabulate the items of {wildcards.study} by category, and the influential ones."""
    input:
        unpack(study_job["tabulate_items"].inputs),
    output:
        tables_of("tabulate_items"),
    params:
        **study_job["tabulate_items"].params,
    script:
        "../../scripts/tabulate_items.py"


rule tabulate_language_models:
    """Tabulate the language models of {wildcards.study}."""
    input:
        unpack(study_job["tabulate_language_models"].inputs),
    output:
        tables_of("tabulate_language_models"),
    params:
        **study_job["tabulate_language_models"].params,
    script:
        "../../scripts/tabulate_language_models.py"
