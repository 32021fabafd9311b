"""Plays the counter by rLLM's own engine and gateway and the page's `counter_rllm.py`; prints facts.

usage: python rllm_facts.py ROWS, with rLLM's source and the domain on the path
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from bytes_tokenizer import EPISODES, Scripted, byte_tokenizer, why
from rllm.engine.agentflow_engine import AgentFlowEngine
from rllm.gateway.manager import EvalGatewayManager

TOKENIZER = byte_tokenizer()


class Model(BaseHTTPRequestHandler):
    """Chat Completions with token ids, as vLLM tells them."""

    said: list[str] = []

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        prompt = TOKENIZER.apply_chat_template(
            asked["messages"], add_generation_prompt=True, return_dict=False
        )
        next_one = Scripted(TOKENIZER, self.said).next(prompt)
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "message": {"role": "assistant", "content": next_one.text.removesuffix("<|im_end|>")},
            "token_ids": next_one.ids,
            "logprobs": {"content": [{"token": "x", "logprob": -0.5, "bytes": None, "top_logprobs": []} for _ in next_one.ids]},  # noqa: E501
        }  # fmt: skip
        body = {"id": "c", "object": "chat.completion", "created": 0, "model": "model", "choices": [choice], "prompt_token_ids": prompt}  # fmt: skip  # noqa: E501
        answer = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_GET = do_POST

    def log_message(self, *_: Any) -> None:
        """Nothing: facts are what is printed."""


class Training(EvalGatewayManager):
    """rLLM's gateway over a server that is given, which asks for tokens as its training gateway does."""

    add_logprobs = add_return_token_ids = True


@contextmanager
def served() -> Iterator[str]:
    """The scripted model on a free port, by the address of its API."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()


def played(url: str, row: dict[str, Any], messages: list[str], times: int = 2) -> Any:
    """One group on a task, as the engine hands it to the trainer."""
    import counter_rllm

    Model.said = messages
    gateway = Training(url, "model")
    gateway.start()
    try:
        engine = AgentFlowEngine(
            counter_rllm.play, counter_rllm.paid, gateway, "model", retry_limit=2
        )
        found = asyncio.run(engine.execute_tasks([row] * times, ["task"] * times))
        engine.shutdown()
    except Exception as error:  # noqa: BLE001 - the fact is which
        return why(error)
    finally:
        gateway.stop()
    steps = found[0].trajectories[0].steps
    return {
        "ids": [each.id for each in found],
        "returns": [each.trajectories[0].reward for each in found],
        "correct": [each.is_correct for each in found],
        "trained": "".join(TOKENIZER.decode(s.response_ids) for s in steps).replace("<|im_end|>", "|"),
        "logprobs": all(s.logprobs == [-0.5] * len(s.response_ids) for s in steps),
        "shown": TOKENIZER.decode(steps[-1].prompt_ids),
    }  # fmt: skip


def main() -> None:
    """Gather the facts."""
    row = json.loads(Path(sys.argv[1]).read_text("utf-8").splitlines()[0])["extra_info"]
    with served() as url:
        facts = {name: played(url, row, each) for name, each in EPISODES.items()}
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
