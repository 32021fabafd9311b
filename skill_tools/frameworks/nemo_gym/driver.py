"""A driver that plays any NeMo Gym resources server; it runs in NeMo Gym's venv (see audit_driver).

A server uses one of two protocols: a route per tool and ``/verify`` for the end, or the Gymnasium routes
``/reset`` and ``/step``.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from audit_bounds import SAY, Broken, as_tool, bounded, cut, is_text, text_block
from audit_driver import Answered, Refused, load_file, main, read_rows
from audit_models import STAND_IN
from audit_server import JUDGED, JUDGED_AS, all_of, answer_model, judged_as
from audit_token import bearer
from nemo_gym import __version__
from nemo_gym.base_resources_server import SimpleResourcesServer
from nemo_gym.config_types import BaseServerConfig
from nemo_gym.server_utils import (
    GlobalAIOHTTPAsyncClientConfig,
    ServerClient,
    set_global_aiohttp_client,
)
from omegaconf import OmegaConf

NAME = "audited"
OWN = ("/seed_session", "/verify", "/aggregate_metrics", "/reset", "/step", "/close", "/mcp", "/")
"""Routes of the framework, which are not tools."""
FIXED = {"id": "response", "model": "audit", "object": "response", "tool_choice": "auto"}
RESPONSE = {**FIXED, "created_at": 0, "parallel_tool_calls": False, "tools": []}
NOTHING: dict[str, Any] = {"responses_create_params": {"input": []}}
"""The row to use if no dataset is given."""


class NeMoGymSession:
    """One episode, with the cookies received and the items of the model's response so far."""

    takes_messages = True

    def __init__(self, driver: NeMoGymDriver, row: dict[str, Any], script: dict[str, Any]) -> None:
        self.driver, self.row = driver, row
        self.head = judged_as(script, row) if driver.serves else {}
        self.tools = driver.tools_of(row)
        self.cookies: dict[str, str] = {}
        self.output: list[dict[str, Any]] = []
        self.calls, self.seen = count(1), dict[str, Any]()

    async def open(self) -> None:
        """Send the row to ``/seed_session``, or to ``/reset`` in the Gymnasium protocol."""
        asked = self.row["responses_create_params"].get("input", [])
        asked = [{"role": "user", "content": asked}] if isinstance(asked, str) else asked
        self.prompt = [_message(each) for each in asked]
        if not self.driver.stepped:
            await self._post("/seed_session", self.row, missing={})
            return
        opened = await self._post("/reset", self.row)
        if opened.get("observation"):
            opening = text_block(opened["observation"])["text"]
            self.prompt.append({"role": "user", "content": opening})

    async def call(self, tool: str, arguments: Any) -> Answered:
        """Send a tool call, or the model's text, to the server."""
        if is_text(tool, self.tools):
            return await self._said(arguments["text"])
        key = f"call_{next(self.calls)}"
        written = arguments if isinstance(arguments, str) else json.dumps(arguments)
        asked = {"type": "function_call", "call_id": key, "name": tool, "arguments": written}
        if self.driver.stepped:
            return await self._step(asked)
        status, read = await self._send(f"/{tool}", arguments)
        # As in NeMo Gym's agents, the model sees the body of any answer, even of one that failed, and /verify sees the
        # call.
        answered = {"type": "function_call_output", "call_id": key, "output": cut(read)}
        self.output += [asked, answered]
        # A server without any route for tools judges the calls themselves.
        unknown = all(each["name"] != tool for each in self.tools)
        refused = status >= 500 or (status >= 400 and (unknown or bool(self.driver.routes)))
        return Answered([text_block(read)], error="refused" if refused else None)

    async def end(self, message: str) -> Any:
        """Verify the model's work. In the Gymnasium protocol, send the model's last message as a step instead."""
        said = message or "That is all."
        if self.driver.stepped:
            return (await self._step(_saying(said))).reward
        return await self._verify(said)

    async def close(self) -> None:
        """Do nothing, because NeMo Gym has no way to free a session."""

    async def _said(self, text: str) -> Answered:
        if self.driver.stepped:
            return await self._step(_saying(text))
        return Answered([text_block("(the episode is over)")], await self._verify(text), True)

    async def _verify(self, text: str) -> Any:
        row = {**self.row, "response": {**RESPONSE, "output": [*self.output, _saying(text)]}}
        try:
            found = await self._post("/verify", row)
        except (Broken, Refused) as wrong:
            raise (Broken(STAND_IN, str(wrong)) if self.asks else wrong) from wrong
        finally:
            if self.asks:
                self.seen |= await self._post(JUDGED, {})
        return found.get("reward")

    async def _step(self, item: dict[str, Any]) -> Answered:
        row = {**self.row, "response": {**RESPONSE, "output": [item]}}
        opening = await self._post("/step", row)
        done = bool(opening.get("terminated") or opening.get("truncated"))
        outputs = [text_block(o.get("output", "")) for o in opening["info"].get("tool_outputs", [])]
        shown = [text_block(opening["observation"])] if opening.get("observation") else []
        blocks = [*outputs, *shown] or [text_block(json.dumps(bounded(opening.get("info"))))]
        return Answered(blocks, opening.get("reward"), done, None, bool(opening.get("truncated")))

    async def _post(self, path: str, body: Any, missing: Any = None) -> Any:
        """Return the JSON from a route. Raises Refused with the route's message for a status from 400 to 499."""
        status, read = await self._send(path, body)
        if status == 404 and missing is not None:
            return missing
        if 400 <= status < 500:
            raise Refused(f"{status}: {cut(read, 2000)}")
        if status >= 300:
            raise Broken("http", f"{path} answers {status}: {cut(read, 500)}")
        try:
            return json.loads(read)
        except (ValueError, RecursionError) as error:
            raise Broken("http", f"the reply from {path} is not JSON: {cut(read, 200)}") from error

    async def _send(self, path: str, body: Any) -> tuple[int, str]:
        """Return the status and the text of a route's response, and keep the response's cookies."""
        answer = await self.driver.client.post(
            NAME, path, json=body, cookies=self.cookies, headers={**bearer(), **self.head}
        )
        if answer.status == 401 and path in OWN:
            answer.raise_for_status()
        read = await all_of(answer)
        self.cookies.update({key: each.value for key, each in answer.cookies.items()})
        self.asks = JUDGED_AS in answer.headers  # a judge
        return answer.status, read.decode("utf-8", "replace")


