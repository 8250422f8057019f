"""Models before and after: differences over the same words, and the table of them."""


rule compare_pairs:
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
    message:
        "Compare {wildcards.model} in {wildcards.study} with what it comes of"
    script:
        "../../scripts/compare_pairs.py"


rule tabulate_before_after:
    input:
        scores="results/studies/{study}/scores.parquet",
        differences=lambda w: run_files.difference_files(PLAN.studies[w.study]),
    output:
        tables_of("tabulate_before_after"),
    params:
        before=of_study("before"),
        after=of_study("after"),
        directions=of_study("directions"),
        scaling=of_study("scaling"),
        code=fingerprint("fairflow.studies.before_after", "fairflow.files.tables"),
    message:
        "Tabulate what {wildcards.study} shows before and after"
    script:
        "../../scripts/tabulate_before_after.py"
