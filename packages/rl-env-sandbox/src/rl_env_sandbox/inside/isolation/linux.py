"""Linux system calls that Python's standard library lacks (it has some of them from 3.12 on).

The numbers come from the kernel's own headers. If a number depends on the processor, x86-64 and 64-bit ARM
are supported.
"""

import ctypes
import os
import platform
import struct

CLONE_NEWNS = 0x00020000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
"""Kinds of namespaces: clone(2), linux/sched.h."""

MS_RDONLY = 1
MS_NOSUID = 2
MS_NODEV = 4
MS_NOEXEC = 8
MS_REMOUNT = 32
MS_BIND = 0x1000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
"""Flags of mount(2), linux/mount.h."""
MNT_DETACH = 2
"""A flag of umount2(2): busy mounts are detached later."""

_PR_SET_PDEATHSIG = 1
_PR_SET_DUMPABLE = 4
_PR_SET_KEEPCAPS = 8
_PR_SET_SECCOMP = 22
_PR_SET_CHILD_SUBREAPER = 36
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
"""Options of prctl(2), linux/prctl.h."""
_SECCOMP_MODE_FILTER = 2
"""The mode of PR_SET_SECCOMP, linux/seccomp.h."""

# The same on every processor, as is every call added since Linux 5.1.
_MOUNT_SETATTR = 442
_LANDLOCK_CREATE = 444
_LANDLOCK_ADD = 445
_LANDLOCK_RESTRICT = 446
"""Numbers of calls: asm-generic/unistd.h."""
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_AT_RECURSIVE = 0x8000
_MOUNT_ATTR_RDONLY = 1
_MOUNT_ATTR_NOSUID = 2
_MOUNT_ATTR_NODEV = 4
"""Flags and attributes of mount_setattr(2): linux/fcntl.h, linux/mount.h."""

CAP_DAC_OVERRIDE = 1
CAP_DAC_READ_SEARCH = 2
"""Read files regardless of permissions and, together with the first, write them: capabilities(7)."""

MACHINE = platform.machine()
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(number: int, what: str, *arguments: object) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *arguments), what)


def unshare(flags: int) -> None:
    """Move this process to new namespaces. With CLONE_NEWPID, its children move instead."""
    _checked(_libc.unshare(ctypes.c_int(flags)), "unshare")


