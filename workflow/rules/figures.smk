"""The figures of a study, each in three formats; those of an audit as its report has them."""


rule figures:
    input:
        figures=expand(
            "results/figures/{figure}.{format}",
            figure=PLAN.figures,
            format=FORMATS,
        ),


rule plot_figure:
    """Draw {wildcards.figure} of {wildcards.study}."""
    input:
        unpack(tables_of_figures),
        style=[
            of_workflow(f"scripts/fairflow/products/figures/{name}")
            for name in (
                "paper.mplstyle",
                "fonts/LiberationSans-Bold.ttf",
                "fonts/LiberationSans-Regular.ttf",
            )
        ],
    output:
        pdf=drawn_as("pdf"),
        svg=report(
            "results/figures/{study}/{figure}.svg",
            caption="../report/figure.rst",
            category="{study}",
            subcategory="Figures",
            labels={"figure": "{figure}"},
        ),
        png=drawn_as("png"),
    params:
        labels=of_study("labels"),
        interpretations=of_study("interpretations"),
        code=lambda w: fingerprint(
            "fairflow.products.figures",
            "fairflow.products.figures._save_figure",
            figure_module(w.figure),
        ),
    script:
        "../../scripts/plot_figure.py"
