"""What the run used and made, as records, citations, checksums, a crate and an archive."""

REQUIREMENTS = ["requirements.in"] + ["requirements-lm.in"] * bool(LANGUAGE_STUDIES)
REQUIREMENTS = [of_workflow(f"envs/{name}") for name in REQUIREMENTS]


rule record_model:
    input:
        vectors=f"{MODELS}/{{model}}/vectors",
        index=f"{MODELS}/{{model}}/index.sqlite",
        card=f"{MODELS}/{{model}}/card.json",
    output:
        record="results/provenance/models/{model}.json",
    wildcard_constraints:
        model=one_of(PLAN.convertible),
    params:
        code=fingerprint("fairflow.provenance.records"),
    message:
        "Record the checksums of {wildcards.model}"
    script:
        "../../scripts/record_model.py"


rule record_derived_model:
    input:
        derivation=f"{MODELS}/{{model}}/derivation.npz",
        origin=lambda w: f"{run_files.MODEL_RECORDS}/{PLAN.models[w.model].origin.name}.json",
    output:
        record="results/provenance/models/{model}.json",
    wildcard_constraints:
        model=one_of(PLAN.derived),
    params:
        code=fingerprint("fairflow.provenance.records", "fairflow.vectors.derivation"),
    message:
        "Record how {wildcards.model} is derived"
    script:
        "../../scripts/record_derived_model.py"


rule record_run:
    input:
        words=run_files.word_files(PLAN),
        models=run_files.model_records(PLAN),
        manifests=run_files.manifest_files(PLAN),
        requirements=REQUIREMENTS,
        software=of_workflow("CITATION.cff"),
    output:
        environment="results/provenance/environment.json",
        configuration="results/provenance/configuration.json",
        models="results/provenance/models.csv",
        word_sets="results/provenance/word_sets.csv",
        citations="results/citations.bib",
    localrule: True
    params:
        configuration=lambda w: resolved_configuration(PLAN) | {"run": SETTINGS},
        models=lambda w: model_entries(PLAN),
        word_sets=lambda w: word_set_entries(PLAN),
        citations=lambda w: bibliography(citations(PLAN)),
        installed=lambda w: environment(REQUIREMENTS),
        code=fingerprint(of_workflow("scripts/record_run.py")),
    message:
        "Record versions, configuration, models, word sets and citations"
    script:
        "../../scripts/record_run.py"


rule describe_run:
    input:
        products=lambda w: rules.products.input,
        software=of_workflow("CITATION.cff"),
        environment=rules.record_run.output.environment,
        configuration=rules.record_run.output.configuration,
        models=rules.record_run.output.models,
        word_sets=rules.record_run.output.word_sets,
        citations=rules.record_run.output.citations,
    output:
        crate="results/provenance/ro-crate-metadata.json",
    localrule: True
    params:
        folders=folders_of_run(PLAN),
        in_place=WORKFLOW == Path.cwd(),
        code=fingerprint("fairflow.provenance.ro_crate"),
    message:
        "Describe the run as an RO-Crate"
    script:
        "../../scripts/describe_run.py"


rule record_checksums:
    input:
        products=lambda w: rules.products.input,
        # As a function, because Snakemake hashes a list once for each of its files.
        cells=lambda w: run_files.results_of_run(PLAN),
        records=rules.record_run.output,
        crate=rules.describe_run.output,
    output:
        checksums="results/provenance/checksums.sha256",
    localrule: True
    params:
        code=fingerprint("fairflow.provenance.checksums"),
    message:
        "Record the checksums of all results"
    script:
        "../../scripts/record_checksums.py"


rule record_language_settings:
    output:
        settings="results/provenance/settings-lm.json",
    localrule: True
    params:
        settings=SETTINGS,
        code=fingerprint(of_workflow("scripts/record_language_settings.py")),
    message:
        "Record the settings of the studies of language models"
    script:
        "../../scripts/record_language_settings.py"


use rule record_checksums as record_language_checksums with:
    input:
        products=rules.language_results.input,
        page="results/report-lm.html",
        cells=lambda w: run_files.results_of_run(RUNS["-lm"]),
        settings=rules.record_language_settings.output.settings,
    output:
        checksums="results/provenance/checksums-lm.sha256",
    message:
        "Record the checksums of the studies of language models"


use rule record_checksums as record_report_checksums with:
    input:
        page=rules.report.input.page,
    output:
        checksums=rules.report.input.checksums,
    message:
        "Record the checksum of the report"


use rule record_checksums as record_paper_checksums with:
    input:
        products=rules.write_article.input,
        article=rules.write_article.output,
    output:
        checksums=rules.paper.input.checksums,
    message:
        "Record the checksums of the paper"


rule pack_archive:
    input:
        products=lambda w: rules.products.input,
        cells=lambda w: run_files.results_of_run(PLAN),
        records=rules.record_run.output,
        crate=rules.describe_run.output,
        checksums=rules.record_checksums.output,
        workflow=packed_workflow,
    output:
        archive="results/archive/fairflow-archive.tar.xz",
    params:
        settings=config,
        files=run_files.user_files(PLAN),
        code=fingerprint("fairflow.provenance.archive"),
    message:
        "Pack workflow, configuration and results into one file"
    script:
        "../../scripts/pack_archive.py"
