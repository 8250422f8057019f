#!/bin/sh
# submit.sh THREADS MEGABYTES MINUTES OPTIONS JOBSCRIPT: prints the id of the job.
set -eu
mkdir -p results/logs/cluster
# shellcheck disable=SC2086 # options are several words
exec qsub -V -N fairflow -j oe -o "$PWD/results/logs/cluster/" \
    -l "select=1:ncpus=$1:mem=$2mb" -l "walltime=$(($3 * 60))" $4 "$5"
