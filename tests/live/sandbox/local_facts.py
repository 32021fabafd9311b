"""Run by test_sandbox_local.py where a rendered domain is: uses the local backend, prints facts.

python local_facts.py PART [ARGUMENT...]        prints one JSON value in its last line
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import counter_domain._shared.env_spec  # noqa: F401 - the environment whose sessions these are
import rl_env_sandbox as sandbox
import sandbox_cases
from rl_env_sandbox import LARGEST, Limits, open_sandbox
from sandbox_play import outcome, played
from sandbox_watch import children, forker, gone, keepers

QUICK = Limits(cell_seconds=5, command_seconds=5)
PATIENT = Limits(cell_seconds=300, command_seconds=300)
LONG = "import subprocess; subprocess.Popen(['sleep', '6000'])"


def opened(label: str = "one", limits: Limits = PATIENT, **options: Any) -> Any:
    options = {"packages": ["ipython"], "variables": {"LABEL": label}, **options}
    return open_sandbox(limits=limits, **options)


def value(session: Any, code: str) -> str:
    """What a cell shows, as text."""
    outputs = session.run_code(code).outputs
    return "".join(o.get("text") or o.get("ename") or o["data"]["text/plain"] for o in outputs)


def cases() -> dict[str, Any]:
    with ThreadPoolExecutor(4) as pool:
        found = dict(
            zip([c.name for c in sandbox_cases.CASES], pool.map(lambda case: played(case, sandbox), sandbox_cases.CASES),  # noqa: E501
                strict=True)
        )  # fmt: skip
    return {**found, "mode": forker().enforced["mode"], "": gone("", keepers())}


def together(number: str) -> list[Any]:
    """What each of many sessions sees when all have left their traces; and its own traces."""
    many = int(number)
    ready = threading.Barrier(many, timeout=300)

    def one(n: int) -> list[str]:
        with contextlib.closing(opened(f"many-{n}")) as session:
            value(
                session, f"import os; x{n} = 1; os.environ['E{n}'] = '1'; open('f{n}', 'w').close()"
            )
            value(session, f"os.mkdir('d{n}'); os.chdir('d{n}')")
            session.run_command(f"touch g{n}; touch $TMPDIR/t{n}")
            ready.wait()
            names = value(session, "print(*(n for n in dir() if n[0] == 'x'))")
            places = value(session, "print(*os.listdir('..'), os.path.basename(os.getcwd()))")
            variables = value(session, "print(*(n for n in os.environ if n[0] == 'E'))")
            shell = session.run_command("ls; ls $TMPDIR; env | grep ^E").output
            ready.wait()
            return [names, " ".join(sorted(places.split())), variables, shell]

    with ThreadPoolExecutor(many) as pool:
        found = list(pool.map(one, range(many)))
    return [found, gone("many-0", keepers())]


def hanging() -> dict[str, Any]:
    """The order in which a hung cell and others end; how the hung call ends when closed."""
    hung, others = opened("hung"), [opened(f"other-{n}") for n in range(3)]
    events: list[str] = []

    def hang() -> None:
        how = outcome(
            lambda: hung.run_code("while True:\n try:\n  while True: pass\n except: pass")
        )
        events.append(how)

    thread = threading.Thread(target=hang)
    thread.start()
    events += [value(session, f"{n}") for n, session in enumerate(others)]
    new = opened("new")
    events.append(value(new, "'new'"))
    hung.close()
    thread.join()
    events.append(value(new, "'after'"))
    for session in (*others, new):
        session.close()
    return {"events": events, "left": gone("hung", keepers())}


def closing() -> dict[str, Any]:
    """Closing twice, calls after it, and what was started in the session."""
    session = opened()
    value(session, LONG)
    there = keepers()
    facts: dict[str, Any] = {"close": outcome(session.close), "again": outcome(session.close)}
    facts["left"] = gone("one", there)
    facts["cell"] = outcome(lambda: session.run_code("1"))
    facts["command"] = outcome(lambda: session.run_command("true"))
    facts["read"] = outcome(lambda: session.read_file("x"))
    return facts


def dropped() -> list[Any]:
    """What is left of a session that nobody closed or has."""
    session = opened()
    value(session, LONG)
    there = keepers()
    del session
    gc.collect()
    return [len(there), gone("one", there)]


def restarted() -> list[Any]:
    """Counts and state over the life of a session whose kernel is lost."""
    session = opened(limits=QUICK, files={"a.txt": b"a"})
    found: list[Any] = []
    for code in ("x = 1", "1 / 0", "x", "import time; time.sleep(99)", "x", "import os; os._exit(2)",
                 "x", "open('a.txt').read()"):  # fmt: skip
        result = session.run_code(code)
        found.append([result.status, result.execution_count, result.note])
    session.close()
    return found


def traced() -> list[str]:
    """The tracebacks of errors, in which no file of the backend belongs."""
    session = opened()
    codes = ("def f():\n    raise ValueError('no')\nf()", "import json; json.loads('x')", "1 +",
             "def f(n): return f(n + 1)\nf(0)", "import nothing", "await nothing()", "!exit 3\n1 / 0")  # fmt: skip
    texts = []
    for code in codes:
        errors = [o for o in session.run_code(code).outputs if o["output_type"] == "error"]
        texts.append("\n".join(errors[-1]["traceback"]) if errors else "no error")
    session.close()
    return texts


def ordered() -> str:
    """What is displayed, printed and returned, in the order of the kinds of outputs."""
    session = opened()
    result = session.run_code("for i in range(3):\n display(i); print(i)\n'end'")
    session.close()
    return " ".join(o.get("text", "").strip() or o["data"]["text/plain"] for o in result.outputs)


def forker_killed() -> dict[str, Any]:
    """What sessions do whose fork server is killed, and a new one."""
    old = opened("old")
    value(old, LONG)
    first = forker()
    there = {first._process.pid, *children(first._process.pid), *keepers()}
    os.kill(first._process.pid, signal.SIGKILL)
    first._process.wait()
    facts: dict[str, Any] = {"cell": outcome(lambda: old.run_code("1"))}
    new = opened("new")
    facts["new"] = value(new, "40 + 2")
    facts["close"] = outcome(old.close)
    facts["left"] = gone("old", there)
    until = time.monotonic() + 20
    while (rest := [p for p in there if os.path.exists(f"/proc/{p}")]) and time.monotonic() < until:  # noqa: PTH110
        time.sleep(0.05)
    facts["processes"] = rest
    facts["folder"] = bool(first._folder) and os.path.exists(first._folder)  # noqa: PTH110
    new.close()
    return facts


def forked() -> dict[str, Any]:
    """A server process that forks: both go on, and what the parent ends is not held by the child."""
    session, other = opened("parent"), opened("dropped")
    dropped, _ = keepers(), value(other, LONG)
    (reading, writing), (waiting, release) = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        facts = [outcome(lambda: session.run_code("1"))]
        own = opened("child")
        facts.append(value(own, "'own'"))
        own.close()
        os.write(writing, json.dumps(facts).encode())
        os.close(release)
        os.read(waiting, 1)
        sys.exit()  # as a worker ends, with what is registered for that
    os.close(writing)
    facts = {"child": json.loads(os.read(reading, 9999)), "parent": value(session, "'here'")}
    del other
    gc.collect()
    session.close()
    facts["left"] = gone("dropped", dropped)
    new = opened("later")
    os.close(release)
    os.waitpid(child, 0)
    facts["after"] = value(new, "'after'")
    new.close()
    return facts


def interrupted_call() -> list[str]:
    """A call that the server's own interrupt ends, and the one after it."""
    session = opened("one")
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        session.run_code("import time; time.sleep(2); print('late')")
        first = "returned"
    except KeyboardInterrupt:
        first = "KeyboardInterrupt"
    after = [value(session, "'next'") for _ in range(2)][-1]
    session.close()
    return [first, after]


