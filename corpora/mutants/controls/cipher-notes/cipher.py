"""A note in which every letter was exchanged for another one, always the same."""

CHECKS = 3
PART = 0.3  # of the reward, for the share of letters that are right in a note that is not solved


class InvalidAction(Exception):
    """The letters cannot be set so; the agent is told why and may try again."""


class CipherNotes:
    """One note. `reward` is paid when the reading is handed in."""

    def __init__(self, task: dict, seed: int) -> None:
        """Read `task["text"]`; nothing is left to chance, so `seed` is not used."""
        self.text: str = task["text"]
        self.given: dict[str, str] = dict(task["given"])
        pairs = zip(self.text, task["plain"], strict=True)
        self._key = {
            cipher: plain for cipher, plain in pairs if cipher != " " and cipher not in self.given
        }
        self.set: dict[str, str] = {}
        self.checks_left = CHECKS
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        """The note, what is read of it so far, and which letters are open."""
        reading = {**self.given, **self.set, " ": " "}
        read = "".join(reading.get(letter, "_") for letter in self.text)
        given = ", ".join(f"{cipher}={plain}" for cipher, plain in self.given.items())
        chosen = ", ".join(f"{cipher}={plain}" for cipher, plain in sorted(self.set.items()))
        left = ", ".join(sorted(set(self._key) - set(self.set)))
        return (
            f"Note:    {self.text}\nReading: {read}\nGiven: {given}. Set by you: {chosen or 'none'}. "
            f"Open: {left or 'none'}. Checks left: {self.checks_left}."
        )

    def assign(self, note_letters: str, meanings: str) -> str:
        """Set what letters of the note mean, or open them again with a dash."""
        self._check_open()
        cipher, plain = note_letters.upper(), meanings.lower()
        if len(cipher) != len(plain):
            raise InvalidAction(
                f"{len(cipher)} letters of the note and {len(plain)} meanings do not fit together; "
                "give as many of both. Nothing was set."
            )
        changed = dict(self.set)
        for number, (letter, meaning) in enumerate(zip(cipher, plain, strict=True)):
            if letter not in self._key:
                why = "is given already" if letter in self.given else "is not in the note"
                raise InvalidAction(f"{letter!r} {why}; set open letters only. Nothing was set.")
            if letter in cipher[:number]:
                raise InvalidAction(f"{letter!r} is there twice; set it once. Nothing was set.")
            if meaning == "-":
                changed.pop(letter, None)
            elif meaning.isascii() and meaning.isalpha():
                changed[letter] = meaning
            else:
                raise InvalidAction(
                    f"{meaning!r} is no meaning; use a to z, or - to open the letter. Nothing was set."
                )
        used = [*self.given.values(), *changed.values()]
        double = sorted({meaning for meaning in used if used.count(meaning) > 1})
        if double:
            raise InvalidAction(
                f"Two letters of the note would mean {', '.join(double)}; each meaning belongs to one "
                "letter. Nothing was set."
            )
        self.set = changed
        return self.observe()

    def check(self) -> str:
        """Spend a check on how many of the letters set are right."""
        self._check_open()
        if not self.checks_left:
            raise InvalidAction("No checks are left; go on without them, or hand in the reading.")
        if not self.set:
            raise InvalidAction("You have set no letters yet; set some first. No check was used.")
        self.checks_left -= 1
        return f"Of the {len(self.set)} letters that you have set, {self._right()} are right.\n{self.observe()}"

    def hand_in(self) -> str:
        """Hand in the reading as it is; it ends the episode."""
        self._check_open()
        self.done = True
        right, total = self._right(), len(self._key)
        self.reward = 1.0 if right == total else PART * right / total
        return f"{'Solved' if right == total else 'Not solved'}: {right} of {total} letters are right."

    def _right(self) -> int:
        return sum(self._key[letter] == meaning for letter, meaning in self.set.items())

    def _check_open(self) -> None:
        if self.done:
            raise InvalidAction("The reading was handed in; the episode is over.")
