"""Derive answers.txt and guesses.txt from SCOWL, and say how many words each has.

Both inputs come from package registries; NOTICE says what their licences ask:

    apt-get download scowl=2020.12.07-2 && dpkg-deb -x scowl_2020.12.07-2_all.deb scowl
    npm pack cuss@2.2.0 && tar xzf cuss-2.2.0.tgz
    python make_word_lists.py scowl/usr/share/dict/scowl package/index.js

The same inputs give the same bytes.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).parents[1]

EVERYDAY = (10, 20, 35)
KNOWN = (*EVERYDAY, 40, 50)
# Level 80 is left out: it holds a word list whose licence asks for a document SCOWL does not carry.
ALL = (*KNOWN, 55, 60, 70, 95)

AMERICAN = ("english-words", "american-words")
SPELLINGS = (
    *AMERICAN,
    *("british-words", "british_z-words", "canadian-words", "australian-words"),
    *("variant_1-words", "variant_2-words", "variant_3-words"),
)

# Fine in a dictionary, poor as a secret: slurred speech, names, bodily or unkind words.
NOT_ANSWERS = {
    *("bawdy", "bigot", "bosom", "busty", "buxom", "dunno", "erect", "gimme", "gonna"),
    *("groin", "harem", "harry", "kinda", "lemme", "leper", "maria", "multi", "naked"),
    *("obese", "sorta", "upped", "urine", "wanna", "weest"),
}
# Ordinary words the profanity list is sure about; a player who tries one should not be refused.
ORDINARY = {
    *("booty", "chugs", "cocky", "dopes", "hobos", "idiot", "loser", "muffs", "pansy"),
    *("pukes", "slave", "sooty", "spits", "tangs", "vomit", "yanks"),
}


def words(scowl: Path, levels: tuple[int, ...], categories: tuple[str, ...]) -> set[str]:
    """Lower-case words of two to six letters from some of SCOWL's files."""
    files = [scowl / f"{category}.{level}" for category in categories for level in levels]
    lines = [line for file in files if file.exists() for line in file.read_text("latin-1").split()]
    return {line for line in lines if re.fullmatch("[a-z]{2,6}", line)}


def is_inflected(word: str, known: set[str]) -> bool:
    """Whether `word` is a regular plural, past tense, participle or comparison of a known word.

    Errs towards yes: a lost answer costs less than a dull one.
    """
    stems: set[str] = set()
    if word.endswith("s") and not word.endswith("ss"):
        stems = {word[:-1]}
        stems |= {word[:-2]} if word.endswith("es") else set()
        stems |= {word[:-3] + "y"} if word.endswith("ies") else set()
    elif word.endswith("ed"):
        stems = {word[:-1], word[:-2]}
        stems |= {word[:-3] + "y"} if word.endswith("ied") else set()
    elif word.endswith("ing"):
        stems = {word[:-3] + "e"}
        stems |= {word[:-4] + "ie"} if word.endswith("ying") else set()
    elif word.endswith("er") and word[:-1] + "st" in known:
        stems = {word[:-1], word[:-2], word[:-3] + "y"}
    return any(len(stem) > 2 for stem in stems & known)


def profanity(source: str) -> dict[str, int]:
    """cuss's English words with its sureness: 0 unlikely, 1 maybe, 2 likely profane."""
    entries = re.findall(r"^  '?([a-z]+)'?: ([012]),?$", source, re.MULTILINE)
    return {word: int(sureness) for word, sureness in entries}


def main(scowl: Path, cuss: Path) -> None:
    known = words(scowl, KNOWN, AMERICAN)
    if not known:
        sys.exit(f"no SCOWL word lists such as english-words.10 in {scowl}")
    sureness = profanity(cuss.read_text("utf-8"))

    def rude(word: str) -> int:
        return max(sureness.get(word, 0), sureness.get(word.removesuffix("s"), 0))

    # What the game itself says cannot be told from a leaked answer, so no answer is in it.
    # The samples and examples of env.yaml are not said: only scripted policies see them.
    said = "".join((HERE / name).read_text("utf-8").lower() for name in ("env.yaml", "game.py"))
    said = re.sub(r"samples: \[.*?\]", "", said)
    said = re.sub(r"^examples:\n(?:[ #].*\n)+", "", said, flags=re.MULTILINE)
    answers = {
        word
        for word in words(scowl, EVERYDAY, AMERICAN) - NOT_ANSWERS
        if len(word) == 5 and not is_inflected(word, known)
        if rude(word) == 0 and word not in said
    }
    guesses = answers | {
        word
        for word in words(scowl, ALL, SPELLINGS)
        if len(word) == 5 and (rude(word) < 2 or word in ORDINARY)
    }
    for name, chosen in ("answers.txt", answers), ("guesses.txt", guesses):
        lines = "".join(f"{word}\n" for word in sorted(chosen))
        (HERE / name).write_text(lines, "ascii")
        print(f"{name}: {len(chosen)} words")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