def serving() -> None:
    """Sessions of all kinds, until this process is ended from outside."""
    sessions = [opened(f"served-{n}") for n in range(3)]
    value(sessions[0], LONG)
    sessions[1].run_command("(setsid sleep 6000 >/dev/null 2>&1 &)")
    hang = "import signal, time\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: time.sleep(1)"
    thread = threading.Thread(
        target=outcome, args=(lambda: sessions[2].run_code(hang),), daemon=True
    )
    thread.start()
    while not any(children(pid) for pid in keepers()):
        time.sleep(0.01)
    print("ready", flush=True)
    sessions[1].run_code("while True: pass")


def opening(**options: Any) -> str:
    return outcome(lambda: open_sandbox(**options))


def refused() -> list[str]:
    return [
        opening(packages=["ipython", "no_such-package"]),
        outcome(lambda: opened(packages=[]).run_code("1")),
        opening(packages=["ipython"], files={"/proc/none/x": b""}),
    ]


def sizes() -> dict[str, Any]:
    """Files that are too large for a session, one by one, together, and later."""
    large = b"x" * (LARGEST + 1)
    with contextlib.closing(opened(files={"small": b"x"})) as session:
        return {
            "one": opening(files={"large": large}),
            "all": opening(files={"a": large[2:], "b": large[2:]}, limits=Limits(disk_mb=48)),
            "later": outcome(lambda: session.write_file("large", large)),
            "left": session.run_command("ls").output,
        }


