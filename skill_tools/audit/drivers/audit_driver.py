"""Play a foreign environment in the venv of its framework: code that all drivers share.

usage: python driver.py REQUEST OUTPUT

REQUEST is a JSON file that asks to ``serve`` a folder, ``discover`` the environment, ``play`` groups of scripts
(the episodes of a group alternate) or play ``live``, call by call. Results go to OUTPUT, one JSON object per
line. If a call never returns, this process ends, and its parent starts a new process. Standard library only.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import os
import resource
import sys
import time
import traceback
from collections.abc import AsyncIterator
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from audit_bounds import Broken, bounded, cut, read_done, read_reward, shown_length, text_block
from audit_hooks import LACKING
from audit_live import live
from audit_server import serve
from audit_token import UNAUTHORIZED, is_unauthorized
from audit_watch import start, watched

MEMORY = 6 << 30
"""Maximum bytes of this process's memory: beyond that the environment gets an error."""
LARGEST_FILE = 1 << 30
"""Maximum bytes that this process may write to one file: an environment must not fill the disk."""
OF_A_ROLLOUT = 4
"""A rollout that the framework plays as a whole is allowed the time of this many calls."""


class Answered(NamedTuple):
    """The result of a call: the ``observation`` as a list of blocks, and the ``reward`` as reported.

    ``counted`` states whether, according to the environment, the call counted as a step.
    """

    observation: list[dict[str, Any]]
    reward: Any = None
    done: Any = False
    error: str | None = None
    truncated: bool = False
    counted: bool = False


class Refused(Exception):
    """The error for a call that the environment refuses with a message, while the episode continues."""


class Playing:
    """One episode: its script, its session, and the observed steps.

    A script is ``{policy, label, split, index, seed, task, calls, beyond}``. The ``calls`` of a script (tool and
    arguments) are played until the episode ends. After the episode's end, up to ``beyond`` further calls are played.
    """

    in_turn = True  # whether no other episode runs during this one
    waits = False  # whether the calls arrive one by one

    def __init__(self, driver: Any, script: dict[str, Any], seconds: float) -> None:
        self.driver, self.script, self.seconds = driver, script, seconds
        self.calls = list(script["calls"])
        self.beyond = script.get("beyond", 0)
        self.session: Any = None
        self.steps: list[dict[str, Any]] = []
        self.over = self.truncated = self.finished = False
        self.final: float | None = None
        self.failure: dict[str, str] | None = None
        self.error: BaseException | None = None
        self.rewarded = self.unrewarded = 0
        self.longest = 0
        self.started = time.perf_counter()

    @property
    def who(self) -> str:
        """The episode's name in messages to the parent process: the policy and the label."""
        return f"{self.script['policy']}\t{self.script['label']}"

    def next_call(self) -> dict[str, Any] | None:
        """Return the script's next call, or None if the script has no further calls."""
        return self.calls.pop(0) if self.calls else None

    async def open(self) -> None:
        """Open the session. If this fails, record the failure and end the episode."""
        async with self.guarded("opening the episode"):
            self.session = await self.driver.open(self.script)

    async def advance(self) -> None:
        """Play the next call. If there are no further calls to play, request the final reward and finish."""
        if not self.calls or (self.over and not self.beyond):
            async with self.guarded("the end of the episode"):
                if not self.over:
                    said = self.script.get("message", "")
                    self.final = read_reward(await self.session.end(said))
                    self.over = (
                        self.final is not None
                    )  # requesting the final score has ended the episode
            self.finished = True
            return
        call = self.calls.pop(0)
        tool, arguments = call["tool"], call["arguments"]
        self.beyond -= self.over
        async with self.guarded(f"call {len(self.steps) + 1}, {tool}"):
            self.record(tool, arguments, await self._answer(tool, arguments))

    def record(self, tool: str, arguments: Any, answer: Answered) -> None:
        """Add a step to the episode. Raise Broken if the step's reward or its ``done`` cannot be read."""
        self.longest = max(self.longest, *map(shown_length, answer.observation), 0)
        reward, done = read_reward(answer.reward), read_done(answer.done)
        error = answer.error
        if self.over and done and not reward:  # refused, as far as can be determined
            error = "counted" if answer.counted else "episode_over"
        self.rewarded += reward is not None
        self.unrewarded += reward is None and error is None
        step = {"tool": tool, "arguments": bounded(arguments), "error": error, "done": done}
        self.steps.append({**step, "observation": answer.observation, "reward": reward or 0.0})
        self.truncated = self.truncated or (answer.truncated and not self.over)
        self.over = self.over or done

    async def close(self) -> None:
        """Free the session, ignoring its errors."""
        if self.session is not None:
            with contextlib.suppress(Exception), watched(self.seconds, "closing the session"):
                async with asyncio.timeout(self.seconds):
                    await self.session.close()

    def line(self) -> dict[str, Any]:
        """Return the episode as a trajectory, together with the driver's other observations."""
        script, failed = self.script, self.failure
        ended = "truncated" if self.truncated else "terminated" if self.over else "stopped"
        paid = sum(step["reward"] for step in self.steps) + (self.final or 0.0)
        trajectory = {
            "framework": self.driver.name,
            "model": script["policy"],
            **{key: script[key] for key in ("label", "split", "index", "seed")},
            "prompt": getattr(self.session, "prompt", []),
            "tools": getattr(self.session, "tools", []),
            "steps": self.steps,
            "final_reward": self.final or 0.0,
            "final_message": script.get("message"),
            "return": None if failed or getattr(self.driver, "rewardless", False) else paid,
            "end": "failed" if failed else ended,
            "failure": failed,
            "seconds": round(time.perf_counter() - self.started, 3),
            "versions": self.driver.versions,
        }
        rewarded = self.rewarded + (self.final is not None)
        seen = {"rewarded": rewarded, "unrewarded": self.unrewarded, "longest": self.longest}
        if failed:  # the call that ended it is not a step
            seen["calls"] = bounded(script["calls"][: len(script["calls"]) - len(self.calls)])
        return {"trajectory": trajectory, "seen": {**seen, **getattr(self.session, "seen", {})}}

    def fail(self, kind: str, message: str, log: str = "") -> None:
        """Record why the episode has no score. Only the first reason is kept."""
        # The message must not contain terminal control bytes.
        shown = "".join(c if c.isprintable() or c == "\n" else " " for c in message)
        failure = {"kind": kind, "message": cut(shown, 2000), "log": cut(log[-4000:])}
        self.failure = self.failure or failure
        self.finished = True

    async def _answer(self, tool: str, arguments: Any) -> Answered:
        try:
            answered: Answered = await self.session.call(tool, arguments)
            return answered
        except Refused as refused:
            return Answered([text_block(str(refused))], None, self.over, "refused")
        except Exception as error:
            if not self.over:
                raise
            # Whatever the message, a call after the end was not played.
            return Answered([text_block(f"after the end: {error}")], None, True, "episode_over")

    @contextlib.asynccontextmanager
    async def guarded(self, what: str) -> AsyncIterator[None]:
        """If the ``with`` block raises an error, record the error as the episode's failure."""
        try:
            with watched(self.seconds, what, self.who if self.in_turn else ""):
                async with asyncio.timeout(self.seconds):
                    yield
        except TimeoutError:
            self.fail("timeout", f"{what}: no reply after {self.seconds:g} s")
        except Broken as broken:
            where = "" if broken.kind == LACKING else f"{what}: "
            self.fail(broken.kind, f"{where}{broken}")
        except MemoryError:
            self.fail("memory", f"{what}: the result does not fit into {MEMORY >> 30} GB")
        except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code
            self.error = error
            self.fail(type(error).__name__, f"{what}: {error}", traceback.format_exc())


