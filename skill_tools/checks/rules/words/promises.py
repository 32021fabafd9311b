"""WOR: whether texts agree with each other, and whether calls described as final are final."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import MAX_TURNS, PROMPT, REFERENCE, REWARD_RANGE, TOOLS, probe
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.probed import attempts, describe, top_of, tops
from skill_tools.checks.reading.sentences import sentences
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

_ENDS = re.compile(
    r"\b(?:it|that|this|which)(?: also)? ends the (?:episode|game|task|hunt)\b", re.IGNORECASE
)
_ONCE = re.compile(
    r"(?:,|`|\bcall(?:ed)?|\bdone|\bonly|\bexactly|\bjust|\bit|\banswer) once\b(?=\s*(?:[.,;:)]|and\b|$))"
    rf"|{_ENDS.pattern}",
    re.IGNORECASE,
)
_IF = re.compile(
    r"\b(?:if|when|once you|unless|as soon as|after|correct|right|wrong|win|else|each|every|per|same|again|twice)\b"
    # Something that occurs once in a text is not a call.
    r"|\b(?:occurs?|appears?|stands?|contains?|found|there)\b[^.\n]* once\b|\b(?:in|within) (?:the|a|an|its"
    r"|your|that) \w+ (?:exactly|only|just) once\b",
    re.IGNORECASE,
)


@check(
    "WOR011",
    "once-is-not-once",
    fix="set done on the call that the text calls final, whatever its content",
    needs=[REFERENCE, TOOLS, PROMPT],
    after=["EPI002"],
)
def once_is_not_once(evidence: Evidence) -> Iterator[Hit]:
    """A call that the text describes as final ends the episode; a call allowed only once is accepted only once.

    Otherwise a policy guesses until an answer is right.
    """
    final = {
        tool["name"]: said
        for tool in TOOLS.of(evidence)
        if (said := _final(str(tool.get("description", "")), PROMPT.of(evidence), tool["name"]))
    }
    made = False
    for name, said in final.items():
        for each in evidence.every_bare:
            accepted = [step for step in each.steps if step.tool == name and not step.error]
            made = made or bool(accepted)
            if each.end == "failed" or all(step.done for step in accepted):
                continue
            if _ENDS.search(said):
                what = "did not end the episode"
            elif len(accepted) > 1:
                what = "was accepted twice"
            else:
                continue
            message = f"{named(each)}: {name} {what}, but the text says {said!r}"
            yield Hit(message, each, Place(task=each.label, tool=name))
            break
    if not final:
        yield skip("no text says that a call ends the episode")
    elif not made:
        yield skip("no call that the text describes as final was accepted")


def _final(description: str, prompt: str, name: str) -> str:
    """Return the sentence that says that a tool can be used only once, or "".

    The sentence is in the tool's description, or near the tool's name in the prompt.
    """
    final = sentences(description)
    said = sentences(prompt)
    for place, sentence in enumerate(said):
        if re.findall(r"`(\w+)`", sentence) == [name]:
            following = said[place + 1 : place + 2]
            final += [
                sentence,
                *(s for s in following if s.startswith(("That ", "It ", "This "))),
            ]
    for sentence in final:
        if _ONCE.search(sentence) and not _IF.search(sentence):
            return sentence[:120]
    return ""


_UNBOUNDED = re.compile(
    r"\b(?:any number of times|an unlimited number|unlimited(?:ly)?|without (?:any )?limit|no limit (?:on|to|for)"
    r"|as (?:often|many times|many \w+) as you (?:like|want|wish|please|need)|however often"
    r"|however many (?:times|calls|turns|steps|moves|attempts|guesses|questions|messages|cells)|for ?ever)\b",
    re.IGNORECASE,
)


@check(
    "WOR013",
    "limit-denied",
    fix="state the limit (turns, and refusals if these are free) in the prompt, and correct the "
    "sentence that promises no limit",
    needs=[PROMPT, MAX_TURNS],
    level="warn",
    trusts="nothing",
)
def limit_denied(evidence: Evidence) -> Iterator[Hit]:
    """If the text describes calls as unlimited, no limit ends the episode because of such calls.

    Otherwise a model that relies on the text makes one attempt too many, and loses all reward that it had earned.
    """
    limit = evidence.declaration.max_turns
    if limit == 1:
        yield skip("an episode is one turn, so no text is about repeated calls")
        return
    if re.search(rf"\b{limit} (?:tool )?(?:calls?|turns?|steps?|actions?)\b", PROMPT.of(evidence)):
        return  # the prompt states it somewhere
    described = [("the prompt", Place(), PROMPT.of(evidence))]
    described += [
        (
            f"the description of {tool['name']}",
            Place(tool=tool["name"]),
            str(tool.get("description", "")),
        )
        for tool in evidence.declaration.tools or ()
    ]
    for where, place, text in described:
        for sentence in re.split(r"(?<=[.!?;])\s+", " ".join(text.split())):
            found = _UNBOUNDED.search(sentence)
            if found and not re.search(r"\d", sentence):
                message = (
                    f"{where} says {sentence[:160]!r}, "
                    f"but an episode ends after {limit} turns at the latest"
                )
                yield Hit(message, place=place)


_AS = re.compile(
    r"\b(?:as|you are|you play|you have|your (?:own )?(?:pieces?|marks?|discs?|stones?|symbols?) (?:is|are))"
    r" (?:the )?[`'\"]?(?P<mark>[A-Z])\b(?![a-z'])"
)
_MARK = re.compile(r"(?<![A-Za-z])[A-Z](?![A-Za-z])")


@check(
    "WOR014",
    "wrong-side",
    fix="make the prompt name the mark that the agent's own moves place",
    needs=[REFERENCE, PROMPT, REWARD_RANGE],
    after=["REW002"],
)
def wrong_side(evidence: Evidence) -> Iterator[Hit]:
    """The agent's last move places the mark that the prompt assigns to the agent.

    Otherwise the model plays for the other side, and good moves make it lose.
    """
    sides = {found["mark"]: found[0] for found in _AS.finditer(PROMPT.of(evidence))}
    left: Counter[str] = Counter()
    shown: Trajectory | None = None
    for each in (evidence.reference.episodes or {}).get("oracle", {}).values():
        if len(each.steps) > 1 and each.total == top_of(evidence, each):
            before, after = (Counter(_marks(step.text)) for step in each.steps[-2:])
            if (grown := after - before).total() == 1:
                left.update(grown)
                shown = shown or each
    if len(sides) != 1:
        yield skip("the prompt gives the agent no mark, or several")
    elif len(left) != 1 or left.total() < WINS:
        yield skip("the oracle's last moves do not all place the same mark")
    elif sides.keys() != left.keys():
        (mark, count), (said,) = *left.items(), sides.values()
        message = (
            f"the prompt says {said!r}, but the oracle's last move places {mark!r} in {count} tasks"
        )
        yield Hit(message, shown, Place(task=shown.label if shown else ""))


def _marks(text: str) -> list[str]:
    """Return the single capital letters in the lines of a text that contain no words, as on a board."""
    boards = [line for line in text.splitlines() if not re.search(r"[A-Za-z][a-z]{2,}", line)]
    return _MARK.findall(" ".join(boards))


WINS = 3
"""Minimum tasks whose last move shows which mark is the agent's."""
_SIDES = {"top": "upright", "bottom": "upright", "left": "level", "right": "level"}
_ONE = r"(?:[01]|zero|one)"
"""Where counting may start."""
_SIDE = r"(?P<side>top|bottom|left|right)(?:most)?"
_CORNER = r"(?P<side>(?:top|bottom)[- ](?:left|right))"
_ACROSS = r"\b(?:rows?|y|lines?|columns?|x)\b"
_FIRST = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_ACROSS}[^.;:]{{0,30}}?\b{_ONE}\b[^.;:0-9]{{0,20}}?\b(?:at|from|is|in) (?:at )?the {_SIDE}\b",
        rf"\b{_ONE} ?\((?:at )?(?:the )?{_SIDE}\b",
        rf"\b(?:counted|counting|numbered|numbering|indexed)\b[^.;:]{{0,30}}?\bfrom (?:the )?{_SIDE}\b",
        rf"\b{_ONE} ?(?:to|-|\u2013) ?\d+,? from the {_SIDE}\b",
        rf"{_ACROSS}[^.;:]{{0,12}}? from the {_SIDE},? (?:starting (?:at|with) |\()?{_ONE}\b",
        rf"\b{_ONE}-based[^.;:]{{0,20}}? from the {_SIDE}\b",
        rf"\b{_ONE}\b[^.;:0-9]{{0,30}}?\b(?:at|from|is) (?:at )?the {_CORNER}\b",
        rf"\b{_CORNER}\b[^.;:0-9]{{0,25}}?\b[01]\b",
        rf"\bpixels? from the {_SIDE}\b",
        r"\by (?:grows|goes|increases|points)[^.;]{0,20}?(?P<side>down|up)",
    )
)
"""Phrases in which texts say from which side rows or columns are counted."""


