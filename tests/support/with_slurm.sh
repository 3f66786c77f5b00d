#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# with_slurm.sh FOLDER COMMAND...: runs a command beside a Slurm of its own, of two
# nodes on this machine, and returns its exit code.  As root, in a network of its own:
#
#     unshare --net sh with_slurm.sh FOLDER COMMAND...
#
# WITH_SLURM_CPUS=N: each node has so many processors (1).
# FOLDER, which is created, holds everything: the configuration, logs, and the process
# ids in ctld.pid, n1.pid and n2.pid.
set -eu
mkdir "$1"
folder=$(cd "$1" && pwd)
shift
chmod 755 "$folder"

# Slurm looks up addresses; those of the loopback alone do not count.
ip link set lo up
ip link add slurm0 type veth peer name slurm1
ip address add 10.99.0.1/24 dev slurm0
ip link set slurm0 up
ip link set slurm1 up

cat >"$folder/slurm.conf" <<END
ClusterName=test
SlurmctldHost=localhost(10.99.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
SlurmctldPidFile=$folder/ctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/ctld.log
SlurmdLogFile=$folder/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1
SlurmdTimeout=5
MailProg=/bin/true
NodeName=n1 NodeAddr=10.99.0.1 Port=6821 CPUs=${WITH_SLURM_CPUS:-1}
NodeName=n2 NodeAddr=10.99.0.1 Port=6822 CPUs=${WITH_SLURM_CPUS:-1}
PartitionName=all Nodes=n1,n2 Default=YES State=UP
END
export SLURM_CONF="$folder/slurm.conf"
mkdir "$folder/state" "$folder/n1" "$folder/n2"
dd if=/dev/urandom of="$folder/munge.key" bs=128 count=1 2>/dev/null
chmod 400 "$folder/munge.key"

ids=
finish()
{
    for id in $ids; do kill -9 "$id" 2>/dev/null || :; done
}
trap finish EXIT

# start PROGRAM...: in the background, with its output in a log.
start()
{
    "$@" >>"$folder/start.log" 2>&1 &
    ids="$ids $!"
}
start munged --foreground --force --key-file="$folder/munge.key" \
    --socket="$folder/munge.socket" --pid-file="$folder/munge.pid" \
    --log-file="$folder/munge.log" --seed-file="$folder/munge.seed"
while [ ! -S "$folder/munge.socket" ]; do :; done
start slurmctld -D
start slurmd -D -N n1
start slurmd -D -N n2
until [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" = 2 ]; do :; done

"$@"
