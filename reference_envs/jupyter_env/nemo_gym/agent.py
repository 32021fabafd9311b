"""The agent of Jupyter agent: drives a model through one episode.

Rendered from env.yaml; `skill-tools render` overwrites it. NeMo Gym's simple_agent with what an
environment needs: the opening messages come from the resources server, which also says when the
episode is over, and a rollout that breaks is recorded as broken instead of scored.
"""

import asyncio
import itertools
import json
from contextlib import suppress
from typing import Any, ClassVar
from urllib.parse import quote

from fastapi import Request, Response
from fastapi.responses import JSONResponse
from nemo_gym.base_resources_server import BaseRunRequest
from nemo_gym.base_responses_api_agent import (
    BaseResponsesAPIAgentConfig,
    SimpleResponsesAPIAgent,
)
from nemo_gym.config_types import ModelServerRef, ResourcesServerRef
from nemo_gym.openai_utils import (
    NeMoGymEasyInputMessage,
    NeMoGymFunctionCallOutput,
    NeMoGymResponse,
    NeMoGymResponseCreateParamsNonStreaming,
    NeMoGymResponseFunctionToolCall,
    NeMoGymResponseUsage,
)
from nemo_gym.server_utils import get_response_json
from pydantic import ConfigDict

Cookies = dict[str, str]


class RolloutFailed(RuntimeError):
    """The environment, the model server or the machinery broke; there is no score."""


class JupyterAgentConfig(BaseResponsesAPIAgentConfig):
    """Which servers to use; `max_steps` bounds the model's messages."""

    resources_server: ResourcesServerRef
    model_server: ModelServerRef
    max_steps: int | None = None


class RunRequest(BaseRunRequest):
    """A dataset row: what to ask the model for, and the fields that /seed_session reads."""

    model_config = ConfigDict(extra="allow")


class JupyterAgent(SimpleResponsesAPIAgent):
    """Plays one episode per /run."""

    ray_enabled: ClassVar[bool] = False
    config: JupyterAgentConfig

    async def run(self, body: RunRequest) -> Response:
        """Play the row's episode; answers the verify response, or a failure row without reward."""
        try:
            verified = await self._rollout(body)
        except Exception as error:  # noqa: BLE001 - a 500 here would end all rollouts
            return JSONResponse(_failure_row(error))
        return Response(verified, media_type="application/json")

    async def responses(
        self,
        request: Request,
        response: Response,
        body: NeMoGymResponseCreateParamsNonStreaming,
    ) -> NeMoGymResponse:
        """Play a session that the caller has seeded, and will verify, itself."""
        played, cookies = await self._play(body, dict(request.cookies))
        for name, value in cookies.items():
            response.set_cookie(name, value)
        return played

    async def _rollout(self, body: RunRequest) -> bytes:
        resources = self.config.resources_server.name
        seeded = await self._post(resources, "/seed_session", json=body.model_dump())
        cookies = _cookies(seeded)
        try:
            opening = await get_response_json(seeded)
            params = body.responses_create_params
            # What the server says only fills what the row leaves open.
            params.input = params.input or _messages(opening["messages"])
            params.tools = params.tools or opening["tools"]
            played, cookies = await self._play(params, cookies)
            row = body.model_dump() | {"response": played.model_dump()}
            verified = await self._post(resources, "/verify", json=row, cookies=cookies)
            return await verified.read()
        except Exception:
            with suppress(Exception):
                closing = self._post(resources, "/close_session", cookies=cookies)
                await asyncio.wait_for(closing, timeout=10)
            raise

    async def _play(
        self, params: NeMoGymResponseCreateParamsNonStreaming, cookies: Cookies
    ) -> tuple[NeMoGymResponse, Cookies]:
        opening = params.input
        if isinstance(opening, str):
            opening = _messages([{"role": "user", "content": opening}])
        tools = {tool.get("name") for tool in params.tools}
        outputs: list[Any] = []
        usage: NeMoGymResponseUsage | None = None
        model_cookies: Cookies = {}
        for step in itertools.count(1):
            answer = await self._post(
                self.config.model_server.name,
                "/v1/responses",
                json=params.model_copy(update={"input": opening + outputs}),
                cookies=model_cookies,
            )
            model_cookies |= _cookies(answer)
            response = NeMoGymResponse.model_validate(await get_response_json(answer))
            outputs += response.output
            usage = _add(usage, response.usage)
            calls = [item for item in response.output if item.type == "function_call"]
            if response.incomplete_details or not calls:
                break
            for call in calls:
                played, cookies = await self._call(call, call.name in tools, cookies)
                outputs += observation_items(call.call_id, played["observation"])
            if played["done"] or step == self.config.max_steps:
                break
        response.output, response.usage = outputs, usage
        return response, cookies

    async def _call(
        self, call: NeMoGymResponseFunctionToolCall, known: bool, cookies: Cookies
    ) -> tuple[dict[str, Any], Cookies]:
        """Play a tool call. The arguments travel as the model wrote them, parsable or not."""
        # A name from the model must not reach the server's own routes, /seed_session and others.
        path = f"/{call.name}" if known else f"/unknown_tool?tool={quote(call.name, safe='')}"
        answer = await self._post(
            self.config.resources_server.name,
            path,
            data=call.arguments.encode(),
            headers={"Accept": "application/json", "Content-Type": "application/json"},
            cookies=cookies,
        )
        return await get_response_json(answer), cookies | _cookies(answer)

    async def _post(self, server: str, path: str, **request: Any) -> Any:
        answer = await self.server_client.post(server_name=server, url_path=path, **request)
        if answer.ok:
            return answer
        text = (await answer.read()).decode(errors="replace")
        with suppress(ValueError, TypeError, KeyError):
            raise RolloutFailed(str(json.loads(text)["detail"]))
        raise RolloutFailed(f"{server}{path} answered {answer.status}: {text[:2000]}")


def observation_items(call_id: str, blocks: list[dict[str, Any]]) -> list[Any]:
    """What the model gets to see of an observation; an image travels in a user message."""
    text = "\n".join(block["text"] for block in blocks if block["type"] == "text")
    images = [
        {
            "type": "input_image",
            "detail": "auto",
            "image_url": f"data:{block['media_type']};base64,{block['data']}",
        }
        for block in blocks
        if block["type"] == "image"
    ]
    if not images:
        return [_output(call_id, text)]
    shown = _messages([{"role": "user", "content": images}])
    return [_output(call_id, text or "(an image follows)"), *shown]


def _output(call_id: str, text: str) -> NeMoGymFunctionCallOutput:
    return NeMoGymFunctionCallOutput(type="function_call_output", call_id=call_id, output=text)


def _messages(messages: list[dict[str, Any]]) -> list[NeMoGymEasyInputMessage]:
    return [NeMoGymEasyInputMessage(type="message", **message) for message in messages]


def _cookies(answer: Any) -> Cookies:
    return {name: morsel.value for name, morsel in answer.cookies.items()}


def _add(
    total: NeMoGymResponseUsage | None, more: NeMoGymResponseUsage | None
) -> NeMoGymResponseUsage | None:
    if total and more:
        total.input_tokens += more.input_tokens
        total.output_tokens += more.output_tokens
        total.total_tokens += more.total_tokens
    return total or more


def _failure_row(error: Exception) -> dict[str, str]:
    """A row for NeMo Gym's *_failures.jsonl: without a reward, so that nothing counts it as one."""
    return {
        "_ng_failure_class": "agent_run_error",
        "_ng_failure_type": type(error).__name__,
        "_ng_failure_message": str(error) or repr(error),
    }


if __name__ == "__main__":
    JupyterAgent.run_webserver()
