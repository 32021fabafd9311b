"""The Responses API: items of a conversation, and the reason why a response ended."""

from __future__ import annotations

from typing import Any

from ..blocks import blocks_of, image_url

AT_LIMIT = "at its token limit"


def why_cut(response: Any) -> str | None:
    """Return the cause that cut off a response before the model ended it, as text for the model, or None."""
    reason = response.incomplete_details and response.incomplete_details.reason
    if not reason and response.status != "incomplete":
        return None
    return "by a content filter" if reason == "content_filter" else AT_LIMIT


def is_context_full(response: Any) -> bool:
    """Return whether a response means a full context, as returned by NeMo Gym's vllm_model and the rendered agent.

    Such a response is cut off, contains no text, and has no token count.
    """
    cut = why_cut(response) == AT_LIMIT and response.usage is None
    return cut and not any(_says(item) for item in response.output)


def _says(item: Any) -> bool:
    if item.type != "message":
        return True
    if isinstance(item.content, str):
        return bool(item.content)
    return any(part.type == "output_text" and part.text for part in item.content)


def as_items(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Convert an opening message or a user message from chat format to input items of the Responses API."""
    role, content = message["role"], message["content"]
    if role == "tool":
        shown = {"call_id": message["tool_call_id"], "output": content}
        return [{"type": "function_call_output", **shown}]
    calls = [called(call["id"], call["function"]) for call in message.get("tool_calls", ())]
    if calls and not content:
        return calls
    if isinstance(content, list):
        content = [
            input_image(block)
            if block["type"] == "image"
            else {"type": "input_text", "text": block["text"]}
            for block in blocks_of(content)
        ]
    return [{"type": "message", "role": role, "content": content}, *calls]


def called(identity: str, function: dict[str, Any]) -> dict[str, Any]:
    """Return a tool call as an item of the Responses API."""
    return {"type": "function_call", "call_id": identity, **function}


def input_image(block: dict[str, Any]) -> dict[str, Any]:
    """Return a picture as a part of an input message for the Responses API."""
    url = image_url(block)["image_url"]["url"]
    return {"type": "input_image", "detail": "auto", "image_url": url}
