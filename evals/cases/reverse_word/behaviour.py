"""Tests of reverse_word: the lines, the two tries, and their rewards."""

import re

from evals.episode import Play, PlayError, episode


def word(text: str) -> str:
    found = re.findall(r"WORD: (\S+)", text)
    if not found:
        raise PlayError(f"no WORD line in {text[-300:]!r}")
    return found[-1]


def verdict(text: str) -> str | None:
    found = re.search(r"VERDICT: (right|wrong)", text)
    return found[1] if found else None


@episode("right at the first try pays 1", "case does not matter")
def first(play: Play) -> None:
    """Answer with the reversed word, once unchanged and once in capitals."""
    given = word(play.open("train", 0).text)
    seen = play.call("answer", word=given[::-1])
    paid = play.close().returned
    name = "right at the first try pays 1"
    held = verdict(seen.text) == "right" and paid == 1.0 and play.done
    play.expect(name, held, f"{seen.text!r} paying {paid}")
    given = word(play.open("train", 1).text)
    seen = play.call("answer", word=given[::-1].upper())
    play.expect("case does not matter", verdict(seen.text) == "right", seen.text)
    play.close()


@episode("wrong is told and may be tried again", "right at the second try pays a half")
def second(play: Play) -> None:
    """Answer with the word itself, and then with the reversed word."""
    given = word(play.open("train", 2).text)
    seen = play.call("answer", word=given)
    again = verdict(seen.text) == "wrong" and not play.done
    play.expect("wrong is told and may be tried again", again, seen.text)
    play.call("answer", word=given[::-1])
    paid = play.close().returned
    play.expect("right at the second try pays a half", paid == 0.5, f"it paid {paid}")


@episode("two wrong tries end it for nothing")
def never(play: Play) -> None:
    """Answer twice with the word itself."""
    given = word(play.open("train", 3).text)
    for _ in range(2):
        play.call("answer", word=given)
    ended = play.done
    paid = play.close().returned
    held = ended and paid == 0.0
    play.expect("two wrong tries end it for nothing", held, f"ended: {ended}, it paid {paid}")


@episode("the splits have words of their own")
def splits(play: Play) -> None:
    """Read the ten words of one split and the four words of the other split."""
    read: dict[str, set[str]] = {"train": set(), "test": set()}
    for split, count in (("train", 10), ("test", 4)):
        for index in range(count):
            read[split].add(word(play.open(split, index).text))
            play.close()
    held = not read["train"] & read["test"] and len(read["train"]) == 10 and len(read["test"]) == 4
    play.expect("the splits have words of their own", held, read)
