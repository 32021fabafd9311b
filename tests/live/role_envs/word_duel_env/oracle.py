"""A winning line against the stand-in for the opponent, found by search."""

import re

from .duel import MOVES, legal, points

FIRST = re.compile(r"begins with ([a-z])")
LEFT = re.compile(r"Words left: (.*)\.")
LUCKY = re.compile(r"lucky letter is ([a-z])")


def greedy(words, lucky):
    """The word that is worth most now, whatever it lets the other player say."""
    return min(words, key=lambda word: (-points(word, lucky), word))


def opponent(task, messages):
    """Play by what the seat is told, and nothing else; it believes to be stuck when no word fits."""
    said = messages[-1]["content"]
    bound = FIRST.search(said)
    if not bound and "You begin" not in said:
        return "I pass."
    words = [word for word in LEFT.search(said)[1].split(", ") if not bound or word[0] == bound[1]]
    return greedy(words, LUCKY.search(messages[0]["content"])[1])


def solve(task, seed):
    words, last, lead = list(task["words"]), "", 0
    if task["first"] == "opponent":
        last = greedy(words, task["theirs"])
        words.remove(last)
        lead = -points(last, task["theirs"])
    _, line = best(task, words, last, lead, MOVES)
    return [("say_word", {"word": word}) for word in line]


def best(task, words, last, lead, moves):
    """The first line to a win, or else the line with the highest lead."""
    if not moves:
        return lead, []
    found = (float("-inf"), [])
    for word in sorted(legal(words, last), key=lambda each: -points(each, task["lucky"]))[:4]:
        left = [each for each in words if each != word]
        now, ahead = word, lead + points(word, task["lucky"])
        answers = [each for each in left if each[0] == word[-1]]
        if answers and (moves > 1 or task["first"] == "agent"):
            now = greedy(answers, task["theirs"])
            left.remove(now)
            ahead -= points(now, task["theirs"])
        end, line = best(task, left, now, ahead, moves - 1)
        if end > found[0]:
            found = (end, [word, *line])
        if end > 0:
            break
    return found
