"""The harness of Jupyter agent: a chat loop in this process, no program and no tool server.

Rendered from env.yaml; `skill-tools render` overwrites it. Every model call goes to the
interception server of Verifiers, which records it and passes it on to the model; every tool call
is played on the rollout's own `Episode`.
"""

import asyncio
from typing import Any

import aiohttp
import verifiers.v1 as vf
from jupyter_domain._shared.chat import tool_messages
from jupyter_domain._shared.env_spec import SYSTEM_PROMPT, TOOLS
from jupyter_domain._shared.episode import Episode, EpisodeFailed, read_arguments
from jupyter_domain._shared.threads import EpisodeThread

RETRIES = 2
"""How often a model call is repeated that failed for a reason which may pass."""

PASSING = frozenset({408, 429, 500, 502, 503, 504})


class JupyterHarnessConfig(vf.HarnessConfig):
    """No settings of its own."""


class JupyterHarness(vf.Harness[JupyterHarnessConfig]):
    """Lets the model call the tools until the episode is over or it calls none."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Play the episode that the task's `setup` opened."""
        episode = trace.state.episode
        request = {
            "model": ctx.model,
            "messages": opening(episode, trace.task.data),
            "tools": [{"type": "function", "function": tool} for tool in TOOLS],
            "user": data.name,
        }
        timeout = aiohttp.ClientTimeout(total=None)  # a model may think for long
        headers = {"Authorization": f"Bearer {secret}"}
        async with aiohttp.ClientSession(timeout=timeout, headers=headers) as session:
            while not episode.over:
                status, reply = await complete(session, f"{endpoint}/chat/completions", request)
                if status != 200:
                    # Verifiers refuses calls after one of its limits; it knows whether this is one.
                    return vf.ProgramResult(exit_code=1, stdout="", stderr=str(reply))
                message = reply["choices"][0]["message"]
                request["messages"].append({k: v for k, v in message.items() if v is not None})
                if not message.get("tool_calls"):
                    break
                request["messages"] += await answers(
                    episode, trace.state.thread, message["tool_calls"]
                )
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")

    async def cleanup(self, trace: vf.Trace, runtime: vf.Runtime) -> None:
        """Free the world, however the rollout ended."""
        if trace.state.thread:
            await trace.state.thread.close()


def opening(episode: Episode, data: vf.TaskData) -> list[dict[str, Any]]:
    """The first messages; `--env.taskset.system-prompt` and prompt optimisers replace the system's."""
    messages = list(episode.prompt)
    if data.system_prompt and data.system_prompt != SYSTEM_PROMPT:
        user = [message for message in messages if message["role"] != "system"]
        return [{"role": "system", "content": data.system_prompt}, *user]
    return messages


async def complete(
    session: aiohttp.ClientSession, url: str, request: dict[str, Any]
) -> tuple[int, Any]:
    """One model call; returns the HTTP status and the completion, or what was said instead."""
    for attempt in range(RETRIES + 1):
        # Under this header Verifiers answers a repeated call from its record, never twice.
        headers = {"x-stainless-retry-count": str(attempt)} if attempt else {}
        async with session.post(url, json=request, headers=headers) as response:
            if response.status == 200:
                return 200, await response.json()
            status, text = response.status, await response.text()
        if status not in PASSING or attempt == RETRIES:
            break
        await asyncio.sleep(0.5 * 2**attempt)
    return status, text


async def answers(
    episode: Episode, thread: EpisodeThread, calls: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Play the calls of one message in order; calls after the end are refused by the episode."""
    messages: list[dict[str, Any]] = []
    images: list[dict[str, Any]] = []
    for call in calls:
        tool = call["function"]["name"]
        arguments = read_arguments(call["function"]["arguments"])
        try:
            step = await thread.run(episode.call, tool, arguments)
        except EpisodeFailed as error:
            # The world broke, not this harness: Verifiers records whose failure it was.
            raise vf.TaskError(str(error)) from error
        answer, shown = tool_messages(call["id"], step.observation)
        messages.append(answer)
        images += shown
    return messages + images
