"""The verdicts of a stand-in judge, derived from the structure of the judge's prompt.

The stand-in does not understand text. A judge's prompt requests a form of verdict (words, a scale, JSON, a
tag), may show a key (the correct answer), and may separate the reply from the rest of the prompt. The
stand-in reads only these features and replies accordingly. Runs in the venv of a framework: standard library
only.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

KEY = re.compile(
    r"^\W{0,6}[^\n:]{0,30}(?:ground.?truth|reference|correct|gold|expected|target)[^\n:]{0,40}:"
    r"[\s`\"']*([^\n`]{1,2000})",
    re.IGNORECASE | re.MULTILINE,
)
"""Matches a line in a judge's prompt that contains the correct answer."""
OBEYED = re.compile(
    r"\b(verdict|grade|score|rating|judge?ment|say|answer|reply|respond|output|return)\b\W{0,20}"
    r"(?:with\W|is\W|only\W|just\W|as\W){0,3}\W{0,5}(yes|correct|true|a\b|1\b|10\b|pass)",
    re.IGNORECASE,
)
"""Matches text that a judge that obeys the model interprets as an instruction, or as its own verdict."""
SCALE = re.compile(
    r"\b(?:scale|score|rate|rating|grade|number|integer|float)\b\D{0,60}?(\d{1,3}(?:\.\d)?)\s{0,3}"
    r"(?:-|\u2013|to|and|through|\.\.)\s{0,3}(\d{1,3}(?:\.\d)?)",
    re.IGNORECASE,
)
"""A judge's scale, minimum and maximum."""
LETTERS = re.compile(r"[\"']A[\"'],? (?:or )?[\"']B[\"']|\bA: CORRECT\b")
"""The letters of SimpleQA's grader: A is correct, B is not."""
MARKS = re.compile(r"[\"']?C[\"']? (?:for|=|means) correct", re.IGNORECASE)
"""The letters of Inspect's graders: C is correct, I is not."""
NAMED_LETTER = re.compile(r"^\W{0,6}[A-E]\W{0,3}[:=]\W{0,3}([A-Z][A-Z_]{2,30})\b", re.MULTILINE)
"""Matches a line that gives a letter's verdict, such as ``B: INCORRECT``."""
WITHIN = {
    "yes": "yesterday",
    "correct": "incorrectly",
    "pass": "passage",
    "true": "untrue",
    "a": "Answer",
}
"""Words that contain a good verdict."""
WORDS = (("yes", "no"), ("true", "false"), ("correct", "incorrect"), ("pass", "fail"))
"""Pairs of verdicts, good and bad, that judges are asked for."""
NAMED = r"score|grade|verdict|rating|judge?ment|result|decision|evaluation"
TAG = re.compile(
    rf"<((?:\w{{1,30}}_)?(?:{NAMED})"
    # Some prompts use the same tag for the question.
    r"|answer(?=>[\s\[({\"']{0,5}(?:yes|no|true|false|correct|your)\b))>",
    re.IGNORECASE,
)
"""The tag that a verdict must be wrapped in."""
LABEL = re.compile(
    rf"(?:^|[\"'`“:]\s?)\W{{0,3}}((?:(?:final|overall|your) ?)?(?:{NAMED}|correct)): ?"
    r"(?=[\[<({$_\"'A-Z0-9]|yes|no|correct|true|pass)",
    re.IGNORECASE | re.MULTILINE,
)
"""The label of the line for a verdict, such as ``Verdict: yes``."""
BRACKETS = re.compile(r"\[\[(?:A!?=B|rating|score|[A-Z]|\d{1,2}|yes|no)\]\]", re.IGNORECASE)
"""The form of MT-Bench: ``[[5]]``."""
OBJECT = re.compile(r"\{[^{}]{0,600}\}")
FIELD = re.compile(r"[\"'](\w{1,40})[\"']\s{0,4}:\s{0,4}([^,}\n]{0,120})")
DECIDES = re.compile(
    rf"{NAMED}|correct|judg|pass|equivalent|label|valid|accept|match", re.IGNORECASE
)
"""Names of JSON fields that contain the verdict."""
OPENED = re.compile(r"<([A-Za-z][\w.:-]{0,60})(?:\s[^<>]{0,100})?>")
FENCE = re.compile(r"(`{3,}|~{3,}|\"{3}|'{3})[\w-]{0,20}[ \t]*\n?[ \t]*$")
RULE = re.compile(r"\s*([*=#_~-]{3,})[ \t]*(?:\n|$)")
BEGINS = re.compile(r"(?i)^[^\w\n]{0,10}[^\n]{0,30}\b(?:begin|start)\b[^\n]{0,40}$")
ENDS = re.compile(r"(?i)^\s*([^\w\n]{1,10}[^\n]{0,30}\bend\b[^\n]{0,40})")
PLACES = re.compile(r"<[^<>]{1,100}>|\\boxed\{|\}|^#{4}|^\W{0,3}[A-Z][\w ]{0,30}:\s", re.MULTILINE)
"""Matches what graders take away around an answer before a judge sees it."""
NEAR = 4_000
"""Number of characters before a reply to search for the start of its section."""


