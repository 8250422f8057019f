"""Published methods in worlds whose truth is known.

kind    path                             made from
method  results/methods/METHOD.parquet   nothing: worlds are drawn
"""

from fairflow.nulls.methods import SAID

method = job("method")
NAMES |= {"method": SAID}


rule try_method:
    """Try {wildcards.method} where nothing is to be found."""
    output:
        rows=method.path,
    params:
        **method.params,
    script:
        "../../../scripts/nulls/try_method.py"
