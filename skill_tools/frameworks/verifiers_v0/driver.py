"""A driver that plays any environment of the older Verifiers API; it runs in its own venv (see audit_driver).

Verifiers drives the episode: its environment runs rollouts and sends requests to a model. This driver
provides the model, which plays a script. The driver supports the request formats of releases before 0.1.8, of
releases before 0.1.11, and of later releases.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import importlib.util
import inspect
import json
from collections.abc import AsyncIterator, Iterator
from copy import deepcopy
from importlib.metadata import version
from itertools import count
from typing import Any

from audit_bounds import (
    SAY,
    Broken,
    as_tool,
    bounded,
    cut,
    is_text,
    read_json,
    read_reward,
    text_block,
)
from audit_clients import answer_models
from audit_driver import OF_A_ROLLOUT, Answered, Playing, main
from audit_environment import first_rows, load, prepare, tables_of
from audit_live_rollout import LONGEST_EPISODE, LiveRollout, LiveScript
from audit_models import Asker, ScriptOver, asking
from audit_scoring.rubrics import graders_of, rubrics_of, watch_graders
from audit_threads import no_loop
from audit_watch import watched

MOST_TURNS = 20
"""Maximum turns after a script: a game that never ends must stop."""
AT_ONCE = 32
"""Maximum concurrent episodes in a group: more would only wait for each other in one process."""
LOADING = 200.0
"""Seconds for loading the environment: a large cached dataset takes less."""
CLOSING = 3.0
"""Seconds for the environment's teardown, after which this process ends."""
CUT_SHORT = ("max_turns_reached", "prompt_too_long", "timeout_reached")
"""Stop conditions other than the task's own end."""


class OlderPlaying(Playing, Asker):
    """One rollout, with the model's script and the first request that the model received."""

    prompt: list[dict[str, Any]] = []
    tools: list[dict[str, Any]] = []
    asked = scoring = in_turn = False
    more = 0

    def __init__(self, driver: Any, script: dict[str, Any], seconds: float, model: str) -> None:
        Playing.__init__(self, driver, script, seconds)
        Asker.__init__(self, script)
        self.model = model
        self.texts: set[str] = set()
        self.seen: dict[str, Any] = {}

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the model's next message: the script's next call or text, or a statement that the model is done.

        Raises ScriptOver if the environment asks for too many messages after the script's end.
        """
        self.request = request
        if not self.asked:
            self.asked, self.session = True, self
            text = {"role": "user", "content": request.get("prompt")}
            self.prompt = bounded(request.get("messages") or [text])
            given = [each.get("function", {}) for each in request.get("tools") or []]
            self.tools = [
                as_tool(t.get("name"), t.get("description"), t.get("parameters")) for t in given
            ]
        call = self.next_call()
        if call is None:
            self.more += 1
            if self.more > MOST_TURNS:
                raise ScriptOver
            return self._say(self.script.get("message") or "That is all.")
        given, name = call["arguments"], call["tool"]
        if is_text(name, self.tools):
            self.texts.add(given["text"] or " ")
            return self._say(given["text"])
        written = given if isinstance(given, str) else json.dumps(given)
        asked = {"name": name, "arguments": written}
        calls = [{"id": f"call_{len(self.calls)}", "type": "function", "function": asked}]
        return {"role": "assistant", "content": "", "tool_calls": calls}

    def _say(self, text: str) -> dict[str, Any]:
        text = text or " "  # since 0.1.11 a reply without text is an error
        self.said = [(text, self.key_of(self.script["task"]))]
        return {"role": "assistant", "content": text}

    def read(self, state: dict[str, Any], completion: Any, reward: Any, metrics: Any) -> None:
        """Record the steps of a rollout: the model's calls and, if the model has no tools, its messages."""
        messages = [{"role": "assistant", "content": completion}]
        if not isinstance(completion, str):
            messages = [_plain(each) for each in completion or []]
        for at, message in enumerate(messages):
            if message.get("role") != "assistant":
                continue
            after = list(_until_next(messages[at + 1 :]))
            calls = [_plain_call(each) for each in message.get("tool_calls") or []]
            for call_id, name, given in calls:
                shown = next((m for m in after if m.get("tool_call_id") == call_id), {})
                self.record(name, given, Answered([_shown(shown)]))
            said = message.get("content")
            if not calls and (not self.tools or said in self.texts):
                blocks = [_shown(each) for each in after] or [text_block("(nothing more)")]
                self.record(SAY["name"], {"text": said}, Answered(blocks))
        stopped = state.get("stop_condition")
        most = 0 if _one_turn(self.driver.env) else getattr(self.driver.env, "max_turns", 0)
        turns = sum(each.get("role") == "assistant" for each in messages)
        # Before 0.1.8, a rollout does not say why it stopped.
        short = stopped in CUT_SHORT or (stopped is None and turns >= most)
        self.truncated = self.more > MOST_TURNS or (most > 0 and short)
        self.seen |= {"metrics": bounded(dict(metrics or {})), "stopped_by": cut(str(stopped), 200)}
        self.final = read_reward(reward)
        self.over = True  # Verifiers scores every rollout
        if self.steps and not self.truncated and stopped != "no_tools_called":
            self.steps[-1]["done"] = True

    def line(self) -> dict[str, Any]:
        """Return the episode as a report line, including whether the episode asked a judge."""
        self.seen |= self.judgements
        return super().line()


