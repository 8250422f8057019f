#!/bin/sh
# status.sh ID: prints running, success or failed; the server must keep the history of jobs.
set -eu
qstat -x -f "$1" | awk '
    $1 == "job_state" { state = $3 }
    $1 == "Exit_status" { code = $3 }
    END { print state != "F" ? "running" : code == "0" ? "success" : "failed" }'
