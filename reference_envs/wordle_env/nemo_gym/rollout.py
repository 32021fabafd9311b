"""Roll out Wordle on NeMo Gym with any OpenAI-compatible model; --help tells the arguments.

Rendered from env.yaml; `skill-tools render` overwrites it. It plays the resources server as an agent
does, without Ray. Without --url (or NEMO_GYM_URL) it serves the environment itself on a free port.
"""

import asyncio
import contextlib
import json
import ssl
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # with PYTHONSAFEPATH Python leaves it out

import httpx
from wordle_domain._shared.rollouts import chat, command_line, play
from wordle_domain._shared.servers import asgi_server

NAMES = {"id": "response", "model": "model", "object": "response", "tool_choice": "auto"}
RESPONSE = {**NAMES, "created_at": 0, "parallel_tool_calls": False, "tools": []}
"""What /step wants in a response besides its output."""
PATIENCE = 5.0
"""Seconds for ending an episode that has ended otherwise."""


class Session:
    """One episode over the server's two routes, as `chat.chat` plays it."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http, self.truncated, self.over = http, False, False

    async def open(self, assignment: play.Assignment) -> None:
        """Open the episode of an assignment: the cookie that comes back is the session."""
        place = {"split": assignment.split, "index": assignment.index}
        which = place if assignment.split else {"task": assignment.task}
        limits = {"seed": assignment.seed, "max_turns": assignment.max_turns}
        opened = await self._post("/reset", {**which, **limits})
        self.prompt = opened["info"]["messages"]
        if opened["observation"] is not None:  # otherwise the messages are the whole opening
            self.prompt.append({"role": "user", "content": opened["observation"]})
        kept = ("name", "description", "parameters")
        self.tools = [{key: tool[key] for key in kept} for tool in opened["info"]["tools"]]

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Play one tool call."""
        return await self._played(_call(tool, arguments))

    async def _played(self, *items: dict[str, Any]) -> dict[str, Any]:
        played = await self._step(*items)
        self.truncated = played["truncated"]
        self.over = self.truncated or played["terminated"]
        (step,) = played["info"]["steps"]
        return {key: step[key] for key in ("observation", "reward", "done", "error")}

    async def end(self) -> float:
        """End the episode because the model stopped."""
        self.over = True
        return (await self._step())["info"]["final_reward"]

    async def _step(self, *output: dict[str, Any]) -> dict[str, Any]:
        return await self._post("/step", {"response": {**RESPONSE, "output": list(output)}})

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        row = {"responses_create_params": {"input": []}, **body}
        answer = await self.http.post(path, json=row)
        if answer.is_error:
            raise RuntimeError(f"{path} answered {answer.status_code}: {answer.text}")
        return answer.json()


def _call(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    asked = {"type": "function_call", "call_id": "call", "name": tool}
    return {**asked, "arguments": json.dumps(arguments)}


def main() -> int:
    """Play all assignments; returns the exit code."""
    args = command_line.parse("NeMo Gym", "NEMO_GYM_URL")
    certificates = ssl.create_default_context()  # once: it reads the machine's store
    token = asgi_server.bearer()

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        # A call may take as long as its world.
        patient = {"timeout": None, "trust_env": False, "verify": certificates}
        async with httpx.AsyncClient(base_url=args.url, headers=token, **patient) as http:
            session = Session(http)
            await session.open(assignment)
            line = await chat.chat(session, model, assignment, args)
            if not session.over:  # the model broke: nothing else would free the world
                with contextlib.suppress(Exception):  # it may hang, which must not cost the record
                    async with asyncio.timeout(PATIENCE):
                        await session.end()
            return line

    with asgi_server.reach(args.url, "/environment", "server") as args.url:
        return play.run("nemo_gym", {"nemo-gym": version("nemo-gym")}, args, play_one)


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
