#!/bin/sh
# submit.sh THREADS MEGABYTES MINUTES OPTIONS JOBSCRIPT: prints the id of the job.
set -eu
mkdir -p results/logs/cluster
# shellcheck disable=SC2086 # options are several words
bsub -J fairflow -o results/logs/cluster/%J.log -n "$1" -M "$2MB" -W "$3" \
    -R "span[hosts=1] rusage[mem=$2MB]" $4 "$5" | sed -n 's/^Job <\([0-9]*\)>.*/\1/p'
