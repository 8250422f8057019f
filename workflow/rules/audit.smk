"""An audit: a study that compares the model of the command line with reference models, in few jobs.

Other studies make each file of words, answers and scores in its own job; an audit makes all of a model's
in one job, by the same scripts. Tables, conclusions, figures and report are made by the rules of every
study. Files of the reference models are kept for the next audit with the same preset.
"""

AUDIT = PLAN.studies[AUDITS[0]]
ASKED = dict.fromkeys(one.query for one in AUDIT.every_slice)
# Models of one kind have the same queries.
OF_TABLES, OF_NETWORKS = (
    list(dict.fromkeys(one.query for one in AUDIT.every_slice if one.model in models))
    for models in (AUDIT.static_models, AUDIT.language_models)
)
# Under the names of the variables of make.
AUDIT_SETTINGS = {
    "MODEL": audit_place(config["audit"]),
    "NAME": config.get("audit_name"),
    "PRESET": config.get("audit_preset"),
    "LISTS": config.get("audit_language"),
    "FORMAT": config.get("audit_format"),
    "POOLING": config.get("audit_pooling"),
    "AGAINST": ",".join(config.get("audit_references") or ()),
}


def cells_of(wildcards):
    return [cell for cell in PLAN.cells if cell.model == wildcards.model]


words_jobs = jobs_of(lambda w: [JOBS.words[q] for q in ASKED], "lexicons")
slice_jobs = jobs_of(lambda w: [JOBS.slices[w.model, q] for q in OF_TABLES], "query", "order")
embeddings_jobs = jobs_of(lambda w: [JOBS.embeddings[w.model, q] for q in OF_NETWORKS], "query")
embedded_jobs = jobs_of(
    lambda w: [JOBS.slices[w.model, q] for q in OF_NETWORKS], "query", "embeddings"
)
cell_jobs = jobs_of(lambda w: [JOBS.cells[cell] for cell in cells_of(w)], "slice")


use rule materialise_query as materialise_audit with:
    """Write the words of all queries of the audit."""
    input:
        unpack(words_jobs.inputs),
    output:
        query=[JOBS.words[query].file for query in ASKED],
    params:
        **words_jobs.listed,


if OF_TABLES:

    use rule slice_vectors as slice_audited_model with:
        """Look up the words of the audit in {wildcards.model}."""
        input:
            unpack(slice_jobs.inputs),
        output:
            slice=[f"{PLAN.answers}/slices/{{model}}/{query}.npz" for query in OF_TABLES],
        params:
            **slice_jobs.listed,
            most_are_found=True,


use rule embed_texts as embed_audited_model with:
    """Embed the words of the audit with {wildcards.model}."""
    input:
        unpack(embeddings_jobs.inputs),
    output:
        embeddings=[f"{PLAN.answers}/embeddings/{{model}}/{query}.parquet" for query in OF_NETWORKS],
        facts=f"{PLAN.answers}/embeddings/{{model}}/facts.json",
    params:
        **embeddings_jobs.listed,


if OF_NETWORKS:

    use rule slice_embeddings as slice_audited_embeddings with:
        """Look up the words of the audit in the embeddings of {wildcards.model}."""
        input:
            unpack(embedded_jobs.inputs),
        output:
            slice=[f"{PLAN.answers}/slices/{{model}}/{query}.npz" for query in OF_NETWORKS],
        params:
            **embedded_jobs.listed,


use rule score_query as score_audited_model with:
    """Score the audit's queries on {wildcards.model}."""
    input:
        unpack(cell_jobs.inputs),
    output:
        scores=f"{PLAN.answers}/scores/{{model}}.parquet",
    params:
        **cell_jobs.listed,
        cells=lambda w: [[*cell] for cell in cells_of(w)],


rule find_same_vectors:
    """Find out whether the vectors of {wildcards.study} are those of another model."""
    input:
        unpack(study_job["find_same_vectors"].inputs),
    output:
        names="results/audit/{study}/same_vectors.json",
    params:
        **study_job["find_same_vectors"].params,
    script:
        "../../scripts/find_same_vectors.py"


rule summarise_audit:
    """Summarise the audit {wildcards.study}: a page, a memo, and JSON."""
    input:
        unpack(study_job["summarise_audit"].inputs),
        scores="results/studies/{study}/scores.parquet",
        controls="results/studies/{study}/controls.csv",
        ranking="results/studies/{study}/ranking.csv",
        pairwise="results/studies/{study}/pairwise.csv",
        coverage="results/studies/{study}/coverage.csv",
        quality="results/studies/{study}/quality.csv",
        claims="results/studies/{study}/claims.json",
    output:
        page="results/audit/{study}/summary.txt",
        memo="results/audit/{study}/memo.md",
        summary="results/audit/{study}/summary.json",
    params:
        **study_job["summarise_audit"].params,
        settings=AUDIT_SETTINGS,
    script:
        "../../scripts/summarise_audit.py"


# As variables of make, with which workflow/repair.sh repeats the audit.
use rule record_language_settings as record_audit_settings with:
    """Record the settings of the audit {wildcards.study}."""
    output:
        settings="results/audit/{study}/settings.json",
    params:
        settings=AUDIT_SETTINGS,


use rule record_checksums as record_audit_checksums with:
    """Record the checksums of the audit {wildcards.study}."""
    input:
        tables=run_files.table_files(PLAN),
        figures=rules.figures.input,
        page=f"{PAGES}/report.html",
        pages=rules.summarise_audit.output,
        found=rules.find_same_vectors.output,
        words=rules.materialise_audit.output,
        slices=run_files.slice_files(PLAN, AUDIT.every_slice),
        embeddings=run_files.embedding_files(PLAN, AUDIT.embedded_slices),
        facts=run_files.facts_files(PLAN, AUDIT.networks),
        scores=run_files.score_files(PLAN, PLAN.cells),
        lengths=run_files.norm_files(AUDIT.static_models),
        quality=run_files.quality_files(PLAN, AUDIT),
        settings=rules.record_audit_settings.output.settings,
    output:
        checksums="results/audit/{study}/checksums.sha256",
