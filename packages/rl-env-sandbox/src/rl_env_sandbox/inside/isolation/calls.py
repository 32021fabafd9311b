"""System call filters, which restrict a session's programs in cases that permissions do not cover.

Calls are identified by their numbers on x86-64 and on 64-bit ARM. If an architecture lacks a call, the call
has no number for that architecture.
"""

import errno
import struct

from . import linux

_Instruction = tuple[int, int, int, int]

# Calls that make or enter namespaces and mounts, inspect other processes, reach the kernel's
# keys, take unaccounted or persistent resources, or bypass a filter of calls.
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
    {"x86_64": 319, "aarch64": 279},  # memfd_create
    {"x86_64": 278, "aarch64": 75},  # vmsplice
    # System V's memory, semaphores and queues, which other processes of the same user share.
    {"x86_64": 29, "aarch64": 194},  # shmget
    {"x86_64": 30, "aarch64": 196},  # shmat
    {"x86_64": 31, "aarch64": 195},  # shmctl
    {"x86_64": 64, "aarch64": 190},  # semget
    {"x86_64": 65, "aarch64": 193},  # semop
    {"x86_64": 66, "aarch64": 191},  # semctl
    {"x86_64": 220, "aarch64": 192},  # semtimedop
    {"x86_64": 68, "aarch64": 186},  # msgget
    {"x86_64": 69, "aarch64": 189},  # msgsnd
    {"x86_64": 70, "aarch64": 188},  # msgrcv
    {"x86_64": 71, "aarch64": 187},  # msgctl
    {"x86_64": 240, "aarch64": 180},  # mq_open
    {"x86_64": 241, "aarch64": 181},  # mq_unlink
    {"x86_64": 300, "aarch64": 262},  # fanotify_init
    *({"x86_64": n, "aarch64": n} for n in (425, 428, 429, 430, 431, 432, 433, 438, 442, 447)),
    # io_uring_setup, open_tree, move_mount, fsopen, fsconfig, fsmount, fspick, pidfd_getfd,
    # mount_setattr, memfd_secret
)
# inotify_init, inotify_init1: limited per user, and they reveal others' file changes. Without them,
# programs with windows take their own changes of a file for another program's.
_WATCHING = ({"x86_64": 253}, {"x86_64": 294, "aarch64": 26})
# Calls that act on what some arguments name, and the required values. A process itself is 0.
_OF_ITSELF = (
    ({"x86_64": 302, "aarch64": 261}, {0: 0}),  # prlimit64
    ({"x86_64": 203, "aarch64": 122}, {0: 0}),  # sched_setaffinity
    ({"x86_64": 144, "aarch64": 119}, {0: 0}),  # sched_setscheduler
    ({"x86_64": 142, "aarch64": 118}, {0: 0}),  # sched_setparam
    ({"x86_64": 314, "aarch64": 274}, {0: 0}),  # sched_setattr
    ({"x86_64": 141, "aarch64": 140}, {0: 0, 1: 0}),  # setpriority, of a process
    ({"x86_64": 251, "aarch64": 30}, {0: 1, 1: 0}),  # ioprio_set, of a process
)
# An argument and its forbidden values: a larger buffer; a lease on a file, news of a folder, a
# larger pipe.
_NOT_SO = (
    ({"x86_64": 54, "aarch64": 208}, 2, (7, 32)),  # setsockopt: SO_SNDBUF, SO_SNDBUFFORCE
    ({"x86_64": 72, "aarch64": 25}, 1, (1024, 1026, 1031)),  # fcntl
)
# Messages between sockets, which can carry open files invisibly.
_MESSAGES = ({"x86_64": 46, "aarch64": 211}, {"x86_64": 307, "aarch64": 269})
# Calls that require only ownership of the file, which Landlock does not check.
_OF_OWNERS = (
    {"x86_64": 90},  # chmod
    {"x86_64": 91, "aarch64": 52},  # fchmod
    {"x86_64": 268, "aarch64": 53},  # fchmodat
    {"x86_64": 452, "aarch64": 452},  # fchmodat2
    {"x86_64": 92},  # chown
    {"x86_64": 93, "aarch64": 55},  # fchown
    {"x86_64": 94},  # lchown
    {"x86_64": 260, "aarch64": 54},  # fchownat
    {"x86_64": 132},  # utime
    {"x86_64": 235},  # utimes
    {"x86_64": 261},  # futimesat
    {"x86_64": 280, "aarch64": 88},  # utimensat
    {"x86_64": 188, "aarch64": 5},  # setxattr
    {"x86_64": 189, "aarch64": 6},  # lsetxattr
    {"x86_64": 190, "aarch64": 7},  # fsetxattr
    {"x86_64": 463, "aarch64": 463},  # setxattrat
    {"x86_64": 197, "aarch64": 14},  # removexattr
    {"x86_64": 198, "aarch64": 15},  # lremovexattr
    {"x86_64": 199, "aarch64": 16},  # fremovexattr
    {"x86_64": 466, "aarch64": 466},  # removexattrat
)
_SOCKET = {"x86_64": 41, "aarch64": 198}
_SOCKET_PAIR = {"x86_64": 53, "aarch64": 199}
_NOT_STREAM = 0b1110
"""Bits of a socket's type that SOCK_STREAM, which is 1, lacks: socket(2), linux/net.h."""
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435  # on every processor
_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
"""AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64 of linux/audit.h."""
_ALLOW = 0x7FFF0000
_KILL = 0x80000000
_FAIL = 0x00050000
"""A filter's decision, seccomp(2): the call proceeds, the process is killed, or an errno (the low
bits) returned."""
_REFUSE = _FAIL | errno.EPERM
"""The call is not executed, and fails."""
_PRETEND = _FAIL | 0
"""The call is not executed, and returns 0 as if it were."""
_LOAD = 0x20
_EQUAL = 0x15
_GREATER = 0x35
_ANY_BIT = 0x45
_RETURN = 0x06
"""Instructions of classic BPF, linux/bpf_common.h: LD of a word, JEQ, JGE and JSET with a constant, RET."""
_NUMBER = 0
_ARCH = 4
_FIRST_ARGUMENT = 16
_NEXT = 8
"""Sizes in struct seccomp_data, seccomp(2): offsets of its fields, and the step between arguments."""


