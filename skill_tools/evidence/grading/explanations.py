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
class Repair:
    """A change to a grader's code that corrects its verdict on a reply and keeps its other verdicts.

    Attributes:
        reply: The misjudged reply, with its task.
        place: The file and the line, such as ``reward.py:41``.
        before: The part of the code to replace.
        after: Its replacement, or "" if it leaves the part out.
        share: The share of the misjudged replies of the same kind whose verdict it corrects.
        kept: Number of other replies whose verdict was compared, and stays.
    """

    task: str
    reply: str
    place: str
    before: str
    after: str
    share: Share
    kept: int


@dataclass(frozen=True)
class Respelling:
    """A change to refused right replies after which the grader rewards them.

    ``how`` describes the changed replies, ``share`` counts the refused replies that it helps, and ``task`` has one.
    """

    how: str
    share: Share
    task: str


@dataclass(frozen=True)
class Slip:
    """An operation of a grader that does what its author rarely meant, such as reading from the end of a list.

    Attributes:
        kind: What happened, such as ``negative`` (see `slip_records`).
        reply: An example of a reply for which it happened, with its task.
        place: The file and the line, such as ``reward.py:41``.
        source: The operation.
        values: What was observed.
        rewarded: Whether the reply got the full reward.
    """

    kind: str
    task: str
    reply: str
    place: str
    source: str
    values: str
    rewarded: bool


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
