"""Attacks by what no sum of memory and files shows, and on what others own; see sandbox_attacks.py."""

from __future__ import annotations

try:
    from .sandbox_attacks import Attack
except ImportError:  # where the driver is run
    from sandbox_attacks import Attack

MAPPING = """\
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
libc.memset.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_size_t]
"""
NAMELESS = """\
import threading
def fill(keep):
    for number in range(8):
        fd = os.open('x', os.O_RDWR | os.O_CREAT)
        os.unlink('x')
        os.write(fd, bytes(15 << 20))
        keep(fd)
    time.sleep(99)
"""
# Where nothing but its keeper's measuring bounds the disk, that has time to notice.
WAIT_FOR_DISK = "time.sleep(9 if <mode> == 'landlock' else 2)"
BOTH = ("namespaces", "landlock")
LANDLOCK = ("landlock",)

HELD = [
    Attack(
        "memory that is shared and let go, except for a page",
        MAPPING + "for number in range(8):\n at = libc.mmap(None, 100 << 20, 3, 0x21, -1, 0)\n"
        " libc.memset(at, 1, 100 << 20)\n libc.munmap(at + 4096, (100 << 20) - 4096)\n"
        "time.sleep(9)",
        lost=BOTH,
    ),
    Attack(
        "memory of a device that is shared",
        MAPPING + "for number in range(8):\n fd = os.open('/dev/zero', os.O_RDWR)\n"
        " at = libc.mmap(None, 100 << 20, 3, 1, fd, 0)\n"
        " libc.memset(at, 1, 100 << 20)\n libc.munmap(at + 4096, (100 << 20) - 4096)\n"
        "time.sleep(9)",
        lost=BOTH,
    ),
    Attack(
        "memory behind an ended first thread",
        "import threading\nfor number in range(6):\n if os.fork() == 0:\n"
        "  def on():\n   global held\n   time.sleep(0.2)\n   held = b'x' * (150 << 20)\n"
        "   time.sleep(99)\n"
        "  threading.Thread(target=on).start(); libc.pthread_exit(None)\n"
        "time.sleep(9)",
        lost=BOTH,
    ),
    Attack(
        "buffers of sockets",
        "for number in range(9):\n if os.fork() == 0:\n  held = []\n  try:\n   while True:\n"
        "    held.append(socket.socketpair())\n    for s in held[-1]:\n     s.setblocking(False)\n"
        "     try:\n      while True: s.send(bytes(32 << 10))\n     except BlockingIOError: pass\n"
        "  except OSError: pass\n  time.sleep(99)\n"
        "time.sleep(9)",
        lost=BOTH,
    ),
    Attack(
        "larger buffers",
        "import fcntl\none, other = socket.socketpair()\n"
        "tried(one.setsockopt, socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 22)\n"
        "tried(fcntl.fcntl, os.pipe()[1], 1031, 1 << 20)",
        status="ok",
        kept=True,
    ),
    Attack(
        "pages that a pipe pins",
        "page = ctypes.create_string_buffer(4096)\n"
        "vector = ctypes.create_string_buffer(struct.pack('QQ', ctypes.addressof(page), 4096))\n"
        "tried(call, 278, os.pipe()[1], ctypes.addressof(vector), 1, 0)",
        status="ok",
        kept=True,
        x86=True,
    ),
    Attack(
        "files that are only mapped",
        MAPPING + NAMELESS + "def keep(fd):\n libc.mmap(None, 4096, 1, 1, fd, 0); os.close(fd)\n"
        "if os.fork() == 0: fill(keep)\n" + WAIT_FOR_DISK,
        status="ok|lost",
        lost=LANDLOCK,
    ),
    Attack(
        "files of a process that hides",
        NAMELESS + "if os.fork() == 0: libc.prctl(4, 0, 0, 0, 0); fill(print)\n" + WAIT_FOR_DISK,
        status="ok|lost",
        lost=LANDLOCK,
    ),
    Attack(
        "files behind an ended first thread",
        NAMELESS + "if os.fork() == 0:\n"
        " threading.Thread(target=fill, args=(print,)).start(); libc.pthread_exit(None)\n"
        + WAIT_FOR_DISK,
        status="ok|lost",
        lost=LANDLOCK,
    ),
    Attack(
        "files on their way through a socket",
        "one, other = socket.socketpair()\n"
        "if <mode> == 'landlock': tried(socket.send_fds, one, [b'x'], [0])",
        status="ok",
        kept=True,
    ),
]

OWNED = [
    Attack(
        "permissions of others' files",
        "up = os.path.dirname(os.path.dirname(os.getcwd()))\n"
        "paths = [f'{up}/{pid}{name}' for pid in range(os.getppid() - 99, os.getppid() + 99)"
        " if pid != os.getppid() for name in ('/home/mine.txt', '/home', '')]\n"
        "import numpy\n"
        "paths += [up + '/packages', up, <server_file>, <installed> + '/game.py', numpy.__file__]\n"
        "for path in paths:\n"
        " for act in (lambda: os.chmod(path, 0), lambda: os.setxattr(path, 'user.x', b'x'),\n"
        "   lambda: os.utime(path, (1, 1))):\n"
        "  try: act()\n  except OSError: pass\n"
        "try: os.fchmod(os.open(numpy.__file__, os.O_RDONLY), 0)\nexcept OSError: pass",
        kept=True,
    ),
    Attack(
        "leases and news of files",
        "import fcntl\nfd = os.open(os.__file__, os.O_RDONLY)\n"
        "tried(fcntl.fcntl, fd, 1024, 0)\n"
        "tried(fcntl.fcntl, os.open('.', os.O_RDONLY), 1026, 1)\n"
        "if libc.inotify_init() >= 0 or libc.inotify_init1(0) >= 0: print('REACHED')",
        status="ok",
        kept=True,
    ),
    Attack(
        "priorities of others",
        "for which in (os.PRIO_USER, os.PRIO_PGRP): tried(os.setpriority, which, 0, 19)\n"
        "tried(os.setpriority, os.PRIO_PROCESS, os.getppid(), 19)",
        status="ok",
        kept=True,
    ),
    Attack(
        "memory and queues of System V",
        "libc.shmat.restype = ctypes.c_void_p\nplace = ctypes.create_string_buffer(256)\n"
        "for identifier in (<shared>, <queue>):\n"
        " for act, arguments in ((libc.shmctl, (identifier, 2, place)),\n"
        "   (libc.shmctl, (identifier, 0, None)), (libc.msgctl, (identifier, 2, place)),\n"
        "   (libc.msgctl, (identifier, 0, None)), (libc.msgsnd, (identifier, place, 1, 2048))):\n"
        "  if act(*arguments) >= 0: print('REACHED', arguments)\n"
        " if (at := libc.shmat(identifier, None, 0)) + 1 < 2**63: print('REACHED', at)\n"
        "if libc.shmctl(0, 14, place) > 0: print('REACHED the table')",
        status="ok",
        kept=True,
    ),
    Attack(
        "datagrams to names",
        "try: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].sendto(b'x', <datagrams>)\n"
        "except OSError as error: print(error)",
        status="ok",
        kept=True,
    ),
    Attack(
        "what its keeper may read of /proc",
        "for number, name in enumerate(('<server>/cmdline', '<forker>/cmdline', 'cmdline')):\n"
        " os.symlink('/proc/' + name, f'of{number}')",
        reads=("of0", "of1", "of2"),
        shows_no=("BOOT_IMAGE", "console="),
        kept=True,
    ),
]

HOARDS = [*HELD, *OWNED]
