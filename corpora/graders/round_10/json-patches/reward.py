"""JSON Patch (RFC 6902) tasks: apply the reply's patch and compare with the wanted document."""
import copy
import json
import re
from functools import lru_cache

BLOCK = re.compile(r"```(?:json)?\s*\n(.*?)```", re.S)


@lru_cache(maxsize=None)
def load(text):
    return json.loads(text)


def tokens(pointer):
    if pointer == "":
        return []
    if not pointer.startswith("/"):
        raise ValueError("bad pointer")
    return [t.replace("~1", "/").replace("~0", "~") for t in pointer[1:].split("/")]


def step(node, key):
    return node[index(key, len(node) - 1)] if isinstance(node, list) else node[key]


def index(key, top):
    if not re.fullmatch(r"0|[1-9]\d*", key) or int(key) > top:
        raise IndexError(key)
    return int(key)


def get(doc, path):
    for key in tokens(path):
        doc = step(doc, key)
    return doc


def parent(doc, path):
    *front, last = tokens(path)
    for key in front:
        doc = step(doc, key)
    return doc, last


def add(doc, path, value):
    node, key = parent(doc, path)
    if isinstance(node, list):
        node.insert(len(node) if key == "-" else index(key, len(node)), value)
    else:
        node[key] = value


def remove(doc, path):
    node, key = parent(doc, path)
    return node.pop(index(key, len(node) - 1)) if isinstance(node, list) else node.pop(key)


def apply_patch(doc, patch):
    for op in patch:
        kind, path = op["op"], op["path"]
        if kind == "add":
            add(doc, path, op["value"])
        elif kind == "remove":
            remove(doc, path)
        elif kind == "replace":
            remove(doc, path)
            add(doc, path, op["value"])
        elif kind == "move":
            add(doc, path, remove(doc, op["from"]))
        elif kind == "copy":
            add(doc, path, copy.deepcopy(get(doc, op["from"])))
        else:
            raise ValueError("operation not allowed: %s" % kind)
    return doc


def reward(completion, document, wanted, **_):
    blocks = BLOCK.findall(completion)
    try:
        result = apply_patch(load(document), json.loads(blocks[-1]))
        same = json.dumps(result, sort_keys=True) == json.dumps(load(wanted), sort_keys=True)
    except Exception:
        return 0.0
    return 1.0 if same else 0.0
