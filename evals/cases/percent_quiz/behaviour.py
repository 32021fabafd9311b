"""percent_quiz: the question, the last line, and what each answer earns."""

import re
from decimal import Decimal

from evals.episode import Play, PlayError, episode


def question(text: str) -> tuple[int, int]:
    """The two numbers of the question."""
    found = re.findall(r"^QUESTION: What is (\d+) percent of (\d+)\?\s*$", text, re.MULTILINE)
    # A framework may show a row's own messages and the opening, which repeats them.
    if len(set(found)) != 1:
        raise PlayError(f"expected one QUESTION line, found {len(found)} in {text[-500:]!r}")
    share, whole = map(int, found[0])
    return share, whole


def opened(play: Play, split: str, index: int) -> Decimal:
    """Open an episode; the right answer to its question."""
    share, whole = question(play.open(split, index).text)
    return Decimal(share * whole) / 100


def earned(play: Play, split: str, index: int, message: str) -> float | None:
    """What one message earns. ``{right}`` and ``{+0.4}`` in it stand for numbers."""
    right = opened(play, split, index)

    def number(found: re.Match[str]) -> str:
        return written(right if found[1] == "right" else right + Decimal(found[1]))

    play.message(re.sub(r"\{(right|[+-][\d.]+)\}", number, message))
    return play.close().returned


def written(number: Decimal) -> str:
    """A number with digits and at most a point, without zeros at its end."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def expect(play: Play, name: str, messages: dict[str, float]) -> None:
    """Each message earns what it should, on a question of each split."""
    for place, (message, wanted) in enumerate(messages.items()):
        for split, index in (("train", place), ("test", place % 8)):
            got = earned(play, split, index, message)
            play.expect(name, got == wanted, f"{split} {index}: {message!r} earned {got}")


@episode("the right number earns 1")
def right(play: Play) -> None:
    """Alone, and after a line of work."""
    messages = {"ANSWER: {right}": 1.0, "I take it in steps.\n\nANSWER: {right}": 1.0}
    expect(play, "the right number earns 1", messages)


@episode("numbers are compared by value")
def value(play: Play) -> None:
    """With more zeros than needed."""
    right = opened(play, "train", 2)
    play.message(f"ANSWER: {right:.3f}")
    got = play.close().returned
    play.expect("numbers are compared by value", got == 1.0, f"{right:.3f} earned {got}")
    expect(play, "numbers are compared by value", {"ANSWER: 00{right}": 1.0})


@episode("less than 1 away earns a half", "1 away or more earns 0")
def near(play: Play) -> None:
    """On both sides of the bound; exactly 1 away only from whole numbers, which no float blurs."""
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
    """Right and wrong lines before the last one."""
    lines = {
        "ANSWER: {right}\nANSWER: {+7}": 0.0,
        "ANSWER: {+7}\nANSWER: {right}": 1.0,
        "ANSWER: {right}\nI hope that this helps.": 0.0,
    }
    expect(play, "only the last line counts", lines)
    expect(play, "blank lines at the end are ignored", {"ANSWER: {right}\n\n  \n": 1.0})


@episode("another form earns 0", "an empty message earns 0")
def form(play: Play) -> None:
    """The right number, but not as asked."""
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
    """A right one and a wrong one."""
    for message in ("ANSWER: {}", "I do not know."):
        message = message.format(written(opened(play, "train", 5)))
        play.message(message)
        play.expect("one message ends it", play.done, f"it goes on after {message!r}")
        play.close()


@episode("the splits have 20 and 8 questions, all different", "the numbers are as asked")
def splits(play: Play) -> None:
    """Every question there is."""
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
