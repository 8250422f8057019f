"""The tables of nulls."""

from fairflow.nulls import CONTEXTS
from fairflow.nulls.ceat_tables import tables_of_contexts

MAKERS = {CONTEXTS: tables_of_contexts}
