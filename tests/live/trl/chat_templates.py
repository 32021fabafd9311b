"""Renders an exported conversation with every chat template of the installed TRL; run in its venv.

usage: python chat_templates.py OBJECTS.jsonl TEXTS.jsonl

The files hold the same conversation, with the arguments of calls as an object and as text. Prints
JSON: for each template `dropped` (it shows no calls), or what went wrong with either form, or "".
"""

import importlib.resources
import json
import re
import sys
from pathlib import Path
from typing import Any

from jinja2 import TemplateError
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast
from trl.chat_template_utils import add_response_schema, supports_tool_calling


def main(objects: str, texts: str) -> None:
    """Render both rows with each template."""
    rows = [json.loads(Path(file).read_text("utf-8").splitlines()[0]) for file in (objects, texts)]
    played = [
        call["function"]
        for message in rows[0]["messages"]
        for call in message.get("tool_calls", ())
    ]
    found: dict[str, Any] = {}
    for file in sorted((importlib.resources.files("trl") / "chat_templates").iterdir()):
        if not file.name.endswith(".jinja"):
            continue
        tokenizer = PreTrainedTokenizerFast(
            tokenizer_object=Tokenizer(models.WordLevel({"<unk>": 0}, "<unk>")),
            unk_token="<unk>", bos_token="<s>", eos_token="</s>",
        )  # fmt: skip
        tokenizer.chat_template = file.read_text("utf-8")
        if supports_tool_calling(tokenizer):
            found[file.name] = [fault(tokenizer, row, played) for row in rows]
        else:
            found[file.name] = "dropped"
    print(json.dumps(found))


def fault(tokenizer: Any, row: dict[str, Any], played: list[dict[str, Any]]) -> str:
    """What is wrong with a row as its template writes it; "" if each call is as it was played."""
    try:
        text = tokenizer.apply_chat_template(row["messages"], tools=row["tools"], tokenize=False)
    except (TemplateError, TypeError) as error:
        return f"{type(error).__name__}: {error}"
    try:
        calls = read_back(tokenizer, row)
    except ValueError as error:
        return f"not read back: {error}"
    if calls is not None and calls != played[: len(calls)]:
        return f"read back as {calls}"
    for call in played:
        packed = re.sub(r"\s", "", json.dumps(call["arguments"]))
        shown = re.sub(r"\s", "", text)
        if packed not in shown and not all(
            written(*each, text) for each in call["arguments"].items()
        ):
            return f"the call {call} is not in it"
    return ""


def written(name: str, value: Any, text: str) -> bool:
    """Whether an argument is written by itself, as in XML, in Python or as Gemma does, and not within a string."""
    ways = {str(value), repr(value), json.dumps(value), json.dumps(value).replace('"', '<|"|>')}
    either = "|".join(re.escape(re.sub(r"\s", "", way)) for way in ways)
    between = r'(</arg_key><arg_value>|>|:|=|">)(<\|"\|>)?'
    return bool(re.search(rf"\b{re.escape(name)}{between}({either})", re.sub(r"\s", "", text)))


def read_back(tokenizer: Any, row: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The calls of the first message of the model, by TRL's own reading; None where it has none."""
    try:
        add_response_schema(tokenizer)
    except ValueError:
        return None
    at = next(n for n, message in enumerate(row["messages"]) if message["role"] == "assistant")
    opened, whole = (
        tokenizer.apply_chat_template(
            row["messages"][: at + more], tools=row["tools"], tokenize=False, **asks
        )
        for more, asks in ((0, {"add_generation_prompt": True}), (1, {}))
    )
    if not whole.startswith(opened):
        return None
    reply = tokenizer.parse_response(whole[len(opened) :], prefix=opened, tools=row["tools"])
    return [call["function"] for call in reply.get("tool_calls") or ()]


if __name__ == "__main__":
    main(*sys.argv[1:])
