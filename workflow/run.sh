#!/bin/sh
# run.sh SNAKEMAKE...: runs the given snakemake command, unless another one runs in this folder.
# With the option --logger fairflow one line shows the progress.
set -eu
. "$(dirname "$0")/alone.sh"
alone "$@"
exec "$@"
