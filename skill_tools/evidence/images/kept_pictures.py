"""Functions that store each picture once, next to the files that show it.

A file of episodes has a name such as ``pictures/<hash>.png`` in place of the picture's data.
Reading the file puts the data back.
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
"""The pictures' folder, next to the files or one level above."""
LEAST = 40
"""Minimum length of base64 to store separately; shorter data is no longer than the name that replaces it."""
_BEFORE = r'"data":"|"url":"data:image/[a-z.+-]{1,20};base64,'
"""What precedes a picture: the key of a block, or of a part of a chat message."""
_DATA = re.compile(rf'({_BEFORE})([A-Za-z0-9+/]{{{LEAST},}}={{0,2}})"')
# A quote within a string follows a backslash, so no text can match this.
_OURS = re.compile(r"[0-9a-f]{32}\.(?:png|jpg|gif|webp|bin)")
_NAME = re.compile(rf'({_BEFORE}){PICTURES}/({_OURS.pattern})"')
_KINDS = {b"\x89PNG": "png", b"\xff\xd8\xff": "jpg", b"GIF8": "gif", b"RIFF": "webp"}
_PNG = b"\x89PNG\r\n\x1a\n"
_MOST_BYTES = 8 * MOST_PIXELS
"""Maximum size of a picture's uncompressed data; larger pictures are stored unchanged."""


def name_pictures(text: str, folder: Path) -> str:
    """Replace the pictures in JSON text with names, and write the pictures to ``folder``/pictures."""
    names: dict[str, str] = {}

    def name(found: re.Match[str]) -> str:
        data = found[2]
        if data not in names:
            names[data] = _keep(data, folder)
        return f'{found[1]}{names[data]}"' if names[data] else found[0]

    return _DATA.sub(name, text)


def show_pictures(text: str, folder: Path) -> str:
    """Replace the names of pictures in JSON text with the pictures' data; keep the names of missing pictures."""
    shown: dict[str, str] = {}

    def show(found: re.Match[str]) -> str:
        name = found[2]
        if name not in shown:
            paths = (place / PICTURES / name for place in (folder, folder.parent))
            path = next((path for path in paths if path.is_file()), None)
            shown[name] = base64.b64encode(path.read_bytes()).decode() if path else ""
        return f'{found[1]}{shown[name]}"' if shown[name] else found[0]

    return _NAME.sub(show, text)


def drop_others(folder: Path, text: str) -> None:
    """Remove the folder's stored pictures whose names do not occur in a text."""
    named = {name for _, name in _NAME.findall(text)}
    for path in (folder / PICTURES).glob("*"):
        if _OURS.fullmatch(path.name) and path.name not in named:
            path.unlink()


def name_picture(data: str) -> str:
    """Return a path for a base64 picture, such as pictures/0a1b….png; "" if the data are short or not base64."""
    if len(data.rstrip("=")) < LEAST:
        return ""
    try:
        raw = base64.b64decode(data, validate=True)
    except ValueError:
        return ""
    if base64.b64encode(raw).decode() != data:
        return ""  # decoding and encoding would change it
    kind = next((kind for start, kind in _KINDS.items() if raw.startswith(start)), "bin")
    return f"{PICTURES}/{hashlib.sha256(raw).hexdigest()[:32]}.{kind}"


def _keep(data: str, folder: Path) -> str:
    """Write a picture to a folder and return its path; "" if the data are not base64."""
    name = name_picture(data)
    if name and not (folder / name).exists():
        (folder / name).parent.mkdir(exist_ok=True)
        write_whole(folder / name, _tighten(base64.b64decode(data)))
    return name


def _tighten(raw: bytes) -> bytes:
    """Recompress a PNG that contains only pixels; return other data unchanged.

    A screenshot is compressed quickly because the agent is waiting, but it is stored for a long time.
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
    """Return the chunks of a PNG, with its data chunks merged; an empty list if the PNG is not valid."""
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
