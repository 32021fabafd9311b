"""Attacks on the machinery of the local backend, as a table; sandbox_escapes.py has those outwards.

Imported where a rendered sandbox package is, with nothing but the standard library. An attack
prints REACHED where it got hold of something that it must not; what the driver hides from it holds
the text of `in_attacks.MARK`, which must never be shown. The words in <angle brackets> are filled
in by the driver: see `in_attacks.places`.
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


# fmt: off
PROCESSES = [
    Attack("fork bomb", "while True:\n try: os.fork()\n except OSError: pass", status="lost"),
    Attack("fork bomb in bash", command="bomb() { bomb | bomb & }; bomb; sleep 9"),
    Attack(
        "thread bomb",
        "import threading\nwhile True:\n threading.Thread(target=time.sleep, args=(99,)).start()",
        status="error|lost",
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
    Attack("stopping its parent", "os.kill(os.getppid(), signal.SIGSTOP)"),
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
        command="head -c 900M /dev/zero | tail -c 800M >/dev/null & sleep 9",
        exit=None,
    ),
    Attack("recursion", "import sys\nsys.setrecursionlimit(10**9)\ndef f(): f()\nf()"),
    Attack("recursion in C", "held = []\nfor number in range(10**6): held = [held]\nrepr(held)"),
    Attack("deep source", "eval('(' * 10**5)"),
    Attack("a number too long", "9 ** 9 ** 9", status="error|lost"),
]

OUTPUT = [
    Attack(
        "output without end",
        "while True: print('y' * 999)",
        status="error",
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack(
        "errors without end",
        "while True: print('y' * 999, file=sys.stderr)",
        status="error",
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack(
        "output of a child",
        "subprocess.run('yes')",
        status="error",
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack(
        "output of a command",
        command="yes",
        exit=None,
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack(
        "zeros of a command",
        command="cat /dev/zero >&2",
        exit=None,
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack(
        "output by display",
        "while True: display('y' * 999)",
        status="error",
        kept=True,
        says=("stopped after printing 1 MB",),
    ),
    Attack("displays of nothing", "while True: display({}, raw=True)", status="error|lost"),
    Attack(
        "updates without end",
        "shown = display('a', display_id=True)\nwhile True: shown.update('b' * 999)",
        status="error",
        kept=True,
    ),
    Attack("one long line", "print('y' * 10**8)", status="error", says=("1 MB",)),
    Attack("a long message", "raise ValueError('y' * 10**8)", status="error", kept=True),
    Attack("a long value", "'y' * 10**8", status="ok", kept=True),
    Attack(
        "a long table",
        "import pandas\npandas.options.display.max_rows = None\n"
        "pandas.DataFrame({'a': range(10**6)})",
    ),
    Attack(
        "a large image",
        "from IPython.display import Image\n"
        "Image(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(10**8), format='png')",
        kept=True,
    ),
    Attack(
        "a long chain of errors",
        "def fail(n):\n try: raise ValueError(n)\n"
        " except ValueError:\n  if n: fail(n - 1)\n  raise KeyError(n)\nfail(300)",
    ),
    Attack(
        "a value that will not be shown",
        "class Bad:\n def __repr__(self): raise SystemExit\nBad()",
        kept=True,
    ),
    Attack(
        "a value that is shown for ever",
        "class Bad:\n def __repr__(self):\n  while True: pass\nBad()",
        status="error|lost",
        kept=True,
    ),
    Attack(
        "an error that cannot be told",
        "class Bad(Exception):\n def __str__(self): raise Bad\nraise Bad",
        status="error",
        kept=True,
    ),
    Attack(
        "half of a letter",
        "sys.stdout.buffer.write(b'\\xe2\\x82' + b'\\xff' * 99); '\\ud800'",
        kept=True,
    ),
]

TIME = [
    Attack("sleep", "time.sleep(999)", status="error", kept=True, says=("stopped after 1 s",)),
    Attack("sleep of bash", command="sleep 999", exit=None, kept=True, says=("stopped after 1 s",)),
    Attack(
        "bash that ignores",
        command="trap '' INT TERM HUP; while :; do :; done",
        exit=None,
        kept=True,
    ),
    Attack(
        "loop that catches all",
        "while True:\n try:\n  while True: pass\n except BaseException: pass",
        status="lost|error",
    ),
    Attack(
        "loop behind a deaf handler",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        status="lost",
    ),
    Attack(
        "loop with signals blocked",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nwhile True: pass",
        status="lost",
    ),
    Attack("a pattern without end", "import re; re.match('(a+)+$', 'a' * 60 + 'b')"),
    Attack("a loop in C", "sum(range(10**12))"),
    Attack(
        "waiting for a thread",
        "import threading\n"
        "t = threading.Thread(target=time.sleep, args=(999,)); t.start(); t.join()",
        status="error",
        kept=True,
    ),
    Attack("waiting for an answer", "input('name? ')", status="error", kept=True),
    Attack("waiting for bash's answer", command="read name; echo done; cat", kept=True),
    Attack(
        "waiting for a pipe",
        "os.mkfifo('pipe'); open('pipe')",
        status="error",
        kept=True,
        reads=("pipe",),
        writes=("pipe",),
    ),
    Attack(
        "a thread that goes on",
        "import threading\ndef on():\n while True: print('y' * 99)\n"
        "threading.Thread(target=on, daemon=True).start()",
        status="ok",
        kept=True,
    ),
    Attack(
        "a thread that shows for ever",
        "import threading\ndef on():\n"
        " while True: display('y')\nthreading.Thread(target=on, daemon=True).start()",
    ),
]

FRAMES = [
    Attack("garbage to the keeper", "spill(os.urandom(9999))", status="lost"),
    Attack("a truncated frame", "spill(b'\\0\\0\\x03\\xe8{}')"),
    Attack("a gigantic frame", "spill(b'\\x7f\\xff\\xff\\xff')", status="lost"),
    Attack(
        "a frame that never ends",
        "spill(b'\\0\\0\\xff\\xff')\nwhile True: spill(b' '); time.sleep(0.1)",
        status="lost",
    ),
    Attack("deep JSON", "spill(frame(b'[' * 10**6))", status="lost"),
    Attack(
        "wide JSON", "spill(frame(b'{\"output\":[' + b'{},' * 2500000 + b'1]}'))", status="lost"
    ),
    Attack(
        "a number of JSON",
        'spill(frame(b\'{"done":1,"failed":0,"execution_count":1e999}\'))\ntime.sleep(9)',
        status="lost",
    ),
    Attack("another kind of JSON", "spill(frame([1]))", status="lost"),
    *[
        Attack(
            f"a false message, {number}",
            f"spill(frame({{'identity': 0, 'update': 0, 'output': {output}}}))",
            status="ok|lost",
        )
        for number, output in enumerate(
            (
                "[]",
                "None",
                "{}",
                "{'output_type': 'error'}",
                "{'output_type': 'x', 'data': []}",
                "{'output_type': 'stream', 'name': 'stdout', 'parts': [1], 'data': {}}",
                "{'output_type': 'display_data', 'data': {'text/plain': [{}] * 99}}",
                "{'output_type': 'display_data', 'data': {'image/png': 'no'}}",
            )
        )
    ],
    Attack(
        "a false end",
        "spill(frame({'done': True, 'failed': False, 'execution_count': 7}))\ntime.sleep(0.5)",
        broken=True,
    ),
    Attack(
        "a false end and no other",
        "spill(frame({'done': True, 'failed': False,"
        " 'execution_count': 7}))\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "while True: time.sleep(9)",
        broken=True,
    ),
    Attack(
        "an answer of a child",
        "if os.fork() == 0:\n"
        " spill(frame({'done': True, 'failed': False, 'execution_count': 7}))\n os._exit(0)\n"
        "time.sleep(0.5)",
        broken=True,
    ),
    Attack("a child at the end of the cell", "os.fork()", status="ok", kept=True),
    Attack("no descriptors", "os.closerange(0, 512)", status="lost"),
    Attack("no output", "os.close(1); os.close(2); print('y' * 10**6)"),
    Attack("messages into the output", "os.dup2(1, 3)", status="lost"),
    Attack("output into the messages", "os.dup2(3, 1); print('y' * 99)", status="lost"),
    Attack(
        "another stdout",
        "class Bad:\n def write(self, text): raise OSError\n"
        " def flush(self): raise OSError\nsys.stdout = sys.stderr = Bad()\nprint(1)",
    ),
    Attack("no stdout", "sys.stdout = sys.stderr = sys.__stdout__ = None\nprint(1)"),
    Attack("frames of its own", "sys.modules['frames'].send = lambda *a: None", broken=True),
    Attack("json of its own", "import json\njson.dumps = lambda *a, **k: '{}'", broken=True),
    Attack("a shell of its own", "get_ipython().run_cell = lambda *a, **k: 1 / 0", broken=True),
    Attack(
        "no shell",
        "import gc\nfor found in gc.get_objects():\n"
        " if type(found).__name__ == 'Shell': found.__dict__.clear()",
        broken=True,
    ),
    Attack(
        "at exit, and at every event",
        "import atexit\natexit.register(time.sleep, 99)\nsys.addaudithook(lambda *a: 1 / 0)",
        broken=True,
    ),
    Attack("a trace of everything", "sys.settrace(lambda *a: 1 / 0)", broken=True),
]

ATTACKS = [*PROCESSES, *MEMORY, *OUTPUT, *TIME, *FRAMES]
# fmt: on
