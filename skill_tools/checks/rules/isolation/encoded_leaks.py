"""ISO013: answers in texts that look like noise."""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from collections.abc import Iterator

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import REFERENCE
from skill_tools.checks.reading.episodes import named
from skill_tools.checks.reading.texts import _common, _opening, _words
from skill_tools.checks.rules.isolation.refusal_leaks import LEAST
from skill_tools.evidence.calls import decided
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.trajectory import Trajectory

_DECODING = re.compile(r"base ?64|hex|decod|encod|cipher|decrypt", re.IGNORECASE)


_ENCODED = re.compile(
    r"(?<![\w+/=-])(?:[A-Za-z0-9+/_-]{8,}={0,2}|(?:[0-9a-fA-F]{2}){4,})(?![\w+/=-])"
)


@check(
    "ISO013",
    "encoded-answer",
    fix="show no serial number, code or id that is made from what solves the task",
    needs=[REFERENCE],
    after=["ISO002", "ISO005", "ISO007"],
    trusts="runs",
)
def encoded_answer(evidence: Evidence) -> Iterator[Hit]:
    """No code in an opening, an id or an observation is readable text that says what decides.

    Base64 and hexadecimal are read by models as they read words.
    """
    leaks: dict[str, str] = {}
    looked_at = 0
    oracle = (evidence.reference or {}).get("oracle", {})
    ids = _common([_words(_id(evidence, t)) for t in oracle.values()])
    every = {label: _words(_opening(trajectory)) for label, trajectory in oracle.items()}
    shared = _common(list(every.values()))
    own = {label: set(words - shared) for label, words in every.items()}
    for label, trajectory in oracle.items():
        said, opening = _decides(trajectory), _opening(trajectory)
        if _DECODING.search(opening):
            continue  # reading codes is what is asked for
        looked_at += bool(said)
        shown = [("the opening", opening), ("the id", _id(evidence, trajectory))]
        shown += [(f"step {n}", s.text) for n, s in enumerate(trajectory.steps, 1) if not s.done]
        for where, text in shown if said else ():
            # What an opening says of this task, its id may say as well.
            plain = [("as it is", text)] if where == "the id" and said - own[label] else []
            for how, read in (*decoded(text), *plain):
                words = set(_words(read) - (ids if where == "the id" else Counter()))
                if len((said - own[label]) & words) * 2 >= len(said):
                    leaks.setdefault(label, f"{named(trajectory)}: {where} has {read[:80]!r} {how}")
    if len(leaks) >= LEAST and len(leaks) * 2 >= len(oracle):
        label, first = next(iter(leaks.items()))
        message = f"{first}: what the deciding call says ({len(leaks)} of {len(oracle)} tasks)"
        yield Hit(message, oracle[label], Place(task=label))
    elif looked_at < LEAST:
        yield skip("too few deciding calls say a text, or reading codes is what is asked for")


def _id(evidence: Evidence, trajectory: Trajectory) -> str:
    task = evidence.tasks.of(trajectory) if evidence.tasks else None
    return re.sub(r"[_\W]+", " ", str((task or {}).get("id", "")))


def _decides(trajectory: Trajectory) -> set[str]:
    """The words and numbers of the texts that the deciding call says."""
    given = decided(trajectory)
    texts = [v for v in (given.values() if isinstance(given, dict) else ()) if isinstance(v, str)]
    return {word for word in _words(" ".join(texts)) if len(word) > 1}


def decoded(text: str) -> Iterator[tuple[str, str]]:
    """What codes in a text say when they are readable, and how they are encoded."""
    for found in _ENCODED.finditer(text):
        code = found[0]
        for how, decode in (("in hexadecimal", bytes.fromhex), ("in base64", _from_base64)):
            try:
                plain = decode(code).decode("ascii")
            except (ValueError, binascii.Error):
                continue
            if plain.isprintable() or (
                set(plain) - set("\n\t") and plain.replace("\n", "").isprintable()
            ):
                yield how, plain


def _from_base64(code: str) -> bytes:
    code = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(code + "=" * (-len(code) % 4), validate=True)


CHECKS = (encoded_answer,)
