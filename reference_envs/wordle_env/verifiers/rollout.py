# Rendered from env.yaml; `skill-tools render` overwrites it.
"""Roll out Wordle on Verifiers, with any OpenAI-compatible model; --help tells the arguments."""

import asyncio
import os
import sys
from importlib.metadata import version
from typing import Any

import verifiers.v1 as vf
from wordle import WordleEnv, WordleEnvConfig, as_task
from wordle_domain._shared.models import relay
from wordle_domain._shared.rollouts import command_line, play
from wordle_domain._shared.servers import asgi_server


async def main() -> int:
    """Play through Verifiers' own environment, server and harness; returns the exit code."""
    args = command_line.parse("Verifiers")
    env = WordleEnv(WordleEnvConfig(taskset={"id": "wordle"}))

    async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
        [slot] = env.slots(as_task(assignment))
        options = args.models[model].options
        settings = options.settings(assignment.sample, args.models[model].habits)
        sampling = vf.SamplingConfig(
            **{k: v for k, v in settings.items() if k not in options.streaming}
        )
        context = vf.ModelContext(client=endpoint, model=model, sampling=sampling)
        line = trajectory(model, assignment, await env.run_slot(slot, context))
        for step in line["steps"]:
            play.show(model, assignment, step, args)
        return line

    # Verifiers' own client takes a reply in its usual shape only, and limits and proxies of its own.
    with asgi_server.serve(relay.app(args.models)) as url:
        os.environ["ROLLOUT_RELAY_KEY"] = "none"
        endpoint = vf.EvalClientConfig(base_url=f"{url}/v1", api_key_var="ROLLOUT_RELAY_KEY")
        async with env.serving():
            versions = {"verifiers": version("verifiers")}
            return await play.run_async("verifiers", versions, args, play_one)


def trajectory(model: str, assignment: play.Assignment, result: vf.Episode) -> dict[str, Any]:
    """What Verifiers recorded of an episode, as a line of the trajectory file."""
    trace = result.traces[0] if result.traces else None
    episode = trace.state.episode if trace else None
    played = (trace and trace.state.played) or play.Played(
        *((episode.prompt, episode.tools) if episode else ())
    )
    played.steps = episode.steps if episode else []
    if result.ok:
        summary = trace.info["episode"]
        played.final_reward, played.truncated = summary["final_reward"], summary["truncated"]
    else:
        error = result.last_error or trace.last_error
        message = (episode and episode.failure) or error.message
        log = (error.traceback or "")[-4000:]
        played.failure = {"kind": error.type, "message": message, "log": log}
    return play.trajectory(model, assignment, played)


if __name__ == "__main__":
    sys.exit(play.interruptible(lambda: asyncio.run(main())))