class JudgedClient(ServerClient):  # type: ignore[misc]
    """A client for a server in this process; a stand-in answers the server's requests to models."""

    async def request(self, server_name: str, url_path: str, method: str, **more: Any) -> Any:
        """Return the stand-in's reply to a request to a model; send other requests as usual."""
        answered = answer_model(server_name, url_path, more.get("json"))
        return answered or await super().request(server_name, url_path, method, **more)


class NeMoGymDriver:
    """A driver for a server at an address, or for a folder whose ``app.py`` has a resources server."""

    name = "nemo_gym"
    # Of what was imported, which may be the folder's own repository.
    versions = {"nemo-gym": __version__}
    stepped = serves = False

    @contextlib.asynccontextmanager
    async def reaching(self, request: dict[str, Any]) -> AsyncIterator[None]:
        """Create the framework's client for the address, and detect the server's protocol."""
        at = urlsplit(request["url"])
        here = {"host": at.hostname, "port": at.port or 80}
        servers = {NAME: {"resources_servers": {NAME: here}}}
        http = set_global_aiohttp_client(GlobalAIOHTTPAsyncClientConfig())
        self.client = ServerClient(
            head_server_config=BaseServerConfig(**here),
            global_config_dict=OmegaConf.create(servers),
        )
        self.rows = read_rows(request["tasks"]) or [NOTHING]
        self.serves = bool(request["folder"])
        async with asyncio.timeout(request["call_seconds"]):  # the client itself has none
            answer = await self.client.get(NAME, "/openapi.json", headers=bearer())
            if answer.status == 401:
                answer.raise_for_status()
            said = json.loads(await all_of(answer)) if answer.ok else {}
        paths = said.get("paths") or {}
        self.stepped = "/step" in paths and "/verify" not in paths
        self.routes = [path for path in paths if path not in OWN and "post" in paths[path]]
        self.said = said
        try:
            yield
        finally:
            await http.close()

    def make_app(self, request: dict[str, Any]) -> Any:
        """Return the app of a folder's resources server, without Ray, head server or Hydra."""
        folder = Path(request["folder"])
        sys.path.insert(0, str(folder))
        found = load_file("audited_app", folder / request["app"])
        kinds: list[Any] = [
            kind
            for kind in vars(found).values()
            if isinstance(kind, type)
            and issubclass(kind, SimpleResourcesServer)
            and kind.__module__ == found.__name__
        ]
        if not kinds:
            raise SystemExit(f"{request['app']} does not define a SimpleResourcesServer")
        here = {"host": "127.0.0.1", "port": 0, "entrypoint": request["app"], "name": folder.name}
        config = kinds[-1].model_fields["config"].annotation
        made = config.model_validate({"domain": "other", **_configured(folder), **here})
        client = JudgedClient(
            head_server_config=BaseServerConfig(host="127.0.0.1", port=0),
            global_config_dict=OmegaConf.create({}),
        )
        server = kinds[-1](config=made, server_client=client)
        app = server.setup_webserver()
        server.setup_liveness(app)
        server.setup_exception_middleware(app)
        return app

    async def discover(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the server's name, its tools (from the rows or otherwise the routes), and the rows as tasks."""
        tools = self.tools_of(self.rows[0])
        given = bool(request["tasks"])
        places = [
            {"split": "tasks", "index": index, "seed": 0, "task": row if given else {}}
            for index, row in enumerate(self.rows[: request["count"]])
        ]
        sizes = {"tasks": len(self.rows)} if given else {}
        name = Path(request["folder"]).name  # servers of NeMo Gym do not report their own
        found = {"name": request["id"] or name or "nemo_gym", "seeded": False}
        found |= {"tools": tools or [SAY], "in_text": not tools, "stepped": self.stepped}
        # The framework verifies one message, and requests no other.
        found["ends_itself"] = not tools and not self.stepped
        routes = {path.strip("/").partition("/")[0] for path in self.routes}
        catches_all = any(route.startswith("{") for route in routes)  # any tool is its parameter
        lost = [t["name"] for t in tools if not self.stepped and t["name"] not in routes]
        facts = {"tools_without_route": lost if self.routes and not catches_all else []}
        return {**found, "splits": sizes, "places": places, "facts": facts}

    async def open(self, script: dict[str, Any]) -> NeMoGymSession:
        """Open a session for the row with the script's index."""
        session = NeMoGymSession(self, self.rows[script["index"]], script)
        try:
            await session.open()
        except Refused as refused:
            raise Broken("refused", f"the row is refused: {refused}") from refused
        return session

    def tools_of(self, row: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the tools that a row offers to the model or, if the row has no ``tools``, the routes with a body."""
        offered = row["responses_create_params"].get("tools")
        if offered is not None:
            return [
                as_tool(t.get("name"), t.get("description"), t.get("parameters")) for t in offered
            ]
        return [
            as_tool(path.strip("/"), self.said["paths"][path]["post"].get("description"), schema)
            for path in self.routes
            if (schema := _body(self.said, self.said["paths"][path]["post"])) is not None
        ]


def _configured(folder: Path) -> dict[str, Any]:
    """Return the settings of the resources server in the folder's first configuration."""
    for path in sorted(folder.glob("configs/*.yaml")):
        for each in OmegaConf.to_container(OmegaConf.load(path)).values():
            servers = each.get("resources_servers") if isinstance(each, dict) else None
            if servers:
                return dict(next(iter(servers.values())))
    return {}


def _body(said: dict[str, Any], operation: dict[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a route's body, with the schemas that it refers to; None if the route has no body."""
    content = (operation.get("requestBody") or {}).get("content") or {}
    schema = (content.get("application/json") or {}).get("schema")
    if not isinstance(schema, dict):
        return None
    name = str(schema.get("$ref", "")).rpartition("/")[2]
    kinds = (said.get("components") or {}).get("schemas") or {}
    return {**kinds.get(name, schema), "components": {"schemas": kinds}}


def _message(item: Any) -> dict[str, Any]:
    content = item.get("content", "") if isinstance(item, dict) else item
    if isinstance(content, list):
        content = "\n".join(str(each.get("text", "")) for each in content if isinstance(each, dict))
    role = item.get("role", "user") if isinstance(item, dict) else "user"
    return {"role": str(role), "content": text_block(content)["text"]}


def _saying(text: str) -> dict[str, Any]:
    said = {"type": "output_text", "text": text, "annotations": []}
    message = {"type": "message", "role": "assistant", "id": "message", "status": "completed"}
    return {**message, "content": [said]}


if __name__ == "__main__":
    main(NeMoGymDriver())