async def play_in_turn(driver: Any, scripts: list[dict[str, Any]], seconds: float) -> list[Playing]:
    """Play several scripts in alternation, call by call. A single script is played alone."""
    played = [Playing(driver, script, seconds) for script in scripts]
    try:
        for each in played:
            await each.open()
        while left := [each for each in played if not each.finished]:
            for each in left:
                await each.advance()
    finally:
        for each in played:
            await each.close()
    return played


def main(driver: Any) -> None:
    """Process the request on the command line. The driver has ``name``, ``versions`` and a method for each verb."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    start(Path(sys.argv[2]).with_suffix(".at"))
    try:
        _answer(driver, json.loads(Path(sys.argv[1]).read_text("utf-8")), Path(sys.argv[2]))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's code
        traceback.print_exc()
        said = " ".join(str(error).split())
        print(f"{type(error).__name__}: {said[:400]}", flush=True)  # its last line is the cause
        os._exit(UNAUTHORIZED if is_unauthorized(error) else 1)
    sys.stdout.flush()
    os._exit(0)  # do not wait for threads that hang


def _answer(driver: Any, request: dict[str, Any], output: Path) -> None:
    with output.open("a", encoding="utf-8") as lines:

        def tell(line: dict[str, Any]) -> None:
            lines.write(json.dumps(line, allow_nan=False) + "\n")
            lines.flush()

        if request["do"] == "serve":
            serve(driver.make_app(request), tell)
        elif request["do"] == "validate":
            tell(bounded(driver.validate(request)))
        elif request["do"] == "live":
            live(driver, request, Refused)
        else:
            asyncio.run(_do(driver, request, tell))


async def _do(driver: Any, request: dict[str, Any], tell: Any) -> None:
    seconds = request["call_seconds"]
    async with driver.reaching(request):
        if request["do"] == "discover":
            with watched(request["seconds"], "discovering tasks and tools"):
                found = await driver.discover(request)
                if "prompt" not in found and not found.get("lacks"):
                    found["prompt"] = await _look(driver, found["places"], seconds)
            tell(bounded(found))
            return
        until = time.monotonic() + request["seconds"]
        itself = hasattr(driver, "play_group")
        for group in request["groups"]:
            if time.monotonic() > until:
                break
            with watched(seconds * 40, f"the episode {group['scripts'][0]['label']}"):
                if itself:
                    played = await driver.play_group(group["scripts"], seconds)
                else:
                    played = await play_in_turn(driver, group["scripts"], seconds)
            tell({"group": group["key"], "episodes": [each.line() for each in played]})


async def _look(driver: Any, places: list[dict[str, Any]], seconds: float) -> list[Any]:
    """Return the prompt of the first task. Raise Broken if there are no tasks or the episode cannot be opened."""
    if not places:
        raise Broken("tasks", "there are no tasks")
    look = Playing(driver, {"policy": "look", "label": "look", "calls": [], **places[0]}, seconds)
    await look.open()
    await look.close()
    if look.failure:
        raise Broken(look.failure["kind"], look.failure["message"]) from look.error
    return list(look.session.prompt)


def load_file(name: str, path: Path) -> ModuleType:
    """Load a module by its path, because a standard module may have the same name."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(name, module)
    spec.loader.exec_module(module)
    return module


def read_rows(file: str | None) -> list[dict[str, Any]]:
    """Return the rows of a JSON-lines file of tasks, or no rows if there is no file."""
    if not file:
        return []
    lines = Path(file).read_text("utf-8").split("\n")
    return [json.loads(line) for line in lines if line.strip()]