@check(
    "WOR012",
    "directions-contradict",
    fix="state the same corner as in the picture, wherever a text says how rows and columns are counted",
    needs=[PROMPT, TOOLS],
    trusts="nothing",
)
def directions_contradict(evidence: Evidence) -> Iterator[Hit]:
    """The prompt and all descriptions agree on the sides from which rows and columns are counted.

    Otherwise a model's calls are wrong whenever it follows the wrong text.
    """
    texts = [("the prompt", Place(), PROMPT.of(evidence))]
    for tool, parameters in evidence.declaration.parameters.items():
        texts += [
            (
                f"{tool}.{name}",
                Place(tool=tool, parameter=name),
                f"{name}: {schema.get('description', '')}",
            )
            for name, schema in parameters.items()
        ]
    said: dict[str, tuple[str, str, str]] = {}
    compared = False
    for where, place, text in texts:
        line = " ".join(text.split())
        for found in (found for pattern in _FIRST for found in pattern.finditer(line)):
            for side in _sides(found):
                compared = compared or _SIDES[side] in said
                first = said.setdefault(_SIDES[side], (side, where, found[0]))
                if first[0] != side:
                    message = f"{first[1]} says {first[2]!r}, but {where} {found[0]!r}"
                    yield Hit(message, place=place)
                    return
    if not compared:
        yield skip("the texts state at most once from which side rows or columns are counted")


