"""A driver that plays a reward function over a dataset's rows: one question, one reply (see audit_driver)."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import platform
import sys
from collections.abc import AsyncIterator, Callable, Mapping
from copy import deepcopy
from functools import cached_property
from pathlib import Path
from types import CodeType, MappingProxyType
from typing import Any

from argument_conventions import (
    QUESTION,
    arguments_of,
    as_messages,
    as_reward,
    is_async,
    keys_of,
    question_of,
    returns_pairs,
    takes_batches,
)
from audit_bounds import SAY, Broken, bounded, read_reward, text_block
from audit_clients import answer_models
from audit_driver import Answered, load_file, main, read_rows
from audit_hooks import LACKING, Lacking, WatchedValue, watched_value, written
from audit_models import STAND_IN, Asker, asking
from audit_scoring import slip_records
from audit_scoring.slip_watch import watched_code
from audit_scoring.step_limit import StepLimit
from audit_threads import among, no_loop, on_a_thread
from call_trace import Trace

NAME = "reward_function_of_somebody"
"""The module name for importing the file: no package has it."""
NOTHING: Mapping[str, Any] = MappingProxyType({})
MOST_LINES = 200_000
"""Maximum lines that an edited function may run: an edit may make a loop endless."""


class RewardSession:
    """An episode with one row, which ends with the first reply."""

    tools = [SAY]

    def __init__(self, driver: RewardDriver, script: dict[str, Any], row: Any) -> None:
        self.row = row
        self.function, self.more = driver.function, driver.more
        if program := script.get("program"):
            self.function = driver.edited(program)
        self.lines = StepLimit(MOST_LINES) if program else contextlib.nullcontext()
        self.slips = slip_records.recording() if script.get("slips") else None
        if self.slips:
            self.function = driver.watched
        self.folder = driver.folder
        self.script, self.asks = script, Asker(script)
        self.trace = Trace(Path(driver.folder).resolve()) if script.get("traced") else None
        self.beside, self.leads = driver.pairs(script.get("beside", ())), script.get("leads")
        self.crowd = driver.pairs(script.get("crowd", ()))
        self.seen: dict[str, Any] = {}
        self.prompt = bounded(as_messages(question_of(row)))

    async def call(self, tool: str, arguments: dict[str, Any]) -> Answered:
        """Score the model's text."""
        own = (self.row, arguments["text"])
        pairs = [own, *self.beside] if self.leads else [*self.beside, own]
        given = pairs
        if self.script.get("watched"):
            given = [(_watched(row), text) for row, text in pairs]
        by_place, by_name = arguments_of(self.function, given, self.more)
        WatchedValue.used.clear()
        if self.script.get("tells"):
            self.seen["arguments"] = deepcopy([written(by_place), written(by_name)])
        self.asks.said = [(text, self.asks.key_of(row)) for row, text in pairs]
        try:
            recording = self.trace.recording() if self.trace else self.slips or self.lines
            with asking(self.asks), recording as slips:
                if self.script.get("thread") and not is_async(self.function):
                    return self._answered(self._elsewhere(pairs))
                with no_loop():
                    returned = self.function(*by_place, **by_name)
                if inspect.isawaitable(returned):
                    returned, *_ = await asyncio.gather(returned, *self._beside())
        except Broken:
            raise
        except KeyError as wrong:
            key = str(wrong.args[0]) if wrong.args else ""
            if key not in keys_of(self.function):
                raise
            why = f"a value for {key!r}, which the function's code reads from a trainer's arguments"
            raise Broken(LACKING, f"{why} (--arg {key}=VALUE)") from wrong
        except Lacking as wrong:
            raise Broken(LACKING, str(wrong)) from wrong
        except ModuleNotFoundError as missing:
            raise Broken(LACKING, _package(missing)) from missing
        except Exception as wrong:
            if not self.asks.judged:
                raise
            raise Broken(STAND_IN, f"{type(wrong).__name__}: {wrong}") from wrong
        finally:
            self.seen |= {**self.asks.judgements, "used": sorted(WatchedValue.used)}
            if self.trace:
                self.seen["trace"] = self.trace.steps
            if self.slips:
                self.seen["slips"] = slips
        return self._answered(self._reward(returned, len(pairs)))

    async def _alone(self, returned: Any) -> None:
        """Await a concurrent call and ignore its exception."""
        with contextlib.suppress(Exception):
            await returned

    def _beside(self) -> list[Any]:
        """Return coroutines for calls that trainers await concurrently with the scored call, in one event loop."""
        calls = (arguments_of(self.function, [each], self.more) for each in self.crowd)
        return [self._alone(self.function(*by_place, **by_name)) for by_place, by_name in calls]

    def _answered(self, reward: Any) -> Answered:
        return Answered([text_block("(scored)")], reward, True)

    def _reward(self, returned: Any, of: int) -> Any:
        at = 0 if self.leads else -1
        return as_reward(returned, of, at, pairs=returns_pairs(self.function))

    def _score(self, pairs: list[tuple[Any, str]]) -> Any:
        """Return the reward of the last reply, computed on the current thread; a coroutine gets its own event loop."""
        call = self._calling(*arguments_of(self.function, pairs, self.more))
        return self._reward(call(), len(pairs))

    def _calling(self, by_place: list[Any], by_name: dict[str, Any]) -> Callable[[], Any]:
        def call() -> Any:
            returned = self.function(*by_place, **by_name)
            return asyncio.run(_awaited(returned)) if inspect.isawaitable(returned) else returned

        return call

    def _elsewhere(self, pairs: list[tuple[Any, str]]) -> Any:
        """Return the reward computed off the main thread. With concurrent calls, return the lowest of several
        rewards."""
        if not self.crowd:
            return on_a_thread(lambda: self._score(pairs))
        # Made once: their own setup takes time in which none of their code runs.
        others = [self._calling(*arguments_of(self.function, [e], self.more)) for e in self.crowd]
        paid = among(lambda: self._score(pairs), others, self.folder)
        rewards = [read_reward(each) for each in paid]
        return None if None in rewards else min(each for each in rewards if each is not None)

    async def end(self, message: str) -> None:
        """Do nothing, because a model that writes no reply has no score."""

    async def close(self) -> None:
        """Do nothing, because the session holds no resources."""


