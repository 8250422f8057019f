#!/bin/sh
# rebuild.sh SNAKEMAKE...: computes every recorded score again from what the models answered, and the
# tables and figures from the scores. Files of scores are removed first: a job would keep the right cells.
set -eu
. "$(dirname "$0")/alone.sh"
. "$(dirname "$0")/recorded_runs.sh"
alone "$@"

# rebuilt KINDS: the recorded results of these kinds.
rebuilt() { cut -c67- $whole_run $language_run | grep -E "^results/($1)/" | sort -u || true; }

if [ -z "$whole_run$language_run" ]; then
    echo "Nothing is recorded here: make run first." >&2
    exit 1
fi
lost=$(rebuilt 'slices|tokens|completions' | while IFS= read -r path; do [ -f "$path" ] || echo "$path"; done)
if [ -n "$lost" ]; then
    echo "What the models answered is not here: make run, or make run-lm, makes it again." >&2
    echo "$lost" >&2
    exit 1
fi
rebuilt 'scores|item_scores' | while IFS= read -r path; do
    part=results/partial/${path#results/}
    rm -f "$path" "${part%.parquet}"/*
done

target_of_whole=products
target_of_language=language_results
forced_whole='--forcerun
score_queries
score_items'
forced_language=$forced_whole
each_recorded_run "$@"
