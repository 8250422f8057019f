"""The report of a run: one page that needs no network."""


rule write_report:
    input:
        conclusions=expand("results/studies/{study}/conclusions.md", study=PLAN.studies),
        tables=expand("results/studies/{study}/{table}", study=PLAN.studies, table=REPORT["tables"]),
        figures=expand("results/figures/{figure}.svg", figure=PLAN.figures),
        audits=expand("results/audits/{model}.csv", model=REPORT["models"]),
        templates=expand(
            "scripts/fairflow/report/templates/{template}",
            template=[
                "page.html",
                "run.html",
                "study.html",
                "table.html",
                "report.css",
                "sortable_table.js",
                "score_details.js",
            ],
        ),
    output:
        "results/report.html",
    log:
        "results/logs/write_report/report.log",
    benchmark:
        "results/benchmarks/write_report/report.tsv"
    conda:
        "../../envs/fairflow.yaml"
    params:
        run=REPORT,
        code=fingerprint("fairflow.report.page", "fairflow.report.study_section", "fairflow.tables"),
    message:
        "Write the report"
    script:
        "../../scripts/write_report.py"


rule report:
    input:
        rules.write_report.output,
