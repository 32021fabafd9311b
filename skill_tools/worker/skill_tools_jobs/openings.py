"""Collect the tasks' deciding calls and the texts that precede these calls; runs in the child process."""

from skill_tools_jobs import Call, Calls, Json, Request, runs
from skill_tools_jobs.deadline import Deadline, Limit
from skill_tools_jobs.episodes import open_episode, solve, splits, task_at, text_of
from skill_tools_jobs.survey import spread

LONGEST = 20_000
"""Maximum characters of a text to report."""


def show_tasks(
    request: Request, split: str, most: int, asked: Calls, top: float, max_turns: int, limit: Limit
) -> list[Json]:
    """Return up to ``most`` tasks with their ids, openings, solutions, and the results of fixed calls.

    The tasks of ``split`` come first.

    Args:
        asked: The fixed calls, each of which is the first call of a new episode.
        top: The maximum return of a task.
    """
    table, left, found = splits(request), Deadline(**limit), list[Json]()
    others = [each for each in table if each != split]
    places = [(split, index) for index in spread(len(table[split]), most)]
    places += [(each, index) for each in others for index in range(len(table[each]))]
    for place in places[:most]:
        if not left:
            break
        task, shown = task_at(request, *place), _show(request, *place, max_turns, top)
        if shown:
            shown["said"] = [_answer(request, *place, max_turns, call) for call in asked]
            shown |= {"id": str(task.get("id", "")), "seed": int(task.get("seed", 0))}
            found.append(shown)
    return found


def _show(request: Request, split: str, index: int, max_turns: int, top: float) -> Json | None:
    """Play a task's solution. Return the solution and the task's opening, or None if playing fails."""
    try:
        calls = solve(request, split, index)
        world = open_episode(request, split, index, None, max_turns)
    except Exception:  # noqa: BLE001 - other jobs report exceptions of the author's code
        return None
    prompt = text_of(request, world)[-LONGEST:]
    world.close()
    played = runs.play_alone(request, max_turns, split, index, None, calls)
    if played["return"] is None or not played["steps"]:
        return None
    rewards = [step["reward"] for step in played["steps"]]
    most = runs.top_of(request, split, index, top)
    at = max(range(len(rewards)), key=lambda place: (rewards[place], place))
    return {
        "split": split,
        "index": index,
        "prompt": prompt,
        "calls": calls[: at + 1],
        "won": most is not None and played["return"] >= most - 1e-9,
    }


def _answer(request: Request, split: str, index: int, max_turns: int, call: Call) -> Json | None:
    """Make a call as the first call of a new episode, and return the result. Return None if the call fails or ends
    the episode.
    """
    played = runs.play_alone(request, max_turns, split, index, None, [call])
    if played["return"] is None or not played["steps"] or played["steps"][0]["done"]:
        return None
    step = played["steps"][0]
    texts = [block["text"] for block in step["observation"] if block["type"] == "text"]
    return {"text": "\n".join(texts)[:LONGEST], "refused": bool(step["error"])}


JOBS = {"show_tasks": show_tasks}
