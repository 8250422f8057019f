"""Words in the sentences of a corpus, by language models.

kind                     path                                                 made from
contexts                 results/contexts/STUDY.json                          texts, words
contextual_associations  results/contextual_associations/STUDY/MODEL.parquet  contexts, the files of the model
"""

contexts, contextual = job("contexts"), job("contextual_associations")
ENVIRONMENTS["embed_contexts"] = "language-models"


rule find_contexts:
    """Find sentences with the words of {wildcards.study}."""
    input:
        unpack(contexts.inputs),
    output:
        contexts=contexts.path,
    params:
        **contexts.params,
    script:
        "../../../scripts/nulls/find_contexts.py"


rule embed_contexts:
    """Embed the words of {wildcards.study} in their sentences with {wildcards.model}."""
    input:
        unpack(contextual.inputs),
    output:
        associations=update(contextual.path),
    # As for the other rules with torch.
    threads: 4
    params:
        **contextual.params,
    script:
        "../../../scripts/nulls/embed_contexts.py"
