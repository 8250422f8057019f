# alone SNAKEMAKE...: makes this the only run in this folder until the script ends, or ends it.
#
# A killed run leaves Snakemake's own lock behind, and under SLURM its jobs, which would write the same
# files as the new ones. Both are removed if no Snakemake is running here: each one, however it was
# started, holds .snakemake/at_work.lock (workflow/rules/common.smk), which the system releases when a
# process ends.

# Where Snakemake finds the logger plugin of this workflow.
PYTHONPATH=$(cd "$(dirname "$0")/../scripts" && pwd)${PYTHONPATH:+:$PYTHONPATH}
# Nothing is imported from the working folder: python -P.
PYTHONSAFEPATH=1
export PYTHONPATH PYTHONSAFEPATH

alone() {
    mkdir -p .snakemake
    command -v flock >/dev/null || return 0
    exec 9>.snakemake/run.lock
    if ! flock --nonblock 9; then
        echo "Another run uses this folder: wait for it, or stop it." >&2
        exit 1
    fi
    [ -n "$(find .snakemake/locks -type f 2>/dev/null)" ] || return 0
    if ! flock --nonblock .snakemake/at_work.lock true; then
        echo "Another snakemake uses this folder: wait for it, or stop it." >&2
        exit 1
    fi
    if command -v squeue >/dev/null && [ -n "$(jobs_left)" ]; then
        echo "Cancelling the SLURM jobs of a run that was killed." >&2
        jobs_left | xargs scancel
        while [ -n "$(jobs_left)" ]; do sleep 1; done
    fi
    unlock "$@"
}

jobs_left() {
    squeue --user="$(id -un)" --noheader --format='%i %j %Z' |
        awk -v folder="$(pwd -P)" '$2 ~ /^fairflow_/ && substr($0, index($0, $3)) == folder { print $1 }'
}

# The given command with --unlock before its other arguments.
unlock() {
    given=$#
    option=--unlock
    for word in "$@"; do
        set -- "$@" "$word"
        case $word in
        snakemake | */snakemake)
            set -- "$@" $option
            option=
            ;;
        esac
    done
    shift "$given"
    "$@" 2>.snakemake/unlock.log || { cat .snakemake/unlock.log >&2; exit 1; }
}
