"""What a policy server answers, in the types of the official client: Chat Completions, Responses.

The shapes are those of https://platform.openai.com/docs/api-reference; `openai.types` holds us to
them. Importing them takes most of a second, so import this module where it is used.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from openai.types import CompletionUsage, ErrorObject, Model
from openai.types.chat import (
    ChatCompletion,
    ChatCompletionChunk,
    ChatCompletionMessage,
    ChatCompletionMessageFunctionToolCall,
)
from openai.types.chat.chat_completion import Choice
from openai.types.chat.chat_completion_chunk import Choice as ChunkChoice
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall
from openai.types.chat.chat_completion_message_function_tool_call import Function
from openai.types.responses import (
    FunctionTool,
    Response,
    ResponseCompletedEvent,
    ResponseComputerToolCall,
    ResponseCreatedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseFunctionToolCall,
    ResponseOutputItemAddedEvent,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseStreamEvent,
    ResponseTextDeltaEvent,
    ResponseUsage,
)
from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails
from pydantic import BaseModel

from skill_tools.play.computer_payloads import openai_action, wants_computer
from skill_tools.play.policies import Call, Turn

USAGE = CompletionUsage(prompt_tokens=1, completion_tokens=1, total_tokens=2)
RESPONSE_USAGE = ResponseUsage(
    input_tokens=1,
    input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
    output_tokens=1,
    output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
    total_tokens=2,
)


def text(payload: BaseModel) -> str:
    """A payload as JSON: the fields that were given, by the names of the wire."""
    return payload.model_dump_json(exclude_unset=True, by_alias=True, warnings=False)


def model(name: str) -> Model:
    """A policy as an entry in the list of models."""
    return Model(id=name, created=0, object="model", owned_by="scripts")


def error(message: str) -> ErrorObject:
    """Why a request is refused."""
    return ErrorObject(message=message, type="invalid_request_error", code="no_script", param=None)


def completion(body: Mapping[str, Any], position: int, turn: Turn) -> ChatCompletion:
    """A turn as the answer to a Chat Completions request; ``position`` counts turns from 0."""
    message = ChatCompletionMessage(role="assistant", content=turn.text or None)
    if turn.calls:
        message.tool_calls = [
            ChatCompletionMessageFunctionToolCall(
                id=_call_id(position, number),
                type="function",
                function=Function(name=call.tool, arguments=_arguments(call)),
            )
            for number, call in enumerate(turn.calls)
        ]
    finish: Literal["tool_calls", "stop"] = "tool_calls" if turn.calls else "stop"
    return ChatCompletion(
        id=f"chatcmpl-{position}",
        object="chat.completion",
        created=int(time.time()),
        model=body["model"],
        choices=[Choice(index=0, message=message, finish_reason=finish)],
        usage=USAGE,
    )


def chunks(body: Mapping[str, Any], position: int, turn: Turn) -> Iterator[ChatCompletionChunk]:
    """The same as a stream: the text, each call whole, the reason for the end, and the usage."""
    whole = completion(body, position, turn)
    [choice] = whole.choices

    def chunk(*choices: ChunkChoice) -> ChatCompletionChunk:
        return ChatCompletionChunk(
            id=whole.id,
            object="chat.completion.chunk",
            created=whole.created,
            model=whole.model,
            choices=list(choices),
        )

    deltas = [ChoiceDelta(role="assistant", content=choice.message.content)]
    for index, call in enumerate(choice.message.tool_calls or []):
        part = ChoiceDeltaToolCall.model_validate({"index": index, **call.model_dump()})
        deltas.append(ChoiceDelta(tool_calls=[part]))
    for delta in deltas:
        yield chunk(ChunkChoice(index=0, delta=delta, finish_reason=None))
    yield chunk(ChunkChoice(index=0, delta=ChoiceDelta(), finish_reason=choice.finish_reason))
    if (body.get("stream_options") or {}).get("include_usage"):
        last = chunk()
        last.usage = USAGE
        yield last


def response(body: Mapping[str, Any], position: int, turn: Turn) -> Response:
    """A turn as the answer to a Responses request."""
    offered = wants_computer(body)
    calls = [_item(position, number, call, offered) for number, call in enumerate(turn.calls)]
    said = ResponseOutputMessage(
        type="message",
        id=f"msg_{position}",
        role="assistant",
        status="completed",
        content=[ResponseOutputText(type="output_text", text=turn.text, annotations=[])],
    )
    return Response(
        id=f"resp_{position}",
        object="response",
        created_at=int(time.time()),
        status="completed",
        model=body["model"],
        output=[said, *calls] if turn.text or not calls else calls,
        parallel_tool_calls=True,
        tool_choice="auto",
        # Told back as they came, so they are not checked.
        tools=[FunctionTool.model_construct(**tool) for tool in body.get("tools") or []],
        usage=RESPONSE_USAGE,
    )


def _item(
    position: int, number: int, call: Call, computer: bool
) -> ResponseFunctionToolCall | ResponseComputerToolCall:
    """One call: an action of the computer tool, if that was offered and has one for it."""
    called = {"call_id": _call_id(position, number), "status": "completed"}
    if computer and (action := openai_action(call)):
        said = {"type": "computer_call", "id": f"cu_{position}_{number}", **called}
        said |= {"actions": [action], "pending_safety_checks": []}
        return ResponseComputerToolCall.model_validate(said)
    return ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{position}_{number}",
        name=call.tool,
        arguments=_arguments(call),
        **called,
    )


def events(whole: Response) -> Iterator[ResponseStreamEvent]:
    """The same as a stream of events, each item with one delta."""
    number = iter(range(10**9))
    begun = whole.model_copy(update={"status": "in_progress", "output": []})
    yield ResponseCreatedEvent(
        type="response.created", response=begun, sequence_number=next(number)
    )
    for index, item in enumerate(whole.output):
        yield ResponseOutputItemAddedEvent(
            type="response.output_item.added",
            output_index=index,
            item=item,
            sequence_number=next(number),
        )
        if isinstance(item, ResponseOutputMessage):
            [content] = item.content
            yield ResponseTextDeltaEvent(
                type="response.output_text.delta",
                content_index=0,
                delta=content.text if isinstance(content, ResponseOutputText) else "",
                logprobs=[],
                output_index=index,
                item_id=item.id,
                sequence_number=next(number),
            )
        elif isinstance(item, ResponseFunctionToolCall):
            yield ResponseFunctionCallArgumentsDeltaEvent(
                type="response.function_call_arguments.delta",
                delta=item.arguments,
                output_index=index,
                item_id=item.id or "",
                sequence_number=next(number),
            )
        yield ResponseOutputItemDoneEvent(
            type="response.output_item.done",
            output_index=index,
            item=item,
            sequence_number=next(number),
        )
    yield ResponseCompletedEvent(
        type="response.completed", response=whole, sequence_number=next(number)
    )


def _call_id(position: int, number: int) -> str:
    return f"call_{position}_{number}"


def _arguments(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments)
