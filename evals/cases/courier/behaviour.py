"""Tests of courier: the position, refused actions, and the reward of each delivery in its own step."""

import re
from itertools import pairwise, permutations

from evals.episode import Play, PlayError, Seen, episode

Place = tuple[int, int]
STEPS = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
LINE = re.compile(r"^AT: (\d),(\d) OPEN: (none|\d,\d(?: \d,\d)*)\s*$", re.MULTILINE)


def places(text: str) -> tuple[Place, list[Place]] | None:
    """Return the positions of the courier and the waiting houses, or None if no line of the text has them."""
    found = LINE.findall(text)
    if not found:
        return None
    x, y, shown = found[-1]
    waiting = (
        [] if shown == "none" else [tuple(map(int, each.split(","))) for each in shown.split()]
    )
    return (int(x), int(y)), sorted(waiting)


def read(seen: Seen) -> tuple[Place, list[Place]]:
    """Return the same positions as ``places``. Raise PlayError if no line of the text has them."""
    shown = places(seen.text)
    if shown is None:
        raise PlayError(f"no line AT: x,y OPEN: … in {seen.text[-300:]!r}")
    return shown


def go(play: Play, at: Place, to: Place) -> list[Seen]:
    """Walk from one field to another."""
    (x, y), (to_x, to_y) = at, to
    ways = ["east" if to_x > x else "west"] * abs(to_x - x)
    ways += ["south" if to_y > y else "north"] * abs(to_y - y)
    return [play.call("walk", direction=way) for way in ways]


def apart(one: Place, other: Place) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def shortest(at: Place, waiting: list[Place]) -> list[Place]:
    """Return the houses in the order that takes the fewest steps. No map takes more than 16 steps."""
    orders = [(at, *order) for order in permutations(waiting)]
    return list(min(orders, key=lambda order: sum(apart(*two) for two in pairwise(order)))[1:])


def nearest(at: Place, waiting: list[Place]) -> Place:
    return min(waiting, key=lambda each: apart(at, each))


@episode(
    "every answer has the line", "a delivery pays a quarter in its step", "walking pays nothing",
    "four deliveries end it and pay 1",
)  # fmt: skip
def delivering(play: Play) -> None:
    """Deliver to all houses in one task of each split."""
    for split in ("train", "test"):
        at, waiting = read(play.open(split, 1))
        for house in shortest(at, waiting):
            walked = go(play, at, house)
            paid = [seen.reward for seen in walked]
            play.expect("walking pays nothing", not any(paid), paid)
            brought = play.call("deliver")
            shown = [places(seen.text) for seen in (*walked, brought)]
            play.expect("every answer has the line", all(shown), walked)
            name = "a delivery pays a quarter in its step"
            play.expect(name, brought.reward == 0.25, f"it paid {brought.reward}")
            at, waiting = house, [each for each in waiting if each != house]
            right = shown[-1] == (at, waiting)
            play.expect("every answer has the line", right, f"{shown[-1]} is not {(at, waiting)}")
        ended = play.done
        paid = play.close().returned
        held = ended and paid is not None and abs(paid - 1.0) < 1e-6
        play.expect("four deliveries end it and pay 1", held, f"ended: {ended}, it paid {paid}")


@episode("a step goes one field", "leaving the grid changes nothing")
def walking(play: Play) -> None:
    """Walk to the north west corner, against both walls, and back."""
    at, waiting = read(play.open("train", 2))
    for way in ["west"] * at[0] + ["north"] * at[1]:
        wanted = (at[0] + STEPS[way][0], at[1] + STEPS[way][1])
        shown = read(play.call("walk", direction=way))
        play.expect("a step goes one field", shown == (wanted, waiting), f"{at} {way}: {shown}")
        at = wanted
    refused = [play.call("walk", direction=way) for way in ("west", "north")]
    paid = [seen.reward or 0.0 for seen in refused]
    back = [read(play.call("walk", direction=way))[0] for way in ("east", "south")]
    held = back == [(1, 0), (1, 1)] and not any(paid)
    play.expect("leaving the grid changes nothing", held, f"then {back}; paid {paid}")
    play.close()


@episode("a delivery where none waits is refused and pays nothing")
def again(play: Play) -> None:
    """Deliver twice at one house, and then next to a house."""
    name = "a delivery where none waits is refused and pays nothing"
    at, waiting = read(play.open("train", 3))
    house = nearest(at, waiting)
    go(play, at, house)
    play.call("deliver")
    left = [each for each in waiting if each != house]
    twice = play.call("deliver")
    play.expect(name, not twice.reward and not play.done, f"again it paid {twice.reward}")
    ways = {way: (house[0] + dx, house[1] + dy) for way, (dx, dy) in STEPS.items()}
    free = [way for way, (x, y) in ways.items() if {x, y} <= set(range(5)) and (x, y) not in left]
    for way in free[:1]:
        _, shown = read(play.call("walk", direction=way))
        play.expect(name, shown == left, f"{left} became {shown}")
        adjacent = play.call("deliver")
        play.expect(name, not adjacent.reward, f"beside it paid {adjacent.reward}")
    paid = play.close().returned
    play.expect(name, paid == 0.25, f"in all it paid {paid}")


@episode("24 allowed actions end it", "what is refused is not counted", "what was delivered stays")
def tiring(play: Play) -> None:
    """Make one delivery and some refused deliveries, and then walk to and fro."""
    at, waiting = read(play.open("train", 4))
    house = nearest(at, waiting)
    used = len(go(play, at, house)) + 1
    play.call("deliver")
    for _ in range(3):
        play.call("deliver")
    ways = ("east", "west") if house[0] < 4 else ("west", "east")
    for number in range(used, 24):
        if play.done:
            play.expect("what is refused is not counted", False, f"over after {number} actions")
            break
        play.call("walk", direction=ways[(number - used) % 2])
    play.expect("what is refused is not counted", True)
    play.expect("24 allowed actions end it", play.done, "it goes on after 24")
    paid = play.close().returned
    play.expect("what was delivered stays", paid == 0.25, f"it paid {paid}")


@episode("the splits have 12 and 4 maps of their own", "a map has four houses on the grid")
def maps(play: Play) -> None:
    """Open every map of both splits."""
    seen = []
    for split, count in (("train", 12), ("test", 4)):
        for index in range(count):
            shown = read(play.open(split, index))
            seen.append(str(shown))
            inside = all({x, y} <= set(range(5)) for x, y in (shown[0], *shown[1]))
            held = len(set(shown[1])) == 4 and inside
            play.expect("a map has four houses on the grid", held, shown)
            play.close()
    shown = play.splits()
    counts = shown is None or (shown.get("train") == 12 and shown.get("test") == 4)
    held = counts and len(set(seen)) == 16
    play.expect("the splits have 12 and 4 maps of their own", held, f"{shown}: {seen}")
