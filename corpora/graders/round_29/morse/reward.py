"""Run-on Morse without gaps: the reply must re-encode to the very same signal."""
import re

MORSE = {
    "A": ".-", "B": "-...", "C": "-.-.", "D": "-..", "E": ".", "F": "..-.",
    "G": "--.", "H": "....", "I": "..", "J": ".---", "K": "-.-", "L": ".-..",
    "M": "--", "N": "-.", "O": "---", "P": ".--.", "Q": "--.-", "R": ".-.",
    "S": "...", "T": "-", "U": "..-", "V": "...-", "W": ".--", "X": "-..-",
    "Y": "-.--", "Z": "--..",
}
DECODED = re.compile(r"^[ \t>*_#-]*decoded[ \t*_]*:[ \t*_]*(.+?)[ \t]*$", re.I | re.M)


def encode(words):
    return "".join(MORSE[ch] for word in words for ch in word)


def clean(text):
    """Upper-case words of a reply; ornaments such as quotes, asterisks and a full stop are dropped."""
    text = text.strip().strip("*_`\"'“”‘’").rstrip(".").strip("*_`\"'“”‘’ ")
    return text.upper().split()


def fits(words, signal, vocabulary, count):
    if len(words) != count:
        return False
    if any(word not in vocabulary for word in words):
        return False
    return encode(words) == signal


def normal_signal(signal):
    """The prompts print dots and dashes in several typographic forms."""
    table = str.maketrans({"·": ".", "•": ".", "–": "-", "−": "-", "—": "-"})
    return re.sub(r"\s+", "", signal.translate(table))


def reward(completion, signal, vocabulary, count, **row):
    known = {w.upper() for w in vocabulary}
    target = normal_signal(signal)
    replies = [clean(m) for m in DECODED.findall(completion)]
    if any(fits(words, target, known, count) for words in replies):
        return 1.0
    return 0.0
