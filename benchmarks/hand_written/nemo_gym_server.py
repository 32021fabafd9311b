# ruff: noqa: D102 - the framework's own methods
"""Connect four as somebody writes it by hand for NeMo Gym, served without Ray."""

import argparse
import json
from typing import ClassVar

import uvicorn
from connect_four_domain.game import ConnectFour, InvalidAction
from connect_four_domain.tasks import TASKS
from fastapi import FastAPI, HTTPException
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import ServerClient
from omegaconf import OmegaConf
from resources_servers.gymnasium import GymnasiumServer


class ConnectFourServer(GymnasiumServer):
    """A game per session, as NeMo Gym's own Blackjack has it."""

    ray_enabled: ClassVar[bool] = False

    async def reset(self, metadata: dict, session_id: str | None = None) -> tuple[str, dict]:
        task = TASKS[metadata["split"]][metadata["index"]]
        game = self.session_state[session_id] = ConnectFour(task, task["seed"])
        return game.observe(), {}

    async def step(
        self, action: NeMoGymResponse, metadata: dict, session_id: str | None = None
    ) -> tuple[None, float, bool, bool, dict]:
        game = self.session_state.get(session_id)
        if game is None:
            raise HTTPException(409, "no game in this session")
        before, outputs = game.reward, []
        for call in action.output:
            if call.type != "function_call":
                continue
            try:
                board = game.drop_piece(**json.loads(call.arguments))
            except InvalidAction as error:
                board = str(error)
            outputs.append(self.tool_output(call, board))
        return None, game.reward - before, game.done, False, {"tool_outputs": outputs}


def build_app() -> FastAPI:
    """The server without Ray, head server or Hydra."""
    server = ConnectFourServer(
        config=BaseResourcesServerConfig(
            name="connect_four", host="127.0.0.1", port=0, entrypoint="app.py"
        ),
        server_client=ServerClient(
            head_server_config=BaseServerConfig(host="127.0.0.1", port=0),
            global_config_dict=OmegaConf.create({}),
        ),
    )
    app = server.setup_webserver()
    server.setup_liveness(app)
    server.setup_exception_middleware(app)
    return app


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8000)
    uvicorn.run(
        build_app(),
        host="127.0.0.1",
        port=parser.parse_args().port,
        log_level="warning",
        timeout_keep_alive=120,
        backlog=4096,
    )
