"""Encodings that hide a text but leave it readable to a model. All searches use this list."""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import re
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_lowercase

from skill_tools.checks.reading.numerals import number_words, numerals

LONG = 5
"""Minimum length of a text that does not occur within another word by chance."""


def _nothing(text: str) -> Iterable[str]:  # no such direction
    return ()


@dataclass(frozen=True)
class Form:
    """An encoding of a text that a model reads without effort.

    Attributes:
        word: The encoding's name in one word, as programs print it.
        says: Text that continues the sentence "the answer is in the prompt".
        least: The minimum length at which a text does not have this form by accident.
        shortest: Minimum length of the encoded text within a longer text.
        written: Encodes a lower-case text, in lower case.
        read: Returns the decoded texts that a text contains in this form.
        whole: Whether the decoded text must equal the sought text, instead of containing it.
    """

    word: str
    says: str
    least: int
    shortest: int = 0
    written: Callable[[str], Iterable[str]] = _nothing
    read: Callable[[str], Iterable[str]] = _nothing
    whole: bool = False


def stands(form: str, text: str) -> bool:
    """Return whether a text contains ``form``, an encoded text. A short ``form`` or a number must be a separate
    word."""
    if form not in text:
        return False
    if len(form) > LONG and not form.isdigit():
        return True
    return re.search(rf"(?<![^\W_]){re.escape(form)}(?![^\W_])", text) is not None


def _shapes(text: str) -> list[bytes]:
    """Return four forms of a text as bytes: unchanged, in upper case, capitalized, and reversed."""
    shapes = (text, text.upper(), text.capitalize(), text[::-1])
    return [shape.encode() for shape in dict.fromkeys(shapes)]


def _backwards(text: str) -> Iterator[str]:
    if text[::-1] != text:
        yield text[::-1]


def _base64(text: str) -> Iterator[str]:
    for shape in _shapes(text):
        yield base64.b64encode(shape).decode().rstrip("=").lower()
    yield base64.b64encode(text.encode()).decode().rstrip("=")[::-1].lower()


def _base32(text: str) -> Iterator[str]:
    for shape in _shapes(text):
        yield base64.b32encode(shape).decode().rstrip("=").lower()


def _hexadecimal(text: str) -> Iterator[str]:
    for shape in _shapes(text):
        for between in ("", " ", ":", "%", "\\x"):
            yield shape.hex(between) if len(between) == 1 else between.join(_bytes(shape))


def _bytes(shape: bytes) -> list[str]:
    return [f"{each:02x}" for each in shape]


def _rot13(text: str) -> Iterator[str]:
    if text.isascii() and any(map(str.isalpha, text)):
        yield codecs.encode(text, "rot13")


def _shifted(text: str) -> Iterator[str]:
    if text.isascii() and sum(map(str.isalpha, text)) > LONG:
        for by in (*range(1, 13), *range(14, 26)):
            moved = ascii_lowercase[by:] + ascii_lowercase[:by]
            yield text.translate(str.maketrans(ascii_lowercase, moved))


def _ordered(text: str) -> Iterator[str]:
    letters = "".join(sorted(text))
    if text.isalnum() and letters != text:
        yield letters
        yield " ".join(letters)


def _once(text: str) -> Iterator[str]:
    letters = "".join(sorted(set(text)))
    if text.isalnum() and len(letters) < len(text):
        yield letters


def _grouped(text: str) -> Iterator[str]:
    """Yield a word in three or more groups of two to four letters, such as "ab-cd-ef".

    Digits are not grouped, because ordinary numbers often have groups.
    """
    if text.isalpha():
        for size in (2, 3, 4):
            parts = [text[at : at + size] for at in range(0, len(text), size)]
            if len(parts) > 2:
                yield from (between.join(parts) for between in (" ", "-", ".", "/", ":", "\n"))


def _places(text: str) -> Iterator[str]:
    """Yield a word as the positions of its letters in the alphabet, such as "3 1 20" for "cat", counted from 1 or
    from 0."""
    if text.isascii() and text.isalpha():
        for first in (1, 0):
            places = [str(ascii_lowercase.index(letter) + first) for letter in text]
            yield from (between.join(places) for between in (" ", "-", ", ", ",", "."))


def _codes(text: str) -> Iterator[str]:
    for shape in (text, text.upper()):
        codes = [str(ord(letter)) for letter in shape]
        yield from (between.join(codes) for between in (" ", ", ", ",", "-", ";&#"))


def _checksums(text: str) -> Iterator[str]:
    for shape in _shapes(text)[:3]:
        for name in ("md5", "sha1", "sha256"):
            yield hashlib.new(name, shape, usedforsecurity=False).hexdigest()[:DIGEST]
        yield f"{zlib.crc32(shape):08x}"


