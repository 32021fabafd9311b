"""The model APIs that coding agents use, with functions that read a request and write a scripted reply."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

Json = dict[str, Any]
MODEL = "scripted-model"


@dataclass(frozen=True)
class Call:
    """A tool call by the model, with the tool's bare name, without any client's prefix."""

    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Say:
    """The model's last message."""

    text: str


@dataclass(frozen=True)
class Tool:
    """A tool as a request offers it to the model."""

    name: str
    namespace: str = ""
    description: str = ""
    schema: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Shown:
    """The content of one request that the model sees."""

    text: str
    """All text of a request: system, developer and user messages, and the results of tools."""
    tools: tuple[Tool, ...]
    results: tuple[str, ...]
    """The text of every tool result so far, oldest first."""


class Api(Protocol):
    """A model API."""

    def read(self, body: Json) -> Shown: ...

    def write(self, body: Json, action: Call | Say, tool: Tool | None) -> str | Json:
        """Return the response: an object, or the text of an event stream if the request asked for a stream."""
        ...


def _called(tool: Tool | None) -> Tool:
    """Return the tool of a call. Only messages without a call have no tool."""
    assert tool is not None
    return tool


class Anthropic:
    """The Anthropic Messages API."""

    def read(self, body: Json) -> Shown:
        blocks = [
            block
            for message in body["messages"]
            for block in _listed(message["content"])
            if isinstance(block, dict)
        ]
        results = [
            _text(block.get("content", "")) for block in blocks if block["type"] == "tool_result"
        ]
        tools = [
            Tool(tool["name"], "", tool.get("description", ""), tool["input_schema"])
            for tool in body.get("tools", [])
            if "input_schema" in tool
        ]
        read = [_text(body.get("system", "")), _text([m["content"] for m in body["messages"]])]
        return Shown("\n".join(read), tuple(tools), tuple(results))

    def write(self, body: Json, action: Call | Say, tool: Tool | None) -> str | Json:
        if isinstance(action, Say):
            block: Json = {"type": "text", "text": action.text}
            start, delta = {**block, "text": ""}, {"type": "text_delta", "text": action.text}
        else:
            arguments = dict(action.arguments)
            block = {
                "type": "tool_use",
                "id": _id("toolu"),
                "name": _called(tool).name,
                "input": arguments,
            }
            delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
            start = {**block, "input": {}}
        stop = {"stop_reason": "end_turn" if tool is None else "tool_use", "stop_sequence": None}
        usage = {"input_tokens": 10, "output_tokens": 5}
        message = {
            "id": _id("msg"), "type": "message", "role": "assistant", "model": body["model"],
            "content": [block], "usage": usage, **stop,
        }  # fmt: skip
        if not body.get("stream"):
            return message
        opened = {**message, "content": [], "stop_reason": None}
        return _events(
            {"type": "message_start", "message": opened},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": stop, "usage": usage},
            {"type": "message_stop"},
        )


class ChatCompletions:
    """The OpenAI Chat Completions API."""

    def read(self, body: Json) -> Shown:
        messages = body["messages"]
        results = [_text(m["content"]) for m in messages if m["role"] == "tool"]
        tools = [
            Tool(tool["name"], "", tool.get("description", ""), tool.get("parameters"))
            for tool in (entry.get("function") for entry in body.get("tools") or [])
            if tool
        ]
        return Shown(_text([m.get("content") for m in messages]), tuple(tools), tuple(results))

    def write(self, body: Json, action: Call | Say, tool: Tool | None) -> str | Json:
        if isinstance(action, Say):
            message: Json = {"role": "assistant", "content": action.text}
        else:
            function = {"name": _called(tool).name, "arguments": json.dumps(action.arguments)}
            call = {"id": _id("call"), "type": "function", "function": function}
            message = {"role": "assistant", "content": None, "tool_calls": [call]}
        finish = "stop" if tool is None else "tool_calls"
        usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
        answer = {"id": _id("chatcmpl"), "created": 0, "model": body["model"]}
        if not body.get("stream"):
            choice = {"index": 0, "message": message, "finish_reason": finish}
            return {**answer, "object": "chat.completion", "choices": [choice], "usage": usage}
        if tool:
            message["tool_calls"][0]["index"] = 0
        answer["object"] = "chat.completion.chunk"
        first = {"index": 0, "delta": message, "finish_reason": None}
        last = {"index": 0, "delta": {}, "finish_reason": finish}
        return (
            _events({**answer, "choices": [first]}, named=False)
            + _events({**answer, "choices": [last], "usage": usage}, named=False)
            + "data: [DONE]\n\n"
        )


