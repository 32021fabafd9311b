"""Pictures next to the files that show them: each once, whatever shows it how often.

A file of episodes names a picture as ``pictures/<hash>.png`` where an episode has its data, and what
reads that file puts the data back.
"""

from __future__ import annotations

import base64
import hashlib
import re
import struct
import zlib
from pathlib import Path

from skill_tools.evidence.images.pictures import MOST_PIXELS
from skill_tools.files import write_whole

PICTURES = "pictures"
"""The folder, next to the files or one above."""
LEAST = 40
"""Characters of base64 that are a picture; a shorter one would need as many as its name."""
_DATA = re.compile(rf'"data":"([A-Za-z0-9+/]{{{LEAST},}}={{0,2}})"')
# A quote within a string has a backslash before it, so that no text can pass for this.
_OURS = re.compile(r"[0-9a-f]{32}\.(?:png|jpg|gif|webp|bin)")
_NAME = re.compile(rf'"data":"{PICTURES}/({_OURS.pattern})"')
_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"RIFF": "webp"}
_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_BYTES = 8 * MOST_PIXELS
"""Of a picture's plain data; a larger one is kept as it is."""


def name_pictures(text: str, folder: Path) -> str:
    """JSON text with names in the place of pictures, which are written into ``folder``/pictures."""
    names: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        data = found[1]
        if data not in names:
            names[data] = _keep(data, folder)
        return f'"data":"{names[data]}"' if names[data] else found[0]

    return _DATA.sub(name, text)


def show_pictures(text: str, folder: Path) -> str:
    """JSON text with the data of pictures in the place of their names; as it is where one is not there."""
    shown: dict[str, str] = {}

    def show(found: re.Match[str]) -> str:
        name = found[1]
        if name not in shown:
            paths = (place / PICTURES / name for place in (folder, folder.parent))
            path = next((path for path in paths if path.is_file()), None)
            shown[name] = base64.b64encode(path.read_bytes()).decode() if path else ""
        return f'"data":"{shown[name]}"' if shown[name] else found[0]

    return _NAME.sub(show, text)


def drop_others(folder: Path, text: str) -> None:
    """Remove the pictures of ours that a text does not name."""
    named = set(_NAME.findall(text))
    for path in (folder / PICTURES).glob("*"):
        if _OURS.fullmatch(path.name) and path.name not in named:
            path.unlink()


def name_picture(data: str) -> str:
    """The path of a picture in base64, such as pictures/0a1b….png; "" for what is too short or no base64."""
    if len(data.rstrip("=")) < LEAST:
        return ""
    try:
        raw = base64.b64decode(data, validate=True)
    except ValueError:
        return ""
    if base64.b64encode(raw).decode() != data:
        return ""  # it would not come back as it was
    kind = next((kind for start, kind in _KINDS.items() if raw.startswith(start)), "bin")
    return f"{PICTURES}/{hashlib.sha256(raw).hexdigest()[:32]}.{kind}"


def _keep(data: str, folder: Path) -> str:
    """The path of a picture in a folder, now that it is written; "" for what is no base64."""
    name = name_picture(data)
    if name and not (folder / name).exists():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, _tighten(base64.b64decode(data)))
    return name


def _tighten(raw: bytes) -> bytes:
    """A PNG with the same pixels in fewer bytes, if it has nothing but pixels; what else it is unchanged.

    A screen is deflated in a hurry, as the agent waits for it, and kept for long.
    """
    parts = _parts(raw)
    if [kind for kind, _ in parts] != [b"IHDR", b"IDAT", b"IEND"]:
        return raw
    unpacked = zlib.decompressobj()
    try:
        plain = unpacked.decompress(parts[1][1], _MOST_BYTES)
    except zlib.error:
        return raw
    if not unpacked.eof or unpacked.unused_data:
        return raw
    parts[1] = (b"IDAT", zlib.compress(plain, 9))
    packed = _PNG + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
    return packed if len(packed) < len(raw) else raw


def _parts(raw: bytes) -> list[tuple[bytes, bytes]]:
    """The chunks of a PNG, those of data as one; empty where it is none, or anything in it is wrong."""
    found: list[tuple[bytes, bytes]] = []
    at = len(_PNG)
    while raw.startswith(_PNG) and at + 12 <= len(raw):
        size = int.from_bytes(raw[at : at + 4], "big")
        kind, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + size]
        if raw[at + 8 + size : at + 12 + size] != struct.pack(">I", zlib.crc32(kind + body)):
            return []
        at += 12 + size
        if kind == b"IDAT" and found and found[-1][0] == b"IDAT":
            found[-1] = (kind, found[-1][1] + body)
        else:
            found.append((kind, body))
    return found if at == len(raw) else []
