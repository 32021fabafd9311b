"""The counter with a richer opening: a picture, or earlier messages with calls of its tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from skill_tools import pipeline
from tests.conftest import write_counter

DRAWN = '''\
import random
import struct
import zlib


def drawn(width):
    """A black PNG of one line."""

    def chunk(kind, body):
        check = struct.pack(">I", zlib.crc32(kind + body))
        return struct.pack(">I", len(body)) + kind + body + check

    head = struct.pack(">IIBBBBB", width, 1, 8, 0, 0, 0, 0)
    line = zlib.compress(b"\\0" * (width + 1))
    return b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", line) + chunk(b"IEND", b"")

'''
OBSERVED = 'return f"The counter is at {self.value}; the target is {self.target}."'
SHOWN = """return [
            f"The counter is at {self.value}.",
            "The target:",
            drawn(self.target),
            f"That are {self.target} pixels.",
        ]"""


def write_pictures(folder: Path) -> Path:
    """A counter whose opening, and whose tool look, show the target as a picture between texts."""
    return write_counter(
        folder,
        game=[("import random\n", DRAWN), (OBSERVED, SHOWN)],
        env=[('user: "{observation}"', 'user: "See:\\n{observation}\\nNow count."')],
    )


def chat(number: int, tool: str = "add") -> list[dict[str, Any]]:
    """Earlier messages: two calls in one message, their results, and an answer."""
    calls = [
        {
            "id": f"call_{each}",
            "type": "function",
            "function": {"name": tool, "arguments": json.dumps({"amount": each, "note": "a<b"})},
        }
        for each in (1, 2)
    ]
    return [
        {"role": "user", "content": f"Show me how, {number}."},
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "tool_call_id": "call_1", "content": "The counter is at 1. a<b"},
        {"role": "tool", "tool_call_id": "call_2", "content": "The counter is at 3. a<b"},
        {"role": "assistant", "content": "So it goes."},
    ]


def write_history(folder: Path, more: str = "") -> Path:
    """A counter whose tasks have earlier messages. more: Python that changes a task before it is listed."""
    chats = {f"{number}": chat(number) for number in (*range(12), 99)}
    listed = f"""
CHATS = {chats!r}
for each in (*TASKS["train"], *TASKS["test"]):
    each["chat"] = CHATS[str(each["seed"])]
    {more or "pass"}
"""
    return write_counter(
        folder,
        env=[('user: "{observation}"', 'user: "{observation}"\n  history: chat')],
        tasks=[('"zebra"}],\n}\n', '"zebra"}],\n}\n' + listed)],
    )


def write_question(folder: Path) -> Path:
    """The single-turn starter with a picture below its question, and earlier questions."""
    pipeline.new(folder, "single-turn")
    changes = {
        "env.yaml": [('"{question}"', '"{question}\\n{observation}"\n  history: chat')],
        "world.py": [
            ("import re\n", "import re\nimport struct\nimport zlib\n"),
            ("class WordSums", DRAWN.partition("zlib\n")[2].strip() + "\n\n\nclass WordSums"),
            (
                "    # CHANGE: how a message is",
                "    def observe(self):\n        return drawn(9)\n\n    #",
            ),
        ],
        "tasks.py": [
            (
                '{"id": f"{split}-{number:02}"',
                '{"chat": CHAT, "id": f"{split}-{number:02}"',
            ),
            ("NAMES = (", f"CHAT = {QUESTION!r}\nNAMES = ("),
        ],
    }
    for name, several in changes.items():
        text = (folder / name).read_text("utf-8")
        for old, new in several:
            assert old in text, f"{old!r} is not in {name}"
            text = text.replace(old, new, 1)
        (folder / name).write_text(text, "utf-8")
    return folder


QUESTION = [
    {"role": "user", "content": "How much are 2 and 2?"},
    {"role": "assistant", "content": "Answer: 4"},
]
