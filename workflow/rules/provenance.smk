"""Provenance of a run: records, citations, checksums, a crate and an archive."""

CHECKSUMS = "results/provenance/checksums.sha256"
REQUIREMENTS = [of_workflow("envs/requirements.in")]


rule record_run:
    """Record versions, configuration, models, word sets and citations."""
    input:
        words=run_files.word_files(PLAN),
        models=run_files.model_records(PLAN),
        manifests=run_files.manifest_files(PLAN),
        requirements=lambda w: REQUIREMENTS,
        software=of_workflow("CITATION.cff"),
    output:
        environment="results/provenance/environment.json",
        configuration="results/provenance/configuration.json",
        models="results/provenance/models.csv",
        word_sets="results/provenance/word_sets.csv",
        citations="results/citations.bib",
    localrule: True
    params:
        configuration=lambda w: records.resolved_configuration(PLAN) | {"run": SETTINGS},
        models=lambda w: records.model_entries(PLAN),
        word_sets=lambda w: records.word_set_entries(PLAN),
        citations=lambda w: records.bibliography(records.citations(PLAN)),
        installed=lambda w: records.environment(REQUIREMENTS),
        code=fingerprint(of_workflow("scripts/record_run.py")),
    script:
        "../../scripts/record_run.py"


rule describe_run:
    """Describe the run as an RO-Crate."""
    input:
        **dict(rules.record_run.output.items()),
        products=lambda w: rules.products.input,
        software=of_workflow("CITATION.cff"),
    output:
        crate="results/provenance/ro-crate-metadata.json",
    localrule: True
    params:
        folders=records.folders_of_run(PLAN),
        in_place=WORKFLOW == Path.cwd(),
        code=fingerprint("fairflow.provenance.ro_crate"),
    script:
        "../../scripts/describe_run.py"


rule record_settings:
    """Record the settings of a run: {output.settings}."""
    output:
        settings="results/provenance/settings{run}.json",
    localrule: True
    params:
        settings=lambda w: SETTINGS,
        code=fingerprint(of_workflow("scripts/record_settings.py")),
    script:
        "../../scripts/record_settings.py"


# Each record, with the files in it.
RECORDED = {
    "": lambda: {
        "products": rules.products.input,
        "cells": run_files.results_of_run(PLAN),
        "records": rules.record_run.output,
        "crate": rules.describe_run.output,
    },
    "-report": lambda: {"page": rules.report.input.page, "figures": report_figures("")},
    "-paper": lambda: {
        "products": rules.write_article.input,
        "article": rules.write_article.output,
    },
}
NAMES["record"] = RECORDED


rule record_checksums:
    """Record the checksums of results: {output.checksums}."""
    input:
        unpack(lambda w: RECORDED[w.record]()),
    output:
        checksums="results/provenance/checksums{record}.sha256",
    localrule: True
    params:
        code=fingerprint("fairflow.provenance.checksums"),
    script:
        "../../scripts/record_checksums.py"


rule pack_archive:
    """Pack workflow, configuration and results into one file."""
    input:
        products=lambda w: rules.products.input,
        cells=lambda w: run_files.results_of_run(PLAN),
        records=rules.record_run.output,
        crate=rules.describe_run.output,
        checksums=[CHECKSUMS],
        workflow=packed_workflow,
    output:
        archive="results/archive/fairflow-archive.tar.xz",
    params:
        settings=config,
        files=run_files.user_files(PLAN),
        code=fingerprint("fairflow.provenance.archive"),
    script:
        "../../scripts/pack_archive.py"
