# ruff: noqa: D102 - documented in games.Opened
"""Verifiers without a model: all that the variant does in a rollout except the model calls.

Per game a Trace as Verifiers makes it, the task's setup, the harness's opening; per step the
harness's step() with one tool call; then the task's finalize, its reward and a metric. Left
out are launch()'s requests and with them Verifiers' interception server and message graph.
"""

import asyncio

import verifiers.v1 as vf
from games import MAX_TURNS, Game, accepted, in_process
from verifiers.v1.trace import TraceTask
from wordle import WordleHarness, WordleHarnessConfig, WordleState, WordleTask, as_task, opening
from wordle_domain._shared.models.replies import Call
from wordle_domain._shared.rollouts import play

LOOP = asyncio.new_event_loop()
HARNESS = WordleHarness(WordleHarnessConfig())
AGENT = vf.AgentInfo(config=vf.AgentConfig(runtime=vf.SubprocessConfig()))
_tasks: dict[int, WordleTask] = {}


class VerifiersGame:
    """A trace per game."""

    def start(self, game: Game) -> None:
        self.task = _task(game)
        self.calls = [
            Call(call["id"], call["function"]["name"], call["function"]["arguments"])
            for [call] in game.calls
        ]
        about = TraceTask(
            type="WordleTask", data=self.task.data, key=self.task.key, hash=self.task.hash
        )
        self.trace = vf.Trace(task=about, state=WordleState(), agent=AGENT)
        LOOP.run_until_complete(self.task.setup(self.trace, None))
        opening(self.trace.state.episode, self.task.data)

    def step(self, game: Game, turn: int) -> bool:
        LOOP.run_until_complete(HARNESS.step(self.trace.state, self.calls[turn]))
        return self.trace.state.episode.over

    def end(self) -> float:
        return LOOP.run_until_complete(self._end())

    async def _end(self) -> float:
        await self.task.finalize(self.trace, None)
        accepted((await self.task.counts(self.trace))["errors"])
        return await self.task.episode_return(self.trace)


def _task(game: Game) -> WordleTask:
    # A taskset loads its tasks once, so each is made once here: while warming up, mostly.
    if game.index not in _tasks:
        seed = game.task["seed"]
        problem = play.Assignment(game.split, game.index, game.task, seed, MAX_TURNS)
        _tasks[game.index] = as_task(problem)
    return _tasks[game.index]


if __name__ == "__main__":
    in_process(variant=VerifiersGame)
