"""What a grader paid for answers, right and wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, median
from typing import Literal

from skill_tools.evidence.grading.shares import NONE, Share

CLOSE = 1e-9
"""Returns that differ by less are the same."""
HALF = 0.5
"""Of what a right answer earns: who earns less was refused."""
VACUOUS = "vacuous"
"""Begins the names of ways that are right to no question: one tells where most of the tasks pay it, as one
may ask for it."""
STAND_IN = "stand-in judge"
"""The kind of a failure after words of a judge that is none: a real one's may have been understood."""
LACKING = "lacking"
"""The kind of a failure for which an audit is to blame: it does not have what the grader needs."""
NOT_RETURNED = "timeout"
"""The kind of a failure of what did not return in time."""
NOT_ITS_OWN = (STAND_IN, LACKING)
"""Kinds of failures that are no fault of the grader."""


Expectation = Literal[
    "right",  # a full reward
    "equivalent",  # a full reward as well
    "wrong",  # never a full reward
    "doubtful",  # better none, which some graders may give on purpose
    "open",  # anything: others may be right as well
    "tried",  # anything: in a frame that was tried
    "same",  # as before
    "label",  # the same, whether the text was scored under another label before
    "order",  # nothing, as orders to a judge
    "verdict",  # nothing, as a judge said what no right answer gets
    "broken",  # a reward that is no full one, although the judge failed
    "",  # anything, of a reply that only measures
]
"""What a reply has to earn."""
LABEL: Expectation = "label"
AGAIN: tuple[Expectation, ...] = ("same", LABEL)
"""Of replies that are given again in other circumstances."""


@dataclass(frozen=True)
class GradedReply:
    """One reply to one task: the way it was made, what it must earn, and what it earned.

    probe: a name such as ``number.separators``; "right" is the right answer. paid: None where there is no
    score, and ``broke`` says why.
    """

    task: str
    probe: str
    must: Expectation
    how: str
    reply: str
    paid: float | None = None
    broke: str = ""


@dataclass(frozen=True)
class Shortcut:
    """A rule that takes answers from the prompt: in words, how often it is right, and an example.

    ``share`` is that of the questions on which it was not learned. asked: whether words of the prompt may
    ask for just that.
    """

    rule: str
    share: Share
    task: str
    answer: str
    asked: bool = True


@dataclass(frozen=True)
class Way:
    """One way to reply, over the tasks on which it was tried."""

    probe: str
    must: Expectation
    replies: tuple[GradedReply, ...]

    @property
    def shortest(self) -> GradedReply:
        """The reply that is read most easily."""
        return min(self.replies, key=lambda each: (len(each.reply), each.task))


@dataclass(frozen=True)
class Judging:
    """A judge of somebody's grader, over some of its tasks.

    model: the real one's name, "" where a stand-in answered. stands: where a reply is in its prompt
    (``own message``, ``escaped``, ``fenced``, ``labelled`` or ``absent``), and ``closes`` what ends a fenced one.
    keys: of the tasks whose right answer is known, how often the prompt has it. earned: for each task the
    least that any verdict earned, and what its word for a right answer did. injections: wrong
    replies with orders to it. controls: right replies (must "right") and wrong ones without orders, as a real
    one judged them. verdicts: what was paid where it said what no right answer gets; ``reply`` has what it said.
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
        """Whether its verdict changes what is paid."""
        return bool(self.earned)

    def share(self, reply: GradedReply) -> float | None:
        """What a reply earned, between the least of its task, 0, and what a good verdict earns, 1."""
        found = {task: (least, most) for task, least, most in self.earned}.get(reply.task)
        if found is None or reply.paid is None:
            return None
        return (reply.paid - found[0]) / (found[1] - found[0])

    def paid_in_full(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Those that earned what a good verdict does."""
        return [each for each in replies if (self.share(each) or 0.0) >= 1 - CLOSE]

    def by_probe(self, replies: Iterable[GradedReply]) -> dict[str, list[GradedReply]]:
        """The replies that could be scored, by the way they were made."""
        found: dict[str, list[GradedReply]] = {}
        for each in replies:
            if self.share(each) is not None:
                found.setdefault(each.probe, []).append(each)
        return found


@dataclass(frozen=True)
class WrongProgram:
    """A right program with one change, which was seen to give something else, as a reply to a grader.

    given: the reply, what was changed in words, and what it earned. test: an assertion that fails for it and
    holds for the right one; what the program gives is behind it. alike: whether what it is given there
    is like the examples of its task; what is not like them the task may exclude.
    """

    given: GradedReply
    test: str
    alike: bool


@dataclass(frozen=True)
class Sampled:
    """What replies of a real model earned: of each task, in which None has no score."""

    model: str
    paid: tuple[tuple[str, tuple[float | None, ...]], ...]


