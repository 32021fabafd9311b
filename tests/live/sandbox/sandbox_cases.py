"""What every execution backend must do, as a table: steps in a session, and what they bring.

Imported where a rendered sandbox package is, with nothing but the standard library. `options` of a
case are keywords of `open_sandbox`, `limits` those of its Limits:

    limits = Limits(**case.limits)
    with contextlib.closing(open_sandbox(**COMMON, **case.options, limits=limits)) as sandbox:
        case.play(sandbox)

A note is compared with its beginning, a traceback with its first and last line.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

COMMON = {"packages": ["ipython", "pandas", "matplotlib", "numpy"]}
"""What a backend must hold for all cases."""

LOST = "its variables are lost, and a new kernel takes its place"

SECONDS = 6.0
"""What a cell and a command may take where some are stopped.

On a machine that other tests keep busy, the first traceback of a new kernel takes over two seconds.
"""


def shown(outputs: Sequence[Mapping[str, Any]], name: str) -> str:
    """What was printed to stdout or stderr."""
    return "".join(o["text"] for o in outputs if o.get("name") == name)


def equal(what: str, found: Any, expected: Any) -> None:
    assert found == expected, f"{what}: {found!r}, expected {expected!r}"


@dataclass(frozen=True)
class Cell:
    """A cell, and what it brings.

    prints, warns: all of stdout and of stderr; or a pattern for all of it, compiled.
    value: text/plain of the last expression; forms: MIME types of all values shown.
    error: name of the exception; lines: first and last line of its traceback.
    """

    code: str
    status: str = "ok"
    count: int | None = None
    prints: str | re.Pattern[str] = ""
    warns: str | re.Pattern[str] = ""
    value: str | None = None
    forms: tuple[str, ...] | None = None
    error: str = ""
    message: str | None = None
    lines: tuple[str, ...] | None = None
    note: str = ""
    ends: str = ""
    seconds: float | None = None

    def play(self, sandbox: Any) -> None:
        result = sandbox.run_code(self.code, self.seconds)
        outputs = result.outputs
        equal("status", (result.status, result.note), (self.status, result.note))
        assert result.note.startswith(self.note), result.note
        assert bool(result.note) == bool(self.note), result.note
        assert result.note.endswith(self.ends), result.note
        if self.count is not None:
            equal("count", result.execution_count, self.count)
        for name, expected in (("stdout", self.prints), ("stderr", self.warns)):
            if isinstance(expected, re.Pattern):
                found = shown(outputs, name)
                assert expected.fullmatch(found), f"{name}: {found[:300]!r}"
            else:
                equal(name, shown(outputs, name), expected)
        self._check_values(outputs, result.execution_count)
        errors = [output for output in outputs if output["output_type"] == "error"]
        equal("errors", [error["ename"] for error in errors], [self.error] if self.error else [])
        if self.message is not None:
            equal("message", errors[0]["evalue"], self.message)
        if self.lines is not None:
            equal("traceback", tuple(errors[0]["traceback"]), self.lines)

    def _check_values(self, outputs: Sequence[Mapping[str, Any]], count: int | None) -> None:
        results = [o for o in outputs if o["output_type"] == "execute_result"]
        displays = [o for o in outputs if o["output_type"] == "display_data"]
        texts = [output["data"]["text/plain"] for output in results]
        equal("values", texts, [] if self.value is None else [self.value])
        equal("numbers", [r["execution_count"] for r in results], [count] * len(results))
        if self.forms is not None:
            kinds = {kind for output in [*results, *displays] for kind in output["data"]}
            equal("forms", kinds, set(self.forms))
        for output in [*results, *displays]:
            equal("metadata", output["metadata"], {})
            if png := output["data"].get("image/png"):
                image = base64.b64decode(png)
                equal("image", image[:8], b"\x89PNG\r\n\x1a\n")
                width, height = struct.unpack(">II", image[16:24])
                assert width > 50, width
                assert height > 50, height


@dataclass(frozen=True)
class Shell:
    """A command, and what it brings."""

    command: str
    output: str | re.Pattern[str] = ""
    code: int | None = 0
    note: str = ""
    seconds: float | None = None

    def play(self, sandbox: Any) -> None:
        result = sandbox.run_command(self.command, self.seconds)
        equal("exit", (result.exit_code, result.note), (self.code, self.note))
        if isinstance(self.output, re.Pattern):
            assert self.output.fullmatch(result.output), repr(result.output[:300])
        else:
            equal("output", result.output, self.output)


@dataclass(frozen=True)
class Read:
    """A file as the server reads it."""

    path: str
    data: bytes | None
    limit: int = 1_000_000

    def play(self, sandbox: Any) -> None:
        equal(self.path, sandbox.read_file(self.path, self.limit), self.data)


@dataclass(frozen=True)
class Write:
    """A file that the server writes; refused means that it raises OSError."""

    path: str
    data: bytes
    refused: bool = False

    def play(self, sandbox: Any) -> None:
        try:
            sandbox.write_file(self.path, self.data)
        except OSError:
            assert self.refused, f"{self.path} was refused"
        else:
            assert not self.refused, f"{self.path} was written"


@dataclass(frozen=True)
class Case:
    """One behaviour: the session's options, and its steps."""

    name: str
    steps: Sequence[Cell | Shell | Read | Write]
    options: Mapping[str, Any] = field(default_factory=dict)
    limits: Mapping[str, Any] = field(default_factory=dict)

    def play(self, sandbox: Any) -> None:
        """Do the steps; raises AssertionError, naming the step, at the first that differs."""
        for number, step in enumerate(self.steps, 1):
            try:
                step.play(sandbox)
            except AssertionError as error:
                raise AssertionError(f"step {number}, {step}: {error}") from None


