"""The keys of a keyboard, by the names that models and X use.

The names in X are the names of X's keysyms (https://www.x.org/releases/X11R7.7/doc/xproto/x11protocol.html,
appendix A), without `XK_`.
"""

from __future__ import annotations

import difflib

MOST = 5
"""Maximum number of keys that one action presses together."""

_SAME = (
    *("BackSpace", "Delete", "Down", "End", "Escape", "Home", "Insert", "Left", "Menu", "Num_Lock"),
    *("Pause", "Print", "Return", "Right", "Scroll_Lock", "Tab", "Up", "Caps_Lock"),
    *(f"F{number}" for number in range(1, 13)),
    *(f"KP_{digit}" for digit in range(10)),
    *("KP_Add", "KP_Decimal", "KP_Divide", "KP_Enter", "KP_Multiply", "KP_Subtract"),
)
_OTHERWISE = {
    "ctrl": "Control_L",
    "control": "Control_L",
    "control_l": "Control_L",
    "control_r": "Control_R",
    "alt": "Alt_L",
    "alt_l": "Alt_L",
    "option": "Alt_L",
    "shift": "Shift_L",
    "shift_l": "Shift_L",
    "shift_r": "Shift_R",
    "super": "Super_L",
    "super_l": "Super_L",
    "meta": "Super_L",
    "cmd": "Super_L",
    "command": "Super_L",
    "win": "Super_L",
    "windows": "Super_L",
    "enter": "Return",
    "esc": "Escape",
    "del": "Delete",
    "ins": "Insert",
    "space": "space",
    "spacebar": "space",
    "page_up": "Prior",
    "pageup": "Prior",
    "pgup": "Prior",
    "prior": "Prior",
    "page_down": "Next",
    "pagedown": "Next",
    "pgdn": "Next",
    "next": "Next",
    "arrowup": "Up",
    "arrowdown": "Down",
    "arrowleft": "Left",
    "arrowright": "Right",
    "capslock": "Caps_Lock",
    "plus": "plus",
    "minus": "minus",
}
_NAMES = {name.lower(): name for name in _SAME} | _OTHERWISE
_CHARACTERS = {
    " ": "space",
    "!": "exclam",
    '"': "quotedbl",
    "#": "numbersign",
    "$": "dollar",
    "%": "percent",
    "&": "ampersand",
    "'": "apostrophe",
    "(": "parenleft",
    ")": "parenright",
    "*": "asterisk",
    "+": "plus",
    ",": "comma",
    "-": "minus",
    ".": "period",
    "/": "slash",
    ":": "colon",
    ";": "semicolon",
    "<": "less",
    "=": "equal",
    ">": "greater",
    "?": "question",
    "@": "at",
    "[": "bracketleft",
    "\\": "backslash",
    "]": "bracketright",
    "^": "asciicircum",
    "_": "underscore",
    "`": "grave",
    "{": "braceleft",
    "|": "bar",
    "}": "braceright",
    "~": "asciitilde",
}
_SHIFTED = frozenset('~!@#$%^&*()_+{}|:"<>?')
"""Characters that a US keyboard produces with Shift."""


def chord(text: str) -> list[str]:
    """Return the keysyms of a chord such as `ctrl+shift+t`, of a key such as Return, or of a single character.

    Raises ValueError, with a message for the model, for an unknown key or too many keys at once.
    """
    parts = _parts(text.strip(" ") or text)
    if len(parts) > MOST:
        raise ValueError(
            f"{len(parts)} keys at once; the maximum is {MOST}. To write text, use type"
        )
    found: list[str] = []
    for part in parts:
        for name in _keysyms(part):
            if name not in found:
                found.append(name)
    return found


def _parts(text: str) -> list[str]:
    """Split a chord at its plus signs. A plus sign that stands alone is itself a key."""
    if text == "+":
        return [text]
    head, plus, _ = text.partition("++") if text.endswith("++") else (text, "", "")
    return [*head.split("+"), *(["+"] if plus else [])]


def _keysyms(part: str) -> list[str]:
    if name := _NAMES.get(part.strip().lower()):
        return [name]
    if part in _CHARACTERS:
        shift = ["Shift_L"] if part in _SHIFTED else []
        return [*shift, _CHARACTERS[part]]
    if len(part) == 1 and part.isascii() and part.isalnum():
        return ["Shift_L", part.lower()] if part.isupper() else [part]
    if part.lower().removeprefix("xk_") in _NAMES:
        return [_NAMES[part.lower().removeprefix("xk_")]]
    shown = part if len(part) <= 30 else f"{part[:30]}..."
    close = difflib.get_close_matches(part.lower()[:30], _NAMES, 1)
    hint = f"; did you mean {_NAMES[close[0]]}?" if close else ""
    example = "Keys are named as in Return, Tab, ctrl+s or alt+F4"
    raise ValueError(f"there is no key {shown!r}{hint or '. ' + example}")
