"""Desktop computer use for NeMo Gym, in its Gymnasium protocol: /reset opens an episode, /step plays a response.

Rendered from env.yaml; `skill-tools render` overwrites it. `uv run server.py` serves it without Ray,
`uv run server.py rows SPLIT > SPLIT.jsonl` writes the tasks of a split as dataset rows.
"""

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from desktop_domain._shared import env_spec, task_table
from desktop_domain._shared.arguments import UNPARSED, read_arguments
from desktop_domain._shared.episode import EpisodeFailed
from desktop_domain._shared.models.responses import is_context_full, why_cut
from desktop_domain._shared.rollouts import dataset_rows, openings
from desktop_domain._shared.servers import asgi_server
from desktop_domain._shared.servers.served import ServedEpisode as Episode
from desktop_domain._shared.servers.session_ids import SessionIds
from desktop_domain._shared.servers.threads import EpisodeThread, close_at_shutdown
from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse
from nemo_gym.base_resources_server import BaseResourcesServerConfig
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.global_config import NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME
from nemo_gym.openai_utils import NeMoGymResponse
from nemo_gym.server_utils import SESSION_ID_KEY, ServerClient
from omegaconf import OmegaConf
from resources_servers.gymnasium import (
    EnvResetRequest,
    EnvResetResponse,
    EnvStepRequest,
    EnvStepResponse,
    GymnasiumServer,
)
from starlette.middleware.sessions import SessionMiddleware

IDLE, OVER = 3600.0, 60.0
"""Seconds for which a session is kept that nobody steps, and one whose episode is over."""


