"""Worlds that block: none waits for another, and each is closed once, after the call it is in.

A call that hangs here hangs until the test opens its gate, so that the order of what happened says
everything and no time is measured.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.frameworks.rules import load
from skill_tools.policies.scripted import Call, Turn, as_text
from skill_tools.policies.server import PolicyEndpoint
from skill_tools.reference.playbook import write_scripts
from skill_tools.rollouts.rollout import variant_venv
from tests.live.frameworks import FRAMEWORKS
from tests.selection import some

from .gate import COUNT, FOLDER, Events, Server, serving, write_waiting
from .rolled import roll
from .served import SERVERS, environment

HANGING = 40
USUAL = [("openenv", signal.SIGTERM)]
ENDINGS = [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.everything("frameworks"))]


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment, rendered in every framework."""
    folder = write_waiting(tmp_path_factory.mktemp("blocking") / "waiting")
    pipeline.render(folder)
    return folder


@pytest.fixture
def events(tmp_path: Path) -> Events:
    return Events(tmp_path / "events")


@pytest.fixture(scope="module", params=some(SERVERS, ["openenv"]))
def served(
    request: pytest.FixtureRequest, waiting: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Server, Events]]:
    """A server for the tests whose sessions are all closed when they end, and what happens in it."""
    events = Events(tmp_path_factory.mktemp(request.param) / "events")
    with serving(waiting, request.param, events) as running:
        yield running, events


@pytest.fixture
def lasting(served: tuple[Server, Events]) -> Iterator[tuple[Server, Events]]:
    """The same, as if nothing had happened before."""
    _, events = served
    events.forget()
    yield served
    assert events.count("closed") == events.count("opening")


async def given_up(task: asyncio.Task[Any]) -> None:
    """Let a request end whose connection is broken or whose session is gone."""
    task.cancel()
    with suppress(BaseException):
        await task


async def play_through(session: Any, name: str) -> None:
    await session.open({"id": name})
    assert [await session.call("move") for _ in range(3)] == [False, False, True]
    await session.leave()


@pytest.mark.parametrize("where", ["call", "opening"])
def test_forty_worlds_that_hang_delay_no_other(lasting: tuple[Server, Events], where: str) -> None:
    server, events = lasting

    async def hang(session: Any, name: str) -> None:
        if where == "opening":
            await session.open({"id": name, "gate": "gate"})
        else:
            await session.open({"id": name})
            await session.call("wait", gate="gate")

    async def all_at_once() -> None:
        stuck = [server.session() for _ in range(HANGING)]
        hanging = [asyncio.create_task(hang(s, f"stuck-{n}")) for n, s in enumerate(stuck)]
        at = "called" if where == "call" else "opening"
        await events.until(lambda: events.count(at) == HANGING)
        others = [f"other-{number}" for number in range(COUNT - HANGING)]
        await asyncio.gather(*(play_through(server.session(), name) for name in others))
        await events.until(lambda: events.count("closed") == len(others))
        assert {name for event, name in events.all() if event == "closed"} == set(others)
        assert not any(task.done() for task in hanging)
        events.let_go()
        await asyncio.gather(*hanging)
        await asyncio.gather(*(session.leave() for session in stuck))
        await events.until(lambda: events.count("closed") == COUNT)

    asyncio.run(all_at_once())


def test_a_client_that_goes_amid_a_call_has_its_episode_closed_after_it(
    lasting: tuple[Server, Events],
) -> None:
    server, events = lasting

    async def go() -> None:
        session = server.session()
        await session.open({"id": "a"})
        call = asyncio.create_task(session.call("wait", gate="gate"))
        await events.until(lambda: "called" in events.of("a"))
        await session.vanish()
        await given_up(call)
        await asyncio.sleep(0.5)
        assert "closed" not in events.of("a")
        events.let_go()
        await events.until(lambda: "closed" in events.of("a"))
        assert events.of("a") == ["opening", "opened", "called", "returned", "closed"]

    asyncio.run(go())


def test_a_client_that_goes_while_its_episode_opens_has_it_closed_once_it_is_open(
    lasting: tuple[Server, Events],
) -> None:
    server, events = lasting

    async def go() -> None:
        session = server.session()
        opening = asyncio.create_task(session.open({"id": "a", "gate": "gate"}))
        await events.until(lambda: "opening" in events.of("a"))
        await session.vanish()
        await given_up(opening)
        await asyncio.sleep(0.5)
        events.let_go()
        await events.until(lambda: "closed" in events.of("a"))
        assert events.of("a") == ["opening", "opened", "closed"]

    asyncio.run(go())


