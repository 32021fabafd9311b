"""Play many deals of a domain of chance with the oracle and blind players; runs in the child process."""

import json
import random
from typing import Any

from skill_tools_jobs import Call, Calls, Json, Played, Request, random_play, runs
from skill_tools_jobs.deadline import Deadline, Limit
from skill_tools_jobs.episodes import splits, task_at
from skill_tools_jobs.survey import every_place, spread

PLACES = 400
"""Maximum tasks to deal, each with its own seed first and then with others."""
LONG = 5
"""Minimum length of a task's id or seed to remove from shown texts: shorter ones may be cards."""
MAX_EXAMPLES = 5
"""Maximum decisions to report: people do not read more."""
AT_RANDOM = "legal calls at random"


def play_chance(
    request: Request,
    players: list[tuple[str, Calls]],
    drawn: Calls,
    most: int,
    reseed: bool,
    max_turns: int,
    limit: Limit,
) -> Json:
    """Play the oracle, fixed scripts and random legal play on the same deals, and collect their returns.

    Each of the oracle's decisions is compared with the first decision after the same history. The result also has
    the number of compared decisions, the decisions that differed, and whether time ran out.

    Args:
        request: The settings of the process.
        players: The description and the calls of each player.
        drawn: Random calls, for a domain that does not list valid calls.
        most: Maximum number of deals.
        reseed: Whether another seed redeals a task.
        max_turns: Maximum calls of an episode.
        limit: The time limits.
    """
    table, left = splits(request), Deadline(**limit)
    places = every_place(table)
    places = [places[at] for at in spread(len(places), PLACES)]
    dealt, known = list[Json](), dict[str, Json]()
    found: Json = {"compared": 0, "foreseen": [], "cut": False}
    for number in range(most if reseed else min(most, len(places))):
        if not left:
            found["cut"] = True
            break
        split, index = places[number % len(places)]
        task = task_at(request, split, index)
        own = int(task.get("seed", 0))
        # Far apart: tasks often have consecutive seeds, and no deal may occur twice.
        seed = own if number < len(places) else random.Random(number).randrange(1, 10**9)
        place = {"split": split, "index": index, "seed": seed}
        solved = runs.solve_alone(request, split, index, seed, max_turns, kept=True)
        if solved["return"] is None or "played" not in solved:
            continue  # the probe of the oracle under other seeds reports failures
        others = [
            runs.play_alone(request, max_turns, split, index, seed, calls)["return"]
            for _, calls in players
        ]
        strolled = random_play.wander_one(request, split, index, max_turns, number, drawn, seed)
        others.append(strolled["return"] if strolled else None)
        kept = {"own": seed == own, "return": solved["return"], "others": others}
        dealt.append({**place, **kept})
        _compare(found, known, place, solved["played"], (str(task.get("id")), str(seed)))
    names = [words for words, _ in players]
    return {**found, "players": [*names, AT_RANDOM], "dealt": dealt}


def _compare(
    found: Json, known: dict[str, Json], place: Json, played: Played, own: tuple[str, str]
) -> None:
    """Compare each decision with the first decision that followed the same opening and observations."""
    text = json.dumps(played["prompt"])
    for word in own:
        text = text.replace(word, "") if len(word) >= LONG else text
    shown: list[Any] = [text]
    for number, step in enumerate(played["steps"], 1):
        key, call = runs.checksum(shown), [step["tool"], step["arguments"]]
        shown.append([*call, step["observation"]])
        first = known.setdefault(key, {"place": place, "call": call, "told": False})
        if first["place"] is place:
            continue
        found["compared"] += 1
        if first["call"] != call and not first["told"] and len(found["foreseen"]) < MAX_EXAMPLES:
            first["told"] = True
            other = first["place"]
            found["foreseen"].append(
                {
                    **place,
                    "step": number,
                    "call": _said(call),
                    "other": f"{other['split']}/{other['index']} with seed {other['seed']}",
                    "other_call": _said(first["call"]),
                    "played": played,
                }
            )


def _said(call: Call) -> str:
    return f"{call[0]}({json.dumps(call[1])[:120]})"


JOBS = {"play_chance": play_chance}
