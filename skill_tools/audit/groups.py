"""Play groups of scripts with a driver. If a script ends the driver's process, continue in a new process."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from skill_tools.audit.driver import DriverSession, Ended, PlayedGroup, SeenEpisode
from skill_tools.audit.waiting import SHOWN
from skill_tools.evidence.grading.graded import NOT_RETURNED
from skill_tools.evidence.trajectory import Failure, Trajectory

MOST_DEATHS = 5
"""Maximum number of processes that may end without a known cause; after that, the remaining scripts are not played."""
MOST_NAMED = 30
"""Maximum number of processes that known scripts may end."""
ALIKE = 2
"""If this many scripts of one kind hang, the others of that kind are left out."""
PATIENCE = 10
"""A second script of a kind that hung runs only if its time fits this often into the remaining
time."""
Group = dict[str, Any]


def play_groups(
    driven: DriverSession, groups: Sequence[Group], seconds: float
) -> tuple[dict[str, list[SeenEpisode]], int]:
    """Play groups of scripts. Return each group's result, and how many scripts were not played.

    If the process dies or hangs, its current script has failed, and another process continues. A group that is
    ``apart`` continues without the failed script. In any other group all scripts have failed, because the scripts
    were played together.
    """
    queue = _Queue(driven, list(groups), time.monotonic() + seconds)
    while queue.left and (remaining := queue.until - time.monotonic()) > 1.0:
        ended = driven.ask("play", remaining, queue.describe, groups=queue.left)
        queue.take(ended)
        if not ended.why or not queue.left or not queue.go_on(ended):
            break
    return queue.finish()


@dataclass
class _Queue:
    """The groups that are not yet played, and the results of the other groups.

    Attributes:
        lost: For groups with remaining scripts, the episodes that ended a process.
        dropped: The number of scripts that are not played any more.
        hung: For each kind of script, the number of scripts that did not return.
    """

    driven: DriverSession
    left: list[Group]
    until: float
    got: dict[str, list[SeenEpisode]] = field(default_factory=dict)
    lost: dict[str, list[SeenEpisode]] = field(default_factory=dict)
    hung: Counter[str] = field(default_factory=Counter)
    deaths: int = 0
    named: int = 0
    dropped: int = 0

    def take(self, ended: Ended) -> None:
        """Record the groups that a process completed."""
        for line in ended.lines:
            try:
                played = PlayedGroup.model_validate_json(line)
            except ValidationError:
                continue
            if all(each.sound for each in played.episodes):
                self.got[played.group] = self.lost.pop(played.group, []) + played.episodes
        self.left = [group for group in self.left if group["key"] not in self.got]

    def go_on(self, ended: Ended) -> bool:
        """Record the reason why a process ended. Return whether to start another process."""
        first, *others = self.left
        scripts = first["scripts"]
        named = [each for each in scripts if ended.doing and _who(each) == ended.doing.who]
        self.named, self.deaths = self.named + bool(named), self.deaths + (not named)
        if len(scripts) == 1 or (named and first.get("apart")):
            self._lose(first, (named or scripts)[0], ended)
            return self.named < MOST_NAMED and self.deaths < MOST_DEATHS
        if first.get("apart"):  # the cause is unknown: each script gets its own group
            alone = [
                {**first, "key": f"{first['key']}/{number}", "scripts": [each]}
                for number, each in enumerate(scripts)
            ]
            self.left = [*alone, *others]
        else:
            self.got[first["key"]] = [self._failed(each, ended) for each in scripts]
            self.left = others
        return self.deaths < MOST_DEATHS

    def finish(self) -> tuple[dict[str, list[SeenEpisode]], int]:
        """Return the result of each group, and how many scripts were not played."""
        for key, several in self.lost.items():
            self.got.setdefault(key, []).extend(several)
        return self.got, self.dropped + sum(len(group["scripts"]) for group in self.left)

    def describe(self, who: str) -> str:
        """Return a readable name of an episode. The name shows the reply if the episode consists of a single reply."""
        found = (each for group in self.left for each in group["scripts"] if _who(each) == who)
        script = next(found, None)
        if script is None:
            return who.replace("\t", " on ")
        texts = [call["arguments"].get("text") for call in script["calls"]]
        if len(texts) == 1 and isinstance(texts[0], str):
            text = texts[0] if len(texts[0]) <= SHOWN else f"{texts[0][:SHOWN]}…"
            return f"the score of {text!r} on {script['label']}"
        return f"{script['policy']} on {script['label']}"

    def _lose(self, group: Group, script: dict[str, Any], ended: Ended) -> None:
        """Record the script that ended the process. Play scripts of the same kind last, or do not play them."""
        key, kind = group["key"], _kind(script)
        self.lost.setdefault(key, []).append(self._failed(script, ended))
        self.hung[kind] += ended.hung
        alike: list[dict[str, Any]] = []
        left: list[Group] = []
        for each in self.left:
            several = [one for one in each["scripts"] if one is not script]
            if ended.hung and (each.get("apart") or len(several) == 1):
                alike += [one for one in several if _kind(one) == kind]
                several = [one for one in several if _kind(one) != kind]
            left += [{**each, "scripts": several}] if several else []
        limit = ended.doing.limit if ended.doing else 0.0
        patient = self.until - time.monotonic() > PATIENCE * limit
        if alike and patient and self.hung[kind] < ALIKE:
            left.append({"key": f"{key}/{kind}", "apart": True, "scripts": alike})
        else:
            self.dropped += len(alike)
        self.left = left

    def _failed(self, script: dict[str, Any], ended: Ended) -> SeenEpisode:
        """Return the episode of a script that ended the process."""
        place = {key: script[key] for key in ("label", "split", "index", "seed")}
        if ended.hung and ended.doing:
            limit = f"no reply after {ended.doing.limit:g} s, so its process was ended"
            failure = Failure(kind=NOT_RETURNED, message=f"{ended.doing.what}: {limit}")
        else:
            message = f"the process of the environment ended: {ended.why}"
            failure = Failure(kind="process", message=message)
        name = self.driven.target.framework.name
        trajectory = Trajectory(
            framework=name, model=script["policy"], end="failed", failure=failure, **place
        )
        return SeenEpisode(trajectory=trajectory)


def _who(script: dict[str, Any]) -> str:
    """Return the driver's name for a script's episode."""
    return f"{script['policy']}\t{script['label']}"


def _kind(script: dict[str, Any]) -> str:
    """Return the kind of a script. Scripts that were made in the same way have the same kind."""
    return str(script.get("kind") or script["policy"])
