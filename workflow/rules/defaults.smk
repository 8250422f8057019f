"""The default log, benchmark, environment and message of every rule."""

import re

from snakemake.io import strip_wildcard_constraints

# For rules whose wildcard may be empty.
LOG_NAMES = {
    "write_report": "report{run}",
    "record_checksums": "checksums{record}",
    "record_settings": "settings{run}",
}


# By the names in these files: a workflow that uses this one may rename rules.
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
        environment = ENVIRONMENTS.get(Path(made_by.script).stem, "fairflow")
        folder = made_by.basedir.get_path_or_uri(secret_free=True)
        made_by.conda_env = os.path.relpath(WORKFLOW / f"envs/{environment}.yaml", folder)
        made_by.message = made_by.message or made_by.docstring.rstrip(".")
