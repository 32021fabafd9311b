"""A driver that plays any Verifiers taskset; it runs in Verifiers' venv (see audit_driver).

Verifiers drives the episode: its environment runs rollouts and sends requests to a model. This driver provides the
model, which plays a script. The results are read from the trace. If a package has no harness, ``tool_loop`` provides
the harness. Its loop runs in this process, because starting a program for each rollout would take seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import types
from collections.abc import AsyncIterator
from functools import partial
from importlib.metadata import version
from itertools import count, islice
from typing import Any

import verifiers.v1 as vf
from aiohttp import web
from audit_bounds import SAY, Broken, as_tool, bounded, is_text, read_json, read_reward, text_block
from audit_clients import answer_models
from audit_driver import OF_A_ROLLOUT, Answered, Playing, main
from audit_live_rollout import LONGEST_EPISODE, LiveRollout, LiveScript
from audit_models import STAND_IN, Asker, asking, shaped
from tool_loop import AuditHarness
from verifiers.v1.utils.loaders import default_harness_id, env_config_type

HARNESS = "audit_harness"


class VerifiersPlaying(Playing, Asker):
    """One rollout, with the model's script and the first request that the model received."""

    prompt: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    asked, passes, in_turn = False, True, False
    seen: dict[str, Any] = {}

    def __init__(self, driver: Any, script: dict[str, Any], seconds: float) -> None:
        Playing.__init__(self, driver, script, seconds)
        Asker.__init__(self, script)
        self.texts: set[str] = set()

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the model's next message, which is the script's next call or a statement that the model is done."""
        self.request = request
        if not self.asked:
            self.asked, self.session = True, self
            self.prompt = bounded(request["messages"])
            given = [each.get("function", {}) for each in request.get("tools") or []]
            self.tools = [
                as_tool(t.get("name"), t.get("description"), t.get("parameters")) for t in given
            ]
        call = self.next_call()
        if call is None:
            return self._say(self.script.get("message") or "That is all.")
        if is_text(call["tool"], self.tools):
            self.texts.add(call["arguments"]["text"])
            return self._say(call["arguments"]["text"])
        given = call["arguments"]
        written = given if isinstance(given, str) else json.dumps(given)
        named = {"name": call["tool"], "arguments": written}
        calls = [{"id": f"call_{len(self.calls)}", "type": "function", "function": named}]
        return {"role": "assistant", "content": None, "tool_calls": calls}

    def _say(self, text: str) -> dict[str, Any]:
        task = self.driver.tasks[self.script["index"]].data.model_dump(mode="json")
        self.said = [(text, self.key_of(task))]
        return {"role": "assistant", "content": text}

    def read(self, trace: vf.Trace) -> None:
        """Record the steps of a trace: the model's calls or, if the model has no tools, its messages."""
        messages = trace.branches[-1].messages if trace.branches else []
        dumped = [each.model_dump(mode="json") for each in messages]
        for at, message in enumerate(dumped):
            if message["role"] != "assistant":
                continue
            after, said = dumped[at + 1 :], message.get("content")
            for call in message.get("tool_calls") or []:
                named = call.get("function") or call
                shown = next(
                    (m for m in after if m.get("tool_call_id") == call["id"]), dict[str, Any]()
                )
                given = read_json(named.get("arguments"))
                self.record(named.get("name"), given, Answered([_shown(shown)]))
            if not message.get("tool_calls") and (not self.tools or said in self.texts):
                answered = after[0] if after else {"content": "(nothing more)"}
                self.record(SAY["name"], {"text": said}, Answered([_shown(answered)]))
        self.final = read_reward(trace.reward)
        self.over = True  # Verifiers scores every rollout that did not fail
        if self.steps and trace.stop_condition is not None:
            self.steps[-1]["done"] = True


class LivePlaying(LiveScript, VerifiersPlaying):
    """A running rollout whose model messages arrive one by one."""


