"""Files for a paper: LaTeX tables, figures, their data, checksums."""

from fairflow.products.paper.article import TABLES as PAPER_TABLES

FIGURE_STEMS = PLAN.of_studies(lambda s: (f"{s.name}/figures/{figure}" for figure in s.figures))


rule paper:
    input:
        article="results/paper/article.tex",
        checksums="results/provenance/checksums-paper.sha256",


rule write_score_table:
    """Write the scores of {wildcards.study} by {wildcards.metric} as LaTeX."""
    input:
        scores="results/studies/{study}/scores.parquet",
    output:
        table="results/paper/{study}/tables/scores_{metric}.tex",
    params:
        title=of_study("title"),
        labels=of_study("labels"),
        direction=of_metric("direction"),
        grows_with_length=of_metric("grows_with_length"),
        of_items=of_metric("of_items"),
        code=fingerprint("fairflow.products.paper.study_tables"),
    script:
        "../../scripts/write_score_table.py"


rule write_study_tables:
    """Write the tables of {wildcards.study} as LaTeX."""
    input:
        **{table: f"results/studies/{{study}}/{table}.csv" for table in ("ranking", "published")},
    output:
        **{table: f"results/paper/{{study}}/tables/{table}.tex" for table in PAPER_TABLES},
    params:
        title=of_study("title"),
        labels=of_study("labels"),
        code=fingerprint("fairflow.products.paper.study_tables", "fairflow.files.tables"),
    script:
        "../../scripts/write_study_tables.py"


rule write_figure_source:
    """Write the source and the caption of {wildcards.figure} of {wildcards.study}."""
    input:
        unpack(tables_of_figures),
        figure="results/figures/{study}/{figure}.pdf",
        svg="results/figures/{study}/{figure}.svg",
    output:
        figure="results/paper/{study}/figures/{figure}.pdf",
        source="results/paper/{study}/figures/{figure}.csv",
        caption="results/paper/{study}/figures/{figure}.txt",
    params:
        names=of_study("names"),
        code=lambda w: fingerprint(
            "fairflow.products.figures", "fairflow.files.tables", figure_module(w.figure)
        ),
    script:
        "../../scripts/write_figure_source.py"


rule write_article:
    """Write an article of all tables and figures."""
    input:
        scores=expand("results/paper/{table}.tex", table=run_files.score_table_stems(PLAN)),
        tables=expand(
            "results/paper/{study}/tables/{table}.tex",
            study=PLAN.studies,
            table=PAPER_TABLES,
        ),
        figures=expand(
            "results/paper/{figure}.{format}",
            figure=FIGURE_STEMS,
            format=["pdf", "csv"],
        ),
        captions=expand("results/paper/{figure}.txt", figure=FIGURE_STEMS),
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
