"""From a catalogue entry or another model to vectors in word2vec format with an index."""


rule download_file:
    """Download {params.how[names]}."""
    output:
        # A file that is there under its checksum is the one that is wanted, although scripts are newer.
        file=job("download").of(
            download=[
                name
                for name, one in PLAN.downloads.items()
                if not (one.checksum and os.path.isfile(f"results/downloads/{name}"))
            ]
        ),
    localrule: True
    params:
        **job("download").params,
    script:
        "../../scripts/download_file.py"


rule convert_model:
    """Convert {wildcards.model} to word2vec format and index it."""
    input:
        unpack(converted.inputs),
    output:
        vectors=converted.path,
        index=f"{MODELS}/{{model}}/index.sqlite",
        card=f"{MODELS}/{{model}}/card.json",
    wildcard_constraints:
        model=one_of(PLAN.convertible),
    params:
        **converted.params,
    script:
        "../../scripts/convert_model.py"


rule derive_model:
    """Derive {wildcards.model} from the model that its entry names."""
    input:
        unpack(derivation.inputs),
    output:
        derivation=derivation.of(model=PLAN.derived),
    params:
        **derivation.params,
    script:
        "../../scripts/derive_model.py"


# No other rule needs this file: it is for the use of a derived model in other programs.
rule write_model:
    """Write all vectors of {wildcards.model} in word2vec format."""
    input:
        unpack(whole.inputs),
    output:
        vectors=whole.of(model=PLAN.derived),
    params:
        **whole.params,
    script:
        "../../scripts/write_model.py"


rule record_model:
    """Record the checksums, lengths, quality and word frequencies of {wildcards.model}."""
    input:
        unpack(record.inputs),
    output:
        record=record.of(model=PLAN.static_models),
        order=job("order").path,
        norms=job("norms").path,
        quality=job("quality").path,
    params:
        **record.params,
    script:
        "../../scripts/record_model.py"


rule list_frequencies:
    """List how frequent words are in language {wildcards.language}."""
    output:
        shares="results/frequencies/{language}.parquet",
    params:
        code=fingerprint("fairflow.vectors.word_frequency"),
    script:
        "../../scripts/list_frequencies.py"
