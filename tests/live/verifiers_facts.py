"""Run in the Verifiers variant's venv by test_trainers.py: what a trainer such as prime-rl gets of episodes.

usage: python verifiers_facts.py FOLDER, for a tokenizer

Verifiers' own environment server and training client; the engine on loopback says given messages. A token is a
byte, so that nothing has to be downloaded.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import verifiers.v1 as vf
from renderers import Qwen3RendererConfig
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from verifiers.v1.configs.client import TrainClientConfig
from verifiers.v1.serve.client import EnvClient
from verifiers.v1.serve.server import EnvServer
from verifiers.v1.utils.loaders import resolve_env_config

FOLDER = sys.argv[1]
END = "<|im_end|>"
MARKS = (END, "<|im_start|>", "<|endoftext|>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")  # fmt: skip  # noqa: E501


def add(amount: int, **more: Any) -> str:
    call = {"name": "add", "arguments": {"amount": amount, **more}}
    return f"<tool_call>\n{json.dumps(call)}\n</tool_call>"


EPISODES = {
    "won": [add(9), add(6)],
    "lost": [add(3), *[add(9, note="too long")] * 5],
    "stopped": [add(3), "I give up."],
    "broken": [add(3), add(1, note="boom")],
}
"""What the model says in each."""


def tokenizer() -> PreTrainedTokenizerFast:
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE({letter: at for at, letter in enumerate(alphabet)}, []))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    made.decoder = decoders.ByteLevel()
    made.add_tokens([AddedToken(mark, normalized=False, special=True) for mark in MARKS])
    return PreTrainedTokenizerFast(tokenizer_object=made, eos_token=END, pad_token="<|endoftext|>")


class Engine(BaseHTTPRequestHandler):
    """vLLM's route of token ids, which says the messages of the episode that the model is named for."""

    ids = tokenizer()

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        read = self.ids.decode(asked["token_ids"])
        said = read.count("<|im_start|>assistant") - 1
        messages = EPISODES[asked["model"]]
        text = (messages[said] if said < len(messages) else "Done.") + END
        written = self.ids.encode(text, add_special_tokens=False)
        entries = [{"token": f"token_id:{number}", "logprob": -0.5} for number in written]
        choice = {"index": 0, "token_ids": written, "logprobs": {"content": entries}}
        self.answer(200, {"request_id": "1", "choices": [{**choice, "finish_reason": "stop"}]})

    def do_GET(self) -> None:
        self.answer(404, {"error": {"message": "not found"}})

    def answer(self, status: int, body: Any) -> None:
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


def facts(episode: Any) -> dict[str, Any]:
    """What of an episode is trained on, and with which reward."""
    [trace] = episode.traces
    branches = [
        {
            "trained": Engine.ids.decode([t for t, m in zip(b.token_ids, b.sampled_mask, strict=True) if m]),
            "shown": Engine.ids.decode(b.token_ids),
            "logprobs": sorted({p for p, m in zip(b.logprobs, b.sampled_mask, strict=True) if m}),
        }
        for b in trace.branches
    ]  # fmt: skip
    error = episode.last_error or trace.last_error
    return {
        "reward": trace.reward,
        "branches": branches,
        "error": error and f"{error.type}: {error.message}",
    }


async def main() -> None:
    Engine.ids.save_pretrained(FOLDER)
    engine = ThreadingHTTPServer(("127.0.0.1", 0), Engine)
    threading.Thread(target=engine.serve_forever, daemon=True).start()
    [source] = tomllib.loads(Path("prime_rl.toml").read_text("utf-8"))["orchestrator"]["train"]["source"]  # fmt: skip
    config = resolve_env_config(source["env"])
    server = EnvServer(config, "tcp://127.0.0.1:0")
    serving = asyncio.create_task(server.run())
    client = EnvClient(server.address)
    trained = TrainClientConfig(
        base_url=f"http://127.0.0.1:{engine.server_port}/v1",
        renderer=Qwen3RendererConfig(),
        renderer_model_name=FOLDER,
    )
    [task, *_] = list(vf.load_environment(config).taskset.load())
    data = task.data.model_dump(mode="json")
    sampling = vf.SamplingConfig(temperature=1.0)
    # A group: the same task, several at once.
    names = [*EPISODES, "won"]
    episodes = await asyncio.gather(*(client.run(trained, n, sampling, data) for n in names))
    print(json.dumps([[name, facts(each)] for name, each in zip(names, episodes, strict=True)]))
    await client.close()
    serving.cancel()
    engine.shutdown()


asyncio.run(main())
