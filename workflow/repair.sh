#!/bin/sh
# repair.sh SNAKEMAKE...: removes files that differ from the record of the run and computes them again.
set -eu
. "$(dirname "$0")/alone.sh"
. "$(dirname "$0")/recorded_runs.sh"
alone "$@"

before=$(mktemp)
trap 'rm -f "$before"' EXIT
recorded() { find results/provenance results/audit -name 'checksums*.sha256' -exec cat {} + 2>/dev/null || true; }
recorded >"$before"

all_asked=$(PYTHONPATH="$(dirname "$0")/../scripts" "$python" -P -m fairflow.provenance.verify --repair)
# The records are always written again, because they may have changed themselves.
asked=$(echo "$all_asked" | grep -v '/checksums[^/]*\.sha256$' || true)
asked_of_whole=$(echo "$all_asked" | grep '^results/provenance/checksums' || true)
forced_whole=--forcerun=record_checksums
forced_language=$forced_whole
each_recorded_run "$@"

for record in $(echo "$all_asked" | grep '^results/audit/.*/checksums\.sha256$'); do
    "$python" -P "$(dirname "$0")/asked.py" --of "${record%checksums.sha256}settings.json" "$@" --config \
        audit=@MODEL audit_name=@NAME audit_preset=@PRESET audit_language=@LISTS audit_format=@FORMAT \
        audit_pooling=@POOLING 'audit_references=[@AGAINST]' -- audit
done

recorded | awk '
    { path = substr($0, 67) }
    NR == FNR { recorded[path] = $1; next }
    path in recorded && recorded[path] != $1 { print path ": differs from the earlier record" }' \
    "$before" - >&2
