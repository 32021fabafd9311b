"""The brief for a reader who sees all files, and the questions for a second reader, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rl_env_harness.blocks import said

from skill_tools.report.brief import review_words as words
from skill_tools.report.brief.bounded import as_json, clip, fenced, transcript

CODE = (".py", ".yaml", ".yml", ".jinja")
LONGEST_FILE = 40_000
"""Maximum characters of one file; the rest is there to be opened."""
LONGEST_DATA = 6_000
"""Maximum characters of a file that is not code: a word list shows what it is by its first lines."""
LONGEST_FILES = 160_000
"""Maximum characters of all files together: about 40,000 tokens."""
LONGEST_ROW = 1_500
"""Maximum characters of one row."""
LONGEST_ROWS = 40_000
"""Maximum characters of all rows together."""
LONGEST_PROMPT = 8_000
"""Maximum characters of the opening messages of one task."""
LONGEST_TOOLS = 12_000
"""Maximum characters of all tools."""
LONGEST_EPISODE = 6_000
"""Maximum characters of an episode in a question."""
LONGEST_REPLY = 4_000
"""Maximum characters of a reply in a question."""


@dataclass(frozen=True)
class SecondQuestion:
    """A question for a second reader about an agent's actions on a task, without anyone's opinion of these actions.

    Attributes:
        id: The experiment's digest.
        question: The question, with the answers to choose from.
        prompt: The opening messages.
        fields: The fields of the task or the rows, as JSON texts.
        done: The agent's replies, or the transcript of its calls, without rewards.
    """

    id: str
    question: str
    prompt: Sequence[Mapping[str, Any]]
    fields: Sequence[str]
    done: Sequence[str]


def write_review_brief(
    title: str, folder: str, files: Mapping[str, str], sections: Sequence[str]
) -> str:
    """Write the brief for a review: ``sections``, the files with numbered lines, and instructions for the answer."""
    lines = [f"# Review of {title}", "", words.OPENING, f"The folder: `{folder}`", ""]
    lines += [*sections, "## The files", ""]
    left = LONGEST_FILES
    for name, text in files.items():
        most = LONGEST_FILE if name.endswith(CODE) else LONGEST_DATA
        shown = clip(_numbered(text), min(most, max(0, left)))
        left -= len(shown)
        lines += [
            f"### {name}",
            "",
            *(fenced(shown) if left > 0 else ["(open it in the folder)"]),
            "",
        ]
    lines += ["## How environments fail", "", words.KINDS]
    lines += ["## What to write", "", words.WRITE, "```yaml", words.FORMAT.rstrip(), "```", ""]
    return "\n".join([*lines, words.VOCABULARY])


def describe_rows(rows: Sequence[Mapping[str, Any]], total: int) -> list[str]:
    """Describe the rows of a dataset: a summary of each column, and as many rows as fit."""
    lines = [
        "## The rows",
        "",
        f"{total} rows in all, numbered from 0.",
        "",
        "| column | texts | distinct | types |",
    ]
    lines.append("|---|---|---|---|")
    for name in dict.fromkeys(name for row in rows for name in row):
        values = [row[name] for row in rows if name in row]
        kinds = ", ".join(sorted({type(each).__name__ for each in values}))
        distinct = len({json.dumps(each, sort_keys=True, default=str) for each in values})
        example = as_json(values[0], 60).replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {name} | {example} | {distinct} of {len(values)} | {kinds} |")
    lines.append("")
    shown, left = [], LONGEST_ROWS
    for number, row in enumerate(rows):
        text = f"{number}: {as_json(dict(row), LONGEST_ROW)}"
        left -= len(text)
        if left < 0:
            shown.append(f"[... {total - number} more rows ...]")
            break
        shown.append(text)
    return [*lines, *fenced("\n".join(shown)), ""]


def describe_foreign(found: Mapping[str, Any]) -> list[str]:
    """Describe what an agent sees of another author's environment: the tools, and the opening of the first task."""
    lines = ["## What an agent receives", ""]
    if not found.get("in_text"):
        tools = "\n".join(
            json.dumps(each, ensure_ascii=False, default=str) for each in found["tools"]
        )
        lines += ["The agent's tools:", "", *fenced(clip(tools, LONGEST_TOOLS)), ""]
    else:
        lines += [
            "The agent replies in text; the environment scores one reply, or one per turn.",
            "",
        ]
    return [
        *lines,
        "The opening of the first task:",
        "",
        *fenced(_messages(found.get("prompt") or [])),
        "",
    ]


def write_questions(asked: Sequence[SecondQuestion], files: Mapping[str, str]) -> str:
    """Write the questions for a second reader, with the world's files, which hold facts the agent does not see."""
    lines = [words.SECOND]
    for each in asked:
        lines += [f"## {each.id}", ""]
        if each.prompt:
            lines += ["The task:", "", *fenced(_messages(each.prompt)), ""]
        for fields in each.fields:
            lines += [
                "The task's fields in the data:",
                "",
                *fenced(clip(fields, LONGEST_REPLY)),
                "",
            ]
        for number, done in enumerate(each.done):
            name = ("First", "Second")[number] if len(each.done) == 2 else "What was done"
            lines += [f"{name}:", "", *fenced(clip(done, LONGEST_REPLY)), ""]
        lines += [f"**{each.question}**", ""]
    if files:
        lines += ["## The world", "", words.WORLD]
    for name, text in files.items():
        most = LONGEST_FILE if name.endswith(CODE) else LONGEST_DATA
        lines += [f"### {name}", "", *fenced(clip(_numbered(text), most)), ""]
    return "\n".join(lines)


def without_rewards(played: Any) -> str:
    """Return an episode's calls and their results, without any reward."""
    text = transcript(played, LONGEST_EPISODE)
    return "\n".join(
        line for line in text.splitlines() if not line.startswith(("reward ", "end: "))
    )


def _numbered(text: str) -> str:
    lines = text.splitlines()
    wide = len(str(len(lines)))
    return "\n".join(f"{number:>{wide}}  {line}" for number, line in enumerate(lines, 1))


def _messages(prompt: Sequence[Mapping[str, Any]]) -> str:
    def messages() -> Iterator[str]:
        for message in prompt:
            yield f"{message.get('role', 'user')}: {said(dict(message), '[an image]')}"

    return clip("\n\n".join(messages()), LONGEST_PROMPT)