def whole_writes() -> dict[str, Any]:
    """What becomes of a file that cannot be written again, and of what is in its place."""
    limits = Limits(disk_mb=4)
    with contextlib.closing(opened(files={"run.sh": b"echo old"}, limits=limits)) as session:
        session.run_command("chmod +x run.sh; ln -s /etc/passwd link; mkfifo pipe; mkdir folder")
        facts = {
            "full": outcome(lambda: session.write_file("run.sh", b"x" * (8 << 20))),
            "kept": session.run_command("./run.sh").output,
            "folder": outcome(lambda: session.write_file("folder", b"x")),
            "no path": outcome(lambda: session.write_file("a\0b", b"x")),
        }
        for name in ("run.sh", "link", "pipe"):
            session.write_file(name, b"echo new")
        facts["written"] = session.run_command("./run.sh; cat link; cat pipe; ls -A").output
        return facts


def places() -> dict[str, Any]:
    """Modules of the working directory and of PYTHONPATH, and absolute paths."""
    files = {"here.py": b"x = 1", "lib/there.py": b"x = 2"}
    python = "import here, there; print(here.x + there.x, there.__file__)"
    read = "print(open('/home/user/here.py').read())"
    with contextlib.closing(
        opened(files=files, variables={"PYTHONPATH": "/home/user/lib"})
    ) as session:
        return {
            "cell": value(session, python),
            "command": session.run_command(f"python3 -c '{python}'").output,
            "absolute": value(session, read),
            "in bash": session.run_command(
                "cat /home/user/here.py; touch /tmp/x; ls /tmp/x"
            ).output,
            "read": (session.read_file("/home/user/here.py") or b"").decode(),
            "python": session.run_command("which -a python3 | head -1").output,
        }


def signals() -> dict[str, Any]:
    """Signals that programs send to their keeper."""
    with contextlib.closing(opened(files={"first": b"1"})) as session:
        session.write_file("second", b"2")
        kill = "for s in INT TERM HUP QUIT USR1 USR2 ALRM PIPE; do kill -$s $PPID; done 2>/dev/null"
        session.run_command(kill)
        there = session.run_command("ls").output
        return {"there": there, "restarts": session.restarts}


def opened_at_all() -> str:
    return outcome(lambda: opened() and None)


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    result = globals()[part](*arguments)
    print(json.dumps(result))
