"""The report of a run: one page that needs no network."""


rule write_report:
    """Write {output.page}."""
    input:
        claims=lambda w: [
            f"results/studies/{study['name']}/claims.json" for study in REPORTS[w.run]["studies"]
        ],
        tables=lambda w: expand("results/studies/{table}", table=REPORTS[w.run]["tables"]),
        figures=lambda w: expand("results/figures/{figure}.svg", figure=REPORTS[w.run]["figures"]),
        norms=lambda w: expand("results/vector_norms/{model}.csv", model=REPORTS[w.run]["audited"]),
        templates=expand(
            of_workflow("scripts/fairflow/products/report/templates/{template}"),
            template=[
                "board.html",
                "checks.html",
                "chart.js",
                "folds.js",
                "overview.html",
                "page.html",
                "report.css",
                "run.html",
                "score_details.js",
                "sortable_table.js",
                "start.js",
                "study.html",
                "table.html",
                "tables.yaml",
                "unpack.js",
            ],
        ),
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
