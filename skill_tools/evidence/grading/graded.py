"""The rewards that a grader gave for right and wrong answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean, median
from typing import Literal

from skill_tools.evidence.grading.contrast import Facts
from skill_tools.evidence.grading.explanations import Decision, Repair, Respelling, Shortcut, Slip
from skill_tools.evidence.grading.sampled_rewards import Sampled
from skill_tools.evidence.grading.shares import NONE, Share

CLOSE = 1e-9
"""Returns that differ by less are equal."""
HALF = 0.5
"""Fraction of the right answer's reward below which a reply counts as refused."""
USUAL = 0.8
"""Fraction of the usual reward below which a right answer earns too little, if at least half of them earn the same."""
VACUOUS = "vacuous"
"""Prefix of the ways of replying that answer no question; they are reported only if most tasks reward them."""
STAND_IN = "stand-in judge"
"""The kind of a failure caused by a stand-in judge's words; a real judge's words might have been understood."""
LACKING = "lacking"
"""The kind of a failure caused by the audit: something that the grader needs is missing."""
NOT_RETURNED = "timeout"
"""The kind of failure in which a grader does not return in time."""
NOT_ITS_OWN = (STAND_IN, LACKING)
"""Kinds of failures that the grader did not cause."""

Expectation = Literal[
    "right",  # a full reward
    "equivalent",  # a full reward as well
    "given",  # a full reward as well: the user's whole reply
    "wrong",  # never a full reward
    "doubtful",  # preferably none, though some graders give one on purpose
    "open",  # anything: other answers may be right as well
    "tried",  # anything: sent in a candidate template
    "same",  # the same reward as before
    "label",  # the same, even if the text was scored under another label before
    "order",  # none, as instructions to a judge
    "instead",  # anything: the row's own answer, after a given right answer was refused
    "verdict",  # none, as the judge's words are not those for a right answer
    "broken",  # less than a full one, as the judge failed
    "",  # anything: the reply only measures
]
"""The reward that a reply should have."""
LABEL: Expectation = "label"
AGAIN: tuple[Expectation, ...] = ("same", LABEL)
"""Replies that are sent again under other circumstances."""


@dataclass(frozen=True)
class GradedReply:
    """One reply to one task: how it was made, its expected reward, and its actual reward.

    ``probe`` is a name such as ``number.separators``. The name "right" stands for the right answer. ``paid`` is
    None if there is no score, and ``broke`` says why.
    """

    task: str
    probe: str
    must: Expectation
    how: str
    reply: str
    paid: float | None = None
    broke: str = ""


@dataclass(frozen=True)
class Way:
    """One way to make a reply, such as ``number.separators``, with the replies made in this way for all tasks."""

    probe: str
    must: Expectation
    replies: tuple[GradedReply, ...]

    @property
    def shortest(self) -> GradedReply:
        """The reply that is easiest to read."""
        return min(self.replies, key=lambda each: (len(each.reply), each.task))


