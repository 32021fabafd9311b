"""Word duel: two players chain words by their last letters, each with a lucky letter that the other does not know."""

import re

MOVES = 6
"""Words that the agent says in a game."""
LUCK = 3
"""Points for each lucky letter in a word, beyond one for each of its letters."""
SHOWN = 40
"""Characters of an illegal move that are repeated."""


class InvalidAction(Exception):
    """The agent's mistake; the text is shown to it."""


def points(word, lucky):
    """The worth of a word to the player with this lucky letter."""
    return len(word) + LUCK * word.count(lucky)


def legal(words, last):
    """The words that may follow the last one: any, if it is the first or if no word fits."""
    return [word for word in words if last and word[0] == last[-1]] or list(words)


def word_of(text):
    """A player's reply as a word, whatever its case and the marks around it."""
    return re.sub(r"^[\W_]+|[\W_]+$", "", text).lower()


class WordDuel:
    def __init__(self, task, seed, models):
        self.opponent = models.opponent
        self.lucky, self.theirs = task["lucky"], task["theirs"]
        self.begins = task["first"] == "opponent"
        self.left = list(task["words"])
        self.last = ""
        self.moves, self.own, self.other = 0, 0, 0
        self.reward, self.done = 0.0, False
        self._lost = False
        self._news = "You begin with any word."
        if self.begins:
            self._news = f"The opponent begins. {self._their_turn()}"

    def observe(self):
        return f"{self._news} {self._state()}"

    def say_word(self, word):
        if word not in self.left:
            raise InvalidAction(f"{word} is not on the list, or was said before")
        if word not in legal(self.left, self.last):
            raise InvalidAction(f"{word} does not begin with {self.last[-1]}, and others do")
        worth = self._take(word, self.lucky)
        self.own += worth
        self.moves += 1
        said = f"You said {word} for {worth} points."
        if self.moves < MOVES or not self.begins:
            said += f" {self._their_turn()}"
        if self.moves == MOVES:
            self.done = True
            self.reward = 1.0 if self.own > self.other else 0.5 if self.own == self.other else 0.0
        return f"{said} {self._state()}"

    def _their_turn(self):
        """Ask the opponent for a word. An illegal one is its lost turn."""
        before = "Your last word was illegal. " if self._lost else ""
        begun = f"The other player said {self.last}." if self.last else "You begin."
        reply = self.opponent.reply(f"{before}{begun} {self._asked()}")
        word = word_of(reply)
        self._lost = word not in legal(self.left, self.last)
        if self._lost:
            return f"The opponent loses its turn: {reply.strip()[:SHOWN]!r} is illegal."
        worth = self._take(word, self.theirs)
        self.other += worth
        return f"The opponent said {word} for {worth} points."

    def _take(self, word, lucky):
        self.left.remove(word)
        self.last = word
        return points(word, lucky)

    def _state(self):
        score = f"You have {self.own} points, the opponent {self.other}."
        if self.done:
            return f"{score} The game is over."
        return f"{score} {self._asked()}"

    def _asked(self):
        """What the player to move may say."""
        bound = len(legal(self.left, self.last)) < len(self.left)
        which = f"a word that begins with {self.last[-1]}" if bound else "any word"
        return f"Say {which}. Words left: {', '.join(self.left)}."