class LiveOlderPlaying(LiveScript, OlderPlaying):
    """A running rollout whose model messages arrive one by one."""


class OlderDriver:
    """A driver for a module with ``load_environment``: ``id`` names the module, and ``config`` has its arguments."""

    name = "verifiers_v0"
    names = count(1)
    versions = {"verifiers": version("verifiers")}

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Load the environment, and answer all of its requests to models."""
        prepare()
        answer_models()
        with watched(LOADING, "loading the environment"), no_loop():
            self.env = load(request)
            self.sizes, self.split, table = tables_of(self.env)
            self.rows = first_rows(self.env, self.split, table, request["count"])
        for rubric in {id(r): r for r in rubrics_of(self.env)}.values():
            watch_graders(rubric)
        self.client = _client(self.env)
        self.at_once = asyncio.Semaphore(AT_ONCE)
        yield
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSING):
                await self.env._teardown()

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the first rows, and the tools that Verifiers offers in a rollout of the first row."""
        if not self.rows:
            raise Broken("tasks", "the data set of the environment has no rows")
        where = {"split": self.split, "index": 0, "seed": 0}
        look = {"policy": "look", "label": "look", "calls": [], **where}
        (looked,) = await self.play_group([look], request["call_seconds"])
        if not looked.asked:
            wrong = looked.failure
            why = f"{wrong['message']} ({wrong['kind']})" if wrong else "the model was never asked"
            raise Broken("rollout", f"no rollout can be started: {why}")
        places = [{**where, "index": at, "task": dict(row)} for at, row in enumerate(self.rows)]
        graders = [
            {"name": getattr(func, "__name__", repr(func)), "weight": weight}
            for rubric in rubrics_of(self.env)
            for func, weight in zip(*graders_of(rubric), strict=False)
        ]
        found = {"name": request["id"], "prompt": looked.prompt, "tools": looked.tools or [SAY]}
        found |= {"seeded": False, "in_text": not looked.tools, "ends_itself": True}
        found |= {
            "one_turn": _one_turn(self.env),
            "kind": type(self.env).__name__,
            "graders": graders,
        }
        return {**found, "splits": self.sizes, "places": places}

    async def play_group(self, scripts: list[dict[str, Any]], seconds: float) -> list[OlderPlaying]:
        """Play scripts concurrently; Verifiers runs a rollout for each script."""
        played = [
            OlderPlaying(self, script, seconds * OF_A_ROLLOUT, f"audit-{number}")
            for number, script in enumerate(scripts)
        ]
        await asyncio.gather(*(self._play(each) for each in played))
        return played

    async def open_live(self, script: dict[str, Any]) -> LiveRollout:
        """Start a rollout that waits for the model's messages."""
        each = LiveOlderPlaying(self, script, LONGEST_EPISODE, f"live-{next(self.names)}")
        session = LiveRollout(each, self._play)
        await session.open()
        return session

    async def _play(self, each: OlderPlaying) -> None:
        row = self.rows[each.script["index"]]
        each.script.setdefault("task", row)
        # Requests from this asyncio task belong to this episode.
        async with self.at_once:
            with asking(each):
                async with each.guarded("the rollout"):
                    state, completion, *paid = await self._roll(deepcopy(dict(row)), each)
                    each.read(state, completion, *paid)

    async def _roll(self, row: dict[str, Any], each: OlderPlaying) -> tuple[Any, Any, Any, Any]:
        """Play and score one rollout with the method of the installed release."""
        env, rubric = self.env, self.env.rubric
        if "input" not in inspect.signature(env.rollout).parameters:  # before 0.1.8
            if isinstance(row.get("info"), str):
                row["info"] = json.loads(row["info"])
            asked = {
                name: row[name] for name in ("prompt", "answer", "task", "info") if row.get(name)
            }
            if getattr(env, "oai_tools", None):
                asked["info"] = {"oai_tools": env.oai_tools, **(row.get("info") or {})}
            rolled = env.rollout(client=self.client, model=each.model, sampling_args={}, **asked)
            completion, state = await rolled
            each.scoring = True
            scored = {"answer": "", "task": "default", "info": {}, **asked}
            score = await rubric.score_rollout(completion=completion, state=state, **scored)
            return state, completion, score.reward, score.metrics
        state = await env.rollout(row, self.client, each.model, {})
        if wrong := state.get("error"):
            cause = f" ({wrong.__cause__!r})" if getattr(wrong, "__cause__", None) else ""
            raise Broken(type(wrong).__name__, f"{wrong!r}{cause}")
        each.scoring = True
        graded_together = any(map(rubric._is_group_func, graders_of(rubric)[0]))
        graded_together = graded_together or bool(getattr(rubric, "has_group_rewards", False))
        score = rubric.score_group if graded_together else rubric.score_rollout
        limits = "score_sem" in inspect.signature(score).parameters  # before 0.1.10
        more = {"score_sem": contextlib.nullcontext()} if limits else {}
        await score([state] if graded_together else state, **more)
        return state, state.get("completion"), state.get("reward"), state.get("metrics")