class Responses:
    """The OpenAI Responses API, with tools in namespaces."""

    def read(self, body: Json) -> Shown:
        items = [item for item in _listed(body["input"]) if isinstance(item, dict)]
        results = [
            _text(item["output"]) for item in items if item.get("type", "").endswith("_call_output")
        ]
        read = [body.get("instructions") or ""]
        read += [tool.get("description", "") for tool in body.get("tools") or []]
        read += [_text(item.get("content") or item.get("output") or "") for item in items]
        return Shown("\n".join(read), tuple(self._tools(body)), tuple(results))

    def write(self, body: Json, action: Call | Say, tool: Tool | None) -> str | Json:
        if isinstance(action, Say):
            content = [{"type": "output_text", "text": action.text, "annotations": []}]
            item: Json = {"type": "message", "id": _id("msg"), "role": "assistant"}
            item["content"] = content
        else:
            item = {"type": "function_call", "id": _id("fc"), "call_id": _id("call")}
            called = _called(tool)
            item |= {"name": called.name, "arguments": json.dumps(action.arguments)}
            if called.namespace:
                item["namespace"] = called.namespace
        item["status"] = "completed"
        usage = {
            "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 5,
            "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 15,
        }  # fmt: skip
        answer = {
            "id": _id("resp"), "object": "response", "created_at": 0, "model": body["model"],
            "status": "completed", "output": [item], "usage": usage,
        }  # fmt: skip
        if not body.get("stream"):
            return answer
        begun = {**answer, "status": "in_progress", "output": []}
        return _events(
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": answer},
        )

    def _tools(self, body: Json) -> Iterable[Tool]:
        for entry in body.get("tools") or []:
            if entry["type"] == "function":
                yield self._tool(entry)
            elif entry["type"] == "namespace":
                for inner in entry["tools"]:
                    yield self._tool(inner, entry["name"])

    def _tool(self, entry: Json, namespace: str = "") -> Tool:
        return Tool(entry["name"], namespace, entry.get("description", ""), entry.get("parameters"))


class Gemini:
    """Google's generateContent API."""

    def read(self, body: Json) -> Shown:
        parts = [part for content in body["contents"] for part in content.get("parts", [])]
        results = [
            _text(part["functionResponse"]["response"].get("output", ""))
            or json.dumps(part["functionResponse"]["response"])
            for part in parts
            if "functionResponse" in part
        ]
        tools = [
            Tool(
                tool["name"], "", tool.get("description", ""),
                tool.get("parametersJsonSchema") or tool.get("parameters"),
            )
            for entry in body.get("tools") or []
            for tool in entry.get("functionDeclarations", [])
        ]  # fmt: skip
        system = (body.get("systemInstruction") or {}).get("parts", [])
        read = [part.get("text", "") for part in [*system, *parts]]
        return Shown("\n".join([*read, *results]), tuple(tools), tuple(results))

    def write(self, body: Json, action: Call | Say, tool: Tool | None) -> str | Json:
        if isinstance(action, Say):
            part: Json = {"text": action.text}
        else:
            part = {"functionCall": {"name": _called(tool).name, "args": dict(action.arguments)}}
        candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        answer = {"candidates": [{**candidate, "index": 0}], "usageMetadata": usage}
        return _events(answer, named=False) if body.get("stream") else answer


_PATHS: dict[str, Api] = {
    r"/v1/messages$": Anthropic(),
    r"/chat/completions$": ChatCompletions(),
    r"/responses$": Responses(),
    r"/models/[^:]+:(stream)?[gG]enerateContent$": Gemini(),
}


def api_at(path: str) -> Api | None:
    """Return the model API to which a request's path belongs, or None."""
    return next((api for pattern, api in _PATHS.items() if re.search(pattern, path)), None)


def _listed(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _text(content: Any) -> str:
    """Return all text in a message's content, including the text of nested blocks."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        content = [content.get("text"), content.get("content"), content.get("thinking")]
    return "\n".join(filter(None, map(_text, content or [])))


def _events(*events: Json, named: bool = True) -> str:
    return "".join(
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        for event in events
    )


def _id(kind: str) -> str:
    return f"{kind}_{uuid.uuid4().hex[:12]}"
