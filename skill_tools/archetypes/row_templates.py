"""The files of a single-turn environment that takes its questions from the rows of a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

import jinja2

from skill_tools.archetypes.starter import as_yaml, check_name
from skill_tools.spec.model import class_name_of

AnswerKind = Literal["number", "latex", "choice", "text", "json"]
FORMS: dict[AnswerKind, tuple[str, str, list[str]]] = {
    "number": (
        "End your message with the line `Answer: N`, where N is a number without a unit. Only the last line counts.",
        "The solution, ending with the line `Answer: N`.",
        ["Answer: 12", "I do not know.", "Let me see. It is 7.\nAnswer: 7"],
    ),
    "latex": (
        "Write your final answer once as \\boxed{...}, in LaTeX and without a unit. Equal expressions are one answer.",
        "The solution, with the answer in one box.",
        ["\\boxed{12}", "I do not know.", "It is \\boxed{\\frac{1}{2}}."],
    ),
    "choice": (
        "End your message with the line `Answer: X`, where X is the letter of your choice. Only the last line counts.",
        "The solution, ending with the line `Answer: X`.",
        ["Answer: A", "I do not know.", "It must be the second one.\nAnswer: B"],
    ),
    "text": (
        "End your message with the line `Answer: ...`, with the answer and nothing else. Only the last line counts.",
        "The solution, ending with the line `Answer: ...`.",
        ["Answer: yes", "I do not know.", "Let me see.\nAnswer: Paris"],
    ),
    "json": (
        "Give the answer as JSON in one block that begins with ```json and ends with ```. Write no other block.",
        "The solution, with the answer in one block of JSON.",
        ["```json\n{}\n```", "I do not know.", "```json\n[]\n```"],
    ),
}
"""The prompt's sentence about the form of an answer, the message's description, and samples, by kind of answer."""
_TEMPLATES = Path(__file__).parent / "templates" / "rows"


def render_rows(name: str, title: str, kind: AnswerKind, count: int, source: str) -> dict[str, str]:
    """Return the author's files, except the tasks, as ``{path: text}``. Raise SpecError for an invalid name."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters |= {"yaml": as_yaml, "json": json.dumps}
    form, described, samples = FORMS[kind]
    known: dict[str, object] = {"name": name, "title": title, "kind": kind}
    known |= {"class_name": class_name_of(name), "form": form}
    known |= {"described": described, "samples": samples}
    rendered = {
        path.name.removesuffix(".jinja"): environment.get_template(path.name).render(
            **known, count=count, source=source
        )
        for path in sorted(_TEMPLATES.glob("*.jinja"))
    }
    files = {path: text for path, text in rendered.items() if text.strip()}
    check_name(files["env.yaml"])
    return files
