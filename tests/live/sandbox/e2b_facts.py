"""Run by test_e2b.py where E2B's client is installed: uses the rendered backend, prints facts.

python e2b_facts.py PART [ARGUMENT...]        prints one JSON value in its last line
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import threading
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import counter_domain._shared.env_spec  # noqa: F401 - the environment whose sessions these are
import rl_env_sandbox as sandbox
import sandbox_cases
from rl_env_sandbox import Limits, open_sandbox
from sandbox_play import outcome, played


def cases(*names: str) -> dict[str, str]:
    chosen = [case for case in sandbox_cases.CASES if not names or case.name in names]
    with ThreadPoolExecutor(4) as pool:
        return dict(
            zip(
                [case.name for case in chosen],
                pool.map(lambda case: played(case, sandbox), chosen),
                strict=True,
            )
        )


def opening(**options: Any) -> str:
    return outcome(lambda: open_sandbox(**options))


def opened() -> str:
    return opening()


def lacking() -> str:
    return opening(packages=["numpy", "no_such-package", "pandas>=2"])


def bad_file() -> str:
    return opening(files={"/proc/none/x": b""})


def long_life() -> str:
    return opening(limits=Limits(sandbox_seconds=100_000))


def ended() -> dict[str, str]:
    """What a session does whose sandbox is killed while nothing runs; closed twice after."""
    session = open_sandbox()
    session._cloud.kill()
    facts = {
        "cell": outcome(lambda: session.run_code("1")),
        "command": outcome(lambda: session.run_command("true")),
        "read": outcome(lambda: session.read_file("x")),
        "write": outcome(lambda: session.write_file("x", b"")),
        "close": outcome(session.close),
        "again": outcome(session.close),
    }
    return facts | {"after": outcome(lambda: session.run_code("1"))}


def killed_within() -> dict[str, str]:
    """What a cell and a command raise whose sandbox is killed while they run."""
    facts = {}
    for name, action in (
        ("cell", lambda session: session.run_code("import time; time.sleep(60)")),
        ("command", lambda session: session.run_command("sleep 60")),
    ):
        session = open_sandbox()
        threading.Timer(1, session._cloud.kill).start()
        facts[name] = outcome(lambda session=session, action=action: action(session))
        session.close()
    return facts


def short_life() -> dict[str, str]:
    session = open_sandbox(limits=Limits(sandbox_seconds=10))
    time.sleep(11)
    return {"cell": outcome(lambda: session.run_code("1")), "close": outcome(session.close)}


def together(count: str) -> dict[str, Any]:
    """Sessions at once: what each sees of the others."""
    barrier = threading.Barrier(int(count))

    def one(number: int) -> list[Any]:
        with contextlib.closing(open_sandbox(files={"own": str(number).encode()})) as session:
            barrier.wait(120)
            session.run_code(f"x = {number}; import os; os.environ['N'] = str(x)")
            session.run_command(f"echo {number} > number")
            barrier.wait(120)
            reported = session.run_code("print(x, os.environ['N'], sorted(os.listdir()))")
            shell = session.run_command("cat number own")
            return [reported.outputs[0]["text"], shell.output]

    with ThreadPoolExecutor(int(count)) as pool:
        return {"found": list(pool.map(one, range(int(count))))}


def hanging() -> dict[str, Any]:
    """A cell of one session that hangs until a file is there, and another's cells meanwhile."""
    first, second = (open_sandbox(limits=Limits(cell_seconds=300)) for _ in range(2))
    wait = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.1)"
    with ThreadPoolExecutor(1) as pool:
        hung = pool.submit(first.run_code, wait)
        values = [second.run_code(str(n)).outputs[0]["data"]["text/plain"] for n in range(3)]
        before = not hung.done()
        first.write_file("go", b"")
        status = hung.result().status
    for session in (first, second):
        session.close()
    return {"values": values, "before": before, "status": status}


def left() -> str:
    """Leave sessions open at the end of the process."""
    globals()["sessions"] = [open_sandbox(), open_sandbox()]
    return "opened"


def there() -> list[dict[str, Any]]:
    """What was asked for the sandboxes that the stand-in holds."""
    with urllib.request.urlopen(f"{os.environ['E2B_API_URL']}/stand-in") as answer:
        return json.load(answer)


def asked() -> dict[str, Any]:
    with contextlib.closing(open_sandbox(limits=Limits(sandbox_seconds=77))):
        return there()[-1]


def forgotten() -> list[int]:
    """Sandboxes while a session is used, and after nobody holds it any more."""
    session = open_sandbox()
    session.run_code("1")
    before = len(there())
    del session
    return [before, len(there())]


def forked() -> str:
    """End a fork of this process normally; its sessions must go on."""
    session = open_sandbox()
    child = os.fork()
    if child == 0:
        sys.exit(0)
    os.waitpid(child, 0)
    found = session.run_code("1").status
    session.close()
    return found


def hostile() -> dict[str, Any]:
    """Code that attacks the machinery: what it brings, and whether the session goes on."""
    facts = {}
    for name, code in {
        "profile": "open('.bash_profile', 'w').write('exit 5'); import time; time.sleep(60)",
        "orphan": "import subprocess as s; s.Popen(['setsid', 'sleep', '600']); import os; os._exit(3)",
        "home": "import shutil, os; os.chdir('/'); os.system('rm -rf /home/user/*')",
        "forged": "class WebSocketError(Exception): pass\nraise WebSocketError('x')",
        "exit": "exit()",
    }.items():
        session = open_sandbox(limits=Limits(cell_seconds=5, command_seconds=60))
        status = session.run_code(code).status
        after = [session.run_code("print(1)").status for _ in range(2)][-1]
        facts[name] = [status, after, session.run_command("echo ok").output]
        session.close()
    return facts


if __name__ == "__main__":
    part, *arguments = sys.argv[1:]
    print(json.dumps(globals()[part](*arguments)))
