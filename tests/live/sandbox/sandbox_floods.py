"""Attacks by output, by time and by messages to the keeper; see sandbox_attacks.py."""

from __future__ import annotations

try:
    from .sandbox_attacks import Attack
except ImportError:  # where the driver is run
    from sandbox_attacks import Attack

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
    Attack(
        "displays of nothing", "while True: display({}, raw=True)", status="error|lost", timed=True
    ),
    Attack(
        "updates without end",
        "shown = display('a', display_id=True)\nwhile True: shown.update('b' * 999)",
        status="error",
        kept=True,
        timed=True,
    ),
    Attack("one long line", "print('y' * 10**8)", status="error", says=("1 MB",)),
    Attack("a long message", "raise ValueError('y' * 10**8)", status="error", kept=True),
    Attack("a long value", "'y' * 10**7", status="ok", kept=True),
    Attack(
        "a long table",
        "import pandas\npandas.options.display.max_rows = None\n"
        "pandas.DataFrame({'a': range(10**6)})",
        timed=True,
    ),
    Attack(
        "a large image",
        "from IPython.display import Image\n"
        "Image(b'\\x89PNG\\r\\n\\x1a\\n' + bytes(10**8), format='png')",
        kept=True,
        timed=True,
    ),
    Attack(
        "a long chain of errors",
        "def fail(n):\n try: raise ValueError(n)\n"
        " except ValueError:\n  if n: fail(n - 1)\n  raise KeyError(n)\nfail(300)",
        timed=True,
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
        timed=True,
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
    Attack(
        "sleep",
        "time.sleep(999)",
        status="error",
        kept=True,
        says=("stopped after 2 s",),
        timed=True,
    ),
    Attack(
        "sleep of bash",
        command="sleep 999",
        exit=None,
        kept=True,
        says=("stopped after 2 s",),
        timed=True,
    ),
    Attack(
        "bash that ignores",
        command="trap '' INT TERM HUP; while :; do :; done",
        exit=None,
        kept=True,
        timed=True,
    ),
    Attack(
        "loop that catches all",
        "while True:\n try:\n  while True: pass\n except BaseException: pass",
        status="lost|error",
        timed=True,
    ),
    Attack(
        "loop behind a deaf handler",
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass",
        status="lost",
        timed=True,
    ),
    Attack(
        "loop with signals blocked",
        "signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))\nwhile True: pass",
        status="lost",
        timed=True,
    ),
    Attack("a pattern without end", "import re; re.match('(a+)+$', 'a' * 60 + 'b')", timed=True),
    Attack("a loop in C", "sum(range(10**12))", timed=True),
    Attack(
        "waiting for a thread",
        "import threading\n"
        "t = threading.Thread(target=time.sleep, args=(999,)); t.start(); t.join()",
        status="error",
        kept=True,
        timed=True,
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
        timed=True,
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
        timed=True,
    ),
]

FRAMES = [
    Attack(
        "descriptors of a command",
        command="exec 2>/dev/null; for n in {3..9} {11..99}; do true >&$n && echo REACHED $n; done; true",
        exit=0,
        kept=True,
    ),
    Attack("garbage to the keeper", "spill(os.urandom(9999))", status="lost"),
    Attack("a truncated frame", "spill(b'\\0\\0\\x03\\xe8{}')", timed=True),
    Attack("a gigantic frame", "spill(b'\\x7f\\xff\\xff\\xff')", status="lost"),
    Attack(
        "a frame that never ends",
        "spill(b'\\0\\0\\xff\\xff')\nwhile True: spill(b' '); time.sleep(0.1)",
        status="lost",
        timed=True,
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
        timed=True,
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
    Attack("no output", "os.close(1); os.close(2); print('y' * 10**6)", timed=True),
    Attack("messages into the output", "os.dup2(1, 3)", status="lost"),
    Attack("output into the messages", "os.dup2(3, 1); print('y' * 99)", status="lost"),
    Attack(
        "another stdout",
        "class Bad:\n def write(self, text): raise OSError\n"
        " def flush(self): raise OSError\nsys.stdout = sys.stderr = Bad()\nprint(1)",
        timed=True,
    ),
    Attack("no stdout", "sys.stdout = sys.stderr = sys.__stdout__ = None\nprint(1)", timed=True),
    Attack(
        "frames of its own", "sys.modules['frames'].send = lambda *a: None", broken=True, timed=True
    ),
    Attack(
        "json of its own", "import json\njson.dumps = lambda *a, **k: '{}'", broken=True, timed=True
    ),
    Attack(
        "a shell of its own",
        "get_ipython().run_cell = lambda *a, **k: 1 / 0",
        broken=True,
        timed=True,
    ),
    Attack(
        "no shell",
        "import gc\nfor found in gc.get_objects():\n"
        " if type(found).__name__ == 'Shell': found.__dict__.clear()",
        broken=True,
        timed=True,
    ),
    Attack(
        "at exit, and at every event",
        "import atexit\natexit.register(time.sleep, 99)\nsys.addaudithook(lambda *a: 1 / 0)",
        broken=True,
        timed=True,
    ),
    Attack("a trace of everything", "sys.settrace(lambda *a: 1 / 0)", broken=True, timed=True),
]

FLOODS = [*OUTPUT, *TIME, *FRAMES]
