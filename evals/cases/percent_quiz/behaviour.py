"""Tests of percent_quiz: the question, the last line, and the reward of each answer."""

import re
from decimal import Decimal

from evals.episode import Play, PlayError, episode


def question(text: str) -> tuple[int, int]:
    """Return the two numbers of the question."""
    found = re.findall(r"^QUESTION: What is (\d+) percent of (\d+)\?\s*$", text, re.MULTILINE)
    # A framework may show a row's own messages and the opening, which repeats them.
    if len(set(found)) != 1:
        raise PlayError(f"expected one QUESTION line, found {len(found)} in {text[-500:]!r}")
    share, whole = map(int, found[0])
    return share, whole


def opened(play: Play, split: str, index: int) -> Decimal:
    """Open an episode. Return the correct answer to its question."""
    share, whole = question(play.open(split, index).text)
    return Decimal(share * whole) / 100


def earned(play: Play, split: str, index: int, message: str) -> float | None:
    """Return an episode's return for this message. ``{right}`` and ``{+0.4}`` in the message stand for numbers."""
    right = opened(play, split, index)

    def number(found: re.Match[str]) -> str:
        return written(right if found[1] == "right" else right + Decimal(found[1]))

    play.message(re.sub(r"\{(right|[+-][\d.]+)\}", number, message))
    return play.close().returned


def written(number: Decimal) -> str:
    """Return a number with only digits and at most one decimal point, without trailing zeros after the point."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def expect(play: Play, name: str, messages: dict[str, float]) -> None:
    """Check that each message has the expected return, on one question of each split."""
    for place, (message, wanted) in enumerate(messages.items()):
        for split, index in (("train", place), ("test", place % 8)):
            got = earned(play, split, index, message)
            play.expect(name, got == wanted, f"{split} {index}: {message!r} earned {got}")


@episode("the right number earns 1")
def right(play: Play) -> None:
    """Answer with the correct number alone, and after a line of reasoning."""
    messages = {"ANSWER: {right}": 1.0, "I take it in steps.\n\nANSWER: {right}": 1.0}
    expect(play, "the right number earns 1", messages)


@episode("numbers are compared by value")
def value(play: Play) -> None:
    """Answer with more zeros than needed."""
    right = opened(play, "train", 2)
    play.message(f"ANSWER: {right:.3f}")
    got = play.close().returned
    play.expect("numbers are compared by value", got == 1.0, f"{right:.3f} earned {got}")
    expect(play, "numbers are compared by value", {"ANSWER: 00{right}": 1.0})


@episode("less than 1 away earns a half", "1 away or more earns 0")
def near(play: Play) -> None:
    """Answer with numbers that are less than 1 away from the correct number, and with numbers farther away.

    Answers that are exactly 1 away are tested only for whole numbers, which floats represent exactly.
    """
    close = {"ANSWER: {+0.4}": 0.5, "ANSWER: {+0.99}": 0.5, "ANSWER: {-0.1}": 0.5}
    expect(play, "less than 1 away earns a half", close)
    far = {"ANSWER: {+1.1}": 0.0, "ANSWER: {+2.5}": 0.0, "ANSWER: {+1000}": 0.0}
    expect(play, "1 away or more earns 0", far)
    for index in range(20):
        number = opened(play, "train", index)
        play.close()
        if number % 1 == 0:
            got = earned(play, "train", index, "ANSWER: {+1}")
            play.expect("1 away or more earns 0", got == 0.0, f"{number} + 1 earned {got}")
            break


@episode("only the last line counts", "blank lines at the end are ignored")
def last(play: Play) -> None:
    """Write correct and wrong answer lines before the last line."""
    lines = {
        "ANSWER: {right}\nANSWER: {+7}": 0.0,
        "ANSWER: {+7}\nANSWER: {right}": 1.0,
        "ANSWER: {right}\nI hope that this helps.": 0.0,
    }
    expect(play, "only the last line counts", lines)
    expect(play, "blank lines at the end are ignored", {"ANSWER: {right}\n\n  \n": 1.0})


@episode("another form earns 0", "an empty message earns 0")
def form(play: Play) -> None:
    """Answer with the correct number in a form that the question does not allow."""
    forms = {
        "{right}": 0.0,
        "ANSWER: {right} apples": 0.0,
        "ANSWER: {right}%": 0.0,
        "ANSWER: {+7} {right}": 0.0,
        "ANSWER: {right} or {+7}": 0.0,
        "ANSWER: ": 0.0,
    }
    expect(play, "another form earns 0", forms)
    expect(play, "an empty message earns 0", {"": 0.0})


@episode("one message ends it")
def ending(play: Play) -> None:
    """Send a correct answer and a wrong answer, each in its own episode."""
    for message in ("ANSWER: {}", "I do not know."):
        message = message.format(written(opened(play, "train", 5)))
        play.message(message)
        play.expect("one message ends it", play.done, f"it goes on after {message!r}")
        play.close()


@episode("the splits have 20 and 8 questions, all different", "the numbers are as asked")
def splits(play: Play) -> None:
    """Open every question of both splits."""
    read = []
    for split, count in (("train", 20), ("test", 8)):
        for index in range(count):
            share, whole = question(play.open(split, index).text)
            held = 1 <= share <= 99 and 20 <= whole <= 900 and whole % 10 == 0
            play.expect("the numbers are as asked", held, f"{split} {index}: {share}, {whole}")
            read.append((share, whole))
            play.close()
    counts = play.splits()
    sizes = counts is None or (counts.get("train"), counts.get("test")) == (20, 8)
    held = sizes and len(set(read)) == 28
    play.expect("the splits have 20 and 8 questions, all different", held, f"{counts}: {read}")
