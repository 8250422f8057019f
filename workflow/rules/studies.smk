"""From scores to the tables, figures and report of each study, and to the ledger of all of them.

A study has the tables of its kind, and the figures that it names: each study has its own rules.
"""


rule rankings:
    input:
        [[*tables_read("rankings", study).values()] for study in PLAN.studies.values()],


rule figures:
    input:
        # The report shows SVG, and of an audit nobody wants others.
        figures=expand(
            "results/figures/{figure}.{format}",
            figure=PLAN.figures,
            format="svg" if AUDITS else "png",
        ),


rule compare_pairs:
    """Compare {wildcards.model} in {wildcards.study} with the model before."""
    input:
        unpack(differences.inputs),
    output:
        differences=differences.path,
    params:
        **differences.params,
    script:
        "../../scripts/compare_pairs.py"


for study in PLAN.studies.values():
    tables = job("tables", study=study.name)

    rule:
        name:
            f"tabulate_{study.name}"
        input:
            unpack(tables.inputs),
        output:
            # Each table of scripts/fairflow/studies/tables.yaml, such as ranking.csv and claims.json.
            tables_in_report(study, study_tables(None, *study_jobs.made_together(study))),
            in_report(study.name, None, run_files.CONCLUSIONS),
        params:
            **tables.params,
        message:
            f"Tabulate {study.name}"
        script:
            "../../scripts/tabulate_study.py"

    if study.figures:

        rule:
            name:
                f"plot_{study.name}"
            input:
                **tables_read("figures", study),
                style=STYLE,
            output:
                [figure_in_report(study.name, figure) for figure in study.figures],
            params:
                names=study.names,
                code=figures_code(study.figures),
            message:
                f"Draw the figures of {study.name} as {{wildcards.format}}"
            script:
                "../../scripts/plot_figures.py"


rule write_report:
    """Write {output.page}."""
    input:
        claims=lambda w: [
            f"results/studies/{study['name']}/claims.json" for study in REPORTS[w.run]["studies"]
        ],
        tables=lambda w: expand("results/studies/{table}", table=REPORTS[w.run]["tables"]),
        figures=lambda w: report_figures(w.run),
        norms=lambda w: run_files.norm_files(PLAN, REPORTS[w.run]["audited"]),
        templates=TEMPLATES,
    output:
        page=f"{PAGES}/report{{run}}.html",
    params:
        run=lambda w: REPORTS[w.run],
        code=fingerprint("fairflow.products.report.page", "fairflow.files.tables"),
    script:
        "../../scripts/write_report.py"


rule report:
    input:
        page="results/report.html",
        checksums="results/provenance/checksums-report.sha256",


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