@pytest.mark.parametrize("ending", ENDINGS, ids=str)
@pytest.mark.parametrize("framework", some(SERVERS, ["ors"]))
def test_a_server_closes_all_episodes_before_it_ends(
    framework: str, waiting: Path, events: Events, ending: signal.Signals
) -> None:
    async def end(server: Server) -> None:
        sessions = {name: server.session() for name in ("idle", "called", "stuck", "half")}
        for name in ("idle", "called", "stuck"):
            await sessions[name].open({"id": name})
        hanging = [
            asyncio.create_task(sessions["called"].call("wait", gate="gate")),
            asyncio.create_task(sessions["stuck"].call("wait", gate="never")),
            asyncio.create_task(sessions["half"].open({"id": "half", "gate": "gate"})),
        ]
        await events.until(lambda: events.count("called") == 2 and "opening" in events.of("half"))
        server.process.send_signal(ending)
        await events.until(lambda: "closed" in events.of("idle"))
        events.let_go()
        log = await server.ended()
        assert events.of("called") == ["opening", "opened", "called", "returned", "closed"]
        assert events.of("half") == ["opening", "opened", "closed"]
        # Nothing ends this call but the closing, with which it returns.
        assert events.of("stuck")[:4] == ["opening", "opened", "called", "closed"]
        assert "never retrieved" not in log
        for task in hanging:
            await given_up(task)

    with serving(waiting, framework, events) as server:
        asyncio.run(end(server))


@pytest.mark.parametrize("framework", some(FRAMEWORKS, ["gem"]))
def test_a_rollout_holds_as_many_worlds_open_as_it_is_asked_to(
    framework: str, waiting: Path, events: Events
) -> None:
    """Each waits, in a blocking call, until all are in one."""
    _, solved = write_scripts(load(waiting), waiting, "train", COUNT)
    meet = Turn((Call("meet", {"count": COUNT}),))
    scripts = {"meet": {label: (meet, *turns) for label, turns in solved["oracle"].items()}}
    there = {FOLDER: os.fspath(events.folder)}
    played = roll(waiting, framework, scripts, COUNT, concurrency=COUNT, environment=there)
    assert [trajectory.steps[0].text for trajectory in played] == ["met"] * COUNT
    assert [trajectory.total for trajectory in played] == [1.0] * COUNT
    change = {"opened": 1, "closed": -1}
    held = itertools.accumulate(change.get(event, 0) for event, _ in events.all())
    *_, left = levels = list(held)
    assert max(levels) == COUNT
    assert left == 0


@pytest.mark.parametrize(
    ("framework", "ending", "ignored"),
    [
        *((*usual, "") for usual in USUAL),
        *(
            pytest.param(framework, ending, "", marks=pytest.mark.everything("frameworks"))
            for framework in FRAMEWORKS
            for ending in (signal.SIGINT, signal.SIGTERM)
            if (framework, ending) not in USUAL
        ),
        # As for what a shell runs in the background.
        pytest.param("openenv", signal.SIGTERM, "INT", marks=pytest.mark.everything("frameworks")),
    ],
)
def test_a_rollout_that_is_interrupted_closes_its_episodes(
    framework: str,
    ending: signal.Signals,
    ignored: str,
    waiting: Path,
    events: Events,
    tmp_path: Path,
) -> None:
    """Of four that are in a call, two return and two never do."""
    spec = load(waiting)
    gates = {"called": "gate", "stuck": "never"}
    scripts = {
        model: {"*": (Turn((Call("wait", {"gate": gate}),)),)} for model, gate in gates.items()
    }
    text = FRAMEWORKS[framework].actions == "text"
    with PolicyEndpoint(scripts, *([partial(as_text, spec)] if text else [])) as endpoint:
        command = ["sh", "-c", f'trap "" {ignored}; exec "$@"' if ignored else 'exec "$@"', "sh"]
        command += [variant_venv(spec, waiting, FRAMEWORKS[framework]).python, "rollout.py"]
        command += ["--model", *scripts, "--base-url", endpoint.base_url, "--index", "0-1"]
        rollout = subprocess.Popen(
            [*command, "--output", tmp_path / "out"],
            cwd=waiting / framework,
            env={**environment(framework), FOLDER: os.fspath(events.folder)},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        try:
            asyncio.run(events.until(lambda: events.count("called") == 4))
            rollout.send_signal(ending)
            time.sleep(0.5)
            assert events.count("closed") == 0
            events.let_go()
            _, log = rollout.communicate(timeout=60)
        finally:
            rollout.kill()
            rollout.wait()
    assert events.count("closed") == 4, log
    assert rollout.returncode == 128 + ending, log
    assert "interrupted; the trajectory file has all finished episodes" in log