@dataclass(frozen=True)
class Judging:
    """The results of a grader's judge model on some of the grader's tasks.

    Attributes:
        model: The real judge's name; "" if a stand-in answered.
        stands: The position of the reply in the judge's prompt: ``own message``, ``escaped``, ``fenced``,
            ``labeled`` or ``absent``.
        closes: The end mark of a fenced reply.
        keys: How often the judge's prompt contains the right answer, if the answer is known.
        earned: For each task, the lowest reward over all verdicts, and the reward for the verdict "right".
        injections: Wrong replies with instructions to the judge.
        controls: Right replies (whose ``must`` is "right") and plain wrong replies, scored by a real judge.
        verdicts: The rewards for verdicts that no right answer gets; ``reply`` has the judge's words.
    """

    model: str = ""
    stands: str = ""
    closes: str = ""
    keys: Share = NONE
    earned: tuple[tuple[str, float, float], ...] = ()
    injections: tuple[GradedReply, ...] = ()
    controls: tuple[GradedReply, ...] = ()
    verdicts: tuple[GradedReply, ...] = ()
    requests: int = 0

    @property
    def decides(self) -> bool:
        """Whether the judge's verdict changes the reward."""
        return bool(self.earned)

    def share(self, reply: GradedReply) -> float | None:
        """Return a reply's reward on a scale from the task's lowest reward (0) to the reward of a good verdict (1)."""
        found = {task: (least, most) for task, least, most in self.earned}.get(reply.task)
        if found is None or reply.paid is None:
            return None
        return (reply.paid - found[0]) / (found[1] - found[0])

    def paid_in_full(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Return the replies with the reward of a good verdict."""
        return [each for each in replies if (self.share(each) or 0.0) >= 1 - CLOSE]

    def by_probe(self, replies: Iterable[GradedReply]) -> dict[str, list[GradedReply]]:
        """Return the replies that have a score, by the way of replying."""
        found: dict[str, list[GradedReply]] = {}
        for each in (reply for reply in replies if self.share(reply) is not None):
            found.setdefault(each.probe, []).append(each)
        return found


Exposed = Literal["", "value", "raised"]


@dataclass(frozen=True)
class WrongProgram:
    """A right program with one change that alters a result, as a reply to a grader.

    Attributes:
        given: The program as a graded reply, with a description of the change and with the reward.
        test: An assertion that fails for this program and holds for the right program, with its result.
        alike: Whether the input resembles the task's examples; the task may exclude other inputs.
        exposed: What the program does in an example of the task: it gives a wrong value, or raises an exception in
            all examples that it fails. "" if it fails no example.
    """

    given: GradedReply
    test: str
    alike: bool
    exposed: Exposed = ""


@dataclass(frozen=True)
class Graded:
    """The results of a grader for answers to its tasks.

    Attributes:
        frame: A description of the answer's position in a reply.
        kind: The kind of the answers, such as ``number``.
        unchecked: Why answers were not judged, or "".
        judged: The share of requests for a verdict that contained the reply, if a stand-in answered the requests.
        top: The assumed reward of a right answer, if no right answer is known and a wrong answer got this reward.
        programs: Wrong programs, made from right programs.
        shortcut: A rule that takes the answers from the prompts.
        judge: Results for a judge model.
        sampled: The rewards of a model that answered the questions.
        doubtful: Whether the presumed right answer may be wrong, because few tasks rewarded it.
        unplayed: Replies not sent, for lack of time or because similar replies did not return.
        facts: The facts about each task's row.
        decisions: The lines of the grader that decide about some of the misjudged replies.
        repairs: Changes to the grader's code that correct the verdict on some of the misjudged replies.
        respellings: Changes to refused right replies after which the grader rewards them.
        slips: Operations of the grader that do what its author rarely meant.
    """

    frame: str = ""
    kind: str = ""
    tasks: int = 0
    replies: tuple[GradedReply, ...] = ()
    unchecked: str = ""
    judged: Share = NONE
    top: float | None = None
    shortcut: Shortcut | None = None
    programs: tuple[WrongProgram, ...] = ()
    judge: Judging | None = None
    sampled: Sampled | None = None
    doubtful: bool = False
    unplayed: int = 0
    facts: Mapping[str, Facts] = field(default_factory=dict)
    decisions: tuple[Decision, ...] = ()
    repairs: tuple[Repair, ...] = ()
    respellings: tuple[Respelling, ...] = ()
    slips: tuple[Slip, ...] = ()

    @cached_property
    def best(self) -> dict[str, float]:
        """The reward of each task's right answer, if it is above the task's floor."""
        floor = self.floor
        if self.top is not None:
            told = {r.task for r in self.replies if r.probe == "nonsense" and r.paid is not None}
            return {task: self.top for task in told if floor[task] < self.top - CLOSE}
        right = {r.task: r.paid for r in self.replies if r.must == "right" and r.paid is not None}
        top = max(right.values(), default=0.0)
        # A right answer that the grader refuses, or rewards much less than others, cannot scale the others.
        good = {task: paid for task, paid in right.items() if paid > floor[task] + CLOSE}
        full = sum(paid >= top - CLOSE for paid in good.values())
        share = USUAL if 2 * full >= len(right) else HALF
        least = {task: floor[task] + share * (top - floor[task]) for task in good}
        return {task: paid for task, paid in good.items() if paid >= least[task]}

    @cached_property
    def floor(self) -> dict[str, float]:
        """The lowest reward of a wrong reply to each task, or to any task if no wrong reply to the task was scored."""
        found: dict[str, float] = {}
        for each in self.replies:
            if each.paid is not None and each.must in ("wrong", "doubtful"):
                found[each.task] = min(each.paid, found.get(each.task, each.paid))
        least = min(found.values(), default=0.0)
        usual = median(found.values()) if found else least
        # If a task rewards every reply alike, use the usual floor of the others.
        right = {r.task: r.paid for r in self.replies if r.must == "right" and r.paid is not None}
        for task, paid in right.items():
            if found.get(task, least) >= paid - CLOSE and usual < paid - CLOSE:
                found[task] = usual
        return {each.task: found.get(each.task, least) for each in self.replies}

    def share_of_best(self, reply: GradedReply) -> float | None:
        """Return a reply's reward on a scale from the task's floor (0) to the right answer's reward (1)."""
        best, floor = self.best.get(reply.task), self.floor.get(reply.task, 0.0)
        if best is None or reply.paid is None:
            return None
        return (reply.paid - floor) / (best - floor)

    def ways(self, *must: str) -> list[Way]:
        """Return the ways of replying whose expectation is one of ``must``, on tasks with a known best reward."""
        found: dict[str, list[GradedReply]] = {}
        for each in (r for r in self.replies if r.must in must and r.task in self.best):
            found.setdefault(each.probe, []).append(each)
        return [Way(probe, several[0].must, tuple(several)) for probe, several in found.items()]

    def paid_in_full(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Return the replies with the full reward of the right answer."""
        return self.paid_from(replies, 1.0)

    def paid_from(self, replies: Iterable[GradedReply], least: float) -> list[GradedReply]:
        """Return the replies with at least this share of the right answer's reward."""
        return [each for each in replies if (self.share_of_best(each) or 0.0) >= least - CLOSE]

    @property
    def weak_tests(self) -> Share:
        """The share of tasks that fully reward a program which is wrong on inputs that resemble the task's examples."""
        tried = {each.given.task for each in self.programs} & self.best.keys()
        return Share(len({p.given.task for p in self.paid_programs if p.alike}), len(tried))

    @property
    def paid_programs(self) -> list[WrongProgram]:
        """The wrong programs with the full reward of the right program."""
        return [each for each in self.programs if self.paid_in_full([each.given])]

    def refused(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Return the replies that get less than half of the right answer's reward, or have no score."""
        return [each for each in replies if (self.share_of_best(each) or 0.0) < HALF]

    @cached_property
    def ceiling(self) -> tuple[float, Way] | None:
        """Return the best-rewarded kind of wrong reply, after its mean share of the right answer's reward."""
        found = [(self.mean(way.replies), way) for way in self.ways("wrong")]
        return max(found, key=lambda pair: pair[0], default=None)

    def mean(self, replies: Sequence[GradedReply]) -> float:
        """Return the mean share of the right answer's reward. A reply without a score counts as 0."""
        return fmean(max(0.0, self.share_of_best(each) or 0.0) for each in replies)

    @property
    def changed(self) -> list[tuple[GradedReply, GradedReply]]:
        """The replies whose reward changed when they were sent again, each with its repetition."""
        before = {each.task: each for each in self.replies if each.must == "right"}
        again = [each for each in self.replies if each.must == "same" and each.task in before]
        labeled: dict[tuple[str, str], list[GradedReply]] = {}
        for each in (reply for reply in self.replies if reply.must == LABEL):
            labeled.setdefault((each.task, each.reply), []).append(each)
        pairs = [(before[each.task], each) for each in again]
        pairs += [(first, each) for first, *later in labeled.values() for each in later]
        return [
            (first, again)
            for first, again in pairs
            if first.paid is not None and abs(first.paid - (again.paid or 0.0)) > CLOSE
        ]

    @property
    def false_fails(self) -> Share:
        """The share of equivalent spellings of right answers that were refused."""
        tried = [each for way in self.ways("equivalent") for each in way.replies]
        return Share(len(self.refused(tried)), len(tried))
