import json
import unicodedata


def _object(pairs):
    keys = [k for k, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError("duplicate key")
    return dict(pairs)


def _constant(name):
    raise ValueError(name)


def _right(text, town, temp, wind, warning):
    if len(text) > 2000:
        return False
    try:
        got = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except (ValueError, RecursionError):
        return False
    if type(got) is not dict or set(got) != {"town", "temp", "wind", "warning"}:
        return False
    return (type(got["town"]) is str and unicodedata.normalize("NFC", got["town"]) == town
            and type(got["temp"]) is int and got["temp"] == temp
            and type(got["wind"]) in (int, float) and 0 <= got["wind"] < 1000 and abs(got["wind"] - wind) < 1e-9
            and type(got["warning"]) is bool and got["warning"] == warning)


def bulletin_reward(prompts, completions, town, temp, wind, warning, **kwargs):
    """Bare JSON with exactly the four keys and their types, as the system prompt asks."""
    return [1.0 if _right(c[0]["content"], *want) else 0.0
            for c, *want in zip(completions, town, temp, wind, warning)]
