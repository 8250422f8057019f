"""The tables of nulls."""

from fairflow.nulls import CONTEXTS, METHODS
from fairflow.nulls.ceat_tables import tables_of_contexts
from fairflow.nulls.method_tables import tables_of_methods

MAKERS = {CONTEXTS: tables_of_contexts, METHODS: tables_of_methods}
