import json


def _refuse(_):
    raise ValueError("not a JSON number")


def pass_reward(answer, row):
    """The prompt wants a JSON array and nothing else; order is the whole point."""
    try:
        said = json.loads(answer.strip(), parse_constant=_refuse)
    except (ValueError, RecursionError):
        return 0.0
    if type(said) is not list or any(type(v) is not int for v in said):
        return 0.0
    return 1.0 if said == row["after"] else 0.0
