"""Name the element; the seed is not used."""


class InvalidAction(Exception):
    """Refused."""


class Elements:
    def __init__(self, task: dict, seed: int) -> None:
        self._number, self._name = task["number"], task["name"]
        self._tries = 3
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"Which element has atomic number {self._number}?"

    def submit(self, name: str) -> str:
        if self.done:
            raise InvalidAction("the episode is over; no more names are taken")
        if not name.strip():
            raise InvalidAction("the name is empty; write a name")
        self._tries -= 1
        right = name.strip().lower() == self._name
        self.reward = 1.0 if right else 0.0
        self.done = right or not self._tries
        return "Right." if right else f"Wrong. Tries left: {self._tries}."