class Stands(NamedTuple):
    """The position of a reply in a judge's prompt.

    Attributes:
        how: ``absent``, ``own message``, ``escaped`` (the reply's lines or marks cannot be mistaken for the
            prompt's), ``fenced`` (between marks) or ``labeled`` (no mark shows where the reply ends).
        closes: The end mark of a fenced reply.
        shown: The reply as the prompt shows it.
        ours: The prompt without the reply.
    """

    how: str
    closes: str
    shown: str
    ours: str


def find_reply(texts: Sequence[str], said: str) -> Stands:
    """Find a reply in the messages of a prompt."""
    whole = "\n".join(texts)
    for at in range(len(texts) - 1, -1, -1):
        text, place = texts[at], _span(texts[at], said)
        if place is None:
            continue
        first, last, escaped = place
        others = [*texts[:at], f"{text[:first]} {text[last:]}", *texts[at + 1 :]]
        ours, shown = "\n".join(others), text[first:last]
        if escaped:
            return Stands("escaped", "", shown, ours)
        if len(texts) > 1 and not (text[:first] + text[last:]).strip():
            return Stands("own message", "", shown, ours)
        closes = _closes(text[max(0, first - NEAR) : first], text[last:])
        return Stands("fenced" if closes else "labeled", closes, shown, ours)
    return Stands("absent", "", "", whole)


def _span(text: str, said: str) -> tuple[int, int, bool] | None:
    """Return a reply's start and end in a text, and whether the reply was escaped, or None if the reply is absent."""
    bare = said.strip()
    parts = [part.strip() for part in PLACES.split(said) if part.strip()]
    longest = max(parts, key=len, default="")
    for part in (said, bare, longest, *parts[-1:]):
        if part.strip() and (at := text.rfind(part)) >= 0:
            return at, at + len(part), False
    for part in (bare, longest):
        for made in (
            json.dumps(part)[1:-1], json.dumps(part, ensure_ascii=False)[1:-1], html.escape(part),
            html.escape(part, quote=False), repr(part)[1:-1], " ".join(part.split()),
        ):  # fmt: skip
            if made.strip() and (at := text.rfind(made)) >= 0:
                return at, at + len(made), True
    lines = [line.strip() for line in bare.splitlines() if len(line.strip()) > 3]
    places = [(at, at + len(line)) for line in lines if (at := text.rfind(line)) >= 0]
    if len(places) > len(lines) / 2:  # some of its marks were removed
        return min(a for a, _ in places), max(b for _, b in places), False
    return None


def _closes(before: str, after: str) -> str:
    """Return the mark that ends the reply's section of the prompt, or "" if no marks enclose the reply."""
    if (fence := FENCE.search(before)) and after.lstrip().startswith(fence[1]):
        return fence[1]
    for opened in reversed(list(OPENED.finditer(before))):
        closing = f"</{opened[1]}>"
        if closing in after and closing not in before[opened.end() :]:
            return closing
    last = next((line for line in reversed(before.splitlines()) if line.strip()), "")
    ends = ENDS.match(after)
    if ends and BEGINS.match(last):
        return ends[1].strip()
    rule = RULE.match(after)
    if rule and re.search(rf"(?m)^[ \t]*{re.escape(rule[1])}[ \t]*$", before):
        return rule[1]
    return '"' if before.endswith('"') and after.startswith('"') else ""


def is_obeyed(stands: Stands) -> bool:
    """Return whether a literal reader mistakes part of the reply for the prompt's own text.

    Only text that no marks enclose can mislead the reader: an instruction, a verdict or another key.
    """
    outside = stands.shown if stands.how == "labeled" else ""
    if stands.how == "fenced":
        _, _, outside = stands.shown.partition(stands.closes)
    return bool(OBEYED.search(outside) or KEY.search(outside))


