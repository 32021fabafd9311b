"""What explains the rewards of a grader: a line of its code, or a rule that takes answers from the prompts."""

from __future__ import annotations

from dataclasses import dataclass

from skill_tools.evidence.grading.shares import Share


@dataclass(frozen=True)
class Decision:
    """The line of a grader that decides about a reply: it treats a wrong reply like the right one, or refuses a reply.

    Attributes:
        reply: The reply, with its task.
        place: The file and the line, such as ``reward.py:41``.
        source: The statement on this line.
        values: The names in the statement with their values for this reply, as texts.
    """

    task: str
    reply: str
    place: str
    source: str
    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Shortcut:
    """A rule that takes answers from the prompt, with an example.

    ``share`` counts the held-out questions that the rule answers. ``asked`` states whether the prompt may itself
    ask for this rule.
    """

    rule: str
    share: Share
    task: str
    answer: str
    asked: bool = True