DIGEST = 10
"""Number of characters of a checksum to search for: often only the beginning is shown."""
_RUNS = tuple(
    re.compile(rf"(?<![^\W_]){one}(?![^\W_])(?:[\W_]{{1,3}}{one}(?![^\W_]))+")
    for one in (r"[^\W_]", r"[^\W\d_]", r"\d")
)
"""Single characters in a row: letters or digits, only letters, only digits."""


def _spelt(text: str) -> Iterator[str]:
    for run in _RUNS:
        for found in run.finditer(text):
            yield re.sub(r"[\W_]+", "", found[0])


def _first_letters(text: str) -> Iterator[str]:
    lines = [line.lstrip("-*• ") for line in text.splitlines()]
    yield "".join(line[0] for line in lines if line)


_CODE = re.compile(r"(?<![\w+/=-])(?:[A-Za-z0-9+/_-]{8,}={0,2}|(?:[0-9a-fA-F]{2}){4,})(?![\w+/=-])")


def _decode(decode: Callable[[str], bytes]) -> Callable[[str], Iterator[str]]:
    """Return a function that finds codes in a text and yields each decoded code that is readable."""

    def read(text: str) -> Iterator[str]:
        for found in _CODE.finditer(text):
            try:
                plain = decode(found[0]).decode("ascii")
            except (ValueError, binascii.Error):
                continue
            if plain.strip("\n\t") and re.sub(r"[\n\t]", "", plain).isprintable():
                yield plain

    return read


def _from_base64(code: str) -> bytes:
    code = code.rstrip("=").replace("-", "+").replace("_", "/")
    return base64.b64decode(code + "=" * (-len(code) % 4), validate=True)


def _from_base32(code: str) -> bytes:
    code = code.rstrip("=").upper()
    return base64.b32decode(code + "=" * (-len(code) % 8))


def _plain_characters(text: str) -> Iterator[str]:
    """Yield the words with unusual or invisible characters, after replacing or removing these characters."""
    if not text.isascii():
        words = {word: _usual(word) for word in text.split() if not word.isascii()}
        yield " ".join(usual for word, usual in words.items() if usual != word)


def _usual(word: str) -> str:
    # Tag characters mirror ASCII, and no font shows them.
    seen = "".join(chr(ord(c) - TAGS) if TAGS < ord(c) < TAGS + 128 else c for c in word)
    usual = unicodedata.normalize("NFKC", seen)
    return "".join(c for c in usual if unicodedata.category(c) != "Cf")


TAGS = 0xE0000
"""The code point of Unicode's first tag character."""


def _as_it_is(text: str) -> Iterator[str]:
    yield text


PLAIN = Form("plain", "", 0, written=_as_it_is)
"""A text unchanged, in upper or lower case."""
DISGUISES = (
    Form("backwards", "backwards", 4, written=_backwards),
    Form("base64", "in base64", 4, written=_base64, read=_decode(_from_base64)),
    Form("base32", "in base32", 4, written=_base32, read=_decode(_from_base32)),
    Form("hexadecimal", "in hexadecimal", 4, written=_hexadecimal, read=_decode(bytes.fromhex)),
    Form("rot13", "in ROT13", 4, written=_rot13),
    Form("shifted", "with its letters shifted", 6, written=_shifted),
    Form("ordered", "with its letters in order", 4, written=_ordered),
    Form("once", "with each of its letters once, in order", 5, shortest=5, written=_once),
    Form("spelt", "letter by letter", 4, read=_spelt, whole=True),
    Form("grouped", "in groups of letters", 5, written=_grouped),
    Form("places", "as positions in the alphabet", 4, written=_places),
    Form("codes", "as character codes", 4, written=_codes),
    Form("checksum", "as a checksum", 4, written=_checksums),
    Form("words", "as a number in words", 3, written=number_words),
    Form("numeral", "as a number in another form", 4, written=numerals),
    Form("acrostic", "as the first letters of lines", 5, read=_first_letters),
    Form("characters", "in other characters", 4, read=_plain_characters),
)
"""All encodings that change the text, the most likely first."""
FORMS = (PLAIN, *DISGUISES)
READ = tuple(form for form in DISGUISES if form.read is not _nothing)
"""The encodings that can be decoded without knowing the sought text."""


LONGEST = 2000
"""Maximum length of a text to encode; an encoding of a longer one is found by decoding."""


@lru_cache(maxsize=4096)
def written(form: Form, text: str) -> tuple[str, ...]:
    """Return the spellings of a lower-case text in an encoding, or () if the text is too short or too long."""
    fits = form.least <= len(text) <= LONGEST
    return tuple(dict.fromkeys(form.written(text))) if fits else ()


@lru_cache(maxsize=512)
def read(form: Form, text: str) -> tuple[str, ...]:
    """Return the texts that decoding with this encoding finds in ``text``."""
    return tuple(dict.fromkeys(form.read(text)))
