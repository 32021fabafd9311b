"""Attacks on sessions of the local backend, as a table: processes and memory.

Imported where a rendered sandbox package is, with nothing but the standard library. More are in
sandbox_floods.py, sandbox_escapes.py, sandbox_disks.py and sandbox_hoards.py; `attacks.py` plays
all. An attack prints REACHED where it got hold of something that it must not; what the driver hides
from it holds the text of `attacks.MARK`, which must never be shown. The words in <angle brackets>
are filled in by the driver: see `attacks.places`.
"""

from __future__ import annotations

from dataclasses import dataclass

PRELUDE = """\
import ctypes, json, os, resource, signal, socket, struct, subprocess, sys, time
libc = ctypes.CDLL(None, use_errno=True)
def tried(act, *arguments, **options):
    try:
        found = act(*arguments, **options)
    except BaseException as error:
        print(type(error).__name__, error)
    else:
        print("REACHED", getattr(act, "__name__", act), arguments, str(found)[:2000])
def call(number, *arguments):
    ctypes.set_errno(0)
    if libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, arguments)) < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
def frame(message):
    data = message if isinstance(message, bytes) else json.dumps(message).encode()
    return struct.pack("!I", len(data)) + data
def spill(data):
    while data:
        data = data[os.write(3, data):]
kept = 5
"""


@dataclass(frozen=True)
class Attack:
    """What an agent does, and what has to come of it besides what holds for all attacks.

    code: a cell; or command: for bash. status: of the cell's result, one of several with "|".
    exit: the command's exit code, None when it was stopped; "any" if that may vary.
    says: words of which each is shown. shows_no: words of which none is.
    kept: the session's variables are there afterwards. broken: the kernel works for itself only.
    reads, writes: names that the server reads and writes afterwards, as a domain may.
    x86: it names system calls by the numbers of x86-64.
    timed: it has 2 s, as nothing else ends it or does so soon; what has another end has time for
    that. lost: the modes in which it has to end what runs in its session.
    """

    name: str
    code: str = ""
    command: str = ""
    status: str = "ok|error|lost"
    exit: int | str | None = "any"
    says: tuple[str, ...] = ()
    shows_no: tuple[str, ...] = ()
    kept: bool = False
    broken: bool = False
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    x86: bool = False
    timed: bool = False
    lost: tuple[str, ...] = ()


PROCESSES = [
    Attack(
        "fork bomb",
        "while True:\n try: os.fork()\n except OSError: pass",
        status="lost|error",
        timed=True,
    ),
    Attack("fork bomb in bash", command="bomb() { bomb | bomb & }; bomb; sleep 9", timed=True),
    Attack(
        "thread bomb",
        "import threading\nwhile True:\n threading.Thread(target=time.sleep, args=(99,)).start()",
        status="error|lost",
    ),
    Attack(
        "threads with small stacks",
        "import threading\nthreading.stack_size(32768)\nstarted = 0\ntry:\n while True:\n"
        "  threading.Thread(target=time.sleep, args=(99,)).start(); started += 1\n"
        "except RuntimeError: time.sleep(0.3)\nif started > 100: print('REACHED')",
    ),
    Attack(
        "fork bomb of nobody's command",
        command="bomb() { bomb | bomb & }; (sleep 0.2; bomb) > /dev/null 2>&1 & echo left",
        exit=0,
        says=("left",),
    ),
    Attack(
        "daemons of bash",
        command="for i in 1 2 3; do setsid nohup sleep 6000 >/dev/null 2>&1 &"
        " done; (setsid sleep 6000 &); (trap '' 1 2 15; sleep 6000) & disown; echo left",
        exit=0,
        says=("left",),
        kept=True,
    ),
    Attack(
        "daemons of Python",
        "for number in range(3):\n if os.fork() == 0:\n  os.setsid()\n"
        "  if os.fork(): os._exit(0)\n  os.closerange(0, 512)\n"
        "  for s in range(1, 32):\n"
        "   try: signal.signal(s, signal.SIG_IGN)\n   except OSError: pass\n"
        "  while True: time.sleep(9)",
        status="ok",
        kept=True,
    ),
    Attack(
        "a process that is always another",
        "if os.fork() == 0:\n while True:\n"
        "  try:\n   if os.fork(): os._exit(0)\n  except OSError: pass",
    ),
    Attack(
        "a child that its parent disowns by clone",
        "pid = libc.syscall(56, ctypes.c_long(0x8000 | 17), 0, 0, 0, 0)\n"
        "if pid == 0: libc.sleep(999); os._exit(0)",
        status="ok",
    ),
    Attack(
        "killing whoever can be",
        "for pid in (os.getppid(), 1, -1, <server>, <forker>):\n"
        " for number in (signal.SIGSTOP, signal.SIGKILL, signal.SIGINT):\n"
        "  try: os.kill(pid, number); print('sent', pid, number)\n"
        "  except OSError as error: print(error)",
    ),
    Attack("killing from bash", command="kill -9 -1; kill -9 $PPID 1 <server> <forker>; true"),
    Attack("stopping its parent", "os.kill(os.getppid(), signal.SIGSTOP)", timed=True),
    Attack(
        "signals by owner of a pipe",
        "import fcntl\nfor pid in (os.getppid(), <server>):\n"
        " a, b = socket.socketpair()\n try:\n  fcntl.fcntl(a, 10, 9)\n"
        "  fcntl.fcntl(a, fcntl.F_SETOWN, pid)\n  fcntl.fcntl(a, fcntl.F_SETFL, os.O_ASYNC)\n"
        "  b.send(b'x')\n except OSError as error: print(error)",
    ),
    Attack(
        "stopping itself",
        "os.kill(os.getpid(), signal.SIGSTOP)",
        status="lost",
        says=("still running",),
        timed=True,
    ),
    Attack("exit", "os._exit(3)", status="lost", says=("exit code 3",)),
    Attack("segmentation fault", "ctypes.string_at(0)", status="lost", says=("SIGSEGV",)),
    Attack("abort", "os.abort()", status="lost", says=("SIGABRT",)),
    Attack("a signal without a name", "os.kill(os.getpid(), 44)", status="lost"),
    Attack(
        "main thread's end",
        "import threading\n"
        "threading.Thread(target=time.sleep, args=(999,)).start()\nlibc.pthread_exit(None)",
        status="lost",
        timed=True,
    ),
    Attack(
        "limits of others",
        "for pid in (os.getppid(), 1, <server>, <forker>):\n"
        " for kind in (resource.RLIMIT_CPU, resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):\n"
        "  tried(resource.prlimit, pid, kind, (0, 0))\n"
        " tried(os.sched_setaffinity, pid, [0])\n"
        " tried(os.setpriority, os.PRIO_PROCESS, pid, 19)",
        kept=True,
    ),
    Attack(
        "limits of its own",
        "for name in dir(resource):\n if name.startswith('RLIMIT_'):\n"
        "  kind = getattr(resource, name)\n  before = resource.getrlimit(kind)[1]\n"
        "  try: resource.setrlimit(kind, (-1, -1))\n  except (ValueError, OSError): pass\n"
        "  else:\n   if before != -1: print('REACHED', name)",
        status="ok",
        kept=True,
    ),
]

