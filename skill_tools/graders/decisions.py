"""The line of a grader that decides about a misjudged reply, from the lines that run for it and for another reply.

A wrong reply that is rewarded is compared with the right reply to the same task: from some line on, the grader does
the same for both. A right reply that is refused is compared with a rewarded one: at some line, their ways part.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from skill_tools.evidence.grading.explanations import Decision
from skill_tools.evidence.grading.graded import Graded, GradedReply
from skill_tools.evidence.grading.underpaid import underpaid
from skill_tools.graders.circumstances import UNREAD_BATCH
from skill_tools.graders.grader_client import GradeRequest, spread

MOST = 40
"""Maximum misjudged replies to trace."""
FEW = 3
"""Maximum other tasks under which the same reply is scored first."""
KINDS = 8
"""Maximum rewarded replies to other tasks to compare with a refused one."""
VERDICTS = {"True", "False"}
LOOPS = ("for ", "while ")
"""Beginnings of statements at which traces also part because texts have different lengths."""
REWARD = "self.reward"
"""The attribute with a domain's reward."""
Value = Sequence[str]
"""A value of the traced grader as a digest, equal for equal values, and as a short text."""


@dataclass(frozen=True)
class RunLine:
    """A statement of a grader that ran: its place, the values that it read and the values that it changed, by name.

    A returned value has the name ``return``. ``began`` is the position in the order in which steps began.
    """

    file: str
    function: str
    line: int
    source: str
    began: int
    reads: Mapping[str, Value]
    makes: Mapping[str, Value]

    @property
    def where(self) -> tuple[str, int]:
        """The file and the line."""
        return self.file, self.line

    @property
    def in_comprehension(self) -> bool:
        """Whether the statement runs once for each item of a comprehension."""
        return self.function.startswith("<")

    def makes_like(self, other: RunLine) -> bool:
        """Return whether another step is on the same line and makes the same values."""
        if self.in_comprehension:  # whose step begins with the change of its own variables
            return self.where == other.where and self.makes.get("return") == other.makes.get(
                "return"
            )
        return self.where == other.where and self.makes == other.makes


Trace = Sequence[RunLine]
Tracer = Callable[[Sequence[GradeRequest]], Sequence[Trace]]
"""Returns the steps of the grader for each reply, in the order in which they ended."""


def run_lines(steps: Sequence[Mapping[str, Any]]) -> Trace:
    """Return the steps that ``call_trace`` recorded, in the order in which they ended. If a step sets the reward of a
    domain, later steps are left out: they only write the observation."""
    lines = [RunLine(**each) for each in steps]
    scored = [at for at, each in enumerate(lines, 1) if REWARD in each.makes]
    return lines[: scored[-1]] if scored else lines


def decisive_lines(graded: Graded, trace: Tracer) -> Iterator[Decision]:
    """Yield the deciding line of the shortest misjudged reply of each kind, where one line decides."""
    yield from _lines_of_state(graded, trace)
    pairs = [*_rewarded(graded), *_refused(graded)][:MOST]
    asks = [_asked(each) for pair in pairs for each in pair]
    traces = trace(asks) if asks else []
    rewarded: Sequence[Trace] = ()
    for at, (misjudged, compared) in enumerate(pairs):
        own, other = traces[2 * at], traces[2 * at + 1]
        if misjudged.must in ("wrong", "doubtful"):
            step = meeting(own, other)
        else:
            step = parting(own, other) if compared.task == misjudged.task else None
            if step is None or step.source.startswith(LOOPS):
                rewarded = rewarded or _rewarded_elsewhere(graded, trace)
                step = turning(own, [other, *rewarded])
        yield from _decision(misjudged, step, own)


def _asked(reply: GradedReply, *beside: tuple[str, str]) -> GradeRequest:
    return GradeRequest(reply.task, reply.reply, beside, kind="traced")


