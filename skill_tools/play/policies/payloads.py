"""What a policy server answers, in the types of the official client: Chat Completions, Responses.

The shapes are those of https://platform.openai.com/docs/api-reference; `openai.types` holds us to
them. Importing them takes most of a second, so import this module where it is used.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from openai.types import CompletionUsage, Model
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
    ResponseIncompleteEvent,
    ResponseOutputItemAddedEvent,
    ResponseOutputItemDoneEvent,
    ResponseOutputMessage,
    ResponseOutputText,
    ResponseStreamEvent,
    ResponseTextDeltaEvent,
    ResponseUsage,
)
from openai.types.responses.response import IncompleteDetails
from openai.types.responses.response_usage import InputTokensDetails, OutputTokensDetails
from pydantic import BaseModel

from skill_tools.play.policies.screen_payloads import openai_action, wants_computer
from skill_tools.play.policies.scripted import Call
from skill_tools.play.policies.strict.rules import Manners, arguments
from skill_tools.play.policies.strict.tokens import Said, written


def text(payload: BaseModel) -> str:
    """A payload as JSON: the fields that were given, by the names of the wire."""
    return payload.model_dump_json(exclude_unset=True, by_alias=True, warnings=False)


def model(name: str, manners: Manners) -> Model:
    """A policy as an entry in the list of models; a server's own field tells its context."""
    about = {"id": name, "created": 0, "object": "model", "owned_by": "scripts"}
    if manners.context and manners.overflow == "llama.cpp":
        about["meta"] = {"n_ctx": manners.context}
    elif manners.context and manners.overflow.startswith("vllm"):
        about["max_model_len"] = manners.context
    return Model.model_validate(about)


def completion(body: Mapping[str, Any], position: int, said: Said) -> ChatCompletion:
    """A turn as the answer to a Chat Completions request; ``position`` counts turns from 0."""
    turn = said.turn
    # With what OpenAI answers and takes back from nobody: a consumer that sends it is refused.
    about: dict[str, Any] = {"refusal": None, "annotations": []}
    message = ChatCompletionMessage(role="assistant", content=turn.text or None, **about)
    if turn.calls:
        message.tool_calls = [
            ChatCompletionMessageFunctionToolCall(
                id=_call_id(position, number),
                type="function",
                function=Function(name=call.tool, arguments=written(call)),
            )
            for number, call in enumerate(turn.calls)
        ]
    finish: Literal["length", "tool_calls", "stop"] = "tool_calls" if turn.calls else "stop"
    return ChatCompletion(
        id=f"chatcmpl-{position}",
        object="chat.completion",
        created=int(time.time()),
        model=body["model"],
        choices=[Choice(index=0, message=message, finish_reason="length" if said.cut else finish)],
        usage=CompletionUsage(
            prompt_tokens=said.asked,
            completion_tokens=said.answered,
            total_tokens=said.asked + said.answered,
        ),
    )


def chunks(body: Mapping[str, Any], position: int, said: Said) -> Iterator[ChatCompletionChunk]:
    """The same as a stream: text and arguments in pieces, the reason for the end, and the usage."""
    whole = completion(body, position, said)
    [choice] = whole.choices

    def chunk(*choices: ChunkChoice) -> ChatCompletionChunk:
        return ChatCompletionChunk(
            id=whole.id,
            object="chat.completion.chunk",
            created=whole.created,
            model=whole.model,
            choices=list(choices),
        )

    deltas = [ChoiceDelta(role="assistant", content="")]
    deltas += [ChoiceDelta(content=piece) for piece in _pieces(choice.message.content or "")]
    for index, call in enumerate(choice.message.tool_calls or []):
        opened = {"index": index, **call.model_dump()}
        pieces = _pieces(opened["function"]["arguments"])
        opened["function"] = {**opened["function"], "arguments": ""}
        more = [{"index": index, "function": {"arguments": piece}} for piece in pieces]
        deltas += [
            ChoiceDelta(tool_calls=[ChoiceDeltaToolCall.model_validate(part)])
            for part in (opened, *more)
        ]
    for delta in deltas:
        yield chunk(ChunkChoice(index=0, delta=delta, finish_reason=None))
    yield chunk(ChunkChoice(index=0, delta=ChoiceDelta(), finish_reason=choice.finish_reason))
    if (body.get("stream_options") or {}).get("include_usage"):
        last = chunk()
        last.usage = whole.usage
        yield last


def _pieces(text: str) -> list[str]:
    """A text in two pieces, as every stream breaks it somewhere."""
    half = len(text) // 2
    return [piece for piece in (text[:half], text[half:]) if piece]


def response(body: Mapping[str, Any], position: int, said: Said) -> Response:
    """A turn as the answer to a Responses request."""
    turn, status = said.turn, "incomplete" if said.cut else "completed"
    offered = wants_computer(body)
    calls = [_item(position, number, call, offered) for number, call in enumerate(turn.calls)]
    if calls and said.cut and any(arguments(written(turn.calls[-1]), "")):
        calls[-1].status = "incomplete"
    message = ResponseOutputMessage(
        type="message",
        id=f"msg_{position}",
        role="assistant",
        status="completed" if calls else status,
        content=[ResponseOutputText(type="output_text", text=turn.text, annotations=[])],
    )
    return Response(
        id=f"resp_{position}",
        object="response",
        created_at=int(time.time()),
        status=status,
        incomplete_details=IncompleteDetails(reason="max_output_tokens") if said.cut else None,
        model=body["model"],
        output=[message, *calls] if turn.text or not calls else calls,
        parallel_tool_calls=True,
        tool_choice="auto",
        # Told back as they came, so they are not checked.
        tools=[FunctionTool.model_construct(**tool) for tool in body.get("tools") or []],
        usage=ResponseUsage(
            input_tokens=said.asked,
            input_tokens_details=InputTokensDetails(cached_tokens=0, cache_write_tokens=0),
            output_tokens=said.answered,
            output_tokens_details=OutputTokensDetails(reasoning_tokens=0),
            total_tokens=said.asked + said.answered,
        ),
    )


def _item(
    position: int, number: int, call: Call, computer: bool
) -> ResponseFunctionToolCall | ResponseComputerToolCall:
    """One call: an action of the computer tool, if that was offered and has one for it."""
    called = {"call_id": _call_id(position, number), "status": "completed"}
    if computer and (action := openai_action(call)):
        said: dict[str, Any] = {"type": "computer_call", "id": f"cu_{position}_{number}", **called}
        said |= {"actions": [action], "pending_safety_checks": []}
        return ResponseComputerToolCall.model_validate(said)
    return ResponseFunctionToolCall(
        type="function_call",
        id=f"fc_{position}_{number}",
        name=call.tool,
        arguments=written(call),
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
    if whole.status == "incomplete":
        yield ResponseIncompleteEvent(
            type="response.incomplete", response=whole, sequence_number=next(number)
        )
        return
    yield ResponseCompletedEvent(
        type="response.completed", response=whole, sequence_number=next(number)
    )


def _call_id(position: int, number: int) -> str:
    return f"call_{position}_{number}"
