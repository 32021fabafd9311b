"""Confinement of a session from within, by resource limits and Landlock."""

import contextlib
import os
import resource

from . import linux

# Rights of Landlock: execute, read files, list folders.
_LIST = 1 << 3
_READ = (1 << 0) | (1 << 2) | _LIST
# Rights that can be granted for a single file: execute, write, read, truncate, device control.
_OF_FILES = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14) | (1 << 15)
_TCP = 0b11  # bind and connect: LANDLOCK_ACCESS_NET_* of linux/landlock.h
_SCOPES = 0b11  # abstract sockets and signals: LANDLOCK_SCOPE_*
# The parts of /proc that programs read and that belong to no process.
_OF_MACHINE = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version")

MEGABYTE = 1024 * 1024  # in bytes
SPARE = 1024
"""Maximum processes that all sessions may start together, if they share a user."""
FILES = 256
"""Maximum open files per process: more than programs need, but few compared with the machine's limit."""
FILES_OF_DISPLAYS = 1024
"""Maximum open files of a process with windows; a browser has hundreds."""
DATA_OF_DISPLAYS = 8 << 30
"""Bytes that a process with windows may reserve; the meter ends a session based on its actual use."""


def _handled(version: int) -> int:
    newer = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # move between folders, truncate, ioctl
    return (1 << 13) - 1 | sum(right for since, right in newer if version >= since)


def restrict_files(readable: list[str], writable: list[str], masked: list[str]) -> None:
    """Restrict this process to these paths by Landlock. Also forbid TCP, and signals to other processes.

    A masked path below a readable path stays closed, but the names in the folders above it can be listed.
    """
    version = linux.landlock_version()
    handled = _handled(version)
    rules = [rule for path in readable for rule in _carved(path, masked)]
    rules += [(path, handled) for path in writable]
    _enforce(rules, handled, _TCP if version >= 4 else 0)


def separate(readable: list[str]) -> None:
    """Isolate this process from its parent with its own Landlock layer.

    The process cannot signal its parent, and can read only the given paths. In /proc it can read only data about
    the machine and itself, because otherwise it could read the command line of any process.
    """
    paths = [path for path in readable if path != "/proc"]
    paths += [f"/proc/{name}" for name in (*_OF_MACHINE, os.getpid())]
    _enforce([(path, _READ) for path in paths], _READ)


def _enforce(rules: list[tuple[str, int]], handled: int, network: int = 0) -> None:
    """Restrict this process to the given rights below each path, and to signals within the same restriction."""
    version = linux.landlock_version()
    ruleset = linux.landlock_create(handled, network, _SCOPES if version >= 6 else 0, version)
    for path, rights in rules:
        if os.path.exists(path):
            allowed = rights if os.path.isdir(path) else rights & _OF_FILES & handled
            if allowed:
                linux.landlock_allow(ruleset, path, allowed)
    linux.no_new_privileges()
    linux.landlock_enforce(ruleset)
    os.close(ruleset)


def _carved(path: str, masked: list[str]) -> list[tuple[str, int]]:
    """Return rules that allow reading below a path, except for masked parts."""
    path = os.path.realpath(path)
    below = [mask for mask in masked if mask == path or mask.startswith(path.rstrip("/") + "/")]
    if not below:
        return [(path, _READ)]
    if path in below or not os.path.isdir(path):
        return []
    inner = (os.path.join(path, name) for name in sorted(os.listdir(path)))
    entries = [entry for entry in inner if not os.path.islink(entry)]
    return [(path, _LIST), *(rule for entry in entries for rule in _carved(entry, below))]


def limit_resources(limits: dict, *, own_user: bool, screen: bool) -> int:
    """Limit each process of the session. Sizes are in megabytes, times in seconds.

    Returns the number of processes that the session's programs may create, for `limit_processes`. The keeper can
    create more, so that it can still act when the programs have used up their number.

    Linux counts processes by user. If a session has no user of its own, its keeper counts the processes. This
    limit then only protects the rest of the machine from a fork bomb until the keeper checks.
    """
    processes = limits["processes"] if own_user else _threads_of_user() + SPARE
    # Loaded libraries already take address space, but not the session's own memory.
    with open("/proc/self/statm") as file:
        loaded = int(file.read().split()[0]) * resource.getpagesize()
    # Less than the session may have: a process that asks for more gets an error, and continues.
    memory = loaded + limits["memory_mb"] * MEGABYTE * 7 // 8
    files = FILES_OF_DISPLAYS if screen else FILES
    kind_of_memory = resource.RLIMIT_AS
    if screen:  # browsers reserve address space, and use little of it
        kind_of_memory, memory = resource.RLIMIT_DATA, DATA_OF_DISPLAYS
    file_size = limits["disk_mb"] * MEGABYTE * 7 // 8
    for kind, soft, hard in (
        (kind_of_memory, memory, memory),
        (resource.RLIMIT_CPU, limits["cpu_seconds"], limits["cpu_seconds"] + 5),
        (resource.RLIMIT_FSIZE, file_size, file_size),
        (resource.RLIMIT_NPROC, 2 * processes, 2 * processes),
        (resource.RLIMIT_NOFILE, files, files),
        (
            resource.RLIMIT_CORE,
            1,
            1,
        ),  # unlike 0, this denies a dump to a program that collects them
        (resource.RLIMIT_MEMLOCK, 65536, 65536),
    ):
        _, most = resource.getrlimit(kind)
        within = [v if most == resource.RLIM_INFINITY else min(v, most) for v in (soft, hard)]
        resource.setrlimit(kind, tuple(within))
    return processes


def limit_processes(most: int) -> None:
    """Limit the number of processes and threads of this process and its children."""
    _, allowed = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (min(most, allowed),) * 2)


def _threads_of_user() -> int:
    count = 0
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count
