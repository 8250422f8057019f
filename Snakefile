"""The workflow is workflow/Snakefile, where the Snakemake workflow catalog looks for it."""

# As include: does, but with the default target of that file.
workflow.include("workflow/Snakefile", overwrite_default_target=True)
