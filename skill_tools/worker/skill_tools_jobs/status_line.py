"""Calls a domain's status() more often than an episode does; runs in the child."""

from skill_tools_jobs import Calls, Json, Request
from skill_tools_jobs.episodes import open_episode, record

AGAIN = 3
"""Number of additional status() calls before each call."""


def ask_often(
    request: Request, split: str, scripts: list[tuple[int, Calls]], max_turns: int, **_: float
) -> str:
    """Play scripts with and without more status() calls; the first difference in words, or "".

    ``scripts`` have the place of a task, and the calls of its solution.
    """
    for place, calls in scripts:
        plain, again = (_played(request, split, place, calls, max_turns, 0) for _ in range(2))
        asked = _played(request, split, place, calls, max_turns, AGAIN)
        same = plain == again  # otherwise the observations show nothing
        for number, (one, other) in enumerate(zip(plain, asked, strict=False), 1):
            for what in ("error", "done", "reward", *(["observation"] if same else [])):
                if one[what] != other[what]:
                    found = f"{_brief(one[what])} without that, and {_brief(other[what])} with it"
                    return f"{split}/{place}, step {number}, {one['tool']}, {what}: {found}"
        if len(plain) != len(asked):
            return (
                f"{split}/{place}: over after {len(plain)} steps without that, {len(asked)} with it"
            )
    return ""


def _played(
    request: Request, split: str, place: int, calls: Calls, max_turns: int, often: int
) -> list[Json]:
    """The steps of an episode, up to a failure; the last one is the reward for stopping."""
    try:
        world = open_episode(request, split, place, None, max_turns)
    except RuntimeError:
        return []
    final: float | str = 0.0
    try:
        for tool, arguments in calls:
            if world.over:
                break
            for _ in range(often):
                world._ask_status()
            world.call(tool, arguments)
        final = world.end()
    except RuntimeError as error:
        final = str(error)
    finally:
        world.close()
    ending = {"tool": "the end", "error": None, "done": True, "observation": world.status}
    return [*record(world, 0.0)["steps"], {**ending, "reward": final}]


def _brief(value: object) -> str:
    if isinstance(value, list):
        value = "\n".join(block.get("text", "[a picture]") for block in value)
    return f"{value:g}" if isinstance(value, float) else repr(value)[:200]


JOBS = {"ask_often": ask_often}
