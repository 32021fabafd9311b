"""The brief as Markdown: prompts, declarations, sample episodes, and instructions for the reader's answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rl_env_harness.blocks import said

from skill_tools.checks.reading.sentences import sentences
from skill_tools.evidence.trajectory import Trajectory
from skill_tools.report.brief import told
from skill_tools.report.brief.bounded import as_json, clip, fenced, transcript
from skill_tools.spec.model import EnvSpec

LONGEST = 130_000
"""Maximum characters in a brief, guaranteed by the bounds below; most briefs have 10,000 to 25,000."""
LONGEST_PROMPT = 12_000
"""Maximum characters of each part of the prompt."""
LONGEST_TOOLS = 10_000
"""Maximum characters of all tools."""
LONGEST_FIELD = 700
"""Maximum characters of one field of a task."""
LONGEST_FIELDS = 2_500
"""Maximum characters of the fields of a task."""
FIELDS = 12_000
"""Maximum characters of the fields of all tasks together."""
LONGEST_OPENING = 3_000
"""Maximum characters of the messages that open a task."""
OPENINGS = 20_000
"""Maximum characters of the openings of all tasks together."""
TRANSCRIPTS = 16_000
"""Maximum characters of all transcripts together; beyond that, a reader's terminal cuts the brief."""
LONGEST_TRANSCRIPT = 8_000
"""Maximum characters of one transcript; with few tasks, more does not help."""
LONGEST_SENTENCE = 400
"""Maximum characters of a sentence in the list of sentences to demonstrate."""
SENTENCES = 8_000
"""Maximum characters of that list."""


@dataclass(frozen=True)
class BriefTask:
    """A task shown to the reader, with its fields and level.

    Attributes:
        place: The task's split and index.
        opening: The opening messages.
        played: For each player, the episode or the reason why there is no episode.
    """

    place: str
    fields: dict[str, Any]
    level: str
    opening: list[dict[str, Any]]
    played: dict[str, Trajectory | str]

    def pictures(self, folder: str, player: str) -> str:
        """Return the folder below ``folder`` for the pictures of a player's episode, or "" if ``folder`` is empty."""
        return f"{folder}/{self.place.replace('/', '-')}-{player}" if folder else ""


@dataclass(frozen=True)
class _Shares:
    """The maximum number of characters for parts of a task: the fields, the opening and each transcript."""

    fields: int
    opening: int
    transcript: int


def write_brief(
    spec: EnvSpec, tasks: Sequence[BriefTask], sizes: dict[str, int], pictures: str = ""
) -> str:
    """Write a brief of at most LONGEST characters.

    ``sizes`` are the sizes of the splits. ``pictures`` is the folder in which pictures are kept.
    """
    lines = [f"# What {spec.title} does, judged by its prompts alone", "", told.OPENING]
    lines += describe(spec, tasks, sizes, pictures)
    lines += ["## 4. What to write", "", told.INSTRUCTION, "```yaml", told.FORMAT.rstrip(), "```"]
    lines += ["", told.FIELDS, *_sentences(spec)]
    return clip("\n".join(lines), LONGEST) + "\n"


