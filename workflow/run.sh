#!/bin/sh
# run.sh SNAKEMAKE...: runs the given snakemake command as the only one of its kind in this folder.
set -eu
. "$(dirname "$0")/alone.sh"
alone "$@"
exec "$@"
