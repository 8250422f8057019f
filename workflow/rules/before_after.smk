"""Models before and after: differences over the same words, what remains, and what was lost."""


rule compare_pairs:
    """Compare {wildcards.model} in {wildcards.study} with what it comes of."""
    input:
        before=lambda w: run_files.slice_files(PLAN, [b for b, _ in pairs_of(w).slices]),
        after=lambda w: run_files.slice_files(PLAN, [a for _, a in pairs_of(w).slices]),
    output:
        differences="results/differences/{study}/{model}.parquet",
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.after]),
    params:
        queries=lambda w: [after.query for _, after in pairs_of(w).slices],
        cells=lambda w: [[[*cell] for cell in pair] for pair in pairs_of(w).cells],
        variants=lambda w: {name: PLAN.metrics[name].definition for name in pairs_of(w).metrics},
        seed=PLAN.seed,
        statistics=JOBS.statistics,
        code=lambda w: fingerprint(
            "fairflow.scores.paired_cell",
            *(PLAN.metrics[name].module for name in pairs_of(w).metrics),
        ),
    script:
        "../../scripts/compare_pairs.py"


rule measure_remains:
    """Measure what remains in {wildcards.model} for {wildcards.study}."""
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
        code=fingerprint("fairflow.studies.residual_bias", "fairflow.vectors.derivation"),
    script:
        "../../scripts/measure_remains.py"


rule tabulate_before_after:
    """Tabulate what {wildcards.study} shows before and after, what remains and what was lost."""
    input:
        scores="results/studies/{study}/scores.parquet",
        differences=lambda w: run_files.difference_files(PLAN.studies[w.study]),
        findings=lambda w: run_files.findings_files(PLAN.studies[w.study]),
    output:
        tables_of("tabulate_before_after"),
    params:
        before=of_study("before"),
        after=of_study("after"),
        directions=of_study("directions"),
        scaling=of_study("scaling"),
        labels=lambda w: remains_of(w).labels,
        level=PLAN.statistics.level,
        seed=PLAN.seed,
        code=fingerprint("fairflow.studies.before_after", "fairflow.files.tables"),
    script:
        "../../scripts/tabulate_before_after.py"
