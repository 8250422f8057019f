#!/bin/sh
# mend.sh SNAKEMAKE...: removes what is not as the run recorded it and has it made again.
set -eu
. "$(dirname "$0")/alone.sh"
. "$(dirname "$0")/recorded_runs.sh"
alone "$@"

before=$(mktemp)
trap 'rm -f "$before"' EXIT
cat $whole_run $language_run /dev/null >"$before"

asked=$(PYTHONPATH="$(dirname "$0")/../scripts" "${PYTHON:-.venv/bin/python}" -m fairflow.provenance.mend)
# The records are written again whatever else has to be, as they may be what has changed.
forced_whole=--forcerun=record_checksums
forced_language=--forcerun=record_language_checksums
each_recorded_run "$@"

cat $whole_run $language_run /dev/null | awk '
    { path = substr($0, 67) }
    NR == FNR { recorded[path] = $1; next }
    path in recorded && recorded[path] != $1 { print path ": not as it was recorded before" }' \
    "$before" - >&2
