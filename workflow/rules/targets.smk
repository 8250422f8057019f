"""A requested file that no rule can make is refused with the reason."""

from importlib.util import find_spec

from snakemake.io import get_wildcard_constraints, strip_wildcard_constraints

from fairflow.planning.result_files import target_problem


def audit_or_advice(wildcards):
    """The report of the audit."""
    if not AUDITS:
        raise WorkflowError(
            "audit: name a model: make audit MODEL=PATH, fairflow audit PATH, or "
            "snakemake audit --config audit=PATH"
        )
    with_conda = getattr(workflow.deployment_settings, "deployment_method", None)
    if PLAN.studies[AUDITS[0]].networks and not (with_conda or find_spec("torch")):
        raise WorkflowError(
            "audit: a language model needs torch, which is not installed: make .venv/language-models, "
            "or pip install 'torch>=2.5' 'transformers>=4.57' 'gguf>=0.19'"
        )
    return f"{PAGES}/report.html"


def target_problems(targets):
    """A sentence for each path that no rule writes, or whose model has no source."""
    outputs = [output for rule in workflow.rules for output in rule.output]
    patterns = [(strip_wildcard_constraints(o), get_wildcard_constraints(o)) for o in outputs]

    static = {name: PLAN.models[name] for name in PLAN.static_models}

    held_by = {name: other for name, other in PLAN.base_variants.items() if name != other}

    for target in targets:
        if not Path(target).exists():
            yield target_problem(target, patterns, NAMES, static, MODELS, held_by)


# At this point Snakemake does not expose its targets yet, so only paths of results on the command line
# are checked. In another workflow other rules may make such a path.
if workflow.is_main_process and workflow.modifier.is_main_snakefile():
    if problems := list(filter(None, target_problems(sys.argv[1:]))):
        raise WorkflowError("\n".join(problems))
