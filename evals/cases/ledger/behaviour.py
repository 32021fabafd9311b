"""Tests of ledger: money is neither created nor lost, and only equal accounts have a reward."""

import re

from evals.episode import Play, PlayError, episode


def balances(play: Play) -> dict[str, int]:
    found = {}
    for account in "ABCD":
        text = play.call("balance", account=account).text
        line = re.search(r"^BALANCE: (\d+)\s*$", text, re.MULTILINE)
        if not line:
            raise PlayError(f"no BALANCE line in {text!r}")
        found[account] = int(line[1])
    return found


def share(play: Play) -> None:
    left = balances(play)
    mean = sum(left.values()) // 4
    for _ in range(4):
        rich, poor = max(left, key=left.get), min(left, key=left.get)
        amount = min(left[rich] - mean, mean - left[poor])
        if not amount:
            return
        left[rich] -= amount
        left[poor] += amount
        play.call("transfer", source=rich, target=poor, amount=amount)


@episode("sharing equally pays 1")
def equal(play: Play) -> None:
    """Share the money equally and settle, in both splits."""
    for split in ("train", "test"):
        play.open(split, 0)
        share(play)
        play.call("settle")
        ended = play.done
        paid = play.close().returned
        play.expect("sharing equally pays 1", paid == 1.0 and ended, f"{split}: it paid {paid}")


@episode("a transfer moves just that", "too much is refused and changes nothing")
def moving(play: Play) -> None:
    """Make one transfer that is allowed and one transfer that is refused."""
    play.open("train", 1)
    before = balances(play)
    play.call("transfer", source="A", target="B", amount=3)
    after = balances(play)
    wanted = {**before, "A": before["A"] - 3, "B": before["B"] + 3}
    play.expect("a transfer moves just that", after == wanted, f"{before} became {after}")
    play.call("transfer", source="C", target="D", amount=after["C"] + 1)
    last = balances(play)
    play.expect("too much is refused and changes nothing", last == after, f"{after} became {last}")
    play.close()


@episode("finishing unequal pays 0", "stopping without settling pays 0")
def unequal(play: Play) -> None:
    """Settle at once with unequal accounts, and then share equally but never settle."""
    play.open("train", 2)
    play.call("settle")
    ended = play.done
    paid = play.close().returned
    held = ended and paid == 0.0
    play.expect("finishing unequal pays 0", held, f"ended: {ended}, it paid {paid}")
    play.open("train", 2)
    share(play)
    paid = play.close().returned
    play.expect("stopping without settling pays 0", paid == 0.0, f"it paid {paid}")


@episode("tasks have amounts of their own that can be shared")
def tasks(play: Play) -> None:
    """Open some tasks of each split, and compare their amounts."""
    seen = []
    for split, index in (("train", 0), ("train", 1), ("train", 9), ("test", 0), ("test", 3)):
        play.open(split, index)
        seen.append(tuple(balances(play).values()))
        play.close()
    held = len(set(seen)) == 5 and all(sum(each) % 4 == 0 for each in seen)
    play.expect("tasks have amounts of their own that can be shared", held, seen)
