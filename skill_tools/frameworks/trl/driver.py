"""A driver that plays any environment class for TRL's GRPOTrainer; it runs in TRL's venv (see audit_driver)."""

from __future__ import annotations

import contextlib
import importlib
import inspect
from collections.abc import AsyncIterator, Callable
from importlib.metadata import version
from typing import Any

from audit_bounds import as_tool, is_text, text_block
from audit_driver import Answered, Refused, main, read_rows
from transformers.utils import get_json_schema

OWN = ("reset", "get_reward")
"""Methods that are not tools."""


class TRLSession:
    """An episode with one environment object, called as in TRL's generation loop."""

    seen: dict[str, Any] = {}
    takes_messages = True

    def __init__(self, environment: Any, methods: dict[str, Callable[..., Any]]) -> None:
        self.environment, self.methods = environment, methods
        self.tools = described(methods)
        self.prompt: list[dict[str, Any]] = []

    async def open(self, row: dict[str, Any]) -> None:
        """Reset the environment with the columns of a row, and append the result to the row's prompt."""
        opening = await _value(self.environment.reset(**row))
        *before, last = row.get("prompt") or [{"role": "user", "content": ""}]
        text = f"{last['content']}{opening or ''}"
        self.prompt = [*before, {**last, "content": text_block(text)["text"]}]

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Call a method of the environment. TRL shows the model any exception and continues."""
        if is_text(tool, self.tools):
            return Answered(
                [text_block("(the episode is over)")], await self.end(arguments["text"]), True
            )
        if tool not in self.methods:
            raise Refused(f"Tool {tool} not found.")
        try:
            answer = await _value(self.methods[tool](**arguments))
        except Exception as error:
            raise Refused(str(error)) from error
        parts = answer if isinstance(answer, list) else [answer]
        return Answered([text_block(p.get("text", p) if isinstance(p, dict) else p) for p in parts])

    async def end(self, message: str) -> Any:
        """Return the environment's reward, which TRL requests after the last message."""
        ask = getattr(self.environment, "get_reward", None)
        return None if ask is None else await _value(ask())

    async def close(self) -> None:
        """Do nothing: TRL does not signal that an object is no longer needed, except by its next reset."""


class TRLDriver:
    """A driver for a class, named as ``module:Class``; the tasks are rows of a file, or seeds."""

    name = "trl"
    versions = {"trl": version("trl")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Import the environment class."""
        module, _, name = request["id"].partition(":")
        self.make = getattr(importlib.import_module(module), name)
        self.id = name
        self.rows = read_rows(request.get("tasks"))
        yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the tools as TRL shows them, and the tasks."""
        tools = described(tools_of(self.make()))
        count = min(request["count"], len(self.rows)) if self.rows else request["count"]
        places = [{"split": None, "index": i, "seed": i} for i in range(count)]
        return {"name": self.id, "tools": tools, "seeded": not self.rows, "places": places}

    async def open(self, script: dict[str, Any]) -> TRLSession:
        """Open a session with a new object, reset with the row at the script's index or with the script's seed."""
        environment = self.make()
        session = TRLSession(environment, tools_of(environment))
        row = self.rows[script["index"]] if self.rows else {"seed": script["seed"]}
        await session.open(row)
        return session


def tools_of(environment: Any) -> dict[str, Callable[..., Any]]:
    """Return the public methods of an environment, which are its tools."""
    found = inspect.getmembers(type(environment), predicate=inspect.isfunction)
    names = [name for name, _ in found if name not in OWN and not name.startswith("_")]
    return {name: getattr(environment, name) for name in names}


def described(methods: dict[str, Callable[..., Any]]) -> list[dict[str, Any]]:
    """Return the tools as a model sees them, derived from the methods' types and docstrings."""
    shown = [get_json_schema(method)["function"] for method in methods.values()]
    return [as_tool(each["name"], each["description"], each["parameters"]) for each in shown]


async def _value(found: Any) -> Any:
    return await found if inspect.isawaitable(found) else found


if __name__ == "__main__":
    main(TRLDriver())
