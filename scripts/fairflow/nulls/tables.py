"""The tables of nulls."""

from fairflow.nulls import CONTEXTS, CROSSED, METHODS
from fairflow.nulls.ceat_tables import tables_of_contexts
from fairflow.nulls.intersections import tables_of_crossed
from fairflow.nulls.method_tables import tables_of_methods

MAKERS = {CONTEXTS: tables_of_contexts, CROSSED: tables_of_crossed, METHODS: tables_of_methods}
