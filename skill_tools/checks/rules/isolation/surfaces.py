"""The texts that an agent or a client may read, and the episodes in which these texts are searched for secrets."""

from __future__ import annotations

import base64
import contextlib
import re
import zlib
from collections.abc import Iterator
from typing import Any

from skill_tools.checks.needs import TASKS, TOOLS
from skill_tools.checks.reading.texts import common, opening, text_of, words_of
from skill_tools.checks.rules.isolation.leak import Shown, Subject
from skill_tools.checks.rules.isolation.secrets import oracle, solves
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

SOLVERS = frozenset({"oracle", "past_done", "early_stop"})
"""Policies that play the author's solution or a part of it."""


def everybody(evidence: Evidence) -> Iterator[Subject]:
    """Yield every episode with a known task, in every variant."""
    for trajectory, task in evidence.with_tasks:
        yield Subject(trajectory.label, task, trajectory)


def readers(evidence: Evidence) -> Iterator[Subject]:
    """Yield the episodes of ``everybody``. If the agent's programs run, leave out policies that know the solution,
    such as the oracle, because the programs of such a policy may print the solution.
    """
    for subject in everybody(evidence):
        solver = subject.trajectory is None or subject.trajectory.model in SOLVERS
        if not (evidence.declaration.runs_programs and solver):
            yield subject


def unjudged(evidence: Evidence) -> Iterator[Subject]:
    """Return the same episodes as ``readers`` if nothing was played on the bare domain, otherwise no episodes."""
    return readers(evidence) if evidence.reference.episodes is None else iter(())


def guessers(evidence: Evidence) -> Iterator[Subject]:
    """Yield every bare-domain episode of a policy that does not know the solution."""
    for policy, by_label in (evidence.reference.episodes or {}).items():
        for label, trajectory in by_label.items() if policy not in SOLVERS else ():
            yield Subject(label, _task(evidence, trajectory), trajectory)


def idle(evidence: Evidence) -> Iterator[Subject]:
    """Yield every bare-domain episode of the policy that does nothing."""
    for label, trajectory in (evidence.reference.episodes or {}).get("noop", {}).items():
        yield Subject(label, _task(evidence, trajectory), trajectory)


def solved(evidence: Evidence) -> Iterator[Subject]:
    """Yield every bare-domain episode of the oracle in which some call could decide the task."""
    for label, trajectory in oracle(evidence).items():
        if solves(trajectory):
            yield Subject(label, _task(evidence, trajectory), trajectory)


def dealt(evidence: Evidence) -> Iterator[Subject]:
    """Yield every task of the split, without an episode."""
    tasks = TASKS.of(evidence)
    for number, task in enumerate(tasks.tasks):
        yield Subject(f"{tasks.split}/{number}", task)


def _task(evidence: Evidence, trajectory: Trajectory) -> dict[str, Any] | None:
    return evidence.reference.tasks.of(trajectory) if evidence.reference.tasks else None


def prompt(
    evidence: Evidence, subject: Subject
) -> Iterator[Shown]:  # same signature for all surfaces
    """Yield the text that an agent receives before its first call."""
    if subject.trajectory:
        yield Shown(opening(subject.trajectory), "the opening", openly=None)


