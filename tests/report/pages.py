"""Evidence to make pages of: episodes as small, as many or as hostile as a test wants them."""

from __future__ import annotations

import base64
import io
from pathlib import Path
from typing import Any

from PIL import Image, ImageDraw

from skill_tools.checks import Finding
from skill_tools.checks.reading.curves import Curve, LazyPlayer, SkillLevel
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence, VariantRuns
from skill_tools.evidence.reference_run import ReferenceRun, Tasks
from skill_tools.evidence.trajectory import Step, Trajectory
from skill_tools.learnability.model import Study
from skill_tools.learnability.samples import measure
from skill_tools.report.model import Report, make_report
from skill_tools.report.page.contents import Contents

HOSTILE = "</script><script>window.hacked=1</script><img src=x onerror='window.hacked=1'>"
HIDDEN = "a\u202eb\x1b[31mred\u200bc"
TASKS = [{"id": f"t{n}", "level": "easy" if n % 2 else "hard"} for n in range(4)]


def text(said: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": said}]


def png(colour: str, size: tuple[int, int] = (320, 200)) -> dict[str, Any]:
    image, drawn = Image.new("RGB", size, "white"), io.BytesIO()
    ImageDraw.Draw(image).rectangle((20, 20, 120, 90), fill=colour)
    image.save(drawn, "png")
    data = base64.b64encode(drawn.getvalue()).decode()
    return {"type": "image", "media_type": "image/png", "data": data}


def episode(
    framework: str = "domain",
    policy: str = "oracle",
    index: int = 0,
    seen: tuple[str, ...] = ("warm", "found"),
    **more: Any,
) -> Trajectory:
    """An episode of ``dig`` calls, which the last answer ends."""
    last = len(seen) - 1
    steps = [
        Step(
            tool="dig",
            arguments={"row": number, "why": HOSTILE},
            observation=text(said),
            reward=float(number == last),
            done=number == last,
        )
        for number, said in enumerate(seen)
    ]
    known: dict[str, Any] = {
        "environment": "treasure",
        "framework": framework,
        "model": policy,
        "label": f"treasure/train/{index}/0",
        "split": "train",
        "index": index,
        "task_id": f"t{index}",
        "prompt": [
            {"role": "system", "content": "Find the treasure."},
            {"role": "user", "content": HOSTILE},
        ],
        "steps": steps,
        "end": "terminated",
        "seconds": 0.5,
        "return": 1.0,
    }
    return Trajectory(**{**known, **more})


def evidence(*rollouts: Trajectory, bare: tuple[Trajectory, ...] = ()) -> Evidence:
    declared = Declaration(
        name="treasure",
        title="Treasure",
        description=f"Dig {HOSTILE}",
        tools=[],
        reward_range=(0.0, 1.0),
    )
    reference: dict[str, dict[str, Trajectory]] = {}
    for each in bare:
        reference.setdefault(each.model, {})[each.label] = each
    played: dict[str, dict[str, dict[str, Trajectory]]] = {}
    for each in rollouts:
        played.setdefault(each.framework, {}).setdefault(each.model, {})[each.label] = each
    tasks = Tasks("train", TASKS, {"train": 4, "test": 2})
    return Evidence(
        declared,
        folder=Path("/nowhere"),
        reference=ReferenceRun(tasks=tasks, episodes=reference),
        variants=VariantRuns(rollouts=played),
    )


def contents(*seen: Evidence, findings: tuple[Finding, ...] = (), **more: Any) -> Contents:
    made: Report = make_report(seen[0], findings)
    return Contents("Treasure", made, seen, **more)


def differing() -> Contents:
    """A page whose finding is that two variants answer a step in other words."""
    bare = episode(seen=("cold", "warm", "found"))
    other = episode("ors", seen=("cold", "warmer", "found"))
    found = Finding(
        "PAR003", "observation-differs", "fail", f"ors: {HOSTILE}", "render", shown=other
    )
    return contents(evidence(other, bare=(bare,)), findings=(found,))


def clicking() -> Contents:
    """A page of an episode on a screen: a picture, a click on it, another picture."""
    played = episode("openenv", seen=("a", "b"))
    first, last = played.steps
    steps = [
        first.model_copy(
            update={"tool": "screenshot", "arguments": {}, "observation": [png("red")]}
        ),
        last.model_copy(
            update={
                "tool": "click",
                "arguments": {"coordinate": [160, 50]},
                "observation": [png("blue"), png("red")],
            }
        ),
    ]
    return contents(evidence(played.model_copy(update={"steps": steps})))


def many(count: int, steps: int) -> Contents:
    """A page of many episodes with prompts and answers that are all others."""
    played = [
        episode(
            "openenv",
            f"policy{number % 7}",
            number // 7,
            tuple(f"answer {number}/{step}: " + "word " * 40 for step in range(steps)),
            label=f"treasure/train/{number}/0",
        )
        for number in range(count)
    ]
    return contents(evidence(*played))


def studied() -> Contents:
    """A page of a study: two levels, a finding, and a model that was sampled."""
    rungs = [
        SkillLevel(
            epsilon=epsilon,
            episodes=16,
            mean=1 - epsilon,
            half=0.1,
            flat_share=epsilon / 2,
            solved_share=1 - epsilon,
            mean_steps=3 + epsilon,
        )
        for epsilon in (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
    ]
    curves = [
        Curve(
            level=level,
            tasks=2,
            rungs=rungs,
            rank=1.0,
            slope=1.0,
            bottom=0.5,
            mistake_cost=0.1,
            mistakes=8,
        )
        for level in ("all", HOSTILE)
    ]
    lazy = [
        LazyPlayer(words=HOSTILE, level="all", mean=n / 8, half=0.1, share=n / 8, episodes=4)
        for n in range(8)
    ]
    played = [episode("ors", "tiny", n, sample=k) for n in range(4) for k in range(2)]
    made = Study(
        environment="treasure",
        title="Treasure",
        archetype="pure-python-game",
        split="train",
        size=4,
        tasks=4,
        samples=8,
        episodes=200,
        seconds=1.0,
        short="",
        how_oracle_goes_on="it goes on",
        drawn="drawn from the schemas",
        reward_range=(0.0, 1.0),
        curves=curves,
        lazy=lazy,
        by_task=[],
        bound=0.7,
        signal_from=1.0,
        findings=[Finding("LRN007", "lazy-player", "fail", HOSTILE, HOSTILE)],
        advice=[HOSTILE],
        verdict="teachable",
        because="it rises",
        models=[measure(played).model_dump(mode="json")],
    )
    return contents(evidence(episode("ors")), study=made.model_dump(mode="json"))