MEMORY = [
    Attack("memory bomb", "held = bytearray(10**9)", status="error", kept=True),
    Attack(
        "memory bomb by pieces",
        "held = []\nwhile True: held.append(bytearray(10**6))",
        status="error",
        kept=True,
    ),
    Attack(
        "memory in many processes",
        "for number in range(8):\n if os.fork() == 0:\n"
        "  held = b'x' * (100 << 20); time.sleep(99)\ntime.sleep(9)",
        status="lost",
        says=("memory",),
    ),
    Attack(
        "memory that processes share",
        "import mmap\nfor number in range(6):\n"
        " if os.fork() == 0:\n  held = mmap.mmap(-1, 150 << 20)\n  held.write(b'x' * (1 << 20))\n"
        "  for at in range(0, len(held), 4096): held[at] = 1\n  time.sleep(99)\ntime.sleep(9)",
        status="lost",
        says=("memory",),
    ),
    Attack(
        "memory that is always shared with a twin",
        "for number in range(6):\n"
        " held = b'x' * (100 << 20)\n if os.fork() == 0:\n  os.fork(); time.sleep(99)\n"
        " del held\ntime.sleep(9)",
        status="lost",
        says=("memory",),
    ),
    Attack(
        "memory of no process",
        "for number in range(99): os.write(os.memfd_create('x'), bytes(8 << 20))",
        status="error",
        kept=True,
    ),
    Attack(
        "memory of System V",
        "for number in range(20): tried(libc.shmget, 0, 1 << 28, 0o1600)"
        " if libc.shmget(0, 1 << 28, 0o1600) >= 0 else None",
        status="ok",
        kept=True,
    ),
    Attack(
        "memory in /dev/shm",
        command="head -c 900M /dev/zero > /dev/shm/x; ls -s /dev/shm/x",
        shows_no=("9216",),
        kept=True,
    ),
    Attack("memory of a command", command="python -c 'x = bytearray(10**9)'", exit=1, kept=True),
    Attack(
        "memory in a daemon",
        # Each alone has less than a process may have; its own refusal must not come first.
        command="hold() { python -c 'import time; held = b\"x\" * (150 << 20); time.sleep(9)'; }\n"
        "hold & hold & hold & sleep 9",
        exit=None,
    ),
    Attack("recursion", "import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()", timed=True),
    Attack("recursion in C", "held = []\nfor number in range(10**6): held = [held]\nrepr(held)"),
    Attack("deep source", "eval('(' * 10**5)"),
    Attack("a number too long", "9 ** 9 ** 9", status="error|lost", timed=True),
]

ATTACKS = [*PROCESSES, *MEMORY]
