"""Run in NeMo Gym's venv by test_nemo_agent.py, in a bundle's folder: its servers, without Ray.

Resources server, agent and model server are NeMo Gym's own classes and the bundle's, each on a port
of its own. Reads rows by name from standard input, prints what the agent's /run answers to each.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
from typing import Any

import agent as bundled
import httpx
import server
import uvicorn
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import (
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    set_global_aiohttp_client,
)
from omegaconf import OmegaConf
from responses_api_agents.gymnasium_agent.app import GymnasiumAgent
from responses_api_models.openai_model.app import SimpleModelServer
from responses_api_models.vllm_model.app import VLLMModel

HERE = "127.0.0.1"
KINDS = {
    "environment": "resources_servers",
    "agent": "responses_api_agents",
    "policy": "responses_api_models",
}


def apps(asked: dict[str, Any], sockets: dict[str, socket.socket]) -> dict[str, Any]:
    """The three servers as ASGI apps that know each other's places."""
    places = {name: {"host": HERE, "port": at.getsockname()[1]} for name, at in sockets.items()}
    known = {name: {KINDS[name]: {name: place}} for name, place in places.items()}
    client = ServerClient(
        head_server_config=BaseServerConfig(host=HERE, port=0),
        global_config_dict=OmegaConf.create(known),
    )
    kinds = [kind for kind in vars(bundled).values() if isinstance(kind, type)]
    ours = next(k for k in kinds if issubclass(k, GymnasiumAgent) and k is not GymnasiumAgent)
    agent = GymnasiumAgent if asked.get("agent") == "stock" else ours
    model = {"api_key": "none", "model": "model", "base_url": asked["endpoint"]}
    if asked.get("server") == "vllm":
        policy = VLLMModel
        model |= {"return_token_id_information": bool(asked.get("tokens"))}
        model |= {"uses_reasoning_parser": True}
    else:
        policy = SimpleModelServer
        model = {f"openai_{name}": value for name, value in model.items()}
    more = {
        "agent": {
            "resources_server": {"type": KINDS["environment"], "name": "environment"},
            "model_server": {"type": KINDS["policy"], "name": "policy"},
            "max_steps": asked.get("max_steps", 20),
        },
        "policy": model,
    }
    made = {"environment": server.app}
    for name, kind in (("agent", agent), ("policy", policy)):
        config = kind.model_fields["config"].annotation
        settings = {"name": name, "entrypoint": "app.py", **places[name], **more[name]}
        built = kind(config=config.model_validate(settings), server_client=client)
        made[name] = built.setup_webserver()
        built.setup_exception_middleware(made[name])
    return made


async def main() -> None:
    """Serve, play all rows at once, print."""
    asked = json.load(sys.stdin)
    http = set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
    sockets = {name: socket.create_server((HERE, 0)) for name in KINDS}
    servers = {
        name: uvicorn.Server(uvicorn.Config(app, log_level="error"))
        for name, app in apps(asked, sockets).items()
    }
    running = [
        asyncio.create_task(each.serve(sockets=[sockets[name]])) for name, each in servers.items()
    ]
    while not all(each.started for each in servers.values()):
        await asyncio.sleep(0.01)
    url = f"http://{HERE}:{sockets['agent'].getsockname()[1]}"
    async with httpx.AsyncClient(base_url=url, timeout=60, trust_env=False) as client:

        async def one(row: dict[str, Any]) -> Any:
            answer = await client.post("/run", json=row)
            if answer.is_error:
                return {"status": answer.status_code, "text": answer.text}
            return answer.json()

        played = await asyncio.gather(*map(one, asked["rows"].values()))
    for each in servers.values():
        each.should_exit = True
    await asyncio.gather(*running)
    await http.close()
    print(json.dumps(dict(zip(asked["rows"], played, strict=True))))


if __name__ == "__main__":
    asyncio.run(main())
