"""How far scores can be trusted: norms, reliability, base pairs, published sets, word frequency."""


rule list_frequencies:
    """List how frequent words are in language {wildcards.language}."""
    output:
        shares="results/frequencies/{language}.parquet",
    params:
        code=fingerprint("fairflow.vectors.word_frequency"),
    script:
        "../../scripts/list_frequencies.py"


rule tabulate_validity:
    """Tabulate how far the scores of {wildcards.study} can be trusted."""
    input:
        unpack(study_job["tabulate_validity"].inputs),
        scores="results/studies/{study}/scores.parquet",
    output:
        tables_of("tabulate_validity"),
    wildcard_constraints:
        study=one_of([study.name for study in PLAN.studies.values() if study.validity_slices]),
    params:
        **study_job["tabulate_validity"].params,
    script:
        "../../scripts/tabulate_validity.py"
