"""A real SLURM of one node, on loopback: munged, slurmctld and slurmd of our own, with a configuration of their own."""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.live.served import free_port

from .engine import started, until

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "scancel")
"""Of Debian's munge, slurmctld, slurmd and slurm-client."""
PLACES = f"{os.environ['PATH']}{os.pathsep}/usr/sbin{os.pathsep}/sbin"
MISSING = [name for name in PROGRAMS if not shutil.which(name, path=PLACES)]
KILL_WAIT = 1
"""Seconds after which SLURM kills what it ended; sessions go on for longer than that."""
CONFIGURATION = """\
ClusterName=here
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={controller}
SlurmdPort={node}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=sched_interval=1
KillWait={kill_wait}
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=4000
PartitionName=all Nodes={host} Default=YES State=UP
"""
"""Two CPUs, whatever the machine has: a job of two workers is to fit."""


@dataclass(frozen=True)
class Cluster:
    """SLURM's commands, for its one node."""

    folder: Path

    def run(self, *command: Any, cwd: Path | None = None, **variables: str) -> str:
        """What a command prints; fails with what it says if it fails."""
        settings = {**os.environ, "PATH": PLACES, "SLURM_CONF": str(self.folder / "slurm.conf")}
        words = [str(word) for word in command]
        done = subprocess.run(
            words, cwd=cwd, env={**settings, **variables},
            capture_output=True, text=True, check=False, timeout=60,
        )  # fmt: skip
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}{self.logs()}"
        return done.stdout.strip()

    def state(self, job: str) -> str:
        """A job's state, as `scontrol` calls it."""
        return self.run("scontrol", "show", "job", job).partition("JobState=")[2].split()[0]

    def logs(self) -> str:
        """What its daemons said."""
        return "\n".join(log.read_text()[-2000:] for log in sorted(self.folder.glob("*.log")))


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A SLURM that takes jobs, until the block ends."""
    folder.chmod(0o755)
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(32))
    host = socket.gethostname().partition(".")[0]
    ports = {"controller": free_port(), "node": free_port(), "kill_wait": KILL_WAIT}
    text = CONFIGURATION.format(host=host, user=getpass.getuser(), folder=folder, **ports)
    (folder / "slurm.conf").write_text(text)
    found = Cluster(folder)
    munge = [f"--{name}={folder}/munge.{name}" for name in ("socket", "key-file", "pid-file")]
    munge = [*munge, f"--seed-file={folder}/seed", f"--log-file={folder}/munge.said"]
    munge[1] = f"--key-file={key}"
    daemons = {
        "munged": ["munged", "--foreground", "--force", *munge],
        "slurmctld": ["slurmctld", "-D"],
        "slurmd": ["slurmd", "-D", "-N", host],
    }
    settings = {**os.environ, "PATH": PLACES, "SLURM_CONF": str(folder / "slurm.conf")}
    with ExitStack() as stack:
        for name, command in daemons.items():
            program = shutil.which(command[0], path=PLACES)
            log = folder / f"{name}.log"
            stack.enter_context(started([program, *command[1:]], log, env=settings))
            if name == "munged":
                until((folder / "munge.socket").exists, "munged listens", found.logs)
        until(lambda: "idle" in found.run("sinfo", "-h"), "the node is idle", found.logs)
        yield found
        found.run("scancel", "--user", getpass.getuser())
        until(lambda: not found.run("squeue", "-h"), "all jobs are gone", found.logs)
