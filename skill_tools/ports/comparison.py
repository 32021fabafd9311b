"""The comparison of an environment with its original, or with another version of itself, action by action."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from jsonschema import Draft202012Validator

from skill_tools.evidence.certificate import Disagreement, KeptEpisode, Part, Scripted, Seen
from skill_tools.ports.equality import EqualityRules
from skill_tools.ports.frontier import Frontier
from skill_tools.ports.sides import REFUSED, PlayedScript, Side
from skill_tools.spec.model import MESSAGE
from skill_tools.spec.raw_schemas import inlined

MOST_DISAGREEMENTS = 20
"""Maximum number of differing episodes to keep; the others are counted."""
BATCH = 240
"""Scripts to play in one process of each side."""
REPEATED = 6
"""Scripts that each side plays a second time: a side that differs from itself cannot be compared."""
LONGEST_SHOWN = 300
"""Characters of a differing value that a report shows."""
KEPT_BYTES = 400_000
"""Maximum bytes of the episodes that a certificate keeps, so that it can be checked again."""
KEPT_OF_A_KIND = 4
"""Episodes of each kind of script to keep."""


@dataclass
class Comparison:
    """The results of a comparison so far."""

    rules: EqualityRules
    schemas: Mapping[str, Any] = field(default_factory=dict)
    """The schemas of the original's tools."""
    limited: bool = True
    """Whether the original states its turn limit, so that a different limit counts as a difference."""
    episodes: int = 0
    actions: int = 0
    agreed: int = 0
    by_policy: dict[str, list[int]] = field(default_factory=lambda: defaultdict(lambda: [0, 0]))
    disagreements: list[Disagreement] = field(default_factory=list)
    differing: int = 0
    skipped: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    unstable: str = ""
    kept: list[KeptEpisode] = field(default_factory=list)
    shown: dict[str, None] = field(default_factory=dict)
    before: dict[str, Scripted] = field(default_factory=dict)
    """The script that was played before each script, by the later script's key."""
    frontier: Frontier = field(default_factory=Frontier)
    _bytes: int = 0

    def play(self, ours: Side, theirs: Side, scripts: Sequence[Scripted], until: float) -> None:
        """Play scripts on both sides and compare the episodes, until the time ``until``."""
        for start in range(0, len(scripts), BATCH):
            if time.monotonic() > until:
                self.skipped["no time was left"] += len(scripts) - start
                return
            batch = scripts[start : start + BATCH]
            self.before |= {b.key: a for a, b in pairwise(batch)}
            played = zip(batch, ours.play(batch), theirs.play(batch), strict=True)
            for script, left, right in played:
                self.add(script, left, right)

    def repeat(self, sides: Sequence[Side], scripts: Sequence[Scripted]) -> None:
        """Play some scripts twice on each side; record a side whose two runs differ."""
        chosen = list(scripts[:: max(1, len(scripts) // REPEATED)])[:REPEATED]
        for side in sides:
            first, second = side.play(chosen), side.play(chosen)
            for script, one, other in zip(chosen, first, second, strict=True):
                if one.failure and other.failure:
                    continue
                found = first_difference(script, one, other, self.rules)
                if found and not self.unstable:
                    again = f"{found.ours} at first but {found.theirs} when replayed"
                    where = f"{script.key}, action {found.step}: the {found.part} is {again}"
                    self.unstable = (
                        f"{side.name} differs between two runs of the same calls on {where}"
                    )

    def isolate(self, sides: tuple[Side, Side]) -> None:
        """Replay the first differing script alone, and then after its preceding episode, to find the cause."""
        if not self.disagreements:
            return
        first, *others = self.disagreements
        before = self.before.get(first.script.key)
        for wanted in ([first.script], *([[before, first.script]] if before else [])):
            ours, theirs = (side.play(wanted)[-1] for side in sides)
            found = first_difference(first.script, ours, theirs, self.rules, self.schemas)
            if found:
                after = before if len(wanted) > 1 else None
                found = found.model_copy(update={"after": after, "alone": after is None})
                self.disagreements = [found, *others]
                return
        self.disagreements = [first.model_copy(update={"alone": False}), *others]

    def add(self, script: Scripted, ours: PlayedScript, theirs: PlayedScript) -> None:
        """Compare one episode on both sides."""
        if theirs.failure:
            self.skipped[f"the original failed: {theirs.failure[:120]}"] += 1
            return
        self.episodes += 1
        found = first_difference(script, ours, theirs, self.rules, self.schemas)
        why = self._excused(script, found, ours, theirs) if found else ""
        if found and why:
            self.skipped[why] += 1
            played = same = max(0, found.step - 1)
            found = None
        else:
            played = min(len(ours.steps), len(theirs.steps))
            same = played if found is None else max(0, min(found.step - 1, played))
            played = played if found is None else min(played, max(found.step, 1))
        counts = self.by_policy[script.key.partition("/")[0]]
        for number, more in enumerate((played, same)):
            counts[number] += more
        self.actions, self.agreed = self.actions + played, self.agreed + same
        if found:
            self.differing += 1
            if len(self.disagreements) < MOST_DISAGREEMENTS:
                self.disagreements.append(found)
        for text in (theirs.opening, *(step.observation for step in theirs.steps[:3])):
            if len(self.shown) < 200:
                self.shown[text[:2_000]] = None
        self.frontier.add(script, theirs.steps)
        self._keep(script, theirs, counts)

    def _excused(
        self, script: Scripted, found: Disagreement, ours: PlayedScript, theirs: PlayedScript
    ) -> str:
        """Return the reason if the wrapping, not the environment, causes a difference; otherwise ""."""
        played = found.step == len(ours.steps) == len(script.calls)
        if played and ours.end == "stopped" and len(theirs.steps) > found.step:
            return "the original cannot be stopped, and continues after the last action of a script"
        if not 0 < found.step <= min(len(ours.steps), len(theirs.steps)):
            return ""
        last = found.step == len(ours.steps) and ours.end == "truncated"
        if last and not self.limited and found.part in ("done", "end"):
            return "max_turns of env.yaml ends an episode that the original continues"
        return ""

    def _keep(self, script: Scripted, theirs: PlayedScript, counts: Sequence[int]) -> None:
        kind = script.key.partition("/")[0]
        already = sum(each.script.key.partition("/")[0] == kind for each in self.kept)
        kept = KeptEpisode(
            script=script, opening=theirs.opening, steps=list(theirs.steps), total=theirs.total
        )
        size = len(kept.model_dump_json())
        if already < KEPT_OF_A_KIND and self._bytes + size <= KEPT_BYTES:
            self._bytes += size
            self.kept.append(kept)


def first_difference(
    script: Scripted,
    ours: PlayedScript,
    theirs: PlayedScript,
    rules: EqualityRules,
    schemas: Mapping[str, Any] = MappingProxyType({}),
) -> Disagreement | None:
    """Return the first difference between two episodes of one script; None if the episodes are equal.

    ``schemas`` are the schemas of the original's tools. Our environment refuses any action that these schemas do
    not allow, so the form of the original's refusal does not matter.
    """
    theirs = _refusing(script, theirs, schemas)
    for step, part, left, right in _differences(ours, theirs, rules):
        return Disagreement(
            script=script, step=step, part=part, ours=_shown(left), theirs=_shown(right)
        )
    return None


def _refusing(script: Scripted, played: PlayedScript, schemas: Mapping[str, Any]) -> PlayedScript:
    """Return an episode in which an action counts as refused if its tool's schema does not allow the action."""
    if not schemas:
        return played
    steps = [
        step if _allowed(schemas, *call) else step.model_copy(update={"error": REFUSED})
        for call, step in zip(script.calls, played.steps, strict=False)
    ]
    return replace(played, steps=steps)


def _allowed(schemas: Mapping[str, Any], tool: str, arguments: Mapping[str, Any]) -> bool:
    """Return whether an action fits the schema of its tool; patterns in another author's schema are not evaluated."""
    schema = schemas.get(tool)
    if not isinstance(schema, dict):
        return tool == MESSAGE or tool in schemas
    try:
        plain = inlined(_without_patterns(schema))
    except (ValueError, RecursionError):
        return True
    return Draft202012Validator(plain).is_valid(dict(arguments))


def _without_patterns(schema: Any) -> Any:
    if isinstance(schema, dict):
        left = ("pattern", "patternProperties", "format")
        return {k: _without_patterns(v) for k, v in schema.items() if k not in left}
    return [_without_patterns(each) for each in schema] if isinstance(schema, list) else schema


def _differences(
    ours: PlayedScript, theirs: PlayedScript, rules: EqualityRules
) -> Iterator[tuple[int, Part, Any, Any]]:
    if ours.failure:
        number = len(ours.steps) + 1 if ours.opening else 0
        shown = [theirs.opening, *(step.observation for step in theirs.steps)]
        part: Part = "error" if number else "opening"
        yield number, part, f"a failure: {ours.failure}", (shown[number:] or ["no failure"])[0]
        return
    if not rules.same_text(ours.opening, theirs.opening):
        yield 0, "opening", *_apart(rules.plain(ours.opening), rules.plain(theirs.opening))
    for number, (left, right) in enumerate(zip(ours.steps, theirs.steps, strict=False), 1):
        yield from ((number, *found) for found in _in_step(left, right, rules))
    number = min(len(ours.steps), len(theirs.steps))
    if len(ours.steps) != len(theirs.steps):
        lengths = [f"{len(each.steps)} actions, then {each.end}" for each in (ours, theirs)]
        yield number, "end", lengths[0], lengths[1]
    mine, original = ours.total or 0.0, theirs.total or 0.0
    if None not in (ours.total, theirs.total) and not rules.same_number(mine, original):
        yield number, "reward", f"{mine:g} in all", f"{original:g} in all"
    named, others = ours.metrics or {}, theirs.metrics or {}
    for name in sorted(named.keys() & others.keys()):
        if not rules.same_number(named[name], others[name]):
            yield number, "metrics", f"{name} = {named[name]:g}", f"{name} = {others[name]:g}"


def _in_step(left: Seen, right: Seen, rules: EqualityRules) -> Iterator[tuple[Part, Any, Any]]:
    if left.error != right.error:
        shown = [each.error or f"none: {each.observation}" for each in (left, right)]
        yield "error", shown[0], shown[1]
    elif left.error is None and not rules.same_text(left.observation, right.observation):
        yield "observation", *_apart(rules.plain(left.observation), rules.plain(right.observation))
    if not rules.same_number(left.reward, right.reward):
        yield "reward", left.reward, right.reward
    if left.done != right.done:
        yield "done", left.done, right.done


def _apart(ours: str, theirs: str) -> tuple[str, str]:
    """Return two texts. If the texts are long, both begin shortly before their first difference."""
    pairs = zip(ours, theirs, strict=False)
    at = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(ours), len(theirs)))
    start = max(0, at - 60) if max(len(ours), len(theirs)) > LONGEST_SHOWN else 0
    before = "…" if start else ""
    return f"{before}{ours[start:]}", f"{before}{theirs[start:]}"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value)
    text = text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…"
    return repr(text) if isinstance(value, str) else text


def tools_apart(ours: Mapping[str, Any], theirs: Mapping[str, Any]) -> str:
    """Return a description of how the tools differ in their names or argument names; "" if they do not differ."""
    missing, added = sorted(theirs.keys() - ours.keys()), sorted(ours.keys() - theirs.keys())
    words = [f"the original also has {', '.join(missing)}"] if missing else []
    words += [f"only this environment has {', '.join(added)}"] if added else []
    for name in sorted(ours.keys() & theirs.keys()):
        left, right = (
            set((each or {}).get("properties") or {}) for each in (ours[name], theirs[name])
        )
        if left != right:
            words.append(f"{name} takes {sorted(left)} here, but {sorted(right)} in the original")
    return "; ".join(words)
