#!/bin/sh
# Runs the given snakemake command as the only one of its kind in this folder. A run that was
# killed leaves Snakemake's own lock behind; since no other run holds ours, it may be removed.
set -eu
mkdir -p .snakemake
if command -v flock >/dev/null; then
    exec 9>.snakemake/run.lock
    if ! flock --nonblock 9; then
        echo "Another run is at work in this folder: wait for it, or stop it." >&2
        exit 1
    fi
    if [ -n "$(find .snakemake/locks -type f 2>/dev/null)" ]; then
        "$@" --unlock
    fi
fi
exec "$@"
