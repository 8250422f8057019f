"""Co-occurrences as one dense table, of a sample small enough for it."""

import numpy as np

from fairflow.corpora.cooccurrence import count_pairs


def whole_table(sample, rows, columns, window):
    """(rows, columns) counts of the bands."""
    return np.vstack([counts.toarray() for _, counts in count_pairs(sample, rows, columns, window)])
