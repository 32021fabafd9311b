"""Scripts that are kept to be extended, as in a fuzzer: their episodes did not end, or showed something new."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from skill_tools.evidence.certificate import Scripted, Seen

KEPT_OF_A_TASK = 16
"""Maximum scripts to keep for a task; a further script replaces a random one."""
KEPT_SHARE = 0.3
"""Share of the scripts without new kinds of replies that are kept."""
NUMBERS = re.compile(r"\d+")


@dataclass
class Frontier:
    """For each task, the scripts to extend, which are scripts whose episodes the original has not ended.

    Scripts with new kinds of replies are always kept, and so is a share of the other scripts.
    """

    scripts: dict[tuple[str, int], list[Scripted]] = field(
        default_factory=lambda: defaultdict(list)
    )
    forms: set[str] = field(default_factory=set)

    def add(self, script: Scripted, steps: Sequence[Seen]) -> None:
        """Keep the part of a script that the original played, without the actions that ended the episode."""
        open_steps = [step for step in steps if not step.done]
        new = {NUMBERS.sub("0", f"{script.split}/{step.observation[:500]}") for step in steps}
        novel = bool(new - self.forms)
        self.forms |= new
        kept = self.scripts[script.split, script.index]
        calls = script.calls[: len(open_steps)]
        # Any episode that goes on may be a step towards a rare state, and not only the longest.
        rng = random.Random(script.key)
        if not calls or not (novel or rng.random() < KEPT_SHARE):
            return
        if len(kept) == KEPT_OF_A_TASK:
            del kept[rng.randrange(len(kept))]
        kept.append(script.model_copy(update={"calls": calls}))

    def pick(self, split: str, index: int, rng: random.Random) -> Scripted | None:
        """Return a script of a task to extend; None if no script of the task was kept."""
        kept = self.scripts[split, index]
        return rng.choice(kept) if kept else None
