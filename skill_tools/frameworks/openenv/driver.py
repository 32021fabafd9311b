"""A driver that plays any served OpenEnv environment; it runs in OpenEnv's venv (see audit_driver)."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import re
import sys
from collections.abc import AsyncIterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
from audit_bounds import Broken, as_tool, bounded, image_block, name_answers, text_block
from audit_driver import Answered, Refused, main
from audit_server import print_causes
from audit_token import bearer
from openenv.core import GenericEnvClient
from openenv.core.env_server import EnvironmentFactoryError

LARGEST_MB = 16
"""Maximum megabytes of an answer: enough for a screenshot, but not to fill the memory."""
KEPT = 2
"""Number of an episode's observations to keep unchanged: a few suffice, because all have the same form."""
REFUSING = ("VALIDATION_ERROR", "INVALID_JSON", "UNKNOWN_TYPE")
"""Codes with which the server refuses a message without playing it."""
CODE = re.compile(r"\(code: (\w+)\)")  # as in the client's error
KEPT_STATES = 20
"""Number of an episode's states to keep: enough to see whether steps are counted."""
OWN = ("metadata", "type")
"""Fields of an action that models do not fill in."""


class OpenEnvSession:
    """One episode in a WebSocket session of OpenEnv's generic client, which exchanges plain dictionaries."""

    def __init__(self, client: GenericEnvClient, typed: bool) -> None:
        self.client, self.typed, self.over = client, typed, False
        self.seen: dict[str, Any] = {"states": [], "raw": []}
        self.count: int | None = None

    async def open(self, script: dict[str, Any]) -> None:
        """Reset the environment with the script's seed, its task, and an episode id that is the same in a replay."""
        named = f"{script['policy']}/{script['label']}"
        self.episode = hashlib.sha256(named.encode()).hexdigest()[:32]
        place = {} if script["split"] is None else {k: script[k] for k in ("split", "index")}
        self.asked = {"seed": script["seed"], "episode_id": self.episode, **place}
        self.untouched = not script["calls"]
        opened = await _answer(self.client.reset(**self.asked))
        self.prompt = _as_prompt(opened.observation)
        self.seen["opening"] = {"reward": opened.reward, "done": opened.done}
        state = await self._look()
        self.seen["answers_in_state"] = name_answers(bounded(state))

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Send a tool call, or an action of the environment's only type."""
        if not self.typed:
            action = {"type": "call_tool", "tool_name": tool, "arguments": arguments}
        elif isinstance(arguments, dict) and tool == "step":
            action = arguments
        else:
            action = {"no_such_field": arguments}
        result = await _answer(self.client.step(action))
        after, before = self.over, self.count
        self.over = self.over or result.done is True
        await self._look(after)
        # Only needed after the end; a state without information has not counted it.
        counted = after and before is not None and self.count is not None and self.count > before
        if len(self.seen["raw"]) < KEPT:
            self.seen["raw"].append(bounded(result.observation))
        error = result.observation.get("error") if isinstance(result.observation, dict) else None
        return Answered(
            _blocks(result.observation),
            result.reward,
            result.done,
            "refused" if error else None,
            counted=counted,
        )

    async def end(self, message: str) -> None:
        """Reset once more if the script has no calls; OpenEnv has no signal that the model stopped."""
        if self.untouched:
            with contextlib.suppress(Exception):  # one that resets only once has not failed
                again = await self.client.reset(**self.asked)
                self.seen["reopened"] = _as_prompt(again.observation)

    async def close(self) -> None:
        """Close the socket, which ends the session."""
        await self.client.close()

    async def _look(self, after: bool = False) -> dict[str, Any]:
        """Return the state, and record its episode id and step count. Return {} if enough states are recorded."""
        kept = len(self.seen["states"]) < KEPT_STATES
        if not kept and not self.over:
            return {}
        state: dict[str, Any] = await self.client.state()
        count = state.get("step_count")
        self.count = count if isinstance(count, int) else None
        if kept and not after:
            result = {"episode_id": state.get("episode_id"), "step_count": count}
            self.seen["states"].append({**result, "asked": self.episode})
        return state