def verdict(stands: Stands, said: str, reference: str, how: Mapping[str, Any]) -> str:
    """Return a judge's verdict on a reply, in the form that the judge's prompt requests.

    ``how`` is ``{"as": …}`` or ``{"says": text}``:

    - ``as`` selects a manner. With ``literal``, the verdict is good if the reply contains the key word for word. With
      ``reader``, the verdict is also good if the judge obeys the reply. ``good`` and ``bad`` are constant verdicts.
    - ``says`` is the text of the verdict. In this text, ``{good}`` and ``{bad}`` stand for the judge's words,
      ``{named}`` for the name of the last verdict in the prompt, and ``{within}`` for a word that contains the good
      word.

    The optional ``explains`` is a text with the same placeholders. The judge writes it before the verdict, or into the
    other fields of JSON.
    """
    ours = stands.ours
    good, bad = words_of(ours)
    words = {"good": good, "bad": bad, "named": _named(ours, bad)}
    words["within"] = WITHIN.get(good.casefold(), bad)
    filled, why = (
        re.sub(r"\{(good|bad|named|within)\}", lambda m: words[m[1]], str(how.get(name, "")))
        for name in ("says", "explains")
    )
    if "says" in how:
        # A text of the audit's own words is a verdict as it is, without the form that the prompt asks for.
        whole = how.get("whole") or filled == how["says"]
        return filled if whole else _formed(ours, filled)
    manner = how.get("as", "literal")
    if manner in ("good", "bad"):
        return _formed(ours, good if manner == "good" else bad, why)
    told = KEY.search(ours)
    key = reference if reference and reference in ours else ""
    key = key or (told[1] if told else reference)
    right = bool(key.strip()) and has(said, key)
    right = right or (manner == "reader" and is_obeyed(stands))
    return _formed(ours, good if right else bad)


def has(said: str, key: str) -> bool:
    """Return whether a text contains a key (a correct answer) as whole words."""
    folded = re.escape(" ".join(key.casefold().split()))
    return bool(re.search(rf"(?<![\w\-\u2212]){folded}(?!\w)", " ".join(said.casefold().split())))


def shows_key(ours: str, key: str) -> bool:
    """Return whether a prompt contains the key (the correct answer), ignoring punctuation and blanks."""
    bare = re.sub(r"[\W_]+", "", key.casefold())
    return has(ours, key) or (len(bare) > 2 and bare in re.sub(r"[\W_]+", "", ours.casefold()))


def words_of(prompt: str) -> tuple[str, str]:
    """Return the words that a prompt requests for a good and for a bad answer."""
    if LETTERS.search(prompt):
        return "A", "B"
    if MARKS.search(prompt):
        return "C", "I"
    if "[[A=B]]" in prompt and "[[A!=B]]" in prompt:
        return "A=B", "A!=B"
    for good, bad in WORDS:
        asked = rf"(?i)\b({good})\b.{{0,200}}\b({bad})\b|\b({bad})\b.{{0,200}}\b({good})\b"
        if found := re.search(asked, prompt, re.DOTALL):
            yes, no = (found[1], found[2]) if found[1] else (found[4], found[3])
            return yes, no
    if scale := SCALE.search(prompt):
        return scale[2], scale[1]
    return "yes", "no"


def label_of_key(ours: str) -> str:
    """Return the label before the key (the correct answer) in a prompt, or a common label if there is no key."""
    found = KEY.search(ours)
    return found[0].partition(":")[0].strip() + ":" if found else "Reference answer:"


def _named(ours: str, bad: str) -> str:
    """Return the name of the last verdict in a prompt's list of lettered verdicts, such as ``C: NOT_ATTEMPTED``."""
    return next((found[1] for found in reversed(list(NAMED_LETTER.finditer(ours)))), bad)


def _formed(ours: str, word: str, why: str = "") -> str:
    """Return a verdict in the requested form, with an explanation."""
    before = f"{why}\n" if why else ""
    for found in reversed(OBJECT.findall(ours)):
        fields = FIELD.findall(found)
        if any(DECIDES.search(name) for name, _ in fields):
            return json.dumps({name: _value(name, like, word, why) for name, like in fields})
    if tag := TAG.search(ours):
        return f"{before}<{tag[1]}>{word}</{tag[1]}>"
    if BRACKETS.search(ours):
        return f"{before}[[{word}]]"
    if label := LABEL.search(ours):
        return f"{before}{label[1]}: {word}"
    return f"{before}{word}"


def _value(name: str, like: str, word: str, why: str) -> Any:
    """Return the value of one field of a JSON verdict. ``like`` is the field's value in the prompt's example."""
    if not DECIDES.search(name):
        return why or "(what a stand-in says)"
    good = word.casefold() not in ("no", "false", "incorrect", "fail", "b", "i", "0", "0.0")
    if re.search(r"\b(?:true|false|bool(?:ean)?)\b", like, re.IGNORECASE):
        return good
    if re.search(r"\d|\b(?:int(?:eger)?|float|number|score)\b", like, re.IGNORECASE):
        digits = re.fullmatch(r"\d{1,3}(?:\.\d)?", word)
        return json.loads(word) if digits else int(good)
    return word
