"""Language models in a plan: the models, their queries, what studies have of them, and faults."""
