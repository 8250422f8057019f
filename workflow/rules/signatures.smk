"""What Snakemake works out for each job is worked out once: a sixth of planning thousands of jobs."""

from functools import cache
from inspect import isfunction, signature

import smart_open

from snakemake.common import overwrite_function_params
from snakemake.resources import Resource


def function_of(item):
    """The function that an input or a parameter is, if it is one."""
    item = getattr(item, "_file", item)
    return getattr(item, "callable", item)


# Snakemake asks each function several times a job which arguments it takes, and Python would
# derive them from the function each time.
functions = [function_of(item) for one in workflow.rules for item in (*one.input, *one.params)]
for function in (*filter(isfunction, functions), Resource.evaluate):
    overwrite_function_params(function, signature(function).parameters)

# Snakemake parses the path of each job's script and environment, and smart_open would define a class
# each time.
smart_open.parse_uri = cache(smart_open.parse_uri)
