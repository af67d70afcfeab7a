#!/usr/bin/env bash
# goldmem sweep --slurm on a real Slurm: a controller and two nodes, each of two processors, on this machine, in a temporary
# folder. A sweep of a thousand runs, during which one node's daemon and all that it runs are killed, gives the table of the sweep
# without Slurm; a run that is requeued in its middle goes on from its checkpoint. Usage: regress-slurm.sh GOLDMEM [RUNS]
set -euo pipefail
goldmem=$(realpath "$1")
runs=${2:-1000}
folder=$(mktemp -d)
chmod 755 "$folder"
export SLURM_CONF=$folder/slurm.conf
PATH=$PATH:/usr/sbin

fail() {
    echo "regress-slurm: $*" >&2
    tail -n 5 "$folder"/log/* >&2
    exit 1
}

# Kills a node at once while it has work: its daemon, its steps and what they run. A step's socket is spool-NODE/NODE_JOB.STEP.
kill_node() {
    local socket job step killed=0
    until compgen -G "$folder/spool-$1/$1_*.*" >/dev/null; do sleep 0.01; done
    kill -9 "$(cat "$folder/slurmd-$1.pid")"
    for socket in "$folder/spool-$1/$1"_*.*; do
        job=${socket##*_}
        for step in $(pgrep -f "^slurmstepd: \\[${job%.*}\\." || true); do
            pkill -9 -P "$step" || true
            kill -9 "$step" && killed=$((killed + 1))
        done
    done
    echo "node $1 killed, with $killed of its jobs"
}

end_cluster() {
    for daemon in slurmctld slurmd-n1 slurmd-n2 munged; do
        if [ -e "$folder/$daemon.pid" ]; then kill "$(cat "$folder/$daemon.pid")" 2>/dev/null || true; fi
    done
    sleep 1
    rm -rf "$folder"
}
trap end_cluster EXIT

begin_cluster() {
    local host
    host=$(hostname -s)
    mkdir -p "$folder"/{state,spool-n1,spool-n2,log}
    dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 status=none
    chmod 400 "$folder/munge.key"
    munged --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --log-file="$folder/log/munged" --seed-file="$folder/munge.seed"
    cat >"$SLURM_CONF" <<EOF
ClusterName=goldmem
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=26817
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd-%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=10
KillWait=5
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=26821 CPUs=2
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=26822 CPUs=2
PartitionName=main Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
EOF
    slurmctld
    slurmd -N n1
    slurmd -N n2
    for _ in $(seq 60); do
        if [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ]; then return; fi
        sleep 1
    done
    fail "the nodes do not come up"
}

# A thousand runs, one node of two lost after a fifth of them.
lose_a_node() {
    local sweep=$folder/many.yaml done_before
    {
        echo "inputs:"
        for i in $(seq "$((runs / 4))"); do echo "  - workload:vectoradd,n=$((32 * i))"; done
        echo "set: {gpu.sms: 1}"
        echo "grid: {l1.ways: [4, full], l1.index: [sequential, xor]}"
    } >"$sweep"
    "$goldmem" sweep -q -j 2 -o "$folder/here" "$sweep" >"$folder/here.txt"
    "$goldmem" sweep --slurm -o "$folder/slurm" --wait "$sweep" >"$folder/slurm.txt" 2>&1 &
    local waits=$!
    while [ "$(find "$folder/slurm/runs" -name '*.json' 2>/dev/null | wc -l)" -lt $((runs / 5)) ]; do
        kill -0 $waits 2>/dev/null || fail "$(cat "$folder/slurm.txt")"
        sleep 0.2
    done
    done_before=$(find "$folder/slurm/runs" -name '*.json' | wc -l)
    kill_node n2
    wait $waits || fail "$(cat "$folder/slurm.txt")"
    cmp "$folder/here/results.csv" "$folder/slurm/results.csv" || fail "the tables differ"
    [ "$(grep -c ',done,' "$folder/slurm/results.csv")" -eq "$runs" ] || fail "runs without a result"
    [ "$(sinfo -h -n n2 -o %t)" != idle ] || fail "node n2 was not lost"
    echo "$runs runs: node n2 killed after $done_before of them; the table is that of the sweep without Slurm"
}

# within SECONDS COMMAND...: true as soon as the command is, false if it is not in that time
within() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# One long run, requeued when its first checkpoint is there.
requeue() {
    local sweep=$folder/long.yaml job
    echo '{inputs: ["workload:syrk,n=64"], set: {preset: gtx480}}' >"$sweep"
    "$goldmem" sweep -q -o "$folder/long-here" "$sweep" >"$folder/here.txt"
    "$goldmem" sweep --slurm --checkpoint-every=1000000 -o "$folder/long" "$sweep" >"$folder/slurm.txt"
    job=$(sed -n 's/^job \([0-9]*\): 1 runs$/\1/p' "$folder/slurm.txt")
    within 300 compgen -G "$folder/long/runs/*.checkpoint" >/dev/null || fail "no checkpoint"
    scontrol requeue "${job}_0"
    # Slurm holds a requeued job back for two minutes; a busy machine for longer.
    within 900 pgrep -f "$folder/long/runs/.* --resume=$folder/long/runs/" >/dev/null || fail "the run does not go on from its checkpoint"
    while ! [ -e "$folder/long/results.csv" ]; do sleep 0.5; done
    cmp "$folder/long-here/results.csv" "$folder/long/results.csv" || fail "the requeued run gave another result"
    echo "a requeued run went on from its checkpoint, with the counters of the run without Slurm"
}

begin_cluster
requeue
lose_a_node
