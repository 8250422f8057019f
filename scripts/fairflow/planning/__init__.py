"""From the configuration to the plan: models, queries, variants, studies, and where results lie."""