RULE = "-" * 75
ZERO = "ZeroDivisionError"
HEAD = f"{ZERO}{'Traceback (most recent call last)':>{75 - len(ZERO)}}"
FRUIT = b"name,price\napple,3\npear,4\n"
# In two loops: an interrupt that arrives while another is being caught leaves the inner one.
STUBBORN = """\
def stubborn(work):
    while True:
        try:
            work()
        except KeyboardInterrupt:
            pass
"""
TABLE = "import pandas as pd\npd.DataFrame({'a': [1, 2]})"
FIGURE = "import matplotlib.pyplot as plt\nplt.plot([1, 3, 2])\nplt.show()"

# fmt: off
CASES = [
    Case(
        "state is kept between cells, which are numbered",
        [
            Cell("x = 20", count=1),
            Cell("print(x + 1)", count=2, prints="21\n"),
            Cell("x * 2", count=3, value="40", forms=("text/plain",)),
            Cell("_ + len(Out)", count=4, value="41"),
            Cell("In[1], In[5][:2], len(In)", count=5, value="('x = 20', 'In', 6)"),
        ],
    ),
    Case(
        "what is printed comes in one piece and in order",
        [
            Cell("for i in range(3): print(i)", prints="0\n1\n2\n"),
            Cell("import sys; print('a'); print('b', file=sys.stderr)", prints="a\n", warns="b\n"),
            Cell("print('ä', end='')", prints="ä"),
        ],
    ),
    Case(
        "text values keep their quotes, and long ones are cut short",
        [
            Cell("'abc'", value="'abc'"),
            Cell("\"it's\"", value='"it\'s"'),
            Cell("''", value="''"),
            Cell("[1, 'b']", value="[1, 'b']", forms=("text/plain",)),
            Cell("print(len(repr_ := get_ipython().display_formatter.format("
                 "list(range(5000)))[0]['text/plain']) < 10000)", prints="True\n"),
        ],
    ),
    Case(
        "a table is text and HTML, and no more is sent",
        [
            Cell(TABLE, value="   a\n0  1\n1  2", forms=("text/plain", "text/html")),
            Cell("print([f for f in get_ipython().display_formatter.formatters if 'e2b' in f])",
                 prints="[]\n"),
        ],
    ),
    Case("a figure is an image", [Cell(FIGURE, forms=("text/plain", "image/png"))]),
    Case(
        "an exception has its name, its message and a traceback, and state is kept",
        [
            Cell("x = 1"),
            Cell("1 / 0", "error", 2, error=ZERO, message="division by zero", lines=(
                RULE, HEAD, "Cell In[2], line 1", "----> 1 1 / 0", "",
                f"{ZERO}: division by zero")),
            Cell("raise ValueError('a\\nb')", "error", error="ValueError", message="a\nb"),
            Cell("1 +", "error", error="SyntaxError"),
            Cell("x", value="1", count=5),
        ],
    ),
    Case(
        "an exception has no colours",
        [Cell("raise ValueError('\\x1b[31mred')", "error", error="ValueError")],
    ),
    Case(
        "shell commands have a bash of their own",
        [
            Shell("echo out; echo err >&2; echo out", "out\nerr\nout\n"),
            Shell("exit 3", code=3),
            Shell("false", code=1),
            Shell("kill -9 $$", code=137),
            Shell("no-such-command", re.compile(r"bash: .*no-such-command: command not found\n"), 127),
            Shell("A=1; pwd", "/home/user\n"),
            Shell("echo \"[$A]\" ~ '$x' \"it's\"", "[] /home/user $x it's\n"),
            Shell("cat", ""),
            Shell("printf 'a\\n\\nb'", "a\n\nb"),
            Shell("sleep 60 & echo started", "started\n"),
            Shell("echo 'echo PROFILE' > .bash_profile; cp .bash_profile .bashrc"),
            Shell("echo quiet", "quiet\n"),
        ],
        limits={"command_seconds": 20.0},
    ),
    Case(
        "files are there, and shared by cells, commands and the server",
        [
            Shell("cat fruit.csv", FRUIT.decode()),
            Cell("print(open('sub/folder/b.bin', 'rb').read())", prints="b'\\x00\\xff'\n"),
            Cell("with open('made.txt', 'w') as f: f.write('one')", value=None),
            Shell("echo two >> made.txt; cat made.txt", "onetwo\n"),
            Read("made.txt", b"onetwo\n"),
            Read("/home/user/made.txt", b"onetwo\n"),
            Read("made.txt", b"one", limit=3),
            Read("sub/folder/b.bin", b"\x00\xff"),
            Write("new/deep/c.txt", b"\x00c"),
            Read("new/deep/c.txt", b"\x00c"),
            Shell("echo more >> new/deep/c.txt", ""),
            Write("made.txt", b""),
            Read("made.txt", b""),
            Shell("stat -c %Y fruit.csv sub/folder/b.bin sub | sort -u | wc -l", "1\n"),
        ],
        options={"files": {"fruit.csv": FRUIT, "sub/folder/b.bin": b"\x00\xff"}},
    ),
    Case(
        "what is no file is None, and cannot be written",
        [
            Read("none.txt", None),
            Read("a\0b", None),
            Shell("mkdir folder; ln -s /none there; mkfifo pipe; ln -s loop loop"),
            *[Read(path, None) for path in ("folder", "there", "pipe", "loop", "folder/x/y")],
            Write("folder", b"x", refused=True),
        ],
    ),
    Case(
        "a call with seconds of its own is stopped then, and the next has the session's again",
        [
            Shell("echo before; sleep 60", "before\n", None, "stopped after 2 s", seconds=2),
            Shell("sleep 3; echo slept", "slept\n"),
            Shell("echo more", "more\n", seconds=1000),
            Cell("import time\nx = 7"),
            Cell("print('before')\ntime.sleep(60)", "error", 2, "before\n",
                 error="KeyboardInterrupt", note=f"stopped after {SECONDS:g} s", seconds=SECONDS),
            Cell("time.sleep(7); print(x)", "ok", 3, "7\n"),
        ],
        limits={"cell_seconds": 60.0, "command_seconds": 60.0},
    ),
    Case(
        "a cell that takes too long is stopped, and variables are kept",
        [
            Cell("x = 7; import time"),
            Cell("print('before')\ntime.sleep(60)", "error", 2, "before\n",
                 error="KeyboardInterrupt", note=f"stopped after {SECONDS:g} s"),
            Cell("import subprocess; subprocess.run(['sleep', '60'])", "error", 3,
                 error="KeyboardInterrupt", note=f"stopped after {SECONDS:g} s"),
            Cell("print(x)", "ok", 4, "7\n"),
            Cell("for i in range(1000):\n    print(i, flush=True); time.sleep(0.1)", "error", 5,
                 re.compile("0\n1\n2\n3\n[0-9\n]*"), error="KeyboardInterrupt",
                 note=f"stopped after {SECONDS:g} s"),
            Cell("try:\n    time.sleep(60)\nexcept KeyboardInterrupt:\n    print('caught')",
                 "error", 6, "caught\n", note=f"stopped after {SECONDS:g} s"),
            Cell("x", "ok", 7, value="7"),
        ],
        limits={"cell_seconds": SECONDS},
    ),
    Case(
        "a cell that ignores being stopped loses its kernel",
        [
            Cell("x = 1; open('kept', 'w').close(); import os; print(os.getcwd())",
                 prints="/home/user\n"),
            Cell(f"{STUBBORN}import time; print('before', flush=True)\n"
                 "stubborn(lambda: stubborn(lambda: time.sleep(60)))", "lost", prints="before\n",
                 note=f"stopped after {SECONDS:g} s", ends=LOST),
            Cell("x", "error", 1, error="NameError"),
            Cell("import os; print(os.path.exists('kept'), os.getcwd())",
                 "ok", 2, "True /home/user\n"),
        ],
        limits={"cell_seconds": SECONDS},
    ),
    Case(
        "a kernel that dies is replaced",
        [
            Cell("x = 1; print('before', flush=True); import os; os._exit(1)", "lost",
                 prints=re.compile("(before\n)?"), note="its kernel", ends=LOST),
            Cell("x", "error", 1, error="NameError"),
            Cell("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "lost",
                 note="its kernel", ends=LOST),
            Cell("1", "ok", 1, value="1"),
        ],
    ),
    Case(
        "a flood of output is stopped, and variables are kept",
        [
            Cell("x = 7"),
            Cell("while True: print('y' * 10_000)", "error", 2, re.compile("[y\n]{900000,1048576}"),
                 error="KeyboardInterrupt", note="stopped after printing 1 MB"),
            Cell("x", "ok", 3, value="7"),
            Shell("yes", re.compile("[y\n]{900000,1048576}"), None, "stopped after printing 1 MB"),
            Shell("echo fine", "fine\n"),
        ],
        limits={"output_mb": 1},
    ),
    Case(
        "a flood that ignores being stopped loses its kernel",
        [
            Cell(f"{STUBBORN}stubborn(lambda: stubborn(lambda: print('y' * 10_000)))",
                 "lost", prints=re.compile("[y\n]{900000,1048576}"),
                 note="stopped after printing 1 MB", ends=LOST),
            Cell("1", count=1, value="1"),
        ],
        limits={"output_mb": 1},
    ),
    Case(
        "a command that takes too long is killed with what it started",
        [
            Shell("echo before; (trap '' TERM INT; echo $BASHPID > pid; sleep 60; echo no) & sleep 60",
                  "before\n", None, f"stopped after {SECONDS:g} s"),
            Shell("for i in 1 2 3 4 5 6; do kill -0 $(cat pid) || break; sleep 0.2; done 2> /dev/null;"
                  " [ $i -lt 6 ] && echo gone", "gone\n"),
            Shell("trap '' TERM INT HUP; while :; do :; done", "", None, f"stopped after {SECONDS:g} s"),
        ],
        limits={"command_seconds": SECONDS},
    ),
    Case(
        # Linux cuts names after 15 bytes, which is in the middle of a letter here.
        "a program with a name that is no text goes on",
        [Shell("cp $(command -v sleep) ./ééééééééé; ./ééééééééé 4; echo done", "done\n")],
    ),
    Case(
        "the seed repeats a session, in every new kernel",
        [
            *[step for _ in range(2) for step in (
                Cell("import random; random.random()", value="0.32383276483316237"),
                Cell("import numpy; print(numpy.random.random())", prints="0.07630828937395717\n"),
                Cell("import os; os._exit(0)", "lost", note="its kernel", ends=LOST))],
        ],
        options={"seed": 7},
    ),
    Case(
        "variables are set in cells and commands",
        [
            Cell("import os; print(os.environ['WORD'], os.environ['HOME'])",
                 prints="it's \"1\" /home/user\n"),
            Shell("echo \"$WORD\" $HOME", "it's \"1\" /home/user\n"),
        ],
        options={"variables": {"WORD": "it's \"1\""}},
    ),
    Case(
        "what cannot be run is an error and no more",
        [
            Cell(""),
            Cell("x = '\ud800'\nprint(1)", prints="1\n"),
            Cell("print(1)\0", "error", error="SyntaxError"),
            Shell("echo a\0b", re.compile("bash cannot be started: .*\n"), 127),
            Shell(f": {'x' * 200_000}", re.compile("bash cannot be started: .*\n"), 127),
            Cell("1", value="1"),
        ],
    ),
]
# fmt: on
