"""Tests of the fixed requirements for higher_lower: the tool, the line, the reward, and the splits."""

import re

from evals.episode import Play, PlayError, episode


def result(text: str) -> str | None:
    found = re.search(r"^RESULT: (higher|lower|correct)\s*$", text, re.MULTILINE)
    return found[1] if found else None


def search(play: Play, split: str, index: int, guesses: int = 7) -> tuple[int | None, list[str]]:
    """Search for the number by halving. Return the number, or None if it was not found, and all answers."""
    play.open(split, index)
    low, high, texts = 1, 100, []
    for _ in range(guesses):
        middle = (low + high) // 2
        seen = play.call("guess", number=middle)
        texts.append(seen.text)
        if seen.unseen:
            return middle, texts
        reported = result(seen.text)
        if reported == "correct":
            return middle, texts
        if reported is None or low > high:
            raise PlayError(f"no RESULT line that helps in {seen.text!r}")
        low, high = (middle + 1, high) if reported == "higher" else (low, middle - 1)
    return None, texts


@episode("each answer has the RESULT line", "the number can be found", "finding it pays 1")
def finding(play: Play) -> None:
    """Find two numbers by halving. Seven guesses are always enough."""
    for index in (0, 19):
        found, texts = search(play, "train", index)
        lines = all(result(text) for text in texts)
        play.expect("each answer has the RESULT line", lines, texts)
        play.expect("the number can be found", found, texts)
        paid = play.close().returned
        play.expect("finding it pays 1", paid == 1.0, f"it paid {paid}")


@episode("the answers are true")
def truth(play: Play) -> None:
    """Find a number, and check that the answers to guesses around it are true."""
    secret, _ = search(play, "train", 1)
    play.close()
    play.open("train", 1)
    for number in {max(1, secret - 1), min(100, secret + 1), 1, 100} - {secret}:
        reported = result(play.call("guess", number=number).text)
        wanted = "higher" if secret > number else "lower"
        play.expect(
            "the answers are true", reported == wanted, f"{secret} is {reported} than {number}"
        )
    play.close()


@episode("seven guesses end it", "missing pays 0", "no guess is played after the end")
def missing(play: Play) -> None:
    """Make seven wrong guesses."""
    secret, _ = search(play, "train", 2)
    play.close()
    play.open("train", 2)
    wrong = 1 if secret != 1 else 2
    for number in range(7):
        if play.done:
            play.expect("seven guesses end it", False, f"it ended after {number}")
        play.call("guess", number=wrong)
    play.expect("seven guesses end it", play.done, "it goes on after seven")
    late = play.call("guess", number=secret)
    reported = result(late.text)
    play.expect("no guess is played after the end", reported is None, late.text)
    paid = play.close().returned
    play.expect("missing pays 0", paid == 0.0, f"it paid {paid}")


@episode("a guess outside is refused and costs nothing")
def outside(play: Play) -> None:
    """Make two guesses that are refused, and then seven guesses that count."""
    play.open("test", 0)
    for number in (0, 101):
        refused = play.call("guess", number=number)
        name = "a guess outside is refused and costs nothing"
        play.expect(name, result(refused.text) is None, f"{number} was answered: {refused.text}")
    for number in range(7):
        if play.done:
            why = f"it ended after two refused and {number} other guesses"
            play.expect("a guess outside is refused and costs nothing", False, why)
            break
        if result(play.call("guess", number=1 + number).text) == "correct":
            break
    play.close()


@episode("train has 20 tasks and test 5", "the secret is not in what is read")
def splits(play: Play) -> None:
    """Check the sizes of the splits, and find five numbers of each split."""
    reported = play.splits()
    if reported is not None:
        right = reported.get("train") == 20 and reported.get("test") == 5
        play.expect("train has 20 tasks and test 5", right, reported)
    numbers = {}
    for split in ("train", "test"):
        for index in (0, 1, 2, 3, 4):
            numbers[split, index], _ = search(play, split, index)
            play.close()
    test = {number for (split, _), number in numbers.items() if split == "test"}
    train = {number for (split, _), number in numbers.items() if split == "train"}
    play.expect("train has 20 tasks and test 5", not test & train, f"both have {test & train}")
    opened = play.open("train", 3)
    read = opened.text + "".join(str(tool.schema) for tool in play.tools)
    leak = re.search(rf"\b{numbers['train', 3]}\b", re.sub(r"\b(1|100)\b", "", read))
    known = numbers["train", 3] in (1, 7, 100)
    play.expect("the secret is not in what is read", known or not leak, read)
    play.close()
