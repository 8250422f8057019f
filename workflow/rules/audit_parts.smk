"""What the rules of an audit ask of the plan."""

from importlib.util import find_spec

from fairflow.studies.tables import study_tables

AUDITS = [*PLAN.studies] if PLAN.audited else []
AUDITED = f"results/audit/models/{PLAN.audited.preset if PLAN.audited else 'none'}"

# By the names that make has for them.
AUDIT_SETTINGS = {
    "MODEL": str(Path(config.get("audit", "")).expanduser().absolute()),
    "PRESET": config.get("audit_preset"),
    "FORMAT": config.get("audit_format"),
    "POOLING": config.get("audit_pooling"),
    "REFERENCES": ",".join(config.get("audit_references") or ()),
}

SLICING = fingerprint(
    "fairflow.queries.query_file",
    "fairflow.vectors.vocabulary",
    "fairflow.vectors.derivation",
    "fairflow.vectors.remembered_store",
)
AUDIT_TABLES = study_tables(None, *(PLAN.studies[AUDITS[0]].kinds if AUDITS else ()))
TABULATING = fingerprint(
    "fairflow.studies.whole_study",
    "fairflow.studies.coverage",
    "fairflow.studies.audit_lines",
    "fairflow.studies.item_tables",
    "fairflow.vectors.equal_vectors",
)
REPORTING = fingerprint(
    "fairflow.products.report.page",
    "fairflow.products.figures._save_figure",
    *map(figure_module, PLAN.figure_names),
)

LOOKS = [
    *rules.write_report.input.templates,
    of_workflow("scripts/fairflow/products/figures/paper.mplstyle"),
]


def audit_or_advice(wildcards):
    """The report of the audit."""
    if not AUDITS:
        raise WorkflowError(
            "audit: name a model: make audit MODEL=PATH, or snakemake audit --config audit=PATH"
        )
    with_conda = getattr(workflow.deployment_settings, "deployment_method", None)
    if PLAN.studies[AUDITS[0]].networks and not (with_conda or find_spec("torch")):
        raise WorkflowError(
            "audit: a language model is read with torch, which is not here: make .venv/language-models"
        )
    return expand("results/audit/{study}/report.html", study=AUDITS)


def audit_queries(wildcards):
    """How the vectors of each query are sought in a model."""
    study = PLAN.studies[AUDITS[0]]
    asked = [one for one in study.every_slice if one.model == wildcards.model]
    # Of a network and of a table alike: what is sought, and how.
    keys = ("lookup", "random_words", "seed")
    kind = JOBS.embeddings if wildcards.model in PLAN.language_models else JOBS.slices
    sought = {one.query: kind[one].how for one in asked}
    return {
        query: JOBS.words[query].how | {key: how[key] for key in keys}
        for query, how in sought.items()
    }


def audit_inputs(wildcards):
    """A model, the files of words that the queries read, and what tells how frequent words are."""
    queries = audit_queries(wildcards)
    random = any(query["random_words"] for query in queries.values())
    return store_of(wildcards) | {
        "lexicons": list(
            dict.fromkeys(f for query in queries for f in JOBS.words[query].inputs["lexicons"])
        ),
        "order": [f"results/word_orders/{wildcards.model}.json"] if random else [],
    }


def audit_cells(wildcards):
    """The cells of a model with their seeds."""
    cells = PLAN.studies[AUDITS[0]].every_scored_cell
    return [[[*cell], JOBS.cells[cell].seed] for cell in cells if cell.model == wildcards.model]


def audit_metrics(wildcards):
    """What is computed for an audit, for its control queries too."""
    return list(dict.fromkeys(cell.metric for cell in PLAN.studies[AUDITS[0]].every_scored_cell))


def audit_scoring(wildcards):
    """How cells are scored."""
    metrics = audit_metrics(wildcards)
    variants = {name: PLAN.metrics[name].computation.definition for name in metrics}
    return {"variants": variants, "statistics": JOBS.statistics}


def audit_reading(wildcards):
    """How a network reads words."""
    model = PLAN.models[wildcards.model]
    return {
        "language": model.language,
        "reading": model.reading,
        "device": config.get("device", "auto"),
        "token_budget": config.get("token_budget"),
    }


def of_audited_models(file):
    """A file of each model of an audit."""
    return lambda w: expand(f"{AUDITED}/{{model}}/{file}", model=PLAN.studies[w.study].models)


def audit_embeddings(wildcards):
    """What the network that is audited made of words, if it is one."""
    return [f"{AUDITED}/{name}/embeddings" for name in PLAN.studies[wildcards.study].networks]


def queries_of_models(wildcards):
    """The queries that each model is asked, without those that are for control alone."""
    study = PLAN.studies[wildcards.study]
    asked = {model: [] for model in study.models}
    for one in study.slices:
        asked[one.model].append(one.query)
    return asked


def audits_of_lengths(wildcards):
    """Lengths of vectors, if a metric depends on them."""
    study = PLAN.studies[wildcards.study]
    return run_files.audit_files(study.static_models) if any(study.scaling.values()) else []


def said_of_audit(wildcards):
    """What the lines of an audit say besides its tables."""
    study, audited = PLAN.studies[wildcards.study], PLAN.audited
    metrics = [name for name in study.metrics if name in study.signed] or study.metrics
    queries = {name: PLAN.queries[name] for name in (*study.queries, *study.controls)}
    return {
        "model": audited.model,
        "metric": metrics[0],
        "about": audited.about,
        "sets": {name: [[*q.targets], [*q.attributes]] for name, q in queries.items()},
        "controls": list(study.controls),
        "left_out": audited.left_out,
        "report": f"results/audit/{study.name}/report.html",
    }
