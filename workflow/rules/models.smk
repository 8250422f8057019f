"""From a catalogue entry, or another model, to vectors in word2vec format with an index."""


rule download_file:
    output:
        file="results/downloads/{download}",
    localrule: True
    params:
        sources=lambda w: PLAN.downloads[w.download].sources,
        size=lambda w: PLAN.downloads[w.download].size,
        checksum=lambda w: PLAN.downloads[w.download].checksum,
        names=lambda w: PLAN.downloads[w.download].names,
        uses=lambda w: PLAN.downloads[w.download].uses,
    message:
        "Download {params.names}"
    script:
        "../../scripts/download_file.py"


rule convert_model:
    input:
        source=lambda w: PLAN.models[w.model].file,
        words=lambda w: PLAN.models[w.model].word_files,
        beside=lambda w: PLAN.models[w.model].files_beside,
    output:
        vectors=f"{MODELS}/{{model}}/vectors",
        index=f"{MODELS}/{{model}}/index.sqlite",
        card=f"{MODELS}/{{model}}/card.json",
    wildcard_constraints:
        model=one_of(PLAN.convertible),
    params:
        entry=lambda w: PLAN.models[w.model].conversion,
        code=fingerprint("fairflow.vectors.convert"),
    message:
        "Convert {wildcards.model} to word2vec format and index it"
    script:
        "../../scripts/convert_model.py"


rule derive_model:
    input:
        unpack(base_of),
    output:
        derivation=f"{MODELS}/{{model}}/derivation.npz",
    wildcard_constraints:
        model=one_of(PLAN.derived),
    params:
        base=lambda w: PLAN.models[w.model].transform.base,
        transform=lambda w: PLAN.models[w.model].transform.name,
        parameters=lambda w: PLAN.models[w.model].transform.parameters,
        prefix=lambda w: PLAN.models[w.model].prefix,
        code=lambda w: fingerprint(
            "fairflow.vectors.derivation", PLAN.models[w.model].transform.module
        ),
    message:
        "Derive {wildcards.model} from the model that its entry names"
    script:
        "../../scripts/derive_model.py"


# Nothing needs it here: for those who want to use a derived model elsewhere.
rule write_model:
    input:
        unpack(store_of),
    output:
        vectors=f"{MODELS}/{{model}}/vectors",
    wildcard_constraints:
        model=one_of(PLAN.derived),
    params:
        code=fingerprint("fairflow.vectors.derivation"),
    message:
        "Write all vectors of {wildcards.model} in word2vec format"
    script:
        "../../scripts/write_model.py"


rule order_words:
    input:
        # A derived model has the words of its origin.
        vectors=lambda w: origin_of(w).store_files(MODELS)["vectors"],
        index=lambda w: origin_of(w).store_files(MODELS)["index"],
        card=lambda w: origin_of(w).store_files(MODELS)["card"],
    output:
        order="results/word_orders/{model}.json",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        frequency=lambda w: PLAN.models[w.model].frequency,
        code=fingerprint("fairflow.vectors.word_frequency"),
    message:
        "Decide what tells how frequent the words of {wildcards.model} are"
    script:
        "../../scripts/order_words.py"


rule audit_model:
    input:
        unpack(store_of),
    output:
        audit="results/audits/{model}.csv",
    wildcard_constraints:
        model=one_of(PLAN.static_models),
    params:
        code=fingerprint("fairflow.vectors.audit"),
    message:
        "Measure the vectors of {wildcards.model}"
    script:
        "../../scripts/audit_model.py"
