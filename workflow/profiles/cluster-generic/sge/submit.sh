#!/bin/sh
# submit.sh THREADS MEGABYTES MINUTES OPTIONS JOBSCRIPT: prints the id of the job.
# The parallel environment may have another name than smp; h_vmem counts per slot.
set -eu
mkdir -p results/logs/cluster
# shellcheck disable=SC2086 # options are several words
exec qsub -terse -cwd -V -S /bin/sh -N fairflow -j y -o results/logs/cluster -pe smp "$1" \
    -l "h_vmem=$(($2 / $1))M,h_rt=$(($3 * 60))" $4 "$5"
