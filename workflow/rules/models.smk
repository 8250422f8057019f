"""From a catalogue entry or another model to vectors in word2vec format with an index."""


rule download_file:
    """Download {params.names}."""
    output:
        file="results/downloads/{download}",
    wildcard_constraints:
        # A file that is there under its checksum is the one that is wanted, although scripts are newer.
        download=one_of(
            name
            for name, one in PLAN.downloads.items()
            if not (one.checksum and os.path.isfile(f"results/downloads/{name}"))
        ),
    localrule: True
    params:
        sources=of_download("sources"),
        size=of_download("size"),
        checksum=of_download("checksum"),
        names=of_download("names"),
        uses=of_download("uses"),
    script:
        "../../scripts/download_file.py"


rule convert_model:
    """Convert {wildcards.model} to word2vec format and index it."""
    input:
        source=of_model("file"),
        words=of_model("word_files"),
        beside=of_model("files_beside"),
    output:
        vectors=f"{MODELS}/{{model}}/vectors",
        index=f"{MODELS}/{{model}}/index.sqlite",
        card=f"{MODELS}/{{model}}/card.json",
    wildcard_constraints:
        model=one_of(PLAN.convertible),
    params:
        entry=of_model("conversion"),
        code=fingerprint("fairflow.vectors.convert"),
    script:
        "../../scripts/convert_model.py"


rule derive_model:
    """Derive {wildcards.model} from the model that its entry names."""
    input:
        unpack(lambda w: PLAN.models[w.model].base.store_files(MODELS)),
    output:
        derivation=f"{MODELS}/{{model}}/derivation.npz",
    wildcard_constraints:
        model=one_of(PLAN.derived),
    params:
        base=of_model("transform.base"),
        transform=of_model("transform.name"),
        parameters=of_model("transform.parameters"),
        prefix=of_model("prefix"),
        code=lambda w: fingerprint(
            "fairflow.vectors.derivation", PLAN.models[w.model].transform.module
        ),
    script:
        "../../scripts/derive_model.py"


# No other rule needs this file: it is for the use of a derived model in other programs.
rule write_model:
    """Write all vectors of {wildcards.model} in word2vec format."""
    input:
        unpack(store_of),
    output:
        vectors=f"{MODELS}/{{model}}/vectors",
    wildcard_constraints:
        model=one_of(PLAN.derived),
    params:
        code=fingerprint("fairflow.vectors.derivation"),
    script:
        "../../scripts/write_model.py"


rule order_words:
    """Find the source of word frequencies for {wildcards.model}."""
    input:
        # A derived model has the words of its origin.
        unpack(lambda w: PLAN.models[w.model].origin.store_files(MODELS)),
    output:
        order="results/word_orders/{model}.json",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        frequency=of_model("frequency"),
        code=fingerprint("fairflow.vectors.word_frequency"),
    script:
        "../../scripts/order_words.py"


rule measure_vector_norms:
    """Measure the norms of the vectors of {wildcards.model}."""
    input:
        unpack(store_of),
    output:
        norms="results/vector_norms/{model}.csv",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        code=fingerprint("fairflow.vectors.directions"),
    script:
        "../../scripts/measure_vector_norms.py"
