# ruff: noqa: D102 - the framework's own methods
"""Connect four as somebody writes it by hand for NeMo Gym, served without Ray."""

import argparse
from typing import ClassVar

import uvicorn
from connect_four_domain.game import ConnectFour, InvalidAction
from connect_four_domain.tasks import TASKS
from fastapi import FastAPI, HTTPException, Request
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import SESSION_ID_KEY, ServerClient
from omegaconf import OmegaConf
from pydantic import BaseModel, Field, PrivateAttr


class SeedRequest(BaseSeedSessionRequest):
    """The fields of a row that choose the game."""

    split: str
    index: int


class DropPieceRequest(BaseModel):
    """Arguments of drop_piece."""

    column: int = Field(ge=1, le=7)


class DropPieceResponse(BaseModel):
    """What the model sees."""

    board: str


class ConnectFourServer(SimpleResourcesServer):
    """A game per session."""

    ray_enabled: ClassVar[bool] = False
    config: BaseResourcesServerConfig
    _games: dict[str, ConnectFour] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        app = super().setup_webserver()
        app.post("/drop_piece")(self.drop_piece)
        return app

    async def seed_session(self, request: Request, body: SeedRequest) -> BaseSeedSessionResponse:
        task = TASKS[body.split][body.index]
        self._games[request.session[SESSION_ID_KEY]] = ConnectFour(task, task["seed"])
        return BaseSeedSessionResponse()

    async def drop_piece(self, request: Request, body: DropPieceRequest) -> DropPieceResponse:
        """Drop one of your pieces into a column."""
        game = self._games.get(request.session[SESSION_ID_KEY])
        if game is None:
            raise HTTPException(409, "no game in this session")
        try:
            return DropPieceResponse(board=game.drop_piece(body.column))
        except InvalidAction as error:
            return DropPieceResponse(board=str(error))

    async def verify(self, request: Request, body: BaseVerifyRequest) -> BaseVerifyResponse:
        game = self._games.pop(request.session[SESSION_ID_KEY], None)
        if game is None:
            raise HTTPException(409, "no game in this session")
        return BaseVerifyResponse(**body.model_dump(), reward=game.reward)


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
