"""Published methods in worlds whose truth is known; words in the sentences of a corpus.

kind                     path                                                 made from
method                   results/methods/METHOD.parquet                       nothing: worlds are drawn
contexts                 results/contexts/STUDY.json                          texts, words
contextual_associations  results/contextual_associations/STUDY/MODEL.parquet  contexts, the files of the model
"""

from fairflow.nulls.methods import SAID

method = job("method")
NAMES |= {"method": SAID}
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


rule try_method:
    """Try {wildcards.method} where nothing is to be found."""
    output:
        rows=method.path,
    params:
        **method.params,
    script:
        "../../../scripts/nulls/try_method.py"
