"""Tests of Nim with the rules of nim.py: the pile after each move, the winner, and refused moves."""

import re

from evals.episode import Play, PlayError, episode

TRAIN = [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19]
TEST = [21, 22, 23, 25]


def stones(text: str) -> int:
    found = re.findall(r"^STONES: (\d+)\s*$", text, re.MULTILINE)
    if not found:
        raise PlayError(f"no STONES line in {text[-300:]!r}")
    return int(found[-1])


@episode("playing well wins", "the computer plays by its rule", "winning pays 1")
def winning(play: Play) -> None:
    """Win by always leaving a multiple of four stones."""
    for split, index, pile in (("train", 0, 5), ("test", 1, 22)):
        play.open(split, index)
        left = pile
        while left and not play.done:
            count = left % 4 or 1
            seen = play.call("take", count=count)
            left -= count
            left -= (left % 4 or 1) if left else 0
            reported = left if seen.unseen else stones(seen.text)
            play.expect(
                "the computer plays by its rule", reported == left, f"{reported}, not {left}"
            )
            left = reported
        paid = play.close().returned
        play.expect("playing well wins", play.done and left == 0, f"{left} stones are left")
        play.expect("winning pays 1", paid == 1.0, f"it paid {paid}")


@episode("a mistake loses", "losing pays 0", "nothing is taken after the end")
def losing(play: Play) -> None:
    """Lose by leaving the number of stones that the computer needs."""
    play.open("train", 0)
    left = 5
    for count in (2, 1, 1, 1, 1):
        if play.done:
            break
        seen = play.call("take", count=count)
        left = 0 if seen.unseen else stones(seen.text)
    play.expect("a mistake loses", play.done and left == 0, f"{left} stones are left")
    late = play.call("take", count=1)
    held = "STONES: " not in late.text or stones(late.text) == 0
    play.expect("nothing is taken after the end", held, late.text)
    paid = play.close().returned
    play.expect("losing pays 0", paid == 0.0, f"it paid {paid}")


@episode("taking too many is refused")
def refused(play: Play) -> None:
    """Try to take four stones, and then take one stone. The refused move leaves the pile unchanged."""
    play.open("train", 1)
    play.call("take", count=4)
    seen = play.call("take", count=1)
    left = stones(seen.text)
    play.expect("taking too many is refused", left == 4, f"6 less 1 less the computer's is {left}")
    play.close()


@episode("the splits have their piles")
def splits(play: Play) -> None:
    """Open the first and the last task of each split."""
    for split, piles in (("train", TRAIN), ("test", TEST)):
        for index in (0, len(piles) - 1):
            play.open(split, index)
            seen = play.call("take", count=1)
            after = piles[index] - 1
            after -= after % 4 or 1
            if not seen.unseen:
                reported = stones(seen.text)
                name = "the splits have their piles"
                play.expect(name, reported == after, f"{split} {index}: {reported}, not {after}")
            play.close()
