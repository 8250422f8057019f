"""What debiasing leaves of a bias, and what vectors are good for before and after it."""


rule measure_remains:
    input:
        unpack(store_of),
        unpack(before_of),
        benchmarks=lambda w: remains_of(w).files,
    output:
        findings="results/remains/{study}/{model}.npz",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
        study=one_of([name for name, study in PLAN.studies.items() if study.remains]),
    params:
        names=lambda w: [PLAN.studies[w.study].before, w.model],
        prefixes=lambda w: [
            PLAN.models[name].prefix for name in (PLAN.studies[w.study].before, w.model)
        ],
        settings=lambda w: remains_of(w).settings,
        benchmarks=lambda w: remains_of(w).reading,
        curated=lambda w: PLAN.models[PLAN.studies[w.study].before].frequency["curated"],
        code=fingerprint("fairflow.remains.measure", "fairflow.vectors.derivation"),
    message:
        "Measure what remains in {wildcards.model} for {wildcards.study}"
    script:
        "../../scripts/measure_remains.py"


rule tabulate_what_remains:
    input:
        findings=lambda w: run_files.findings_files(PLAN.studies[w.study]),
    output:
        tables_of("tabulate_what_remains"),
    params:
        before=lambda w: PLAN.studies[w.study].before,
        labels=lambda w: remains_of(w).labels,
        level=PLAN.statistics.level,
        seed=PLAN.seed,
        code=fingerprint("fairflow.studies.before_after", "fairflow.files.tables"),
    message:
        "Tabulate what remains and what was lost in {wildcards.study}"
    script:
        "../../scripts/tabulate_what_remains.py"
