"""Decode a packed binary record; the score is the share of the fields that are right."""
import re
import struct

FENCE = re.compile(r"```answer[ \t]*\n(.*?)```", re.S)
ASSIGN = re.compile(r"^\s*([A-Za-z_]\w*)\s*[=:]\s*(.+?)\s*$")
FORMATS = {
    "u8": "B", "i8": "b",
    "u16": "H", "i16": "h",
    "u32": "I", "i32": "i",
    "u64": "Q", "f32": "f",
}
ORDERS = {"big": ">", "little": "<"}


def decode(layout, dump):
    """Walk the record without padding and return {name: (type, value)}."""
    data = bytes.fromhex(dump)
    offset, out = 0, {}
    for field in layout:
        fmt = ORDERS[field["order"]] + FORMATS[field["type"]]
        (value,) = struct.unpack_from(fmt, data, offset)
        offset += struct.calcsize(fmt)
        out[field["name"]] = (field["type"], value)
    return out


def parse_value(kind, text):
    """Python number for a reply's value, or None."""
    text = text.replace("−", "-").replace("_", "")
    if kind == "f32":
        try:
            return float(text)
        except ValueError:
            return None
    if re.fullmatch(r"[+-]?\d+", text):
        return int(text)
    if re.fullmatch(r"[+-]?0[xX][0-9a-fA-F]+", text):
        return int(text, 16)
    return None


def parse(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    values = {}
    for line in blocks[-1].splitlines():
        m = ASSIGN.match(line)
        if m:
            values[m.group(1)] = m.group(2)
    return values


def same(kind, got, want):
    if got is None:
        return False
    if kind == "f32":
        return abs(got - want) <= 1e-4 * max(1.0, abs(want))
    return got == want


def reward(completion, layout, dump, **row):
    values = parse(completion)
    if not values:
        return 0.0
    right = seen = 0
    for name, (kind, want) in decode(layout, dump).items():
        if name not in values:
            continue
        seen += 1
        if same(kind, parse_value(kind, values[name]), want):
            right += 1
    return right / seen if seen else 0.0
