#!/bin/sh
# verify.sh SNAKEMAKE...: checks that the results are as recorded, and that the configuration and the
# code have not changed since. Changes nothing.
set -eu
. "$(dirname "$0")/recorded_runs.sh"

faults=0
PYTHONPATH="$(dirname "$0")/../scripts" "$python" -P -m fairflow.provenance.verify || faults=1

planned() {
    if ! plan=$("$@" 2>&1); then
        echo "$plan" >&2
        faults=1
        return
    fi
    jobs=$(echo "$plan" | awk '/^total /{ exit } stats && !/^job |^-|^all /{ print $2, $1 } /^Job stats:/{ stats = 1 }' | paste -sd, | sed 's/,/, /g')
    if [ -n "$jobs" ]; then
        echo "A file is missing, this is a copy with new dates (cp -a leaves them)," \
            "or configuration or code have changed since the run; make run does $jobs." >&2
        faults=1
    fi
}

# An unpacked archive has no record of Snakemake; the checksums of its workflow are compared instead.
if ! grep -qs '^archive: true' config/config.yaml; then
    each_recorded_run planned "$@" --dry-run
fi
exit "$faults"