def _decision(reply: GradedReply, step: RunLine | None, trace: Trace) -> Iterator[Decision]:
    if step:
        values = {**step.reads, **_results(step, trace)}
        shown = {name: text for name, (_, text) in values.items() if not text.startswith("<")}
        yield Decision(
            reply.task, reply.reply, f"{step.file}:{step.line}", step.source, tuple(shown.items())
        )


def _results(step: RunLine, trace: Trace) -> dict[str, Value]:
    """Return the results of the functions that a step calls by name."""
    inner = [e for e in trace[: trace.index(step)] if e.began > step.began and "return" in e.makes]
    called = {e.function: e.makes["return"] for e in inner}
    names = re.findall(r"(\w+)\(", step.source)
    return {f"{name}(…)": called[name] for name in dict.fromkeys(names) if name in called}


def _lines_of_state(graded: Graded, trace: Tracer) -> Iterator[Decision]:
    """Yield the line that scores a reply differently after other replies, for one reply of each circumstance."""
    right = [each for each in graded.replies if each.must == "right"]
    first = {again.probe: before for before, again in reversed(graded.changed)}
    for probe, reply in first.items():
        others = [_asked(each) for each in right if each is not reply]
        alone = trace([_asked(reply)])[0]
        same = [each for each in others if each.task == reply.task]
        if probe == UNREAD_BATCH:
            beside = ((each.task, each.reply) for each in same)
            batch = trace([_asked(reply, *beside)])[0]
            yield from _decision(reply, carried(batch, alone), batch)
            continue
        labels = [replace(each, reply=reply.reply) for each in others[:FEW]]
        for before in (same, others, others[::-1], labels):
            after = trace([*before, _asked(reply)])[-1]
            if after and alone and after[-1].makes != alone[-1].makes:
                yield from _decision(reply, parting(after, alone), after)
                break


Pair = tuple[GradedReply, GradedReply]


def _rewarded(graded: Graded) -> Iterator[Pair]:
    """Yield the shortest rewarded reply of each wrong kind, with the right reply to its task."""
    right = {each.task: each for each in graded.replies if each.must == "right"}
    for way in graded.ways("wrong", "doubtful"):
        paid = [each for each in graded.paid_in_full(way.replies) if each.task in right]
        if paid:
            shortest = min(paid, key=lambda each: (len(each.reply), each.task))
            yield shortest, right[shortest.task]


def _refused(graded: Graded) -> Iterator[Pair]:
    """Yield the shortest refused reply of each right kind, with a rewarded reply, if possible to the same task."""
    right = {e.task: e for e in graded.replies if e.must == "right" and e.task in graded.best}
    instead = {e.task: e for e in graded.replies if e.must == "instead" and e.paid}
    little = underpaid(graded)
    kinds = [little, *(graded.refused(way.replies) for way in graded.ways("equivalent"))]
    for several in filter(None, ([e for e in kind if not e.broke] for kind in kinds)):
        shortest = min(several, key=lambda each: (len(each.reply), each.task))
        own = None if shortest.must == "right" else right.get(shortest.task)
        other = instead.get(shortest.task) or own
        elsewhere = (each for each in right.values() if each not in little)
        if other := other or next(elsewhere, None):
            yield shortest, other


def _rewarded_elsewhere(graded: Graded, trace: Tracer) -> Sequence[Trace]:
    """Return the traces of right replies to several tasks, as tasks may be of several kinds."""
    right = [each for each in graded.replies if each.must == "right" and each.task in graded.best]
    little = underpaid(graded)
    full = [each for each in right if each not in little]
    return trace([_asked(each) for each in spread(full, KINDS)])


def meeting(wrong: Trace, right: Trace) -> RunLine | None:
    """Return the step of ``wrong`` that is the last to read other values than ``right``, if both end alike after it."""
    same = 0
    for one, other in zip(reversed(wrong), reversed(right), strict=False):
        if not one.makes_like(other):
            break
        same += 1
    ends = zip(wrong[len(wrong) - same :], right[len(right) - same :], strict=True)
    differing = [one for one, other in ends if one.reads != other.reads]
    own = [each for each in differing if not _goes_over_batch(each, wrong)]
    # The last to begin: a call begins before the lines of the function that it calls.
    return max(own, key=lambda each: each.began, default=None)


