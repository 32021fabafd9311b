"""Why a model's response ended, in the form of the Responses API."""

from __future__ import annotations

from typing import Any

AT_LIMIT = "at its token limit"


def why_cut(response: Any) -> str | None:
    """Return what cut a response before the model ended it, in words for the model."""
    reason = response.incomplete_details and response.incomplete_details.reason
    if not reason and response.status != "incomplete":
        return None
    return "by a content filter" if reason == "content_filter" else AT_LIMIT


def is_context_full(response: Any) -> bool:
    """Whether a response is the one that NeMo Gym's vllm_model and the rendered agent return for a full context.

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