class RewardDriver:
    """A driver for a reward function and the rows of a file; ``id`` is ``FILE.py:NAME`` in the folder."""

    name = "reward_function"
    versions = {"python": platform.python_version()}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the file that defines the reward function, with the file's folder on the import path."""
        self.rows, self.more = read_rows(request["tasks"]), request["config"]
        answer_models()
        file, _, wanted = request["id"].rpartition(":")
        self.folder = request["folder"]
        path = self.path = Path(self.folder) / file
        self._edited: dict[str, Callable[..., Any]] = {}
        sys.path.insert(0, str(path.parent))
        self.id, self.lacks = wanted, ""
        try:
            with no_loop():
                module = load_file(NAME, path)
        except ModuleNotFoundError as missing:
            self.lacks = _package(missing)
            yield
            return
        function = getattr(module, wanted, None)
        if not callable(function):
            there = [name for name, each in vars(module).items() if inspect.isfunction(each)]
            raise Broken("function", f"{file} has no function {wanted!r}; it has: {there}")
        self.function: Callable[..., Any] = function
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the function's name, the only tool (a text message), and the tasks, which are the rows."""
        rows = self.rows[: request["count"]]
        places = [
            {"split": "rows", "index": index, "seed": 0, "task": row}
            for index, row in enumerate(rows)
        ]
        found = {"name": self.id, "tools": [SAY], "in_text": True, "seeded": False}
        if lacks := self.lacks or self._unknown():
            found["lacks"] = lacks
        else:
            found |= {"batches": takes_batches(self.function), "threads": True, "watches": True}
        return {**found, "ends_itself": True, "splits": {"rows": len(self.rows)}, "places": places}

    def _unknown(self) -> str:
        """Return the function's parameters for which no value is known, or ""."""
        try:
            arguments_of(self.function, [(row, "") for row in self.rows[:1]], self.more)
        except Broken as broken:
            if broken.kind == LACKING:
                return str(broken)
            raise
        return ""

    async def open(self, script: dict[str, Any]) -> RewardSession:
        """Return a session for one row. If the script has ``tells``, the session records the function's arguments."""
        return RewardSession(self, script, self.rows[script["index"]])

    def edited(self, program: str) -> Callable[..., Any]:
        """Return the reward function of an edited program in place of the file's own text."""
        if program not in self._edited:
            self._edited = {program: self._function_of(compile(program, str(self.path), "exec"))}
        return self._edited[program]

    @cached_property
    def watched(self) -> Callable[..., Any]:
        """The reward function with operations that record slips."""
        code = watched_code(self.path.read_text("utf-8"), str(self.path))
        return self._function_of(code, slip_records.OPERATIONS)

    def _function_of(self, code: CodeType, more: Mapping[str, Any] = NOTHING) -> Callable[..., Any]:
        names = {"__name__": f"{NAME}_edited", "__file__": str(self.path), **more}
        with no_loop():
            exec(code, names)  # noqa: S102 - as the file itself
        found: Callable[..., Any] = names[self.id]
        return found

    def pairs(self, several: Any) -> list[tuple[Any, str]]:
        """Return pairs of row and reply. In ``several``, each pair has the row's number instead of the row."""
        return [(self.rows[index], text) for index, text in several]


def _watched(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row that records which columns the function uses. Uses of the question are not recorded."""
    open_ones = (*QUESTION, "data_source")
    return {n: each if n in open_ones else watched_value(n, each) for n, each in row.items()}


async def _awaited(returned: Any) -> Any:
    return await returned


def _package(missing: ModuleNotFoundError) -> str:
    """Return a phrase that asks the user for the package of a missing module."""
    name = str(missing.name or missing).partition(".")[0]
    return f"the package with the module {name!r}, which the function imports (--requirement PACKAGE or a folder)"


if __name__ == "__main__":
    main(RewardDriver())