def set_namespace(descriptor: int, kind: int) -> None:
    """Join the namespace of an open /proc/PID/ns file."""
    _checked(_libc.setns(ctypes.c_int(descriptor), ctypes.c_int(kind)), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount a file system; see mount(2)."""
    arguments = (os.fsencode(source), os.fsencode(target), kind.encode() or None)
    result = _libc.mount(*arguments, ctypes.c_ulong(flags), options.encode() or None)
    _checked(result, f"mount {target}")


def bind(source: str, target: str, *, device: bool = False) -> None:
    """Show a file, a folder or a device file read-only at a second path."""
    mount(source, target, flags=MS_BIND | MS_REC)
    attributes = _MOUNT_ATTR_RDONLY | _MOUNT_ATTR_NOSUID | (0 if device else _MOUNT_ATTR_NODEV)
    record = struct.pack("=QQQQ", attributes, 0, 0, 0)
    path = ctypes.c_char_p(os.fsencode(target))
    size = ctypes.c_size_t(len(record))
    at = (ctypes.c_int(-100), path, ctypes.c_uint(_AT_RECURSIVE))
    _syscall(_MOUNT_SETATTR, "mount_setattr", *at, ctypes.c_char_p(record), size)


def change_root(folder: str) -> None:
    """Make a mounted folder the root of this mount namespace, and the old root unreachable."""
    os.chdir(folder)
    here = ctypes.c_char_p(b".")
    _syscall(_PIVOT_ROOT[MACHINE], "pivot_root", here, here)
    _checked(_libc.umount2(b".", ctypes.c_int(MNT_DETACH)), "umount2")
    os.chdir("/")


def _prctl(option: int, value: int, what: str) -> None:
    zeros = (ctypes.c_ulong(0),) * 3
    _checked(_libc.prctl(ctypes.c_int(option), ctypes.c_ulong(value), *zeros), what)


def die_with_parent() -> None:
    """Let Linux kill this process when its parent process ends. A change of user cancels this."""
    _prctl(_PR_SET_PDEATHSIG, 9, "PR_SET_PDEATHSIG")


def set_dumpable(value: bool) -> None:
    """Set whether processes of the same user may inspect this process."""
    _prctl(_PR_SET_DUMPABLE, int(value), "PR_SET_DUMPABLE")


def adopt_orphans() -> None:
    """Become the parent of orphaned descendants."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1, "PR_SET_CHILD_SUBREAPER")


def no_new_privileges() -> None:
    """Give up permanently the privileges of set-uid programs."""
    _prctl(_PR_SET_NO_NEW_PRIVS, 1, "PR_SET_NO_NEW_PRIVS")


def change_user(user: int, group: int, keep: int | None = None) -> None:
    """Change from root to a user and group, and give up root's capabilities except the capability `keep`.

    Programs that this process starts also have the kept capability.
    """
    os.setgroups([])
    if keep is not None:
        _prctl(_PR_SET_KEEPCAPS, 1, "PR_SET_KEEPCAPS")
    os.setresgid(group, group, group)
    os.setresuid(user, user, user)
    drop_capabilities(keep)
    if keep is not None:
        raised = (ctypes.c_ulong(2), ctypes.c_ulong(keep), ctypes.c_ulong(0), ctypes.c_ulong(0))
        _checked(_libc.prctl(ctypes.c_int(_PR_CAP_AMBIENT), *raised), "PR_CAP_AMBIENT")


def drop_capabilities(keep: int | None = None) -> None:
    """Give up all capabilities of this process, except `keep`, also within its user namespace."""
    header = struct.pack("=Ii", 0x20080522, 0)  # version 3, this process
    kept = 0 if keep is None else 1 << keep
    sets = ctypes.c_char_p(struct.pack("=6I", kept, kept, kept, 0, 0, 0))
    _checked(_libc.capset(ctypes.c_char_p(header), sets), "capset")


def filter_calls(program: bytes) -> None:
    """Install a seccomp filter, given as BPF instructions of 8 bytes each."""
    buffer = ctypes.create_string_buffer(program, len(program))

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))

    record = Program(len(program) // 8, ctypes.addressof(buffer))
    pointer = ctypes.byref(record)
    mode = ctypes.c_ulong(_SECCOMP_MODE_FILTER)
    _checked(_libc.prctl(ctypes.c_int(_PR_SET_SECCOMP), mode, pointer, 0, 0), "PR_SET_SECCOMP")


def landlock_version() -> int:
    """Return the version of Landlock in this kernel, or 0 if the kernel has no Landlock."""
    none = ctypes.c_void_p(None)
    number = ctypes.c_long(_LANDLOCK_CREATE)
    return max(0, _libc.syscall(number, none, ctypes.c_size_t(0), ctypes.c_uint(1)))


def landlock_create(files: int, network: int, scopes: int, version: int) -> int:
    """Create a Landlock ruleset for the given rights, as far as this Landlock version supports them."""
    size = 8 if version < 4 else 16 if version < 6 else 24
    record = struct.pack("=QQQ", files, network, scopes)[:size]
    arguments = (ctypes.c_char_p(record), ctypes.c_size_t(size), ctypes.c_uint(0))
    return _syscall(_LANDLOCK_CREATE, "landlock_create_ruleset", *arguments)


def landlock_allow(ruleset: int, path: str, rights: int) -> None:
    """Allow rights below a path (or for a file)."""
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = ctypes.c_char_p(struct.pack("=Qi", rights, descriptor))
        arguments = (ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
        _syscall(_LANDLOCK_ADD, f"landlock_add_rule {path}", *arguments)
    finally:
        os.close(descriptor)


def landlock_enforce(ruleset: int) -> None:
    """Restrict this process, and everything that it starts, to a ruleset."""
    _syscall(_LANDLOCK_RESTRICT, "landlock_restrict_self", ctypes.c_int(ruleset), ctypes.c_uint(0))
