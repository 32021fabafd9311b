"""A tool loop for Verifiers packages without a harness; it runs in Verifiers' venv, in the driver's process."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import aiohttp
import verifiers.v1 as vf
from audit_bounds import as_tool
from mcp import ClientSession
from mcp.client.streamable_http import streamable_http_client

MOST_TURNS = 100


class AuditHarnessConfig(vf.HarnessConfig):
    """The configuration of the audit's harness, which has no settings."""


class AuditHarness(vf.Harness[AuditHarnessConfig]):
    """A harness that asks the model and calls the requested tools, until a message requests no tool."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_MCP = True
    SUPPORTS_RESUME = True
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
        """Play one segment, which is the whole episode or ends before the user's next message."""
        system, prompt = self.resolve_prompt(data)
        messages = [{"role": "system", "content": system}] if system else []
        messages += _as_messages(prompt)
        async with contextlib.AsyncExitStack() as stack:
            tools, calling = await _connect(stack, mcp_urls)
            headers = {"Authorization": f"Bearer {secret}"}
            http = await stack.enter_async_context(aiohttp.ClientSession(headers=headers))
            for _ in range(MOST_TURNS):
                asked = {"model": ctx.model, "messages": messages}
                asked |= {"tools": tools} if tools else {}
                async with http.post(f"{endpoint}/chat/completions", json=asked) as answer:
                    if answer.status != 200:
                        said = (await answer.text())[:2000]
                        return vf.ProgramResult(exit_code=1, stdout="", stderr=said)
                    message = (await answer.json())["choices"][0]["message"]
                messages.append({k: v for k, v in message.items() if v is not None})
                if not message.get("tool_calls"):
                    break
                messages += [await _call(call, calling) for call in message["tool_calls"]]
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


async def _connect(
    stack: contextlib.AsyncExitStack, urls: dict[str, str]
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the tools of all servers as models see them, and each tool's session by the tool's name."""
    tools, calling = [], {}
    for url in urls.values():
        streams = await stack.enter_async_context(streamable_http_client(url))
        session = await stack.enter_async_context(ClientSession(*streams[:2]))
        await session.initialize()
        for each in (await session.list_tools()).tools:
            shown = as_tool(each.name, each.description, each.input_schema)
            tools.append({"type": "function", "function": shown})
            calling[each.name] = session
    return tools, calling


async def _call(call: dict[str, Any], calling: dict[str, Any]) -> dict[str, Any]:
    """Send a tool call and return the tool's message; any error becomes the text of the message."""
    name = call["function"]["name"]
    try:
        given = json.loads(call["function"]["arguments"])
        result = await calling[name].call_tool(name, given)
        text = "\n".join(str(getattr(each, "text", each)) for each in result.content)
    except Exception as wrong:  # noqa: BLE001 - a harness reports any error to the model
        text = f"error: {wrong}"
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def _as_messages(prompt: Any) -> list[dict[str, Any]]:
    if prompt is None or isinstance(prompt, str):
        return [{"role": "user", "content": prompt}] if prompt else []
    return [m if isinstance(m, dict) else m.model_dump(exclude_none=True) for m in prompt]