@dataclass(frozen=True)
class Graded:
    """What came of answers to the tasks of a grader.

    frame: where in a reply the answer stood, in words. kind: of the answers, such as ``number``.
    tasks: how many there are. replies: what was asked, the right answers among them. unchecked: why
    answers were not judged, or "". judged: of the times that a model was asked
    for a verdict, how often it was shown the reply; a stand-in answered.
    top: what a right answer is taken to earn where none is known, and a wrong one earned that.
    programs: wrong
    ones, made of right ones. shortcut: a rule that takes the answers from the prompts. judge: what
    came of a model that judges. sampled: what a model earned that was asked the questions. doubtful: whether
    what was taken for the right answer was paid on few tasks, and may be none. unplayed: replies that were not
    given, as there was no time left, or as others like them did not return.
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

    @cached_property
    def best(self) -> dict[str, float]:
        """What the right answer of each task earned, where it earned more than the least of the task."""
        floor = self.floor
        if self.top is not None:
            told = {r.task for r in self.replies if r.probe == "nonsense" and r.paid is not None}
            return {task: self.top for task in told if floor[task] < self.top - CLOSE}
        right = {r.task: r.paid for r in self.replies if r.must == "right" and r.paid is not None}
        top = max(right.values(), default=0.0)
        # A right answer that the grader refuses is no measure of what others earn.
        good = {task: paid for task, paid in right.items() if paid > floor[task] + CLOSE}
        return {
            task: paid
            for task, paid in good.items()
            if paid >= floor[task] + HALF * (top - floor[task])
        }

    @cached_property
    def floor(self) -> dict[str, float]:
        """The least that a wrong reply to each task earned; where none was scored, to any task."""
        found: dict[str, float] = {}
        for each in self.replies:
            if each.paid is not None and each.must in ("wrong", "doubtful"):
                found[each.task] = min(each.paid, found.get(each.task, each.paid))
        least = min(found.values(), default=0.0)
        usual = median(found.values()) if found else least
        # Where whatever is said earns what is right, others tell what wrong replies are worth.
        right = {r.task: r.paid for r in self.replies if r.must == "right" and r.paid is not None}
        for task, paid in right.items():
            if found.get(task, least) >= paid - CLOSE and usual < paid - CLOSE:
                found[task] = usual
        return {each.task: found.get(each.task, least) for each in self.replies}

    def share_of_best(self, reply: GradedReply) -> float | None:
        """What a reply earned between the least of its task, 0, and the right answer, 1."""
        best, floor = self.best.get(reply.task), self.floor.get(reply.task)
        if best is None or floor is None or reply.paid is None:
            return None
        return (reply.paid - floor) / (best - floor)

    def ways(self, *must: str) -> list[Way]:
        """The ways to reply that must earn so, each over the tasks that can tell."""
        found: dict[str, list[GradedReply]] = {}
        for each in self.replies:
            if each.must in must and each.task in self.best:
                found.setdefault(each.probe, []).append(each)
        return [Way(probe, several[0].must, tuple(several)) for probe, several in found.items()]

    def paid_in_full(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Those that earned as much as the right answer."""
        return [each for each in replies if (self.share_of_best(each) or 0.0) >= 1 - CLOSE]

    @property
    def weak_tests(self) -> Share:
        """On how many tasks a wrong program is paid that differs where the task's examples are alike."""
        tried = {each.given.task for each in self.programs} & self.best.keys()
        return Share(len({p.given.task for p in self.paid_programs if p.alike}), len(tried))

    @property
    def paid_programs(self) -> list[WrongProgram]:
        """The wrong programs that earned as much as the right one."""
        return [each for each in self.programs if self.paid_in_full([each.given])]

    def refused(self, replies: Iterable[GradedReply]) -> list[GradedReply]:
        """Those that earned less than half of it; what has no score was refused, too."""
        return [each for each in replies if (self.share_of_best(each) or 0.0) < HALF]

    @cached_property
    def ceiling(self) -> tuple[float, Way] | None:
        """The most that one wrong way earns, as its mean share of the best, and that way."""
        found = [(self.mean(way.replies), way) for way in self.ways("wrong")]
        return max(found, key=lambda pair: pair[0], default=None)

    def mean(self, replies: Sequence[GradedReply]) -> float:
        """The mean share of the best; what has no score earned nothing."""
        return fmean(max(0.0, self.share_of_best(each) or 0.0) for each in replies)

    @property
    def changed(self) -> list[tuple[GradedReply, GradedReply]]:
        """The right answers that earned something else when they were given again."""
        before = {each.task: each for each in self.replies if each.must == "right"}
        again = [each for each in self.replies if each.must == "same" and each.task in before]
        labelled: dict[tuple[str, str], list[GradedReply]] = {}
        for each in self.replies:
            if each.must == LABEL:
                labelled.setdefault((each.task, each.reply), []).append(each)
        pairs = [(before[each.task], each) for each in again]
        pairs += [(first, each) for first, *later in labelled.values() for each in later]
        return [
            (first, again)
            for first, again in pairs
            if first.paid is not None and abs(first.paid - (again.paid or 0.0)) > CLOSE
        ]

    @property
    def false_fails(self) -> Share:
        """The share of other spellings of right answers that were refused."""
        tried = [each for way in self.ways("equivalent") for each in way.replies]
        return Share(len(self.refused(tried)), len(tried))
