#!/bin/sh
# Ends what start_slurm.sh started and cancels the jobs in its queue.
set -u
conf=/etc/slurm/slurm.conf
if ! grep -qs "# Written by start_slurm.sh of fairflow" "$conf"; then
    echo "stop_slurm.sh: this machine runs no SLURM of start_slurm.sh." >&2
    exit 1
fi
scancel --state=PENDING
scancel --state=RUNNING
for _ in $(seq 20); do
    [ -n "$(squeue --noheader)" ] || break
    sleep 0.5
done
for daemon in slurmd slurmctld; do
    kill "$(cat /run/$daemon.pid)"
done
kill "$(cat /run/munge/munged.pid)"
while pidof slurmd slurmctld munged >/dev/null; do sleep 0.2; done
rm -f "$conf"
