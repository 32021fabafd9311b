"""Evidence of an audit of somebody else's environment that is right, and what breaks it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from skill_tools.evidence.audited import Audited
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, gather_rollouts
from skill_tools.evidence.reference_run import Tasks
from skill_tools.evidence.trajectory import Trajectory, by_label

TOOL = {
    "name": "guess",
    "description": "Guess the word.",
    "parameters": {
        "type": "object",
        "properties": {"word": {"type": "string", "description": "The word."}},
        "required": ["word"],
    },
}
FOUND = {"name": "theirs", "tools": [TOOL], "places": [{}], "prompt": [], "odd_tasks": []}
PAID = {"oracle": 1.0, "random": 0.0, "noop": 0.0, "malformed": 0.0}
FILLED = {f"filler_{n}": 0.0 for n in (2, 20, 200, 2000)}
Paid = dict[str, float]


def step(text: str = "Wrong.", reward: float = 0.0, done: bool = True) -> dict[str, Any]:
    shown = [{"type": "text", "text": text}]
    return {
        "tool": "guess", "arguments": {"word": "crane"}, "observation": shown,
        "reward": reward, "done": done,
    }  # fmt: skip


def episode(policy: str, paid: float = 0.0, index: int = 0, **changes: Any) -> Trajectory:
    steps = [] if policy == "noop" else [step(reward=paid)]
    return Trajectory.model_validate(
        {
            "framework": "openenv",
            "model": policy,
            "label": f"theirs/train/{index}/0",
            "split": "train",
            "index": index,
            "prompt": [{"role": "user", "content": "Guess a word."}],
            "steps": steps,
            "total": paid,
            "end": "terminated" if steps else "stopped",
            **changes,
        }
    )


def audit_of(paid: Paid | None = None, **changes: Any) -> Evidence:
    """The evidence of an audit in which each policy was paid so much."""
    every = [
        episode(policy, total, index)
        for policy, total in {**PAID, **FILLED, **(paid or {})}.items()
        for index in range(2)
    ]
    again = by_label([t for t in every if t.model in ("oracle", "random")])
    moved = [
        t.model_copy(update={"prompt": [{"role": "user", "content": "Another."}]})
        for t in every
        if t.model == "oracle"
    ]
    seen = {
        (t.model, t.label): {"rewarded": len(t.steps), "longest": 6, "states": []} for t in every
    }
    for policy in ("oracle",):
        states = [{"episode_id": "a", "step_count": n, "asked": "a"} for n in range(2)]
        seen[policy, "theirs/train/0/0"]["states"] = states
    audited = Audited(FOUND, again, by_label(moved), again, seen, solved=True)
    declared = Declaration(name="theirs", tools=changes.pop("tools", [TOOL]))
    tasks = Tasks("train", [{"n": 0}, {"n": 1}], {"train": 2})
    gathered = gather_rollouts(declared, changes.pop("every", every), tasks)
    return replace(gathered, audit=replace(gathered.audit, audited=replace(audited, **changes)))


def oracle_episodes(**changes: Any) -> dict[str, dict[str, Trajectory]]:
    return by_label([episode("oracle", 1.0, index, **changes) for index in range(2)])


def with_seen(**seen: Any) -> Evidence:
    evidence = audit_of()
    changed = {key: {**value, **seen} for key, value in evidence.audit.audited.seen.items()}
    return replace(
        evidence,
        audit=replace(evidence.audit, audited=replace(evidence.audit.audited, seen=changed)),
    )


def shown_in_prompt() -> Evidence:
    evidence = audit_of()
    prompt = [{"role": "user", "content": "The word is crane."}]
    every = [t.model_copy(update={"prompt": prompt}) for t in evidence.every]
    again = by_label([t for t in every if t.model == "oracle"])
    return audit_of(every=every, again=again, together=again)


def never_ended() -> Evidence:
    unended = [
        t.model_copy(update={"steps": [], "end": "stopped"})
        if t.model == "noop"
        else episode(t.model, t.total, t.index or 0, steps=[step(done=False, reward=t.total)], end="stopped")
        for t in audit_of().every
        if t.model != "oracle"
    ]  # fmt: skip
    again = by_label([t for t in unended if t.model == "random"])
    return audit_of({"random": 0.5}, every=unended, again=again, together=again, reseeded={})


NOBODY = dict.fromkeys((*PAID, *FILLED), 0.0)
FAILS: dict[str, Callable[[], Evidence]] = {
    "AUD001": lambda: audit_of({**dict.fromkeys(FILLED, 1.0), "malformed": 1.0}),
    "AUD002": lambda: audit_of({name: int(name[7:]) / 4000 for name in FILLED}),
    "AUD003": lambda: with_seen(rewarded=0),
    "AUD005": lambda: audit_of(again=oracle_episodes(steps=[step(reward=0.5)], total=0.5)),
    "AUD007": lambda: audit_of(together=oracle_episodes(steps=[step(reward=0.5)], total=0.5)),
    "AUD009": lambda: audit_of(tools=[{**TOOL, "parameters": {"type": "string"}}]),
    "AUD010": lambda: audit_of(found={**FOUND, "odd_tasks": ["train says 5 tasks; 4 came"]}),
    "AUD011": lambda: with_seen(states=[{"episode_id": "b", "step_count": 0, "asked": "a"}]),
}
"""What fails its check, and no other."""
WARNED: dict[str, Callable[[], Evidence]] = {
    "AUD004": lambda: audit_of(NOBODY, solved=False, every=_unsolved()),
    "AUD006": lambda: audit_of(reseeded=oracle_episodes()),
    "AUD008": lambda: audit_of(together=oracle_episodes(end="failed", total=None)),
    "AUD012": lambda: with_seen(longest=90_000),
    "AUD013": shown_in_prompt,
    "AUD014": never_ended,
    "AUD015": lambda: audit_of({"noop": 0.9, "random": 0.5}),
}
"""What its check warns of or notes, and fails none."""
AUDITS = {**FAILS, **WARNED}


def _unsolved() -> list[Trajectory]:
    return [episode(name, 0.0, i) for name in NOBODY if name != "oracle" for i in range(2)]
