"""What published methods find where nothing is, intersections, and words in many contexts."""

# Kinds of its tables: of methods, of queries with two contrasts (by the metric of this name), and
# of words in contexts.
METHODS, CROSSED, CONTEXTS = "methods", "intersections", "contexts"
