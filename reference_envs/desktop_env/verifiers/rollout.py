# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Desktop computer use on Verifiers, with any OpenAI-compatible model; --help tells the arguments."""

import asyncio
import os
import sys
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import verifiers.v1 as vf
from desktop import DesktopEnv, DesktopEnvConfig, as_task
from desktop_domain._shared import play
from desktop_domain._shared.env_spec import TOOLS


async def main() -> int:
    """Play through Verifiers' own environment, server and harness; returns the exit code."""
    args = play.parse_arguments("Verifiers")
    env = DesktopEnv(DesktopEnvConfig(taskset={"id": "desktop"}))

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        [slot] = env.slots(as_task(assignment))
        endpoint = client(model, args.base_url)
        context = vf.ModelContext(client=endpoint, model=model, sampling=vf.SamplingConfig())
        line = trajectory(model, assignment, await env.run_slot(slot, context))
        for step in line["steps"]:
            play.show(model, assignment, step, args)
        return line

    async with env.serving():
        versions = {"verifiers": version("verifiers")}
        return await play.run_async("verifiers", versions, args, play_one)


def client(model: str, base_url: str | None) -> vf.EvalClientConfig:
    """Where Verifiers passes the model calls on to; it takes keys from the environment only."""
    url, key = play.model_address(model, base_url)
    variable = f"ROLLOUT_API_KEY_{urlsplit(url).hostname}"
    os.environ[variable] = key
    return vf.EvalClientConfig(base_url=url, api_key_var=variable)


def trajectory(model: str, assignment: play.Assignment, result: vf.Episode) -> dict[str, Any]:
    """What Verifiers recorded of an episode, as a line of the trajectory file."""
    trace = result.traces[0] if result.traces else None
    episode = trace.state.episode if trace else None
    played = play.Played(episode.prompt if episode else [], TOOLS, episode.steps if episode else [])
    if result.ok:
        summary, last = trace.info["episode"], trace.assistant_messages[-1]
        played.final_reward, played.truncated = summary["final_reward"], summary["truncated"]
        played.final_message = None if last.tool_calls else last.content
    else:
        error = result.last_error or trace.last_error
        message = (episode and episode.failure) or error.message
        log = (error.traceback or "")[-4000:]
        played.failure = {"kind": error.type, "message": message, "log": log}
    return play.trajectory(model, assignment, played)


if __name__ == "__main__":
    sys.exit(play.interruptible(lambda: asyncio.run(main())))
