"""The log, the benchmark and the environment of every rule that names none."""

import re

from snakemake.io import strip_wildcard_constraints

# Where the wildcards of the outputs make no name, or none that a file may have.
LOG_NAMES = {
    "write_report": "report{run}",
    "write_ledger": "ledger",
    "verify_published": "ledger",
    **dict.fromkeys(("write_numbers", "write_article"), "all"),
    "record_language_checksums": "record_checksums",
    "record_report_checksums": "record_checksums",
    "record_paper_checksums": "record_checksums",
}


# By the names in these files: in a workflow that uses this one, rules may have others.
for name, proxy in rules._rules.items():
    made_by = proxy.rule
    if made_by.script and made_by in workflow.rules:
        wildcards = re.findall(r"\{\w+\}", strip_wildcard_constraints(made_by.output[0]))
        path = f"{name}/{LOG_NAMES.get(name) or '/'.join(wildcards) or name}"
        if not made_by.log:
            made_by.log_modifier = workflow.modifier.path_modifier
            made_by.set_log(f"results/logs/{path}.log")
        if not made_by.benchmark:
            made_by.benchmark_modifier = workflow.modifier.path_modifier
            made_by.benchmark = f"results/benchmarks/{path}.tsv"
        if not made_by.conda_env:
            made_by.conda_env = "../../envs/fairflow.yaml"
