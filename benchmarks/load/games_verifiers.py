"""Verifiers without a model: all that the variant does in a rollout except the model calls.

Per game a Trace as Verifiers makes it, the task's setup, the harness's opening; per step the
harness's answers() to a message with one tool call; then the task's finalize, its reward and
a metric. Left
out are launch()'s requests and with them Verifiers' interception server and message graph.
"""

import asyncio
from collections.abc import Sequence

import verifiers.v1 as vf
from games import MAX_TURNS, Game, Played, accepted, in_process
from verifiers.v1.trace import TraceTask
from wordle import WordleState, WordleTask, answers, as_task, opening
from wordle_domain._shared import play

AGENT = vf.AgentInfo(config=vf.AgentConfig(runtime=vf.SubprocessConfig()))
_tasks: dict[int, WordleTask] = {}


def play_all(games: Sequence[Game]) -> Played:
    return asyncio.run(_play_all(games))


async def _play_all(games: Sequence[Game]) -> Played:
    played = Played()
    for game in games:
        task = _task(game)
        about = TraceTask(type="WordleTask", data=task.data, key=task.key, hash=task.hash)
        trace = vf.Trace(task=about, state=WordleState(), agent=AGENT)
        await task.setup(trace, None)
        episode = trace.state.episode
        messages = opening(episode, task.data)
        for calls in game.calls:
            messages += await answers(trace.state, calls)
            played.steps += 1
            if episode.over:
                break
        await task.finalize(trace, None)
        accepted((await task.counts(trace))["errors"])
        played.total += await task.episode_return(trace)
    return played


def _task(game: Game) -> WordleTask:
    # A taskset loads its tasks once, so each is made once here: while warming up, mostly.
    if game.index not in _tasks:
        seed = game.task["seed"]
        problem = play.Assignment(game.split, game.index, game.task, seed, MAX_TURNS)
        _tasks[game.index] = as_task(problem)
    return _tasks[game.index]


if __name__ == "__main__":
    in_process(variant=play_all)
