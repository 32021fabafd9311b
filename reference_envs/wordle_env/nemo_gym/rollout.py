"""Roll out Wordle with NeMo Gym's own servers, in one process and without Ray.

Rendered from env.yaml; `skill-tools render` overwrites it. Per model an agent server and one of
NeMo Gym's model servers; each episode is one POST /run on the agent, as NeMo Gym's runner does it.

    uv run python rollout.py --model MODEL --index 0-9
"""

import asyncio
import contextlib
import sys
from argparse import Namespace
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import requests
from agent import (
    RolloutFailed,
    WordleAgent,
    WordleAgentConfig,
    observation_items,
)
from fastapi import FastAPI
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import (
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    get_global_aiohttp_client,
    set_global_aiohttp_client,
)
from omegaconf import OmegaConf
from responses_api_models.openai_model.app import (
    SimpleModelServer,
    SimpleModelServerConfig,
)
from server import build_app
from wordle_domain._shared import episode, play, serving

RESOURCES = "wordle_resources_server"


def main() -> int:
    """Play the episodes of the command line; returns the exit code."""
    args = play.parse_arguments("NeMo Gym", "NEMO_GYM_URL")
    with contextlib.ExitStack() as stack:
        resources = args.url or stack.enter_context(serving.serve(build_app()))
        try:
            found = requests.get(f"{resources}/environment", timeout=10)
            serving.check_server(resources, found.json().get("environment") if found.ok else None)
        except (requests.RequestException, serving.WrongServer) as error:
            sys.exit(f"error: {error}")
        agents = stack.enter_context(serve_agents(resources, args))

        async def play_one(model: str, assignment: play.Assignment) -> dict[str, Any]:
            endpoint, _ = play.model_address(model, args.base_url)
            answer = await while_reachable(endpoint, run_episode(agents[model], assignment))
            return trajectory(model, assignment, answer, args)

        return play.run("nemo_gym", {"nemo-gym": version("nemo-gym")}, args, play_one)


@contextlib.contextmanager
def serve_agents(resources: str, args: Namespace) -> Iterator[dict[str, str]]:
    """Serve an agent and a model server per model; yields the agents' addresses."""
    config = OmegaConf.create({RESOURCES: _address("resources_servers", resources)})
    client = ServerClient(
        head_server_config=BaseServerConfig(host="127.0.0.1", port=0), global_config_dict=config
    )
    here = {"host": "127.0.0.1", "port": 0, "entrypoint": "app.py"}
    apps = []
    for number, model in enumerate(args.model):
        endpoint, key = play.model_address(model, args.base_url)
        model_server = SimpleModelServer(
            config=SimpleModelServerConfig(
                **here,
                name=f"model_{number}",
                openai_base_url=endpoint,
                openai_api_key=key,
                openai_model=model,
            ),
            server_client=client,
        )
        agent = WordleAgent(
            config=WordleAgentConfig(
                **here,
                name=f"agent_{number}",
                resources_server={"type": "resources_servers", "name": RESOURCES},
                model_server={"type": "responses_api_models", "name": f"model_{number}"},
            ),
            server_client=client,
        )
        for server in (agent, model_server):
            apps.append(server.setup_webserver())
            server.setup_exception_middleware(apps[-1])
    apps[0].router.lifespan_context = _http_client
    # One thread: all of them share NeMo Gym's HTTP client, which belongs to one event loop.
    with serving.serve_together(apps) as addresses:
        for number, address in enumerate(addresses[1::2]):
            config[f"model_{number}"] = _address("responses_api_models", address)
        yield dict(zip(args.model, addresses[0::2], strict=True))


@contextlib.asynccontextmanager
async def _http_client(_: FastAPI) -> AsyncIterator[None]:
    set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
    yield
    await get_global_aiohttp_client().close()


def _address(kind: str, url: str) -> dict[str, Any]:
    """A server as NeMo Gym's configuration says where it is."""
    parts = urlsplit(url)
    if parts.scheme != "http" or parts.path.strip("/"):
        sys.exit(f"error: {url} is not http://HOST:PORT, the only form NeMo Gym can call")
    return {kind: {"app": {"host": parts.hostname, "port": parts.port or 80}}}


async def run_episode(agent: str, assignment: play.Assignment) -> dict[str, Any]:
    """Let the agent play a dataset row; returns the verify response."""
    problem = {"split": assignment.split, "index": assignment.index}
    row = {
        "responses_create_params": {"input": [], "user": assignment.label},
        **(problem if assignment.split else {"task": assignment.task}),
        "seed": assignment.seed,
        "max_turns": assignment.max_turns,
    }
    patient = aiohttp.ClientTimeout(total=None)
    async with (
        aiohttp.ClientSession(timeout=patient) as session,
        session.post(f"{agent}/run", json=row) as answer,
    ):
        if not answer.ok:
            raise RolloutFailed(f"the agent answered {answer.status}: {await answer.text()}")
        result = await answer.json()
    if "_ng_failure_class" in result:
        raise RolloutFailed(result["_ng_failure_message"])
    return result


async def while_reachable(endpoint: str, work: Any) -> Any:
    """Wait for work, but not for an endpoint that is gone: NeMo Gym would retry it for ever."""
    parts = urlsplit(endpoint)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            try:
                _, writer = await asyncio.open_connection(parts.hostname, port)
            except OSError as error:
                raise RolloutFailed(f"the model endpoint {endpoint} is gone: {error}") from error
            writer.close()
            await asyncio.wait({task}, timeout=10)
        return task.result()
    finally:
        task.cancel()


def trajectory(
    model: str, assignment: play.Assignment, result: dict[str, Any], args: Namespace
) -> dict[str, Any]:
    """The verify response as a trajectory. Raises RolloutFailed if its two accounts differ."""
    output = result["response"]["output"]
    calls = [item for item in output if item["type"] == "function_call"]
    seen = [item["output"] for item in output if item["type"] == "function_call_output"]
    told = [observation_items("", step["observation"])[0].output for step in result["steps"]]
    if seen != told or [c["name"] for c in calls[: len(told)]] != [
        s["tool"] for s in result["steps"]
    ]:
        raise RolloutFailed("the model saw other observations than the environment gave")
    steps = [
        {"tool": step["tool"], "arguments": episode.read_arguments(call["arguments"]), **step}
        for call, step in zip(calls, result["steps"], strict=False)
    ]
    for step in steps:
        play.show(model, assignment, step, args)
    said = [item for item in output[-1:] if item.get("role") == "assistant"]
    params = result["responses_create_params"]
    return play.trajectory(
        model,
        assignment,
        prompt=[{"role": m["role"], "content": m["content"]} for m in params["input"]],
        tools=[
            {k: tool[k] for k in ("name", "description", "parameters")} for tool in params["tools"]
        ],
        steps=steps,
        final_reward=result["final_reward"],
        final_message="".join(part.get("text", "") for m in said for part in m["content"])
        if said
        else None,
        truncated=result["truncated"],
    )


if __name__ == "__main__":
    sys.exit(play.interruptible(main))