class VerifiersDriver:
    """A driver for the taskset with a given id. The package's own environment and harness are used if they exist."""

    name = "verifiers"
    names = count(1)
    versions = {"verifiers": version("verifiers")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Load the taskset, and serve its environment and the model that plays scripts."""
        answer_models()
        module = sys.modules[HARNESS] = types.ModuleType(HARNESS)
        vars(module).update(AuditHarness=AuditHarness, __all__=["AuditHarness"])
        name = request["id"]
        kind = env_config_type(name)
        own = default_harness_id(name)  # bash, if the package has none
        agent: dict[str, Any] = {"runtime": {"type": "subprocess"}}
        agent |= {} if own == name else {"harness": {"id": HARNESS}}
        seats = {
            field: agent
            for field, info in kind.model_fields.items()
            if isinstance(info.default, vf.AgentConfig)
        }
        if len(seats) > 1:
            what = f"it has {len(seats)} agents ({', '.join(seats)})"
            raise Broken(
                "agents", f"{what}; an audit plays one agent, and could not assign the rewards"
            )
        taskset = {"id": name, **request["config"]}
        self.env = vf.load_environment(kind.model_validate({"taskset": taskset, **seats}))
        self.tasks = list(islice(self.env.taskset.load(), request["count"]))
        self.playing: dict[str, VerifiersPlaying] = {}
        async with self._scripted_model() as url:
            self.client = vf.EvalClientConfig(base_url=url, api_key_var="AUDIT_NO_KEY")
            async with self.env.serving():
                yield

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the first tasks, and the tools that Verifiers offers in a rollout of the first task."""
        where = {"split": "tasks", "index": 0, "seed": 0}
        look = {"policy": "look", "label": "look", "calls": [], **where}
        (looked,) = await self.play_group([look], request["call_seconds"])
        if not looked.asked:
            why = looked.failure["message"] if looked.failure else "the model was never asked"
            raise Broken("rollout", f"no rollout can be started: {why}")
        places = [
            {**where, "index": index, "task": task.data.model_dump(mode="json")}
            for index, task in enumerate(self.tasks)
        ]
        infinite = getattr(type(self.env.taskset), "INFINITE", False)
        sizes = {} if infinite else {"tasks": len(self.tasks)}
        found = {
            "name": request["id"],
            "prompt": looked.prompt,
            "tools": looked.tools or [SAY],
            "seeded": False,
        }
        return {**found, "in_text": not looked.tools, "splits": sizes, "places": places}

    async def play_group(
        self, scripts: list[dict[str, Any]], seconds: float
    ) -> list[VerifiersPlaying]:
        """Play scripts concurrently; Verifiers runs a rollout for each script."""
        played = [VerifiersPlaying(self, script, seconds * OF_A_ROLLOUT) for script in scripts]
        self.playing = {f"audit-{number}": each for number, each in enumerate(played)}
        await asyncio.gather(*(self._play(name, each) for name, each in self.playing.items()))
        return played

    async def open_live(self, script: dict[str, Any]) -> LiveRollout:
        """Start a rollout that waits for the model's messages."""
        each = LivePlaying(self, script, LONGEST_EPISODE)
        name = f"live-{next(self.names)}"
        self.playing[name] = each
        session = LiveRollout(each, partial(self._play, name))
        await session.open()
        return session

    async def _play(self, name: str, each: VerifiersPlaying) -> None:
        async with each.guarded("the rollout"):
            [slot] = self.env.slots(self.tasks[each.script["index"]])
            sampling = vf.SamplingConfig()
            context = vf.ModelContext(client=self.client, model=name, sampling=sampling)
            each.model = name
            with asking(each):
                episode = await self.env.run_slot(slot, context)
            each.seen = each.judgements
            trace = episode.traces[0] if episode.traces else None
            if not episode.ok or trace is None:
                error = episode.last_error or (trace and trace.last_error)
                kind = STAND_IN if each.judged else getattr(error, "type", "error")
                raise Broken(kind, getattr(error, "message", str(error)))
            each.read(trace)

    @contextlib.asynccontextmanager
    async def _scripted_model(self) -> AsyncIterator[str]:
        """Serve an OpenAI-compatible endpoint on loopback. A request's model name selects the script to play."""

        async def complete(request: web.Request) -> web.StreamResponse:
            asked = await request.json()
            each = self.playing[asked["model"]]
            message = (
                await asyncio.to_thread(each.reply, asked) if each.waits else each.reply(asked)
            )
            reason = "tool_calls" if message.get("tool_calls") else "stop"
            whole = shaped("chat/completions", asked["model"], message)
            if not asked.get("stream"):
                return web.json_response(whole)
            response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
            await response.prepare(request)
            calls = [{"index": i, **c} for i, c in enumerate(message.get("tool_calls") or [])]
            delta = {**message, **({"tool_calls": calls} if calls else {})}
            chunk = {**whole, "object": "chat.completion.chunk"}
            chunk["choices"] = [{"index": 0, "delta": delta, "finish_reason": reason}]
            await response.write(f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n".encode())
            return response

        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", complete)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            await runner.cleanup()


def _shown(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return text_block(content if isinstance(content, str) else json.dumps(bounded(content)))


if __name__ == "__main__":
    main(VerifiersDriver())
