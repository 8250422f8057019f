"""The ledger: every published number of every study, and a check that none of them is lost."""


rule write_ledger:
    """Join the published numbers of all studies in one ledger."""
    input:
        comparisons=expand("results/studies/{study}/published.csv", study=PLAN.studies),
        unread=[*PLAN.uncompared],
    output:
        table="results/ledger.csv",
        page="results/ledger.md",
    params:
        studies=list(PLAN.studies),
        why_unread=[*PLAN.uncompared.values()],
        contradictions=PLAN.contradictions,
        code=fingerprint("fairflow.studies.published.ledger", "fairflow.files.tables"),
    script:
        "../../scripts/write_ledger.py"


rule verify_published:
    """Check that the numbers declared reproducible still are."""
    input:
        ledger="results/ledger.csv",
        # So that the check is last, and all tables and figures exist when it fails.
        rest=[rules.rankings.input, rules.figures.input],
    output:
        counts=report(
            "results/ledger_counts.csv",
            caption="../report/ledger_counts.rst",
            category="Ledger of published numbers",
            labels={"table": "counts"},
        ),
    params:
        code=fingerprint("fairflow.studies.published.ledger", "fairflow.files.tables"),
    script:
        "../../scripts/verify_published.py"