def _client(env: Any) -> Any:
    """Return a client of the installed release's type, whose requests never leave this process."""
    from openai import AsyncOpenAI

    own = AsyncOpenAI(base_url="http://audit.invalid/v1", api_key="audit", max_retries=0)
    with contextlib.suppress(ImportError):  # before 0.1.11 it is OpenAI's own
        clients = importlib.import_module("verifiers.clients")
        in_text = getattr(env, "message_type", "chat") == "completion"
        kind = "OpenAICompletionsClient" if in_text else "OpenAIChatCompletionsClient"
        return getattr(clients, kind)(own)
    return own


def _one_turn(env: Any) -> bool:
    names = [kind.__name__ for kind in type(env).__mro__]
    return "SingleTurnEnv" in names or getattr(env, "max_turns", None) == 1


def _plain(message: Any) -> dict[str, Any]:
    if isinstance(message, dict):
        return message
    return message.model_dump() if hasattr(message, "model_dump") else {"content": str(message)}


def _plain_call(call: Any) -> tuple[Any, str, Any]:
    """Return the id, name and arguments of a tool call, in any of its historical formats."""
    call = json.loads(call) if isinstance(call, str) else _plain(call)
    named = call.get("function") or call
    given = named.get("arguments")
    return call.get("id"), str(named.get("name")), read_json(given)


def _until_next(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in messages:
        if each.get("role") == "assistant":
            return
        yield each


def _shown(message: dict[str, Any]) -> dict[str, Any]:
    content = message.get("content")
    return text_block(content if isinstance(content, str) else json.dumps(bounded(content)))


if __name__ == "__main__":
    main(OlderDriver())
