"""An audit: a model that the command line names, beside reference models, in few jobs.

slice_audited_model --+--> score_audited_model --> tabulate_audit --> report_audit
embed_audited_model --+

What is made of a model is kept for each preset, that of reference models for the next audit.
"""


rule slice_audited_model:
    input:
        unpack(audit_inputs),
    output:
        slices=directory(f"{AUDITED}/{{model}}/slices"),
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        queries=audit_queries,
        prefix=lambda w: PLAN.models[w.model].prefix,
        code=SLICING,
    message:
        "Look up the words of the audit in {wildcards.model}"
    script:
        "../../scripts/slice_audited_model.py"


rule embed_audited_model:
    input:
        folder=ancient("results/language_models/{model}/model"),
        manifest="results/language_models/{model}/manifest.json",
    output:
        slices=directory(f"{AUDITED}/{{model}}/slices"),
        embeddings=directory(f"{AUDITED}/{{model}}/embeddings"),
    wildcard_constraints:
        model=NETWORKS,
    conda:
        "../../envs/language-models.yaml"
    threads: 4
    params:
        queries=audit_queries,
        how=audit_reading,
        code=fingerprint("fairflow.language_models.networks.embed_query"),
    message:
        "Embed the words of the audit with {wildcards.model}"
    script:
        "../../scripts/embed_audited_model.py"


rule score_audited_model:
    input:
        slices=f"{AUDITED}/{{model}}/slices",
    output:
        scores=f"{AUDITED}/{{model}}/scores.parquet",
    params:
        cells=audit_cells,
        how=audit_scoring,
        code=lambda w: fingerprint(
            "fairflow.scores.word_cell",
            *(PLAN.metrics[name].module for name in audit_metrics(w)),
        ),
    message:
        "Score the audit's queries on {wildcards.model}"
    script:
        "../../scripts/score_audited_model.py"


rule tabulate_audit:
    input:
        scores=of_audited_models("scores.parquet"),
        slices=of_audited_models("slices"),
        embeddings=audit_embeddings,
        audits=audits_of_lengths,
        quality=lambda w: run_files.quality_files(PLAN, PLAN.studies[w.study]),
    output:
        tables=[f"results/audit/{{study}}/{f}" for t in AUDIT_TABLES for f in t.files],
        lines="results/audit/{study}/lines.txt",
    params:
        models=lambda w: list(PLAN.studies[w.study].models),
        slices=queries_of_models,
        how=lambda w: table_settings(PLAN, PLAN.studies[w.study]),
        said=said_of_audit,
        planned=lambda w: {m: PLAN.models[m].stated for m in PLAN.studies[w.study].networks},
        code=TABULATING,
    message:
        "Make the tables of the audit {wildcards.study}"
    script:
        "../../scripts/tabulate_audit.py"


rule report_audit:
    input:
        tables=[f"results/audit/{table}" for table in REPORTS[""]["tables"]] if AUDITS else [],
        conclusions="results/audit/{study}/conclusions.json",
        audits=audits_of_lengths,
        looks=LOOKS,
    output:
        figures=[f"results/audit/{{study}}/figures/{figure}.svg" for figure in PLAN.figure_names],
        page="results/audit/{study}/report.html",
    params:
        run=REPORTS[""],
        code=REPORTING,
    message:
        "Write the report of the audit {wildcards.study}"
    script:
        "../../scripts/report_audit.py"


# As variables of make, with which workflow/mend.sh has the audit made again.
use rule record_language_settings as record_audit_settings with:
    output:
        settings="results/audit/{study}/settings.json",
    params:
        settings=AUDIT_SETTINGS,
        code=fingerprint(of_workflow("scripts/record_language_settings.py")),
    message:
        "Record the settings of the audit {wildcards.study}"


use rule record_checksums as record_audit_checksums with:
    input:
        tables=rules.tabulate_audit.output,
        report=rules.report_audit.output,
        scores=of_audited_models("scores.parquet"),
        slices=of_audited_models("slices"),
        embeddings=audit_embeddings,
        lengths=audits_of_lengths,
        settings=rules.record_audit_settings.output.settings,
    output:
        checksums="results/audit/{study}/checksums.sha256",
    message:
        "Record the checksums of the audit {wildcards.study}"
