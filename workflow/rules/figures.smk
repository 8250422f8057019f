"""The figures of a study in three formats; figures of an audit only in the format of its report."""


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
        names=of_study("names"),
        code=lambda w: fingerprint(
            "fairflow.products.figures",
            "fairflow.products.figures._save_figure",
            figure_module(w.figure),
        ),
    script:
        "../../scripts/plot_figure.py"
