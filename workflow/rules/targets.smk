"""An audit that cannot be run is refused with the reason."""

from importlib.util import find_spec


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
