"""Eight tricks against a scripted opponent. Only deals that can be won are dealt."""

import random

CARDS, HELD, TRICKS, ENOUGH = 16, 4, 8, 6
PAID = {5: 0.3}


class InvalidAction(Exception):
    """Refused; nothing has changed."""


class Table:
    """The cards and the tricks taken; `lay` plays one trick."""

    def __init__(self, deck: list[int], whims: list[bool], lead: str) -> None:
        self.mine, self.theirs = sorted(deck[:HELD]), sorted(deck[HELD : 2 * HELD])
        self.stock, self.whims = deck[2 * HELD :], whims
        self.taken, self.played = 0, 0
        self.led = None
        if lead == "opponent":
            self._lead()

    def copy(self) -> "Table":
        new = Table.__new__(Table)
        new.__dict__ = self.__dict__ | {"mine": self.mine[:], "theirs": self.theirs[:]}
        return new

    def _lead(self) -> None:
        self.led = self.theirs.pop(-1 if self.whims[self.played] else 0)

    def lay(self, card: int) -> tuple[int, bool]:
        """The opponent's card, and whether the trick is yours."""
        self.mine.remove(card)
        other = self.led
        if other is None:
            other = next((c for c in self.theirs if c > card), self.theirs[0])
            self.theirs.remove(other)
        won = card > other
        self.taken += won
        self.played += 1
        if self.stock:
            self.mine = sorted([*self.mine, self.stock[0]])
            self.theirs = sorted([*self.theirs, self.stock[1]])
            self.stock = self.stock[2:]
        self.led = None
        if not won and self.theirs:
            self._lead()
        return other, won


def win(table: Table, lost: set | None = None) -> list[int] | None:
    """Cards that take enough tricks, or None. `lost` are the positions that were found lost."""
    lost = set() if lost is None else lost
    key = (tuple(table.mine), tuple(table.theirs), table.led, table.taken)
    if key in lost:
        return None
    if table.taken >= ENOUGH and table.played == TRICKS:
        return []
    if table.taken + TRICKS - table.played < ENOUGH or table.played == TRICKS:
        return None
    for card in table.mine:
        after = table.copy()
        after.lay(card)
        if (rest := win(after, lost)) is not None:
            return [card, *rest]
    lost.add(key)
    return None


class Duel:
    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} duel {task['lead']}")
        while True:
            deck = rng.sample(range(1, CARDS + 1), CARDS)
            whims = [rng.random() < 0.5 for _ in range(TRICKS)]
            self._table = Table(deck, whims, task["lead"])
            if win(self._table) is not None:
                break
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return self._state()

    def lay(self, card: int) -> str:
        if self.done:
            raise InvalidAction("all tricks are played")
        if card not in self._table.mine:
            raise InvalidAction(f"you do not hold {card}")
        other, won = self._table.lay(card)
        news = f"You laid {card}, the opponent {other}: {'your' if won else 'its'} trick."
        self.done = self._table.played == TRICKS
        if self.done:
            self.reward = 1.0 if self._table.taken >= ENOUGH else PAID.get(self._table.taken, 0.0)
        return f"{news}\n{self._state()}"

    def _state(self) -> str:
        table = self._table
        lines = [f"Tricks played: {table.played}, taken by you: {table.taken}."]
        if not self.done:
            lines.append(f"You hold: {', '.join(map(str, table.mine))}.")
            lines.append("You lead." if table.led is None else f"The opponent leads {table.led}.")
        return " ".join(lines)
