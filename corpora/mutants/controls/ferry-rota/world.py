"""A rota of ten shifts; its faults are counted when the planning ends."""

import random

DAYS = ("mon", "tue", "wed", "thu", "fri")
SHIFTS = tuple(f"{day}-{half}" for day in DAYS for half in ("am", "pm"))
NAMES = ("Ada", "Bo", "Cleo", "Dov", "Eli", "Fay")
PAID = {0: 1.0, 1: 0.4, 2: 0.1}


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def rested(rota: dict[str, str], place: int, name: str) -> bool:
    """Whether somebody may work a shift after the one before it."""
    return place % 2 == 1 or place == 0 or rota.get(SHIFTS[place - 1]) != name


class Rota:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} rota {task['crew']}")
        self.crew = NAMES[: task["crew"]]
        plan: dict[str, str] = {}
        for place, shift in enumerate(SHIFTS):
            plan[shift] = rng.choice([name for name in self.crew if rested(plan, place, name)])
        works = {name: {s[:3] for s, who in plan.items() if who == name} for name in self.crew}
        self.off = {name: self._days_off(rng, works[name]) for name in self.crew}
        self.limit = {name: max(1, list(plan.values()).count(name)) for name in self.crew}
        self.rota: dict[str, str] = {}
        self.reward = 0.0
        self.done = False

    def _days_off(self, rng: random.Random, works: set[str]) -> list[str]:
        free = [day for day in DAYS if day not in works]
        return sorted(rng.sample(free, min(len(free), 2)), key=DAYS.index)

    def observe(self) -> str:
        return "The crew:\n" + "\n".join(
            f"{name}: days off {', '.join(self.off[name]) or 'none'}; limit {self.limit[name]}"
            for name in self.crew
        )

    def assign(self, shift: str, name: str) -> str:
        self._check_open()
        if name not in self.crew:
            raise InvalidAction(f"{name} is not of this week's crew")
        if shift in self.rota:
            raise InvalidAction(f"{shift} is taken by {self.rota[shift]}; clear it first")
        self.rota[shift] = name
        return f"{name} works {shift}. Empty shifts: {len(SHIFTS) - len(self.rota)}."

    def clear(self, shift: str) -> str:
        self._check_open()
        if shift not in self.rota:
            raise InvalidAction(f"nobody works {shift}")
        name = self.rota.pop(shift)
        return f"{name} is off {shift}. Empty shifts: {len(SHIFTS) - len(self.rota)}."

    def report(self) -> str:
        self._check_open()
        return "\n".join(f"{shift}: {self.rota.get(shift, '-')}" for shift in SHIFTS)

    def hand_in(self) -> str:
        self._check_open()
        self.done = True
        return "The planning has ended."

    def faults(self) -> int:
        found = len(SHIFTS) - len(self.rota)
        for place, shift in enumerate(SHIFTS):
            name = self.rota.get(shift)
            if name is None:
                continue
            found += shift[:3] in self.off[name]
            found += not rested(self.rota, place, name)
        for name in self.crew:
            found += max(0, list(self.rota.values()).count(name) - self.limit[name])
        return found

    def finish(self, reason: str) -> None:
        self.reward = PAID.get(self.faults(), 0.0)

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("the planning has ended")
