"""What the run of the default studies makes in addition."""

# Figure that the README shows -> where the run makes it.
OF_README = {
    "weat_replication": "weat_replication/published_comparison",
    "debiasing": "debiasing/before_after",
}
