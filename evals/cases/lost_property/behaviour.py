"""Tests of lost_property: the owner's replies, the content of the store, and the correct end."""

import re
from dataclasses import dataclass

from evals.episode import Play, PlayError, Seen, episode

KINDS = ("umbrella", "bag", "scarf", "hat")
COLOURS = ("red", "blue", "green", "black")
PLACES = ("bus", "park", "school", "station")
OWNERS = [("train", index) for index in range(12)] + [("test", index) for index in range(4)]


@dataclass(frozen=True)
class Wish:
    """The thing that an owner lost, as far as the owner's replies describe it."""

    kind: str
    colour: str
    place: str

    @property
    def thing(self) -> tuple[str, str, str]:
        """The lost thing as the store lists it."""
        return self.colour, self.kind, self.place


def line(text: str, name: str) -> str | None:
    """Return the content of the line with this name, or None unless there is exactly one such line."""
    found = re.findall(rf"^{name}: (.+?)\s*$", text, re.MULTILINE)
    return found[0] if len(found) == 1 else None


def told(seen: Seen, name: str, values: tuple[str, ...]) -> str:
    """Return a fact from the owner's reply. Raise PlayError if it is missing, because the test cannot continue."""
    value = line(seen.text, name)
    if value not in values:
        raise PlayError(f"expected a line {name} with one of {values} in {seen.text!r}")
    return value


def lost_kind(text: str) -> str:
    """Return the kind of the lost thing, which the opening line names."""
    found = re.findall(r"^OWNER: .*?\b(umbrella|bag|scarf|hat)\b", text, re.MULTILINE)
    if not found:
        raise PlayError(f"no OWNER line with a kind in {text[-500:]!r}")
    return found[-1]


def wish(play: Play, split: str, index: int) -> Wish:
    """Open an episode, and ask the owner for both facts."""
    kind = lost_kind(play.open(split, index).text)
    colour = told(play.message("Which colour is it?"), "COLOUR", COLOURS)
    place = told(play.message("And in which place?"), "PLACE", PLACES)
    return Wish(kind, colour, place)


def store(seen: Seen) -> dict[int, tuple[str, str, str]]:
    """Return the things in the result of a search, as color, kind and place by number."""
    found = re.findall(r"^THING (\d+): (\w+) (\w+), (\w+)\s*$", seen.text, re.MULTILINE)
    if not found and line(seen.text, "THING") != "none":
        raise PlayError(f"no THING line in {seen.text!r}")
    return {int(number): (colour, kind, place) for number, colour, kind, place in found}


def whole_store(play: Play) -> dict[int, tuple[str, str, str]]:
    """Return everything in the store. This takes four turns."""
    return {
        n: thing for kind in KINDS for n, thing in store(play.call("search", kind=kind)).items()
    }


def wanted(play: Play, here: bool) -> tuple[Wish, dict[int, tuple[str, str, str]]]:
    """Find the first owner whose thing is (``here``) or is not in the store. Return the thing and the search result."""
    for split, index in OWNERS:
        lost = wish(play, split, index)
        things = store(play.call("search", kind=lost.kind))
        if (lost.thing in things.values()) == here:
            return lost, things
        play.close()
    raise PlayError(f"there is no owner whose thing is {'' if here else 'not '}in the store")


def ended(play: Play, seen: Seen, verdict: str) -> tuple[bool, str]:
    """Return whether an episode ended with the expected verdict and reward, and a description of its end."""
    done, paid = play.done, play.close().returned
    shown = seen.unseen or line(seen.text, "VERDICT") == verdict
    held = shown and done and paid == float(verdict == "right")
    return held, f"{seen.text!r}, ended: {done}, it earned {paid}"


@episode("the owner tells colour and place when asked", "the owner tells one fact at a time")
def asking(play: Play) -> None:
    """Ask with each keyword alone, in capitals, with both keywords together, and without a keyword."""
    name = "the owner tells one fact at a time"
    lost = wish(play, "train", 0)
    loud = [play.message(text) for text in ("WHAT COLOUR?", "PLACE, PLEASE!")]
    again = line(loud[0].text, "COLOUR"), line(loud[1].text, "PLACE")
    held = again == (lost.colour, lost.place)
    play.expect("the owner tells colour and place when asked", held, f"{again} is not {lost}")
    both = play.message("Tell me the place and the colour.").text
    held = line(both, "COLOUR") == lost.colour and not re.search(r"^PLACE:", both, re.MULTILINE)
    play.expect(name, held, both)
    other = play.message("Good morning!").text
    held = not re.search(r"^(PLACE|COLOUR):", other, re.MULTILINE)
    play.expect(name, held and not play.done, other)
    play.close()


