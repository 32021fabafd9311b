"""Paragraphs about HTML, whose escaped source is given and whose shown text is asked for."""

import random

PIECES = (
    "an ampersand is written &amp; in the source", "a <br> breaks the line", "5 < 7 && 7 > 5",
    "use &lt; for a <", "print(f\"{id}\")", "the entity &amp;amp; shows as &amp;", "O'Brien & Sons",
    "<!-- is how a comment begins", "if (a < b && c > d) { swap(a, b) }", "href=\"?x=1&y=2\"",
    "&#60; and &#x3C; are both <", "R&D costs > 10%", "'single' or \"double\" quotes",
    "a < b > c is no tag", "</p> closes a paragraph", "AT&T wrote &quot;hello&quot;",
    "caf\u00e9 & cr\u00eape", "50 \u20ac < 60 \u20ac",
)  # fmt: skip
REFERENCES = {
    "&": ("&amp;", "&#38;", "&#x26;"),
    "<": ("&lt;", "&#60;", "&#x3c;"),
    ">": ("&gt;", "&#62;", ">"),
    '"': ("&quot;", "&#34;", '"'),
    "'": ("&#39;", "&apos;", "'"),
    "\u00e9": ("&eacute;", "&#233;", "\u00e9"),
    "\u00ea": ("&ecirc;", "&#xEA;", "\u00ea"),
    "\u20ac": ("&euro;", "&#8364;", "\u20ac"),
    " ": (" ", " ", " ", " ", "  ", "\n    "),
}
JOINTS = (", ", "; ", ". ")
TAGS = ("b", "em", "code")


class InvalidAction(Exception):
    """Refused; nothing has changed."""


def escaped(rng: random.Random, text: str) -> str:
    return "".join(rng.choice(REFERENCES.get(sign, (sign,))) for sign in text)


class ShownText:
    """`reward` is 1.0 after the exact text."""

    def __init__(self, task: dict, seed: int) -> None:
        rng = random.Random(f"{seed} html")
        pieces = rng.sample(PIECES, task["paragraphs"] * task["pieces"])
        self._texts, lines = [], ["<!doctype html>", "<html><body>"]
        for number in range(task["paragraphs"]):
            text = source = ""
            for place, piece in enumerate(pieces[number :: task["paragraphs"]]):
                joint = rng.choice(JOINTS) if place else ""
                inside = escaped(rng, piece)
                tag = rng.choice(TAGS)
                marked = rng.choice((inside, f"<{tag}>{inside}</{tag}>", f"<!-- {tag} -->{inside}"))
                text, source = text + joint + piece, source + joint + marked
            self._texts.append(text)
            lines.append(f'  <p id="p{number + 1}">\n    {source}\n  </p>')
        self._source = "\n".join([*lines, "</body></html>"])
        self._asked = rng.randrange(task["paragraphs"])
        self.reward = 0.0
        self.done = False

    def observe(self) -> str:
        return f"{self._source}\n\nWhat is shown for the paragraph with the id p{self._asked + 1}?"

    def hand_in(self, text: str) -> str:
        if self.done:
            raise InvalidAction("a text was handed in; the episode is over")
        if not text.strip():
            raise InvalidAction("an empty text is not taken; write what the paragraph shows")
        self.done = True
        self.reward = 1.0 if " ".join(text.split()) == self._texts[self._asked] else 0.0
        return "Exact." if self.reward else "Not exact."
