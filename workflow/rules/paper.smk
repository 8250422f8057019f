"""Files for a paper: LaTeX tables, figures, their data, checksums."""


rule paper:
    input:
        article="results/paper/article.tex",
        checksums="results/provenance/checksums-paper.sha256",


for study in PLAN.studies.values():

    rule:
        name:
            f"print_{study.name}"
        input:
            **tables_read("figures", study),
            style=STYLE,
        output:
            **paper_files(study),
        params:
            about=print_settings(study),
            names=study.names,
            code=[figures_code(study.figures), fingerprint("fairflow.products.paper.study_tables")],
        message:
            f"Write the LaTeX tables and the figures of {study.name}"
        script:
            "../../scripts/print_study.py"


rule write_article:
    """Write an article of all tables and figures."""
    input:
        **{
            kind: [file for study in PLAN.studies.values() for file in paper_files(study)[kind]]
            for kind in ("tables", "figures", "sources", "captions")
        },
    output:
        article="results/paper/article.tex",
    params:
        studies={
            name: {"title": s.title, "metrics": s.scored_metrics, "figures": list(s.figures)}
            for name, s in PLAN.studies.items()
        },
        figures=PLAN.figures,
        code=fingerprint("fairflow.products.paper.article"),
    script:
        "../../scripts/write_article.py"
