"""Tests of Wordle: colors that agree with a word, six guesses, and the reward for finding the word."""

import re

from evals.episode import Play, PlayError, episode

OPENERS = ("crane", "moist", "house", "light", "plant", "bread")


def colours(text: str) -> list[str]:
    """Return the first five colors that a text names."""
    found = re.findall(r"\b(green|yellow|gray|grey)\b", text.lower())
    if len(found) < 5:
        raise PlayError(f"five colours are not in {text[-300:]!r}")
    return [each.replace("grey", "gray") for each in found[:5]]


@episode("six guesses end it", "losing pays 0", "each letter has a colour")
def losing(play: Play) -> None:
    """Make six guesses, unless one of them is the word."""
    for index in range(3):
        play.open(index=index)
        hit = False
        for number, word in enumerate(OPENERS):
            if play.done:
                play.expect("six guesses end it", False, f"it ended after {number}")
            marks = colours(play.call("guess", word=word).text)
            play.expect("each letter has a colour", len(marks) == 5, marks)
            if hit := marks == ["green"] * 5:
                break
        if not hit:
            play.expect("six guesses end it", play.done, "it goes on after six")
            paid = play.close().returned
            play.expect("losing pays 0", paid == 0.0, f"it paid {paid}")
            return
        play.close()
    raise PlayError("three games were won by six openers; the words are too few")


@episode("the same guess has the same colours", "what is no word costs nothing")
def repeating(play: Play) -> None:
    """Make one guess twice, with refused guesses in between."""
    play.open(index=1)
    first = colours(play.call("guess", word="crane").text)
    for wrong in ("qqqqq", "cranes", "ab"):
        play.call("guess", word=wrong)
    again = colours(play.call("guess", word="crane").text)
    play.expect("the same guess has the same colours", again == first, f"{first}, then {again}")
    counted = 2
    for word in OPENERS[1:5]:
        if play.done:
            break
        marks = colours(play.call("guess", word=word).text)
        counted += 1
        if marks == ["green"] * 5:
            play.close()
            play.expect("what is no word costs nothing", True)
            return
    held = play.done and counted == 6
    play.expect("what is no word costs nothing", held, f"it ended: {play.done}, after {counted}")
    play.close()


@episode("tasks have words of their own", "the colours agree with one place per letter")
def words(play: Play) -> None:
    """Make the same first guesses in several tasks."""
    seen = []
    for index in range(6):
        play.open(index=index)
        seen.append([colours(play.call("guess", word=word).text) for word in OPENERS[:3]])
        play.close()
    differ = len({str(each) for each in seen}) > 1
    play.expect("tasks have words of their own", differ, seen)
    # crane and moist share no letter: a word has five letters to give to both.
    for crane, moist, _ in seen:
        given = 10 - crane.count("gray") - moist.count("gray")
        agree = given <= 5 and not any(a == b == "green" for a, b in zip(crane, moist, strict=True))
        play.expect("the colours agree with one place per letter", agree, f"{crane}, {moist}")
