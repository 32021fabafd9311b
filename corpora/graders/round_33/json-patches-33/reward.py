"""JSON Patch (RFC 6902): the patch in the reply is applied and the result compared."""
import copy
import json
import re

FENCE = re.compile(r"```([\w.+-]*)[ \t\r]*\n(.*?)```", re.S)
NEEDS = {"add": "value", "replace": "value", "test": "value", "move": "from", "copy": "from", "remove": None}


class PatchError(Exception):
    pass


def no_duplicates(pairs):
    keys = [k for k, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("duplicate key")
    return dict(pairs)


def no_constants(name):
    raise ValueError(f"{name} is not JSON")


def same(a, b):
    """JSON equality: true is not 1, while 1 and 1.0 are the same number."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b


def tokens(pointer):
    if not isinstance(pointer, str) or not pointer.startswith("/"):
        raise PatchError("bad pointer")
    if re.search(r"~(?![01])", pointer):
        raise PatchError("bad escape")
    return [t.replace("~1", "/").replace("~0", "~") for t in pointer[1:].split("/")]


def index(token, size):
    if not re.fullmatch(r"0|[1-9][0-9]{0,8}", token) or int(token) >= size:
        raise PatchError("bad index")
    return int(token)


def step(node, token):
    if isinstance(node, list):
        return node[index(token, len(node))]
    if isinstance(node, dict) and token in node:
        return node[token]
    raise PatchError("no such place")


def resolve(doc, path):
    """Container and last token of a path."""
    node = doc
    for token in path[:-1]:
        node = step(node, token)
    return node, path[-1]


def add(doc, path, value):
    node, token = resolve(doc, path)
    if isinstance(node, dict):
        node[token] = value
    elif isinstance(node, list):
        node.insert(len(node) if token == "-" else index(token, len(node) + 1), value)
    else:
        raise PatchError("not a container")


def remove(doc, path):
    node, token = resolve(doc, path)
    value = step(node, token)
    del node[index(token, len(node)) if isinstance(node, list) else token]
    return value


def apply_op(doc, op):
    if not isinstance(op, dict) or not isinstance(op.get("op"), str) or op["op"] not in NEEDS:
        raise PatchError("bad operation")
    kind, path = op["op"], tokens(op.get("path"))
    if NEEDS[kind] and NEEDS[kind] not in op:
        raise PatchError("missing member")
    if kind == "add":
        add(doc, path, copy.deepcopy(op["value"]))
    elif kind == "remove":
        remove(doc, path)
    elif kind == "replace":
        node, token = resolve(doc, path)
        step(node, token)
        node[index(token, len(node)) if isinstance(node, list) else token] = copy.deepcopy(op["value"])
    elif kind == "test":
        if not same(step(*resolve(doc, path)), op["value"]):
            raise PatchError("test failed")
    else:
        source = tokens(op["from"])
        value = copy.deepcopy(step(*resolve(doc, source)))
        if kind == "move":
            if path[:len(source)] == source and len(path) > len(source):
                raise PatchError("move into itself")
            remove(doc, source)
        add(doc, path, value)


def reward(completion, document, target, max_ops, **row):
    blocks = FENCE.findall(completion)
    if not blocks or blocks[-1][0].lower() not in ("", "json"):
        return 0.0
    try:
        patch = json.loads(blocks[-1][1], object_pairs_hook=no_duplicates, parse_constant=no_constants)
        if not isinstance(patch, list) or len(patch) > max_ops:
            return 0.0
        doc = copy.deepcopy(document)
        for op in patch:
            apply_op(doc, op)
        return 1.0 if same(doc, target) else 0.0
    except (PatchError, ValueError, RecursionError):
        return 0.0