def observations(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield the result of each call before the episode's end."""
    yield from _steps(subject, refused=False)


def refusals(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield the result of each refused call before the episode's end."""
    yield from _steps(subject, refused=True)


def _steps(subject: Subject, *, refused: bool) -> Iterator[Shown]:
    played = subject.trajectory
    for number, step in enumerate(played.steps if played else (), 1):
        if played and not step.done and (step.error or not refused):
            yield Shown(step.text, f"step {number}", step, _Open(played, number), step.tool)


class _Open:
    """The texts that the agent has already seen or written: the opening, and the arguments of its first calls."""

    def __init__(self, played: Trajectory, calls: int) -> None:
        self._played, self._calls = played, calls

    def __call__(self) -> str:
        said = (text_of(step.arguments) for step in self._played.steps[: self._calls])
        return "\n".join([opening(self._played), *said])


def schemas(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield the texts that a model receives about each tool."""
    for tool in TOOLS.of(evidence):
        yield Shown(text_of((tool["name"], *_told(tool))), "a tool schema", tool=tool["name"])


def _told(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield the texts in a tool's schema that a model reads, such as descriptions and defaults, at all levels."""
    yield [schema.get(key) for key in ("title", "description", "default", "examples", "pattern")]
    inner = [schema.get(key) for key in ("parameters", "items", "additionalProperties")]
    inner += [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]
    for each in inner:
        if isinstance(each, dict):
            yield from _told(each)


def ids(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield a task's id, unchanged and split into its parts."""
    identity = (subject.task or {}).get("id")
    if identity is not None:
        yield Shown(f"{identity}\n{_parts(identity)}", "the id")


def own_ids(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield the parts of a task's id, without the parts that are in every task's id."""
    every = [words_of(_parts(_id(evidence, each))) for each in oracle(evidence).values()]
    parts = _parts((subject.task or {}).get("id", ""))
    left = [part for part in parts.split() if part.lower() not in common(every)]
    if left:
        yield Shown(" ".join(left), "the id")


def _id(evidence: Evidence, trajectory: Trajectory) -> Any:
    return (_task(evidence, trajectory) or {}).get("id", "")


def _parts(identity: Any) -> str:
    return re.sub(r"[_\W]+|(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z])", " ", str(identity))


def open_fields(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield each task field that is not hidden, because servers list these fields to clients."""
    played = subject.trajectory
    for name, value in sorted((subject.task or {}).items()):
        text = _listed(value)
        if name not in ("id", *evidence.secrets) and len(text) >= SHORTEST_FIELD:
            yield Shown(text, repr(name), openly=_Open(played, 0) if played else str)


SHORTEST_FIELD = 3
"""Minimum length of a field's value; a shorter one equals an answer by chance."""


def _listed(value: Any) -> str:
    """Return a field's value as text, with lists joined by commas, or "" if the value is neither text nor integer."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value) if isinstance(value, str | int) else ""


def picture_texts(evidence: Evidence, subject: Subject) -> Iterator[Shown]:
    """Yield the texts stored in the files of pictures in addition to the pixels, such as a PNG's comments."""
    played = subject.trajectory
    for number, block in played.pictures() if played else ():
        if played and (text := _metadata(block)):
            step = played.steps[number - 1] if number else None
            where = f"step {number}" if step else "the opening"
            yield Shown(text, where, step, tool=step.tool if step else "")


def _metadata(block: dict[str, Any]) -> str:
    """Return the texts of a PNG file (https://www.w3.org/TR/png/#11textinfo), or ""."""
    data = base64.b64decode(block["data"])
    found, at = [], 8
    while data[:4] == b"\x89PNG" and at + 8 <= len(data):
        size, kind = int.from_bytes(data[at : at + 4]), data[at + 4 : at + 8]
        if kind in (b"tEXt", b"iTXt", b"zTXt"):
            text = _unpacked(kind, data[at + 8 : at + 8 + size])
            if not text.startswith(("Software", "date:")):
                found.append(text)
        at += 12 + size
    return " ".join(found)


def _unpacked(kind: bytes, data: bytes) -> str:
    """Return the text of a PNG chunk. Compressed text is unpacked up to a limit."""
    if kind == b"zTXt":
        key, _, packed = data.partition(b"\0")
        with contextlib.suppress(zlib.error):
            data = key + b"\0" + zlib.decompressobj().decompress(packed[1:], LONGEST)
    return data.decode("utf-8", "replace").replace("\0", " ")


LONGEST = 100_000
"""Maximum bytes of a decompressed text: a hostile text could fill the memory."""
