"""What keeps a session in: limits, Landlock and a filter of system calls. Applied from within.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

import contextlib
import errno
import os
import resource
import struct

import linux

# Rights of Landlock: execute, read files, list folders.
_LIST = 1 << 3
_READ = (1 << 0) | (1 << 2) | _LIST
# What can be allowed for a single file: execute, write, read, truncate, device control.
_OF_FILES = (1 << 0) | (1 << 1) | (1 << 2) | (1 << 14) | (1 << 15)
_TCP, _SCOPES = 0b11, 0b11  # bind and connect; abstract sockets and signals
# What programs read of /proc that is about no process.
_OF_MACHINE = ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "uptime", "version")

MEGABYTE = 1024 * 1024
SPARE = 1024
"""Processes that all sessions of a user may start together, where they share one."""


def _handled(version: int) -> int:
    newer = ((2, 1 << 13), (3, 1 << 14), (5, 1 << 15))  # move between folders, truncate, ioctl
    return (1 << 13) - 1 | sum(right for since, right in newer if version >= since)


def restrict_files(readable: list[str], writable: list[str], masked: list[str]) -> None:
    """Leave this process only these paths, by Landlock; also no TCP and no signals to others.

    A masked path below a readable one stays closed; names in folders above it can be listed.
    """
    version = linux.landlock_version()
    handled = _handled(version)
    rules = [rule for path in readable for rule in _carved(path, masked)]
    rules += [(path, handled) for path in writable]
    _enforce(rules, handled, _TCP if version >= 4 else 0)


def separate(readable: list[str]) -> None:
    """Keep this process from the one that forked it, by a Landlock layer of its own.

    It cannot signal that one, nor read anything but some paths, and of /proc what is about the
    machine and itself: any process's command line could be read there.
    """
    paths = [path for path in readable if path != "/proc"]
    paths += [f"/proc/{name}" for name in (*_OF_MACHINE, os.getpid())]
    _enforce([(path, _READ) for path in paths], _READ)


def _enforce(rules: list[tuple[str, int]], handled: int, network: int = 0) -> None:
    """Restrict this process to rights below paths, and to signals within the restriction."""
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
    """Rules that allow reading below a path, around what is masked there."""
    path = os.path.realpath(path)
    below = [mask for mask in masked if mask == path or mask.startswith(path.rstrip("/") + "/")]
    if not below:
        return [(path, _READ)]
    if path in below or not os.path.isdir(path):
        return []
    inner = (os.path.join(path, name) for name in sorted(os.listdir(path)))
    entries = [entry for entry in inner if not os.path.islink(entry)]
    return [(path, _LIST), *(rule for entry in entries for rule in _carved(entry, below))]


# System calls by number, on x86-64 and on 64-bit ARM: those that make or enter namespaces and
# mounts, look into other processes, reach the kernel's keys, or go around a filter of calls.
_REFUSED = (
    {"x86_64": 272, "aarch64": 97},  # unshare
    {"x86_64": 308, "aarch64": 268},  # setns
    {"x86_64": 165, "aarch64": 40},  # mount
    {"x86_64": 166, "aarch64": 39},  # umount2
    {"x86_64": 155, "aarch64": 41},  # pivot_root
    {"x86_64": 161, "aarch64": 51},  # chroot
    {"x86_64": 101, "aarch64": 117},  # ptrace
    {"x86_64": 310, "aarch64": 270},  # process_vm_readv
    {"x86_64": 311, "aarch64": 271},  # process_vm_writev
    {"x86_64": 248, "aarch64": 217},  # add_key
    {"x86_64": 249, "aarch64": 218},  # request_key
    {"x86_64": 250, "aarch64": 219},  # keyctl
    {"x86_64": 298, "aarch64": 241},  # perf_event_open
    {"x86_64": 304, "aarch64": 265},  # open_by_handle_at
    {"x86_64": 321, "aarch64": 280},  # bpf
    {"x86_64": 323, "aarch64": 282},  # userfaultfd
    {"x86_64": 319, "aarch64": 279},  # memfd_create: memory that is in nobody's account
    {"x86_64": 29, "aarch64": 194},  # shmget; like the next three it outlives its session
    {"x86_64": 64, "aarch64": 190},  # semget
    {"x86_64": 68, "aarch64": 186},  # msgget
    {"x86_64": 240, "aarch64": 180},  # mq_open
    *({"x86_64": n, "aarch64": n} for n in (425, 428, 429, 430, 431, 432, 433, 438, 442, 447)),
    # io_uring_setup, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, pidfd_getfd,
    # mount_setattr, memfd_secret
)
# Those that act on the process with the number of an argument, of the same user: itself is 0.
_OF_ITSELF = (
    ({"x86_64": 302, "aarch64": 261}, 0),  # prlimit64
    ({"x86_64": 203, "aarch64": 122}, 0),  # sched_setaffinity
    ({"x86_64": 144, "aarch64": 119}, 0),  # sched_setscheduler
    ({"x86_64": 142, "aarch64": 118}, 0),  # sched_setparam
    ({"x86_64": 314, "aarch64": 274}, 0),  # sched_setattr
    ({"x86_64": 141, "aarch64": 140}, 1),  # setpriority
    ({"x86_64": 251, "aarch64": 30}, 1),  # ioprio_set
)
_SOCKET = {"x86_64": 41, "aarch64": 198}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_ALLOW, _KILL, _FAIL = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _GREATER, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT, _NEXT = 0, 4, 16, 8  # places in struct seccomp_data


def filter_calls(*, local_sockets: bool) -> None:
    """Refuse sockets (but local ones, if they may be) and the calls of _REFUSED, with EPERM.

    Those of _OF_ITSELF are refused where they name another process.
    """
    machine = linux.MACHINE
    refuse = _FAIL | errno.EPERM
    program = [
        *((_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, _ARCHITECTURE[machine]), (_RETURN, 0, 0, _KILL)),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":  # a second set of numbers for the same calls begins here
        program += [(_GREATER, 0, 1, 0x40000000), (_RETURN, 0, 0, refuse)]
    for call in _REFUSED:
        program += [(_EQUAL, 0, 1, call[machine]), (_RETURN, 0, 0, refuse)]
    for call, place in _OF_ITSELF:
        argument = _FIRST_ARGUMENT + place * _NEXT
        program += [(_EQUAL, 0, 4, call[machine]), (_LOAD, 0, 0, argument)]
        program += [(_EQUAL, 1, 0, 0), (_RETURN, 0, 0, refuse), (_RETURN, 0, 0, _ALLOW)]
    # A filter cannot read clone3's flags; told that it is missing, the C library uses clone.
    program += [(_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _FAIL | errno.ENOSYS)]
    program += [
        *((_EQUAL, 0, 4, _CLONE[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)),
        *((_ANY_BIT, 0, 1, linux.CLONE_NEWUSER), (_RETURN, 0, 0, refuse), (_RETURN, 0, 0, _ALLOW)),
    ]
    program += [(_EQUAL, 0, 4, _SOCKET[machine]), (_LOAD, 0, 0, _FIRST_ARGUMENT)]
    unix = 1 if local_sockets else 0xFFFF
    program += [(_EQUAL, 1, 0, unix), (_RETURN, 0, 0, refuse), (_RETURN, 0, 0, _ALLOW)]
    program += [(_RETURN, 0, 0, _ALLOW)]
    linux.no_new_privileges()
    linux.filter_calls(b"".join(struct.pack("=HBBI", *instruction) for instruction in program))


def limit_resources(limits: dict, *, own_user: bool) -> int:
    """Bound what each process of the session can use. Sizes in megabytes, times in seconds.

    Returns how many processes the session's programs may make, for `limit_processes`; its keeper
    can make more, so that it can act when they have made all theirs. Linux counts them by user.
    Where a session has none of its own, its keeper counts them, and this bound only keeps a fork
    bomb from the rest of the machine until the keeper looks.
    """
    processes = limits["processes"] if own_user else _threads_of_user() + SPARE
    # The libraries that are loaded already take address space, not memory of the session's own.
    with open("/proc/self/statm") as file:
        loaded = int(file.read().split()[0]) * resource.getpagesize()
    # Less than the session may have: one process that asks for more gets an error, and goes on.
    memory = loaded + limits["memory_mb"] * MEGABYTE * 7 // 8
    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, limits["cpu_seconds"], limits["cpu_seconds"] + 5),
        (resource.RLIMIT_FSIZE, limits["disk_mb"] * MEGABYTE, limits["disk_mb"] * MEGABYTE),
        (resource.RLIMIT_NPROC, 2 * processes, 2 * processes),
        (resource.RLIMIT_NOFILE, 512, 512),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_MEMLOCK, 65536, 65536),
    ):
        _, most = resource.getrlimit(kind)
        within = [v if most == resource.RLIM_INFINITY else min(v, most) for v in (soft, hard)]
        resource.setrlimit(kind, tuple(within))
    return processes


def limit_processes(most: int) -> None:
    """Let this process and its children make no more processes and threads than that."""
    _, allowed = resource.getrlimit(resource.RLIMIT_NPROC)
    resource.setrlimit(resource.RLIMIT_NPROC, (min(most, allowed),) * 2)


def _threads_of_user() -> int:
    count = 0
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{process}").st_uid == os.getuid():
                count += len(os.listdir(f"/proc/{process}/task"))
    return count
