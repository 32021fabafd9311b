"""Jupyter agent as a NeMo Gym resources server.

Rendered from env.yaml; `skill-tools render` overwrites it. A session (a cookie) holds one Episode:
`/seed_session` opens it, a POST route per tool plays it, `/verify` scores it and closes it.

    python server.py --port 8000        # on loopback, without Ray; `gym env start` runs it too
"""

import argparse
import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import uvicorn
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response
from jupyter_domain._shared.env_spec import NAME, TOOLS
from jupyter_domain._shared.episode import Episode, EpisodeFailed, read_arguments
from jupyter_domain._shared.task_table import splits, task, tasks
from jupyter_domain._shared.threads import EpisodeThread, close_at_shutdown
from nemo_gym.base_resources_server import (
    BaseResourcesServerConfig,
    BaseSeedSessionRequest,
    BaseSeedSessionResponse,
    BaseVerifyRequest,
    BaseVerifyResponse,
    SimpleResourcesServer,
)
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.global_config import NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME
from nemo_gym.server_utils import SESSION_ID_KEY, ServerClient
from omegaconf import OmegaConf
from pydantic import ConfigDict, Field, PrivateAttr


class JupyterConfig(BaseResourcesServerConfig):
    """Settings of the server; each is a key of configs/jupyter.yaml."""

    session_timeout_seconds: float = 3600.0


class SeedRequest(BaseSeedSessionRequest):
    """The fields of a dataset row that choose the problem: a whole task, or index and split.

    Without a split the first one is meant, without a seed the task's own.
    """

    split: str | None = None
    index: int | None = None
    task: dict[str, Any] | None = None
    seed: int | None = None
    max_turns: int | None = Field(default=None, ge=1)


class SeedResponse(BaseSeedSessionResponse):
    """What the model is told first, and the tools, both as the Responses API writes them."""

    environment: str = NAME
    messages: list[dict[str, Any]]
    tools: list[dict[str, Any]]


class VerifyRequest(BaseVerifyRequest):
    """The row and the model's response; only returned, never a source of the score."""

    model_config = ConfigDict(extra="allow")


class VerifyResponse(BaseVerifyResponse):
    """The score and the record of the episode it comes from.

    reward: the return of the episode, `final_reward` included.
    final_reward: what the end itself paid, when the model stopped.
    steps: tool, observation, reward, done and error of every call. The arguments are in
        `response`, as the model wrote them.
    """

    model_config = ConfigDict(extra="allow")

    final_reward: float
    turns: int
    truncated: bool
    steps: list[dict[str, Any]]


@dataclass
class Session:
    """One episode, and when it was last used."""

    episode: Episode | None = None
    thread: EpisodeThread = field(default_factory=EpisodeThread)
    used: float = field(default_factory=time.monotonic)


