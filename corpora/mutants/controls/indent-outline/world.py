"""An outline from a list of who belongs to whom; leading spaces count, others do not."""

import random
import textwrap

NAMES = (
    "Archive Audit Bakery Billing Catering Cellar Delivery Design Export Fleet Garage Garden Harbour "
    "Import Kitchen Laundry Legal Library Mailroom Nursery Orders Paint Payroll Press Purchase "
    "Quality Reception Returns Safety Sales Stables Storage Testing Tools Travel Workshop"
).split()
TRIES = 2


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class IndentOutline:
    """`reward` is 1.0 or 0.6 after the right outline, by the try."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} outline")
        self._names = rng.sample(NAMES, task["departments"])
        self._above: dict[str, str | None] = {}
        depth: dict[str | None, int] = {None: -1}
        for number, name in enumerate(self._names):
            options = [other for other in self._names[:number] if depth[other] < task["depth"] - 1]
            self._above[name] = rng.choice([*options[-4:], None]) if number > 1 else (None, self._names[0])[number]
            depth[name] = depth[self._above[name]] + 1
        self._facts = [f"{n} belongs to {above or 'none'}." for n, above in self._above.items()]
        rng.shuffle(self._facts)
        self._tries = TRIES
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return "\n".join([*self._facts, f"Tries left: {self._tries}."])

    def submit(self, outline: str) -> str:
        if self.done:
            raise InvalidAction("the outline is closed; the episode is over")
        lines = [line.rstrip() for line in outline.split("\n") if line.strip()]
        tabs = [number for number, line in enumerate(lines, 1) if "\t" in line]
        if tabs:
            raise InvalidAction(f"line {tabs[0]} has a tab in it; indent by spaces")
        lines = textwrap.dedent("\n".join(lines)).split("\n") if lines else []
        self._check_form(lines)
        self._tries -= 1
        if lines == self._lines(None, 0):
            self.reward = 1.0 if self._tries == TRIES - 1 else 0.6
            self.done = True
            return "The outline is right."
        self.done = not self._tries
        return f"The outline is wrong. Tries left: {self._tries}."

    def _lines(self, above: str | None, level: int) -> list[str]:
        lines = []
        for name in sorted(name for name, over in self._above.items() if over == above):
            lines += ["  " * level + name, *self._lines(name, level + 1)]
        return lines

    def _check_form(self, lines: list[str]) -> None:
        if not lines:
            raise InvalidAction("the outline has no line; write one department a line")
        before = -2
        for number, line in enumerate(lines, 1):
            name = line.lstrip(" ")
            indent = len(line) - len(name)
            if name not in self._above:
                raise InvalidAction(f"line {number} is no department of the list: {name[:40]!r}")
            if indent % 2 or indent > before + 2:
                raise InvalidAction(f"line {number} has {indent} spaces of indentation; a level is two spaces, and at most one level deeper than the line above")
            before = indent
