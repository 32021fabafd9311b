"""Reward for writing a TOML configuration from a description."""
import re
import tomllib

FENCE_RE = re.compile(r"```(?:toml)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


def extract_toml(completion):
    """The last fenced block."""
    blocks = FENCE_RE.findall(completion)
    return blocks[-1] if blocks else None


def lookup(config, path):
    """Follow a dotted path; whole numbers index into arrays of tables."""
    node = config
    for part in path.split("."):
        if isinstance(node, list):
            node = node[int(part)]
        else:
            node = node[part]
    return node


def same(got, want):
    """Equal in value and in type (true is not 1, "8080" is not 8080)."""
    if isinstance(want, list):
        return (
            isinstance(got, list)
            and len(got) == len(want)
            and all(same(g, w) for g, w in zip(got, want))
        )
    return type(got) is type(want) and got == want


def reward(completion, settings, **row):
    """Share of the described settings that hold in the file.

    `settings` maps dotted paths to values. Unparsable TOML scores 0.
    """
    text = extract_toml(completion)
    if text is None:
        return 0.0
    try:
        config = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return 0.0

    good, total = 0, 0
    for path, want in settings.items():
        try:
            got = lookup(config, path)
        except (KeyError, IndexError, TypeError, ValueError):
            continue
        total += 1
        if same(got, want):
            good += 1
    if total == 0:
        return 0.0
    return good / total
