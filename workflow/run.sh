#!/bin/sh
# Runs the given snakemake command as the only one of its kind in this folder. A run that was
# killed leaves Snakemake's own lock behind, and under SLURM its jobs, which would write the files
# of the new ones; since no other run holds ours, both may be removed.
set -eu

jobs_left() {
    squeue --user="$(id -un)" --noheader --format='%i %j %Z' |
        awk -v folder="$(pwd -P)" '$2 ~ /^fairflow_/ && substr($0, index($0, $3)) == folder { print $1 }'
}

# A run that was not started by this script, such as a plain snakemake.
other_run() {
    for process in /proc/[0-9]*; do
        if [ "$(readlink "$process/cwd" 2>/dev/null)" = "$(pwd -P)" ]; then
            tr '\0' ' ' 2>/dev/null <"$process/cmdline" || true
            echo
        fi
    done | grep -v -e ' --mode ' | grep -E -q '^[^ ]*python[0-9.]* (-m )?([^ ]*/)?snakemake '
}

mkdir -p .snakemake
if command -v flock >/dev/null; then
    exec 9>.snakemake/run.lock
    if ! flock --nonblock 9; then
        echo "Another run is at work in this folder: wait for it, or stop it." >&2
        exit 1
    fi
    if [ -n "$(find .snakemake/locks -type f 2>/dev/null)" ]; then
        if other_run; then
            echo "Another snakemake is at work in this folder: wait for it, or stop it." >&2
            exit 1
        fi
        if command -v squeue >/dev/null && [ -n "$(jobs_left)" ]; then
            echo "Cancelling the SLURM jobs of a run that was killed." >&2
            jobs_left | xargs scancel
            while [ -n "$(jobs_left)" ]; do sleep 1; done
        fi
        rm -rf .snakemake/locks
    fi
fi
exec "$@"