def describe(
    spec: EnvSpec, tasks: Sequence[BriefTask], sizes: dict[str, int], pictures: str = ""
) -> list[str]:
    """Return numbered sections: an agent's messages, the other declarations, and the sample episodes."""
    lines = ["## 1. What an agent receives", "", *_told(spec)]
    lines += ["## 2. Further declarations", "", *_declared(spec, sizes)]
    lines += ["## 3. How the world behaved", "", told.CAUTION]
    shares = _Shares(
        fields=min(LONGEST_FIELDS, FIELDS // max(1, len(tasks))),
        opening=min(LONGEST_OPENING, OPENINGS // max(1, len(tasks))),
        transcript=min(LONGEST_TRANSCRIPT, TRANSCRIPTS // max(1, 2 * len(tasks))),
    )
    shown = list(_system(tasks))
    for task in tasks:
        lines += _task(spec, task, shares, shown, pictures)
    return lines


def _told(spec: EnvSpec) -> Iterator[str]:
    yield (
        "The prompt. Each name in braces is replaced by a field of the task, or, for `{observation}`, "
        "by the world's description of the start."
    )
    for name, text in (("system", spec.prompt.system), ("user", spec.prompt.user)):
        if text.strip():
            yield from ("", f"The {name} message:", "", *fenced(clip(text, LONGEST_PROMPT)))
    if spec.tools:
        yield from ("", "The tools, each with the JSON Schema of its parameters:", "")
        tools = "\n".join(_tool(each) for each in spec.tool_schemas())
        yield from fenced(clip(tools, LONGEST_TOOLS))
    if spec.message:
        kind = (
            _GRADED if spec.grades_calls else "A message without a tool call is an action as well"
        )
        yield from ("", _MESSAGE.format(kind, spec.message.max_length, spec.message.description))
    yield ""


_GRADED = "A message and its tool calls are one action; the calls are graded, not played"
_MESSAGE = """\
{} (at most {} characters): {}
In the transcripts, a message is shown as a call of `message`; in an example, write
`- {{message: "Answer: 12", reward: 1, done: true}}`."""


def _tool(schema: dict[str, Any]) -> str:
    lines = [f"{schema['name']}: {schema['description']}"]
    wanted = schema["parameters"].get("required", ())
    for name, rules in schema["parameters"].get("properties", {}).items():
        need = "required" if name in wanted else "optional"
        lines.append(f"    {name} ({need}): {as_json(rules, LONGEST_FIELD)}")
    return "\n".join(lines)


_TIMING = {
    "terminal": "reward comes at the end of an episode",
    "per_step": "each reward comes with the call that earns it",
    "post_episode": "the return is computed once, after the episode has ended for any reason",
}
_BEST = {
    "top": "A perfect player earns the top of the range in every task.",
    "by_task": "The maximum that a perfect player can earn differs between tasks.",
    "luck": "Luck is part of the game, so no player wins every deal.",
}


def _declared(spec: EnvSpec, sizes: dict[str, int]) -> Iterator[str]:
    """Yield the declarations of env.yaml about reward and episode. An agent knows only the facts in its prompt."""
    low, high = spec.reward.range
    limits = spec.episode
    yield "An agent knows only the prompt. If the prompt differs from these declarations, that is a contradiction."
    yield ""
    yield f"- Every return is between {low:g} and {high:g}; {_TIMING[spec.reward.timing]}. {_BEST[spec.reward.best]}"
    if limits.free_refusals:
        yield (
            f"- At most {limits.max_turns} accepted calls; a refused call does not count. Refusal number "
            f"{limits.free_refusals} ends the episode."
        )
    else:
        called = "calls or messages" if spec.message else "calls"
        yield f"- At most {limits.max_turns} {called}. Each is a turn, including refused calls and looks."
    yield told.ALIKE.rstrip()
    if spec.varies:
        yield f"- The {', '.join(spec.varies)} in program output may differ each time: expect no particular value."
    yield f"- Splits of tasks: {', '.join(f'{name} ({size})' for name, size in sizes.items())}."
    yield ""


def _system(tasks: Sequence[BriefTask]) -> Iterator[dict[str, Any]]:
    """Yield the system messages with which every task opens. The brief shows them only once."""
    first = tasks[0].opening if tasks else []
    yield from (
        m for m in first if all(m in task.opening for task in tasks) and m["role"] == "system"
    )


def _task(
    spec: EnvSpec,
    task: BriefTask,
    shares: _Shares,
    told_before: Sequence[dict[str, Any]],
    pictures: str,
) -> Iterator[str]:
    level = f", level: {task.level}" if task.level else ""
    yield from (f"### {task.place}{level}", "", "The task's fields:", "")
    fields = [
        f"{name}{' (hidden from the player)' if name in spec.hidden else ''}: {as_json(value, LONGEST_FIELD)}"
        for name, value in task.fields.items()
    ]
    yield from (*fenced(clip("\n".join(fields), shares.fields)), "")
    if messages := [each for each in task.opening if each not in told_before]:
        opening = "\n".join(f"{each['role']}: {said(each, '[an image]')}" for each in messages)
        same = ", after the system message of section 1" if told_before else ""
        yield from (f"The opening{same}:", "", *fenced(clip(opening, shares.opening)), "")
    for player, played in task.played.items():
        if isinstance(played, str):
            yield from (f"{player}: {played}", "")
            continue
        told_here = transcript(played, shares.transcript, task.pictures(pictures, player))
        yield from (f"Transcript of the {player} player:", "", *fenced(told_here), "")


def _sentences(spec: EnvSpec) -> Iterator[str]:
    found = sentences(f"{spec.prompt.system}\n{spec.prompt.user}")
    found += [each for tool in spec.tools.values() for each in sentences(tool.description)]
    numbered = [f"{n}. {clip(each, LONGEST_SENTENCE)}" for n, each in enumerate(found, 1)]
    yield from ("The sentences; copy them word for word:", "")
    yield from fenced(clip("\n".join(numbered), SENTENCES))
