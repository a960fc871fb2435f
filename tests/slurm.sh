#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# slurm.sh BIN: a run in shards under a Slurm of its own on this machine, beside the same run alone.
# Installs slurm-wlm and munge where they are missing; starts and stops its own munged, slurmctld
# and slurmd, with keys, configuration and state in a folder that is removed at the end.
set -u
bin=$(cd "$1" && pwd) || exit 1
give_up() {
    echo "check-slurm: $*" >&2
    exit 1
}
[ "$(id -u)" -eq 0 ] || give_up "needs root: munged and slurmd change user"
if ! command -v slurmctld slurmd munged sbatch >/dev/null; then
    command -v apt-get >/dev/null || give_up "needs slurm-wlm and munge"
    echo "installing slurm-wlm munge"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        slurm-wlm munge >/dev/null || give_up "apt-get failed"
fi

dir=$(mktemp -d /tmp/cgct_slurm_XXXXXX) || exit 1
chmod 755 "$dir"
daemons=()
stop() {
    local i
    for ((i = ${#daemons[@]} - 1; i >= 0; i--)); do
        kill "${daemons[i]}" 2>/dev/null
        wait "${daemons[i]}" 2>/dev/null
    done
    rm -rf "$dir"
}
trap stop EXIT

dd if=/dev/urandom of="$dir/munge.key" bs=128 count=1 status=none
chmod 400 "$dir/munge.key"
munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" \
    --pid-file="$dir/munged.pid" --seed-file="$dir/munge.seed" --log-file="$dir/munged.log" \
    >"$dir/munged.out" 2>&1 &
daemons+=($!)
host=$(hostname -s)
port=$((20000 + $$ % 20000))
mkdir -p "$dir/state" "$dir/spool"
cat >"$dir/slurm.conf" <<CONF
ClusterName=check
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MpiDefault=none
ReturnToService=2
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
SwitchType=switch/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=800 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
export SLURM_CONF="$dir/slurm.conf"
for n in $(seq 20); do
    [ -S "$dir/munge.socket" ] && break
    sleep 0.5
done
[ -S "$dir/munge.socket" ] || give_up "munged does not start: $(tail -n 2 "$dir/munged.out")"
slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.out" 2>&1 &
daemons+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/slurmd.out" 2>&1 &
daemons+=($!)
for n in $(seq 60); do
    sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix|alloc)$' && break
    sleep 0.5
done
sinfo -h -o %t 2>/dev/null | grep -qE '^(idle|mix|alloc)$' || {
    tail -n 5 "$dir"/slurm*.out "$dir"/slurm*.log >&2
    give_up "slurmctld or slurmd does not start here: $(sinfo 2>&1 | tail -n 1)"
}
echo "slurm $(slurmd -V | cut -d' ' -f2) on $host, $(nproc) processors"

cat >"$dir/t.card" <<'CARD'
[axes]
x = geom 1e-3 1e-2 3
eps = geom 1 4 3
q = 0.5,1
k_max = 3
[accuracy]
tolerance = 1e-2
checks = 1
CARD
cd "$dir" || exit 1
"$bin/cgctab-generate" run t.card -o alone.cgct --quiet || give_up "run failed"
# a name that a shell, sbatch's --export and its names of files would take apart; -x shows what runs
name="it's a,b%j table.cgct"
"$bin/cgctab-generate" slurm t.card --nodes 4 -o "$name" --jobs 2 --sbatch=--mem-per-cpu=100 \
    >submit.sh || give_up "slurm failed"
sed -i 's/^shard=/set -x; shard=/' submit.sh
sh submit.sh | tee submitted || give_up "submit.sh failed"
merge=$(sed 's/.*merge job //' submitted)
while [ -n "$(squeue -h -j "$merge" -o %T 2>/dev/null)" ]; do
    [ $SECONDS -lt 300 ] || give_up "the jobs have not ended after 300 s: $(squeue)"
    sleep 0.25
done
cat "$name".*.log
scontrol show job "$merge" | grep -E 'JobState|Dependency' | sed 's/^ */merge: /'
[ "$(cat "$name".?.log | grep -c -- '--jobs 2 --set run.memory=0.15625')" -eq 4 ] ||
    give_up "the shards have not four fifths of the memory of two processors"
cmp alone.cgct "$name" || give_up "the merged table differs from the single run"
for n in 1 2 3 4; do
    [ ! -e "$name.$n" ] || give_up "shard $n is left behind"
done
echo "check-slurm: 4 shards merged under Slurm, identical to the single run"