@episode("search lists the things of one kind")
def searching(play: Play) -> None:
    """Search for every kind. Each thing is listed once, with values that exist."""
    name = "search lists the things of one kind"
    play.open("test", 0)
    numbers: list[int] = []
    for kind in KINDS:
        seen = play.call("search", kind=kind)
        for number, (colour, shown, place) in store(seen).items():
            numbers.append(number)
            held = shown == kind and colour in COLOURS and place in PLACES and 10 <= number <= 99
            play.expect(name, held, seen.text)
    play.expect(name, numbers and len(set(numbers)) == len(numbers), numbers)
    play.close()


@episode("the right thing earns 1", "a wrong thing earns 0 and ends it")
def handing_over(play: Play) -> None:
    """Hand over the owner's thing, and then other things that are most similar to it."""
    lost, things = wanted(play, here=True)
    matching = [number for number, thing in things.items() if thing == lost.thing]
    seen = play.call("hand_over", number=matching[0])
    held, found = ended(play, seen, "right")
    play.expect("the right thing earns 1", held and len(matching) == 1, f"{matching}: {found}")
    for fact in (0, 2):  # the same colour, then the same place
        lost, things = wanted(play, here=True)
        if len(things) == 1:  # of the owner's kind there may be nothing else
            things |= whole_store(play)
        others = [number for number, thing in things.items() if thing != lost.thing]
        if not others:
            raise PlayError("there is only one thing in the store")
        same = [number for number in others if things[number][fact] == lost.thing[fact]]
        seen = play.call("hand_over", number=(same or others)[0])
        play.expect("a wrong thing earns 0 and ends it", *ended(play, seen, "wrong"))


@episode("handing over what is not in the store is refused")
def refusing(play: Play) -> None:
    """Hand over a number that is not in the store, and check that the store and the owner are unchanged."""
    name = "handing over what is not in the store is refused"
    kind = lost_kind(play.open("train", 1).text)
    things = whole_store(play)
    free = next(number for number in range(10, 100) if number not in things)
    refused = play.call("hand_over", number=free)
    held = line(refused.text, "VERDICT") is None and not play.done and not refused.reward
    play.expect(name, held, f"{free}: {refused.text!r}, ended: {play.done}")
    after = store(play.call("search", kind=kind))
    held = after == {number: thing for number, thing in things.items() if thing[1] == kind}
    play.expect(name, held, f"after it the store has {after}")
    told(play.message("Which colour is it?"), "COLOUR", COLOURS)
    play.close()


@episode("not here is right if it is true", "not here is wrong if it is not true")
def denying(play: Play) -> None:
    """Tell owners that their thing is not here: truly, truly with a keyword in the message, and falsely."""
    wanted(play, here=False)
    seen = play.message("I am sorry, it is not here.")
    play.expect("not here is right if it is true", *ended(play, seen, "right"))
    wanted(play, here=False)
    seen = play.message("A thing of that colour is NOT HERE.")
    play.expect("not here is right if it is true", *ended(play, seen, "right"))
    wanted(play, here=True)
    seen = play.message("I am sorry, it is not here.")
    play.expect("not here is wrong if it is not true", *ended(play, seen, "wrong"))


@episode("eight turns end it and earn 0", "what is refused is a turn, too")
def tiring(play: Play) -> None:
    """Send messages and search until the turns are used up, and then do so again with a refusal among the turns."""
    play.open("train", 2)
    for turn in range(1, 9):
        if play.done:
            play.expect("eight turns end it and earn 0", False, f"it ended before turn {turn}")
            break
        play.message("Please wait.") if turn % 2 else play.call("search", kind="hat")
    over = play.done
    paid = play.close().returned
    held = over and paid == 0.0
    play.expect("eight turns end it and earn 0", held, f"ended: {over}, it earned {paid}")
    play.open("train", 2)
    things = whole_store(play)
    play.call("hand_over", number=next(n for n in range(10, 100) if n not in things))
    for turn in range(6, 9):
        early = f"it ended before turn {turn}"
        play.expect("what is refused is a turn, too", not play.done, early)
        play.message("Please wait.")
    play.expect("what is refused is a turn, too", play.done, "it goes on after turn 8")
    play.close()


@episode("the splits have 12 and 4 owners of their own", "some things are here and some are not")
def splits(play: Play) -> None:
    """Compare all owners by the lost thing and the things of that kind in the store."""
    seen: list[str] = []
    here: dict[str, set[bool]] = {"train": set(), "test": set()}
    for split, index in OWNERS:
        lost = wish(play, split, index)
        things = store(play.call("search", kind=lost.kind))
        here[split].add(lost.thing in things.values())
        seen.append(f"{lost.thing} {sorted(things.items())}")
        play.close()
    counts = play.splits()
    sizes = counts is None or (counts.get("train"), counts.get("test")) == (12, 4)
    name = "the splits have 12 and 4 owners of their own"
    play.expect(name, sizes and len(set(seen)) == 16, f"{counts}: {seen}")
    held = here == {"train": {True, False}, "test": {True, False}}
    play.expect("some things are here and some are not", held, here)
