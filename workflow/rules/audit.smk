"""An audit: a study that compares the model of the command line with reference models.

Its words, answers, scores, tables, figures and report are made by the rules of every study. Files of the
reference models are kept for the next audit with the same preset.
"""

same_vectors, summary = job("same_vectors"), job("summary")
# Under the names of the variables of make.
AUDIT_SETTINGS = {
    "MODEL": audit_place(config["audit"]),
    "NAME": config.get("audit_name"),
    "PRESET": config.get("audit_preset"),
    "LISTS": config.get("audit_language"),
    "FORMAT": config.get("audit_format"),
    "POOLING": config.get("audit_pooling"),
    "AGAINST": ",".join(config.get("audit_references") or ()),
}


rule find_same_vectors:
    """Find out whether the vectors of {wildcards.study} are those of another model."""
    input:
        unpack(same_vectors.inputs),
    output:
        names=same_vectors.path,
    params:
        **same_vectors.params,
    script:
        "../../scripts/find_same_vectors.py"


rule summarise_audit:
    """Summarise the audit {wildcards.study}: a page, a memo, and JSON."""
    input:
        unpack(summary.inputs),
    output:
        page="results/audit/{study}/summary.txt",
        memo="results/audit/{study}/memo.md",
        summary=summary.path,
    params:
        **summary.params,
        settings=AUDIT_SETTINGS,
    script:
        "../../scripts/summarise_audit.py"


# As variables of make, with which workflow/repair.sh repeats the audit.
use rule record_settings as record_audit_settings with:
    """Record the settings of the audit {wildcards.study}."""
    output:
        settings="results/audit/{study}/settings.json",
    params:
        settings=AUDIT_SETTINGS,


use rule record_checksums as record_audit_checksums with:
    """Record the checksums of the audit {wildcards.study}."""
    input:
        tables=run_files.table_files(PLAN),
        figures=rules.figures.input,
        page=f"{PAGES}/report.html",
        pages=rules.summarise_audit.output,
        found=rules.find_same_vectors.output,
        cells=run_files.results_of_run(PLAN),
        settings=rules.record_audit_settings.output.settings,
    output:
        checksums="results/audit/{study}/checksums.sha256",
