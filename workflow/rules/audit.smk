"""An audit: the study of a model that the command line names, beside reference models, in few jobs.

Words, answers and scores, of which other studies make a file a job, are made a job a model, by the
same scripts; tables, conclusions, figures and report by the rules of every study. What is made of
the reference models is kept for the next audit by the same preset.
"""

from itertools import chain

AUDIT = PLAN.studies[AUDITS[0]]
ASKED = dict.fromkeys(one.query for one in AUDIT.every_slice)
# Models of one kind are asked the same.
OF_TABLES, OF_NETWORKS = (
    list(dict.fromkeys(one.query for one in AUDIT.every_slice if one.model in models))
    for models in (AUDIT.static_models, AUDIT.language_models)
)
# By the names that make has for them.
AUDIT_SETTINGS = {
    "MODEL": str(Path(config["audit"]).expanduser().absolute()),
    "PRESET": config.get("audit_preset"),
    "FORMAT": config.get("audit_format"),
    "POOLING": config.get("audit_pooling"),
    "REFERENCES": ",".join(config.get("audit_references") or ()),
}


def slice_jobs(wildcards):
    static = wildcards.model in AUDIT.static_models
    return [JOBS.slices[wildcards.model, query] for query in (OF_TABLES if static else OF_NETWORKS)]


def embedding_jobs(wildcards):
    return [JOBS.embeddings[wildcards.model, query] for query in OF_NETWORKS]


def cells_of(wildcards):
    return [cell for cell in AUDIT.every_scored_cell if cell.model == wildcards.model]


def score_jobs(wildcards):
    return [JOBS.cells[cell] for cell in cells_of(wildcards)]


def together(jobs, *names):
    """The inputs of several jobs, which differ in those with these names."""
    files = {
        name: dict.fromkeys(file for job in jobs for file in job.files(name)) for name in names
    }
    return jobs[0].inputs | {name: [*paths] for name, paths in files.items()}


def code_of(jobs):
    return fingerprint(*dict.fromkeys(chain.from_iterable(job.modules for job in jobs)))


use rule materialise_query as materialise_audit with:
    input:
        **together([JOBS.words[query] for query in ASKED], "lexicons"),
    output:
        query=[JOBS.words[query].file for query in ASKED],
    params:
        jobs=[JOBS.words[query].how for query in ASKED],
        code=code_of([JOBS.words[query] for query in ASKED]),
    message:
        "Write the words of all queries of the audit"


use rule slice_vectors as slice_audited_model with:
    input:
        unpack(lambda w: together(slice_jobs(w), "query", "order")),
    output:
        slice=[f"{PLAN.answers}/slices/{{model}}/{query}.npz" for query in OF_TABLES],
    params:
        jobs=lambda w: [job.how for job in slice_jobs(w)],
        most_are_found=True,
        code=lambda w: code_of(slice_jobs(w)),
    message:
        "Look up the words of the audit in {wildcards.model}"


use rule embed_texts as embed_audited_model with:
    input:
        unpack(lambda w: together(embedding_jobs(w), "query")),
    output:
        embeddings=[f"{PLAN.answers}/embeddings/{{model}}/{query}.parquet" for query in OF_NETWORKS],
        facts=f"{PLAN.answers}/embeddings/{{model}}/facts.json",
    params:
        jobs=lambda w: [job.how for job in embedding_jobs(w)],
        code=lambda w: code_of(embedding_jobs(w)),
    message:
        "Embed the words of the audit with {wildcards.model}"


if OF_NETWORKS:

    use rule slice_embeddings as slice_audited_embeddings with:
        input:
            unpack(lambda w: together(slice_jobs(w), "query", "embeddings")),
        output:
            slice=[f"{PLAN.answers}/slices/{{model}}/{query}.npz" for query in OF_NETWORKS],
        params:
            jobs=lambda w: [job.how for job in slice_jobs(w)],
            code=lambda w: code_of(slice_jobs(w)),
        message:
            "Look up the words of the audit in the embeddings of {wildcards.model}"


use rule score_query as score_audited_model with:
    input:
        unpack(lambda w: together(score_jobs(w), "slice")),
    output:
        scores=f"{PLAN.answers}/scores/{{model}}.parquet",
    params:
        cells=lambda w: [[*cell] for cell in cells_of(w)],
        jobs=lambda w: [job.how for job in score_jobs(w)],
        code=lambda w: code_of(score_jobs(w)),
    message:
        "Score the audit's queries on {wildcards.model}"


rule find_same_vectors:
    input:
        slices=run_files.slice_files(PLAN, AUDIT.slices),
    output:
        names="results/audit/{study}/same_vectors.json",
    params:
        how={
            "slices": [[*one] for one in AUDIT.slices],
            "model": PLAN.audited.model,
            "vectors": AUDIT.vectors,
        },
        code=fingerprint("fairflow.vectors.equal_vectors"),
    message:
        "Find out whether the vectors of {wildcards.study} are those of another model"
    script:
        "../../scripts/find_same_vectors.py"


rule write_audit_lines:
    input:
        read=[
            f"results/studies/{{study}}/{table}"
            for table in (
                "scores.parquet",
                "ranking.csv",
                "pairwise.csv",
                "coverage.csv",
                "quality.csv",
            )
        ],
        found=rules.find_same_vectors.output.names,
        facts=run_files.facts_files(PLAN, AUDIT.networks),
    output:
        lines="results/audit/{study}/lines.txt",
    params:
        said=audit_settings(PLAN, f"{PAGES}/report.html"),
        code=fingerprint("fairflow.studies.audit_lines"),
    message:
        "Say what was found of {wildcards.study}"
    script:
        "../../scripts/write_audit_lines.py"


# As variables of make, with which workflow/mend.sh has the audit made again.
use rule record_language_settings as record_audit_settings with:
    output:
        settings="results/audit/{study}/settings.json",
    params:
        settings=AUDIT_SETTINGS,
    message:
        "Record the settings of the audit {wildcards.study}"


use rule record_checksums as record_audit_checksums with:
    input:
        tables=run_files.table_files(PLAN),
        figures=rules.figures.input,
        page=f"{PAGES}/report.html",
        lines=rules.write_audit_lines.output,
        found=rules.find_same_vectors.output,
        words=rules.materialise_audit.output,
        slices=run_files.slice_files(PLAN, AUDIT.every_slice),
        embeddings=run_files.embedding_files(PLAN, AUDIT.embedded_slices),
        facts=run_files.facts_files(PLAN, AUDIT.networks),
        scores=run_files.score_files(PLAN, PLAN.cells),
        lengths=run_files.audit_files(AUDIT.static_models),
        settings=rules.record_audit_settings.output.settings,
    output:
        checksums="results/audit/{study}/checksums.sha256",
    message:
        "Record the checksums of the audit {wildcards.study}"
