"""Reward for writing a JSON Patch (RFC 6902) that turns one document into another."""
import copy
import json
import re

FENCE = re.compile(r"^[ \t]*```[ \t]*json[ \t]*\n(.*?)^[ \t]*```[ \t]*$", re.S | re.M | re.I)
INDEX = re.compile(r"0|[1-9][0-9]{0,8}")
NEEDS = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from", "remove": None}


class PatchError(ValueError):
    pass


def unique_members(pairs):
    out = dict(pairs)
    if len(out) != len(pairs):
        raise PatchError("member given twice")
    return out


def no_constants(name):
    raise PatchError(name)


def read_patch(completion):
    blocks = FENCE.findall(completion.replace("\r\n", "\n"))
    text = blocks[-1] if blocks else completion
    patch = json.loads(text, object_pairs_hook=unique_members, parse_constant=no_constants)
    if not isinstance(patch, list):
        raise PatchError("not an array")
    return patch


def pointer(text):
    if not isinstance(text, str) or not text.startswith("/"):
        raise PatchError("bad pointer")
    if re.search(r"~(?![01])", text):
        raise PatchError("bad escape")
    return [t.replace("~1", "/").replace("~0", "~") for t in text[1:].split("/")]


def position(array, token, end):
    if not INDEX.fullmatch(token) or int(token) >= end:
        raise PatchError("bad index")
    return int(token)


def lookup(node, tokens):
    for token in tokens:
        if isinstance(node, dict):
            if token not in node:
                raise PatchError("no such member")
            node = node[token]
        elif isinstance(node, list):
            node = node[position(node, token, len(node))]
        else:
            raise PatchError("not a container")
    return node


def insert(doc, tokens, value):
    parent, last = lookup(doc, tokens[:-1]), tokens[-1]
    if isinstance(parent, dict):
        parent[last] = value
    elif isinstance(parent, list):
        parent.insert(len(parent) if last == "-" else position(parent, last, len(parent) + 1), value)
    else:
        raise PatchError("not a container")


def delete(doc, tokens):
    value = lookup(doc, tokens)
    parent, last = lookup(doc, tokens[:-1]), tokens[-1]
    del parent[int(last) if isinstance(parent, list) else last]
    return value


def same(a, b):
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def apply_one(doc, op):
    if not isinstance(op, dict) or not isinstance(op.get("op"), str) or op["op"] not in NEEDS:
        raise PatchError("bad operation")
    kind, need = op["op"], NEEDS[op["op"]]
    if need and need not in op:
        raise PatchError("missing " + need)
    tokens = pointer(op.get("path"))
    if kind in ("move", "copy"):
        source = pointer(op["from"])
        if kind == "move" and len(source) < len(tokens) and tokens[:len(source)] == source:
            raise PatchError("move into itself")
        value = delete(doc, source) if kind == "move" else copy.deepcopy(lookup(doc, source))
        insert(doc, tokens, value)
    elif kind == "add":
        insert(doc, tokens, copy.deepcopy(op["value"]))
    elif kind == "remove":
        delete(doc, tokens)
    elif kind == "replace":
        delete(doc, tokens)
        insert(doc, tokens, copy.deepcopy(op["value"]))
    elif not same(lookup(doc, tokens), op["value"]):
        raise PatchError("test failed")


def reward(completion, document, target, max_ops, **row):
    doc = copy.deepcopy(document)
    try:
        patch = read_patch(completion)
        if not 1 <= len(patch) <= max_ops:
            return 0.0
        for op in patch:
            apply_one(doc, op)
        return 1.0 if same(doc, target) else 0.0
    except (ValueError, RecursionError):
        return 0.0
