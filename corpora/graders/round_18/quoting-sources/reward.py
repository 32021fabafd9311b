"""Reward for answering with a short verbatim quotation and the number of its source."""
import re

QUOTE_LINE = re.compile(r"^[ \t*]*Quote:[ \t*]*(.*?)[ \t*]*$", re.M)
SOURCE_LINE = re.compile(r"^[ \t*]*Source:[ \t*]*(.*?)[ \t*]*$", re.M)
NUMBER = re.compile(r"(?:\[(\d+)\]|(\d+))\.?", re.A)
OPENING, CLOSING = "\"\u201c", "\"\u201d"
TYPOGRAPHY = str.maketrans({
    "\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"',
    "\u2013": "-", "\u2014": "-", "\u00a0": " ",
})
MIN_WORDS, MAX_WORDS = 4, 18
QUOTE_ONLY = 0.5


def plain(text):
    return " ".join(text.translate(TYPOGRAPHY).split())


def spans_whole_words(text, piece):
    """Whether piece occurs in text without cutting a word at either end."""
    start = text.find(piece)
    while start >= 0:
        end = start + len(piece)
        cut_left = start > 0 and text[start - 1].isalnum() and piece[0].isalnum()
        cut_right = end < len(text) and text[end].isalnum() and piece[-1].isalnum()
        if not cut_left and not cut_right:
            return True
        start = text.find(piece, start + 1)
    return False


def read_quote(completion):
    lines = QUOTE_LINE.findall(completion)
    if not lines:
        return None
    raw = lines[-1]
    if len(raw) < 3 or raw[0] not in OPENING or raw[-1] not in CLOSING:
        return None
    return plain(raw[1:-1]) or None


def read_source(completion):
    lines = SOURCE_LINE.findall(completion)
    match = NUMBER.fullmatch(lines[-1]) if lines else None
    return int(match.group(1) or match.group(2)) if match else None


def reward(completion, sources, evidence, **row):
    """sources: texts, numbered from 1. evidence: acceptable [source number, words] pairs."""
    quote = read_quote(completion)
    if quote is None or not MIN_WORDS <= len(quote.split()) <= MAX_WORDS:
        return 0.0
    supported = set()
    for number, words in evidence:
        text = plain(sources[number - 1])
        if spans_whole_words(text, quote) and spans_whole_words(quote, plain(words)):
            supported.add(number)
    if not supported:
        return 0.0
    return 1.0 if read_source(completion) in supported else QUOTE_ONLY