def _sides(found: re.Match[str]) -> list[str]:
    """Return the side or sides named in a match, such as ["top", "left"] for "top-left"."""
    words = re.split(r"[- ]", found["side"].lower())
    return [_OTHER_WORDS.get(word, word) for word in words]


_OTHER_WORDS = {"down": "top", "up": "bottom"}
"""Where y begins, by the direction in which it grows."""
_ORDERED = re.compile(
    r"\bin (?:the|this|that) (?:given |right |same |following )?order\b|\bone after the other\b|\bin order\b",
    re.IGNORECASE,
)


@check(
    "WOR015",
    "order-not-kept",
    fix="reward only the next step in the order, or remove the order from the text",
    needs=[probe("backwards"), PROMPT, REWARD_RANGE],
    after=["REW002"],
    level="warn",
)
def order_not_kept(evidence: Evidence) -> Iterator[Hit]:
    """If the prompt asks for an order, the reversed solution has a lower return.

    Otherwise the effort of a model that follows the text is wasted.
    """
    found = attempts(evidence, "backwards")
    paid = tops(evidence, found)
    said = _ORDERED.search(PROMPT.of(evidence))
    if not said:
        yield skip("the prompt asks for no order")
    elif len(found) < WINS:
        yield skip(f"fewer than {WINS} solutions played in reverse order have a return")
    elif len(paid) * 2 >= len(found):
        message = (
            f"the prompt says {said[0]!r}, but {paid[0].words} reaches the maximum in {len(paid)} of "
            f"{len(found)} tasks, {describe(paid[0])}"
        )
        yield Hit(message, paid[0].trajectory, Place(task=paid[0].of))


CHECKS = (once_is_not_once, directions_contradict, limit_denied, wrong_side, order_not_kept)
