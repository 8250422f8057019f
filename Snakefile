"""fairflow: measure, compare and reproduce social bias in word embeddings.

config/models.yaml --> download_file --> convert_model --+
config/queries/*   --> materialise_query ----------------+--> slice_vectors --> score_query
                                                                                            |
figures <-- correlate_rankings <-- rank_models <-- aggregate_scores <-- tabulate_scores <---+
ledger.md <-- write_ledger <-- tabulate_study <-- config/published/*

derive_model makes a model of another one that convert_model, or derive_model itself, has made.
Language models join at the slices and at the scores: workflow/rules/language_slices.smk.
"""

from snakemake.utils import min_version

min_version("9.0")


include: "workflow/rules/common.smk"
include: "workflow/rules/records.smk"
include: "workflow/rules/models.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/scores.smk"
include: "workflow/rules/studies.smk"
include: "workflow/rules/before_after.smk"
include: "workflow/rules/quality.smk"
include: "workflow/rules/multiverse.smk"
include: "workflow/rules/validity.smk"
include: "workflow/rules/conclusions.smk"
include: "workflow/rules/figures.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/language_models.smk"
include: "workflow/rules/language_slices.smk"
include: "workflow/rules/derived_encoders.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/paper.smk"
include: "workflow/rules/provenance.smk"


if AUDITS:

    include: "workflow/rules/audit.smk"


wildcard_constraints:
    **{wildcard: one_of(names) for wildcard, names in NAMES.items()},


include: "workflow/rules/defaults.smk"
include: "workflow/rules/targets.smk"
include: "workflow/rules/dry_run.smk"
include: "workflow/rules/signatures.smk"


report: "workflow/report/workflow.rst"


# The first rule and not a default_target, so that a workflow that uses this one keeps its own default.
rule all:
    input:
        records=rules.record_run.output,
        crate=rules.describe_run.output,
        checksums=rules.record_checksums.output,
        # Missing results are made again, although nothing needs them any more; without checksums
        # the rule that records them requests everything.
        missing=lambda w: missing_results(rules.record_checksums),


rule products:
    input:
        tables=run_files.table_files(PLAN),
        figures=rules.figures.input,
        ledger=rules.write_ledger.output,
        counts=rules.verify_published.output,


# The default of a command with the setting audit, so that it computes no other study.
rule audit:
    default_target: bool(AUDITS)
    input:
        report=audit_or_advice,
        summary=expand("results/audit/{study}/summary.txt", study=AUDITS),
        checksums=expand("results/audit/{study}/checksums.sha256", study=AUDITS),
    log:
        "results/logs/audit.log",
    localrule: True
    conda:
        "envs/fairflow.yaml"
    shell:
        "cat {input.summary:q} 2> {log:q}"