class Session:
    """An episode, the thread it runs in, when it was last stepped and how it ended.

    end: terminated, truncated, cut_off or stopped. limit: turns, refusals or context_full, if truncated.
    """

    def __init__(self) -> None:
        self.end: str | None = None
        self.limit: str | None = None
        self.thread = EpisodeThread()  # asyncio's own threads are a few for all sessions
        self.episode: Episode | None = None
        self.used = time.monotonic()

    async def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function of the episode in its thread, which ends with it: what is over only refuses."""
        if self.episode.over:
            return function(*arguments)
        return await self.thread.run(function, *arguments)


class DesktopServer(GymnasiumServer):
    """A session, which is a cookie, holds one episode."""

    ray_enabled: ClassVar[bool] = False

    def setup_webserver(self) -> FastAPI:
        """The framework's routes, and one that says which environment this is."""
        app = super().setup_webserver()
        splits = {name: len(task_table.tasks(name)) for name in task_table.splits()}
        app.get("/environment")(lambda: {"environment": env_spec.NAME, "splits": splits})
        close_at_shutdown(app)
        return app

    def setup_session_middleware(self, app: FastAPI) -> None:
        """As the framework's, whose `@app.middleware` takes longer than all of a step."""
        cookie = self.get_session_middleware_key()
        app.add_middleware(SessionIds, key=SESSION_ID_KEY)
        app.add_middleware(SessionMiddleware, secret_key=cookie, session_cookie=cookie)

    async def reset(self, metadata: dict, session_id: str | None = None) -> tuple[str | None, dict]:
        """Open the episode that a row names; the row's own input, or `messages`, comes before."""
        await self.close_session(session_id)
        try:
            problem = task_table.problem(**dataset_rows.read(metadata))
        except (ValueError, TypeError, LookupError) as error:
            raise HTTPException(422, str(error.args[0])) from error
        try:
            session = self.session_state[session_id] = Session()
            opening = (session.thread.hold, Episode, *problem)
            session.episode = await session.thread.run(*opening)
        except EpisodeFailed as error:
            await self.close_session(session_id)
            raise HTTPException(500, str(error)) from error
        # Only a text can follow a row: one with pictures has the whole opening.
        before, question = openings.apart(session.episode.prompt)
        return question, {
            "messages": before,
            "tools": dataset_rows.as_functions(session.episode.tools),
        }

    async def step(
        self, action: NeMoGymResponse, metadata: dict, session_id: str | None = None
    ) -> tuple[None, float, bool, bool, dict]:
        """Play the tool calls of a response in order; without any the model stopped, or was cut off."""
        session = self.session_state.get(session_id)
        if session is None or session.episode is None:
            raise HTTPException(409, "no episode in this session: POST /reset first")
        if action.status in ("failed", "cancelled"):
            raise HTTPException(422, f"the response is {action.status}, which is nothing to play")
        session.used, episode = time.monotonic(), session.episode
        played, outputs, final_reward = len(episode.steps), [], 0.0
        calls = [item for item in action.output if item.type == "function_call"]
        cut = why_cut(action)
        try:
            for call in calls:
                arguments = read_arguments(call.arguments)
                if cut and call.status == "incomplete":  # they may be JSON by chance
                    arguments = {UNPARSED: call.arguments}
                note = f"The message was cut {cut}." if cut and UNPARSED in arguments else ""
                asked = (call.name, arguments, note)
                step = await session.run(episode.call, *asked)
                outputs.append({"call_id": call.call_id, "output": step.text})
            if not calls:
                late = episode.over
                final_reward = await session.run(episode.end)
                if not late:
                    full = is_context_full(action)
                    session.end = "truncated" if full else "cut_off" if cut else "stopped"
                    session.limit = "context_full" if full else None
                    episode.truncated = bool(cut)
        except EpisodeFailed as error:  # no score: the agent writes a failure row
            await self.close_session(session_id)
            raise HTTPException(500, str(error)) from error
        if episode.over and session.end is None:
            spent = "turns" if episode.turns >= episode.max_turns else "refusals"
            session.end = "truncated" if episode.truncated else "terminated"
            session.limit = spent if episode.truncated else None
        steps = episode.steps[played:]
        ended = {"end": session.end, "limit": session.limit}
        info = {"tool_outputs": outputs, "steps": steps, "final_reward": final_reward, **ended}
        if episode.over:
            info["episode"] = {**episode.record(), **ended}
        reward = sum(step["reward"] for step in steps) + final_reward
        return None, reward, episode.over and not episode.truncated, episode.truncated, info

    async def close_session(self, session_id: str | None) -> None:
        """Free the world of a session, and forget those that were left.

        The framework calls it at the end; the episode stays for a while, to refuse what comes after.
        """
        now = time.monotonic()
        for key, session in list(self.session_state.items()):
            over = session.episode is not None and session.episode.over
            if key == session_id or now - session.used > (OVER if over else IDLE):
                await session.thread.close()
            if now - session.used > (OVER if over else IDLE):
                self.session_state.pop(key, None)  # another call may have come here meanwhile

    async def _reset_endpoint(self, body: EnvResetRequest, request: Request) -> EnvResetResponse:
        async with self._kept_for(request):
            return await super()._reset_endpoint(body, request)

    async def _step_endpoint(self, body: EnvStepRequest, request: Request) -> EnvStepResponse:
        async with self._kept_for(request):
            return await super()._step_endpoint(body, request)

    @asynccontextmanager
    async def _kept_for(self, request: Request) -> AsyncIterator[None]:
        """Close the session after this if the client is gone: it may have no cookie to close it."""
        # With the body read, nothing but a disconnect can be received.
        gone = asyncio.create_task(request.receive())
        try:
            yield
        finally:
            if gone.done():
                await self.close_session(request.session[SESSION_ID_KEY])
            gone.cancel()


def build_app() -> FastAPI:
    """The server as an ASGI app, without Ray, head server or Hydra."""
    here = {"host": "127.0.0.1", "port": 0}
    config = BaseResourcesServerConfig(name=env_spec.NAME, entrypoint="server.py", **here)
    head = BaseServerConfig(**here)
    client = ServerClient(head_server_config=head, global_config_dict=OmegaConf.create({}))
    server = DesktopServer(config=config, server_client=client)
    app = server.setup_webserver()
    server.setup_liveness(app)
    # As setup_exception_middleware answers, at no cost.
    app.add_exception_handler(Exception, lambda _, error: JSONResponse(repr(error), 500))
    return app


app = build_app()


if __name__ == "__main__":
    if os.environ.get(NEMO_GYM_CONFIG_PATH_ENV_VAR_NAME):  # started by `gym env start`
        DesktopServer.run_webserver()
    elif sys.argv[1:2] == ["rows"]:
        dataset_rows.main(sys.argv[2:])
    else:
        asgi_server.run(app, 8000, opens="/reset")