class OpenEnvDriver:
    """A driver for a server at an address, or for a folder served according to its ``openenv.yaml``."""

    name = "openenv"
    versions = {"openenv": version("openenv")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Store the server's address, and whether it accepts typed actions."""
        self.url, self.seconds = request["url"], request["call_seconds"]
        self.typed = bool((request.get("found") or {}).get("typed"))
        yield

    def make_app(self, request: dict[str, Any]) -> Any:
        """Return the app of a folder, imported as a package or, if that fails, as a plain module."""
        module, _, attribute = request["app"].partition(":")
        sys.path.insert(0, request["folder"])
        print_causes(EnvironmentFactoryError)  # clients see only that a factory failed
        try:
            found = importlib.import_module(f"{request['package']}.{module}")
        except ImportError:
            found = importlib.import_module(module)
        return getattr(found, attribute or "app")

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the tools that the client lists, and the schemas and tasks from the server's HTTP routes."""
        schemas = await self._get("/schema")
        about = await self._get("/metadata")
        tools, listed, why = await self._tools()
        action = (schemas or {}).get("action")
        typed = False
        if not tools and isinstance(action, dict) and not _calls_tools(action):
            typed, said = True, action.get("description") or "One step."
            tools = [as_tool("step", said, _without_own(action))]
        about = about if isinstance(about, dict) else {}
        found = {"name": about.get("name") or "openenv", "title": about.get("name"), "texts": False}
        found |= {"description": about.get("description"), "tools": tools, "typed": typed}
        tasks = await self._tasks(request["count"])
        if not tasks.get("places"):
            seeds = range(request["count"])
            tasks["places"] = [{"split": None, "index": None, "seed": seed} for seed in seeds]
        facts = {"schemas": schemas, "tools_again": listed, "no_tools": why}
        return {**found, "seeded": True, **tasks, "facts": facts}

    def validate(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the report of RFC 008, which OpenEnv's own models and policy produce."""
        sys.path.insert(0, str(Path(__file__).parent))
        from package_checks import report

        folder = Path(request["folder"]) if request["seen"]["folder"] else None
        said: dict[str, Any] = report(folder, request["target"], request["seen"])
        return said

    async def open(self, script: dict[str, Any]) -> OpenEnvSession:
        """Open a new session, reset with the script's seed and task."""
        most = {"message_timeout_s": self.seconds, "max_message_size_mb": LARGEST_MB}
        client = GenericEnvClient(self.url, headers=bearer(), **most)
        session = OpenEnvSession(client, self.typed)
        try:
            await session.open(script)
        except BaseException:
            with contextlib.suppress(Exception):
                await client.close()
            raise
        return session

    async def _tools(self) -> tuple[list[dict[str, Any]], bool, str]:
        """Return the tools, whether a second session lists the same tools, and the error if tools cannot be listed."""
        found: list[Any] = []
        for _ in range(2):
            client = GenericEnvClient(self.url, headers=bearer(), message_timeout_s=self.seconds)
            try:
                await client.reset(seed=0)
                answer = await client.step({"type": "list_tools"})
                listed = answer.observation.get("tools") or []
            except Exception as error:  # noqa: BLE001 - whatever the error, it lists none
                return [], True, str(error)[:300]
            finally:
                await client.close()
            fields = ("name", "description", "input_schema")
            found.append([as_tool(*map(each.get, fields)) for each in listed])
        return found[0], found[0] == found[1], ""

    async def _tasks(self, count: int) -> dict[str, Any]:
        """Return the splits, their sizes, and the first tasks; an empty dict if the server has no task provider."""
        names = await self._get("/list_environments")
        name = names[0] if isinstance(names, list) and names else ""
        splits = await self._get(f"/{name}/splits") if name else None
        if not isinstance(splits, list) or not splits:
            return {}
        sizes, odd, places = dict[str, int](), list[str](), list[dict[str, Any]]()
        for each in splits[:20]:
            split = each.get("name") if isinstance(each, dict) else each
            reply = await self._get(f"/{name}/num_tasks", {"split": split})
            size = reply.get("num_tasks") if isinstance(reply, dict) else None
            if not isinstance(size, int):
                odd.append(f"num_tasks of split {split!r} is {str(reply)[:100]}")
                continue
            sizes[str(split)] = size
            places = places or await self._range(name, split, size, count, odd)
        return {"splits": sizes, "places": places, "odd_tasks": odd}

    async def _range(
        self, name: str, split: Any, size: int, count: int, odd: list[str]
    ) -> list[dict[str, Any]]:
        """Return a split's first tasks. Add the differences between range and single requests to ``odd``."""
        wanted = min(count, size)
        reply = await self._get(f"/{name}/task_range", {"split": split, "start": 0, "stop": wanted})
        tasks = reply.get("tasks") if isinstance(reply, dict) else None
        if not isinstance(tasks, list) or len(tasks) != wanted:
            odd.append(
                f"split {split!r} lists {size} tasks, but a request for the first {wanted} returned {str(reply)[:80]}"
            )
            return []
        places = []
        for index, task in enumerate(tasks):
            one = await self._get(f"/{name}/task", {"split": split, "index": index})
            if not isinstance(one, dict) or one.get("task") != task:
                odd.append(f"task {index} of {split!r} differs when requested alone")
            seed = task.get("seed") if isinstance(task, dict) else None
            seed = seed if isinstance(seed, int) and not isinstance(seed, bool) else 0
            places.append({"split": split, "index": index, "seed": seed, "task": task})
        return places

    async def _get(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the JSON at a path, of limited size; None if the server has no JSON at this path."""
        client = httpx.AsyncClient(base_url=self.url, timeout=self.seconds, trust_env=False)
        method = "GET" if body is None else "POST"
        async with client, client.stream(method, path, json=body, headers=bearer()) as answer:
            if answer.status_code == 401:
                answer.raise_for_status()
            if answer.is_error:
                return None
            read = b""
            async for chunk in answer.aiter_bytes():
                read += chunk
                if len(read) > LARGEST_MB << 20:
                    raise Broken("size", f"{path} returned more than {LARGEST_MB} MB")
        try:
            return json.loads(read)
        except (ValueError, RecursionError):
            return None


async def _answer(asked: Any) -> Any:
    """Return the client's result. Raises Refused for an action that the server does not accept."""
    try:
        return await asked
    except RuntimeError as error:
        code = CODE.search(str(error))
        if code and code[1] in REFUSING:
            raise Refused(str(error)) from error
        raise Broken(code[1] if code else "error", str(error)) from error


def _calls_tools(action: dict[str, Any]) -> bool:
    return "tool_name" in (action.get("properties") or {})


def _without_own(action: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an action, without the fields that models do not fill in."""
    fields = {k: v for k, v in (action.get("properties") or {}).items() if k not in OWN}
    required = [name for name in action.get("required") or [] if name in fields]
    kept = {key: action[key] for key in ("$defs",) if key in action}
    return {"type": "object", "properties": fields, "required": required, **kept}


def _as_prompt(observation: Any) -> list[dict[str, Any]]:
    texts = [block["text"] for block in _blocks(observation) if block["type"] == "text"]
    return [{"role": "user", "content": "\n".join(texts)}]


def _blocks(observation: Any) -> list[dict[str, Any]]:
    """Return an observation as blocks: MCP content as MCP's own blocks, other observations as JSON."""
    if not isinstance(observation, dict):
        return [text_block(observation)]
    result = observation.get("result")
    if isinstance(result, dict) and isinstance(result.get("content"), list) and result["content"]:
        return [_block(each) for each in result["content"]]
    left = ("done", "reward")
    fields = {k: v for k, v in observation.items() if k not in left and v not in (None, {}, [], "")}
    return [text_block(json.dumps(fields, ensure_ascii=False, default=str) if fields else "")]


def _block(content: Any) -> dict[str, Any]:
    if isinstance(content, dict) and content.get("type") == "image":
        return image_block(content.get("data"), content.get("mimeType"))
    return text_block(content.get("text", "") if isinstance(content, dict) else content)


if __name__ == "__main__":
    main(OpenEnvDriver())
