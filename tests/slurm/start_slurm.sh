#!/bin/sh
# Makes this machine a SLURM cluster of one node, to try workflow/profiles/slurm without a cluster.
# Run as root on Debian or Ubuntu; it installs slurm-wlm and munge where they are missing and needs
# neither systemd nor cgroups nor an accounting database. stop_slurm.sh ends it.
set -eu

say() { echo "start_slurm.sh: $*" >&2; }
mark="# Written by start_slurm.sh of fairflow"
conf=/etc/slurm/slurm.conf

if [ "$(id -u)" -ne 0 ]; then
    say "must run as root."
    exit 1
fi
if [ -e "$conf" ] && ! grep -q "$mark" "$conf"; then
    say "$conf is not mine: this machine belongs to a cluster already."
    exit 1
fi
if ! command -v slurmctld >/dev/null || ! command -v munged >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends slurm-wlm munge
fi
if pidof slurmctld >/dev/null && sinfo --noheader >/dev/null 2>&1; then
    say "SLURM runs already."
    exit 0
fi

node=$(hostname -s)
memory=$(awk '/^MemTotal/ { print int($2 / 1024 * 0.9) }' /proc/meminfo)
mkdir -p /etc/slurm /run/munge /var/spool/slurmd /var/spool/slurmctld /var/log/slurm
chown munge: /run/munge
chmod 0755 /run/munge

# MinJobAge must be at least three times slurm-init-seconds-before-status-checks of the profile:
# squeue reports a job's end only for that long. OverMemoryKill replaces cgroups. cred_expire is
# how long a job waits that went back into the queue because its node died; 120 otherwise.
cat >"$conf" <<CONF
$mark
ClusterName=one
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=cred_expire=5
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,batch_sched_delay=0,bf_interval=1
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
MinJobAge=600
KillWait=2
DefMemPerCPU=500
StateSaveLocation=/var/spool/slurmctld
SlurmdSpoolDir=/var/spool/slurmd
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd.log
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) RealMemory=$memory State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

pidof munged >/dev/null || runuser -u munge -- munged
slurmctld -c
slurmd
for _ in $(seq 60); do
    if sinfo --noheader --format=%T 2>/dev/null | grep -q idle; then
        sinfo
        exit 0
    fi
    sleep 0.5
done
say "the node is not ready after 30 seconds; see /var/log/slurm."
exit 1
