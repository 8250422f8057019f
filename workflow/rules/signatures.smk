"""Functions that tell what they take at once."""

from inspect import isfunction, signature

# Snakemake asks each function of params four times a job which arguments it takes, and Python
# would work it out anew: a tenth of planning thousands of jobs.
for of_rule in workflow.rules:
    for function in filter(isfunction, of_rule.params):
        function.__signature__ = signature(function)