def carried(batch: Trace, alone: Trace) -> RunLine | None:
    """Return the step of a batch's last reply that first reads or does something else than for this reply alone."""
    last = None
    for one, other in zip(_last_round(batch), _last_round(alone), strict=False):
        if one.where != other.where:
            return last
        last = one
        if one.reads != other.reads:
            return one
    return None


def _last_round(trace: Trace) -> Trace:
    """Return the steps for the last reply of a batch, or [] if no loop in the outermost function goes over it."""
    heads = [at for at, each in enumerate(trace) if _goes_over_batch(each, trace)]
    heads = [at for at in heads if trace[at].where == trace[heads[-1]].where]
    return trace[heads[-2] + 1 : heads[-1]] if len(heads) > 1 else []


def _goes_over_batch(step: RunLine, trace: Trace) -> bool:
    """Return whether a step is the head of a loop in the outermost function, as over all replies."""
    outermost = trace[-1].function
    if step.in_comprehension:
        return any(each.where == step.where and each.function == outermost for each in trace)
    return step.function == outermost and step.source.startswith("for ")


def parting(refused: Trace, rewarded: Trace) -> RunLine | None:
    """Return the step of ``refused`` at which the traces first take different branches or make different verdicts."""
    if not refused or not rewarded:
        return None
    last = None
    for one, other in zip(refused, rewarded, strict=False):
        if one.where != other.where:
            return last
        if _judges_differently(one, other, refused, rewarded):
            return one
        last = one
    return None


def turning(refused: Trace, several: Sequence[Trace]) -> RunLine | None:
    """Return the step at which the order of lines in ``refused`` leaves that of the most similar of several traces.

    The traces are those of rewarded replies to other tasks. If no order differs, only the values of the last step do.
    """
    places = [at for each in several if (at := _turn(refused, each)) is not None]
    return refused[max(places)] if places else None


def _turn(refused: Trace, rewarded: Trace) -> int | None:
    """Return the first step of ``refused`` in the outermost function after which a line runs that follows no such
    step in ``rewarded``, or that makes another verdict."""
    if not refused or not rewarded:
        return None
    outer = [at for at, each in enumerate(refused) if each.function == refused[-1].function]
    theirs = [each for each in rewarded if each.function == rewarded[-1].function]
    after = {(one.where, other.where) for one, other in pairwise(theirs)}
    by_place: dict[tuple[str, int], list[RunLine]] = {}
    for each in theirs:
        by_place.setdefault(each.where, []).append(each)
    for at, then in zip(outer, [*outer[1:], None], strict=True):
        step = refused[at]
        same = by_place.get(step.where, [])
        turns = then is not None and (step.where, refused[then].where) not in after
        judges = any(_judges_differently(step, each, refused, rewarded) for each in same)
        if same and (turns or judges):
            return at
    return None


def _judges_differently(one: RunLine, other: RunLine, refused: Trace, rewarded: Trace) -> bool:
    """Return whether two steps make different verdicts or rewards of their traces."""
    rewards = {_returned(refused[-1]), _returned(rewarded[-1])}
    verdicts = [VERDICTS, rewards] if len(rewards) > 1 else [VERDICTS]
    shared = one.makes.keys() & other.makes.keys()
    return any({_bare(one.makes[n][1]), _bare(other.makes[n][1])} in verdicts for n in shared)


def _returned(step: RunLine) -> str:
    made = step.makes.get("return") or step.makes.get(REWARD)
    return _bare(made[1]) if made else ""


def _bare(text: str) -> str:
    """Return the text of a value, or of the only item of a list: a batch of one reply."""
    return text.removeprefix("[").removesuffix("]")