class JupyterResourcesServer(SimpleResourcesServer):
    """Serves many episodes at once, each in the session of its cookie."""

    ray_enabled: ClassVar[bool] = False
    config: JupyterConfig
    _sessions: dict[str, Session] = PrivateAttr(default_factory=dict)

    def setup_webserver(self) -> FastAPI:
        """Add the tools' routes, and one that takes every other name, to the framework's own."""
        app = super().setup_webserver()
        app.get("/environment")(self.environment)
        app.post("/close_session")(self.close_resources_session)  # 0.7 has this route, 0.4 has not
        for tool in TOOLS:
            route = app.post(f"/{tool['name']}", description=tool["description"], name=tool["name"])
            route(self._tool_route(tool["name"]))
        app.post("/unknown_tool")(self.unknown_tool)
        app.post("/{tool:path}", include_in_schema=False)(self.unknown_tool)
        framework_lifespan = app.router.lifespan_context

        @asynccontextmanager
        async def lifespan(app: FastAPI) -> AsyncIterator[Any]:
            async with framework_lifespan(app) as state:
                sweeper = asyncio.create_task(self._close_idle_sessions())
                try:
                    yield state
                finally:
                    sweeper.cancel()
                    for session_id in list(self._sessions):
                        await self._close(session_id)

        app.router.lifespan_context = lifespan
        close_at_shutdown(app)
        return app

    async def environment(self) -> dict[str, Any]:
        """Say which environment this is, so that no client plays against another one."""
        return {"environment": NAME, "splits": {name: len(tasks(name)) for name in splits()}}

    async def seed_session(self, request: Request, body: SeedRequest) -> SeedResponse:
        """Open the episode that the dataset row names."""
        session_id = request.session[SESSION_ID_KEY]
        if session_id in self._sessions:
            raise HTTPException(409, "this session has an episode already; /verify ends it")
        problem = _problem(body)
        session = self._sessions[session_id] = Session()
        opening = (session.thread.hold, Episode, problem, body.seed, body.max_turns)
        try:
            async with self._kept_for(request):
                episode = session.episode = await self._run(session, *opening)
        except EpisodeFailed as error:
            await self._close(session_id)
            raise HTTPException(500, str(error)) from error
        return SeedResponse(
            messages=episode.prompt,
            tools=[{"type": "function", "strict": False, **tool} for tool in TOOLS],
        )

    def _tool_route(self, tool: str) -> Callable[..., Any]:
        async def route(request: Request) -> Response:
            return await self._call(request, tool)

        return route

    async def unknown_tool(self, request: Request, tool: str = "") -> Response:
        """Let the episode refuse a tool it does not have: that is a turn like any other."""
        return await self._call(request, tool)

    async def _call(self, request: Request, tool: str) -> Response:
        """Play a tool call: its text, or the whole step for a client that accepts JSON.

        The arguments are the raw body. FastAPI would answer a wrong one in its own words, without
        a turn being counted.
        """
        session = self._session(request)
        arguments = read_arguments((await request.body()).decode(errors="replace"))
        try:
            async with self._kept_for(request):
                step = await self._run(session, session.episode.call, tool, arguments)
        except EpisodeFailed as error:  # kept, so that /verify says so too
            raise HTTPException(500, str(error)) from error
        if "application/json" in request.headers.get("accept", ""):
            return JSONResponse(step.as_dict())
        return PlainTextResponse(step.text)

    async def verify(self, request: Request, body: VerifyRequest) -> VerifyResponse:
        """Score the session's episode, whatever the model said about it, and close it."""
        session = self._session(request)
        episode = session.episode
        try:
            final_reward = await self._run(session, episode.end)
        except EpisodeFailed as error:
            raise HTTPException(500, str(error)) from error
        finally:
            await self._close(request.session[SESSION_ID_KEY])
        return VerifyResponse.model_validate(
            body.model_dump()
            | {
                "reward": episode.total,
                "final_reward": final_reward,
                "turns": episode.turns,
                "truncated": episode.truncated,
                "steps": [{k: v for k, v in s.items() if k != "arguments"} for s in episode.steps],
            }
        )

    async def close_resources_session(self, request: Request) -> dict[str, Any]:
        """Close the episode without a score: the rollout broke. Fine to call twice."""
        await self._close(request.session[SESSION_ID_KEY])
        return {}

    def _session(self, request: Request) -> Session:
        session = self._sessions.get(request.session[SESSION_ID_KEY])
        if session is None or session.episode is None:
            raise HTTPException(409, "no episode in this session: POST /seed_session first")
        session.used = time.monotonic()
        return session

    async def _run(self, session: Session, work: Callable[..., Any], *args: Any) -> Any:
        # asyncio's own threads are a few for all sessions, this one is the session's.
        return await session.thread.run(work, *args)

    @asynccontextmanager
    async def _kept_for(self, request: Request) -> AsyncIterator[None]:
        """Close the session after this if the client is gone: it may have no cookie to close it."""
        # With the body read, nothing but a disconnect can be received. `is_disconnected` does not
        # wait, and sees none through the framework's middleware.
        gone = asyncio.create_task(request.receive())
        try:
            yield
        finally:
            if gone.done():
                await self._close(request.session[SESSION_ID_KEY])
            gone.cancel()

    async def _close(self, session_id: str) -> None:
        session = self._sessions.pop(session_id, None)
        if session:
            await session.thread.close()

    async def _close_idle_sessions(self) -> None:
        timeout = self.config.session_timeout_seconds
        while True:
            await asyncio.sleep(min(60.0, timeout / 2))
            oldest = time.monotonic() - timeout
            for session_id in [key for key, s in self._sessions.items() if s.used < oldest]:
                await self._close(session_id)


def _problem(body: SeedRequest) -> dict[str, Any]:
    if body.task is not None:
        return body.task
    if body.index is None:
        raise HTTPException(422, "name a problem: split and index, or a whole task")
    try:
        return task(body.split or splits()[0], body.index)
    except LookupError as error:
        raise HTTPException(404, str(error.args[0])) from error


def build_app() -> FastAPI:
    """The server as an ASGI app, without Ray, head server or Hydra."""
    server = JupyterResourcesServer(
        config=JupyterConfig(
            name="jupyter_resources_server",
            host="127.0.0.1",
            port=0,
            entrypoint="server.py",
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


def main() -> None:
    """Serve on loopback until stopped."""
    parser = argparse.ArgumentParser(description="Serve jupyter without Ray.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    args = parser.parse_args()
    try:
        listener = socket.create_server((args.host, args.port))
    except OSError as error:
        sys.exit(f"error: cannot listen on {args.host}:{args.port} ({error}); try another --port")
    print(f"{NAME} is served on http://{args.host}:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        build_app(),
        log_level="warning",
        timeout_keep_alive=120,
        timeout_graceful_shutdown=3,  # a call may block for ever
        backlog=4096,
    )
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    if os.environ.get(NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME):  # started by `gym env start`
        JupyterResourcesServer.run_webserver()
    else:
        main()
