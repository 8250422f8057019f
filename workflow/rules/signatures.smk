"""Functions with a stored signature."""

from inspect import isfunction, signature

# Snakemake reads the signature of each function of params four times for each job. Computing it each
# time would take a tenth of the planning of thousands of jobs.
for of_rule in workflow.rules:
    for function in filter(isfunction, of_rule.params):
        function.__signature__ = signature(function)