def refuse(*, local_sockets: bool, screen: bool) -> None:
    """Refuse sockets (except permitted local sockets) and the calls in this module's tables, with EPERM.

    Even without local sockets, pairs of connected stream sockets are possible. With a screen, programs can watch
    files.
    """
    refused = _REFUSED if screen else (*_REFUSED, *_WATCHING)
    rules = [rule for call in refused for rule in _if_called(call, _return(_REFUSE))]
    for call, arguments in _OF_ITSELF:
        tests = [test for place, value in arguments.items() for test in _must_be(place, value)]
        rules += _if_called(call, [*tests, *_return(_ALLOW)])
    for call, place, values in _NOT_SO:
        tests = [test for value in values for test in ((_EQUAL, 0, 1, value), *_return(_REFUSE))]
        rules += _if_called(call, [_load(place), *tests, *_return(_ALLOW)])
    # A filter cannot read clone3's flags; if it seems to be missing, the C library uses clone.
    rules += [(_EQUAL, 0, 1, _CLONE3), *_return(_FAIL | errno.ENOSYS)]
    rules += _if_called(_CLONE, _without(0, linux.CLONE_NEWUSER))
    if local_sockets:
        rules += _if_called(_SOCKET, [*_must_be(0, 1), *_return(_ALLOW)])
    else:
        rules += _if_called(_SOCKET, _return(_REFUSE))
        # A datagram pair can send to any name.
        rules += _if_called(_SOCKET_PAIR, _without(1, _NOT_STREAM))
        rules += [rule for call in _MESSAGES for rule in _if_called(call, _return(_REFUSE))]
    _install(rules)


def pretend() -> None:
    """Make the calls that only a file's owner may use, such as chmod, succeed without effect.

    This is for programs whose user also owns files of the server, of its packages or of other sessions.
    """
    _install([rule for call in _OF_OWNERS for rule in _if_called(call, _return(_PRETEND))])


def _if_called(call: dict[str, int], rules: list[_Instruction]) -> list[_Instruction]:
    number = call.get(linux.MACHINE)
    return [] if number is None else [(_EQUAL, 0, len(rules), number), *rules]


def _return(action: int) -> list[_Instruction]:
    return [(_RETURN, 0, 0, action)]


def _load(place: int) -> _Instruction:
    return (_LOAD, 0, 0, _FIRST_ARGUMENT + place * _NEXT)


def _must_be(place: int, value: int) -> list[_Instruction]:
    return [_load(place), (_EQUAL, 1, 0, value), *_return(_REFUSE)]


def _without(place: int, bits: int) -> list[_Instruction]:
    return [_load(place), (_ANY_BIT, 0, 1, bits), *_return(_REFUSE), *_return(_ALLOW)]


def _install(rules: list[_Instruction]) -> None:
    machine = linux.MACHINE
    program = [
        *((_LOAD, 0, 0, _ARCH), (_EQUAL, 1, 0, _ARCHITECTURE[machine]), *_return(_KILL)),
        (_LOAD, 0, 0, _NUMBER),
    ]
    if machine == "x86_64":  # a second set of numbers for the same calls begins here
        program += [(_GREATER, 0, 1, 0x40000000), *_return(_REFUSE)]
    program += [*rules, *_return(_ALLOW)]
    linux.no_new_privileges()
    linux.filter_calls(b"".join(struct.pack("=HBBI", *instruction) for instruction in program))
