#!/bin/sh
# run.sh SNAKEMAKE...: runs the given snakemake command as the only one of its kind in this folder.
# With --logger fairflow among its options one line tells how far it is.
set -eu
. "$(dirname "$0")/alone.sh"
alone "$@"
exec "$@"
