"""An oracle that wins every task by search over complete games.

The task, the seed and the moves so far determine the opponent's moves. A game that is won once in simulation
is therefore won whenever the player makes the same moves.
"""

import random

from .game import OPPONENT, PLAYER, ConnectFour, open_columns, winning_columns

ATTEMPTS = 2000
ENOUGH_WINS = 20


def choose(world: ConnectFour, rng: random.Random) -> int:
    """Return a column that wins, otherwise a column that blocks, otherwise a random column near the middle."""
    urgent = winning_columns(world.board, PLAYER) or winning_columns(world.board, OPPONENT)
    columns = urgent or open_columns(world.board)
    return rng.choices(columns, weights=[4 - abs(column - 3) for column in columns])[0]


def play_out(task: dict, seed: int, rng: random.Random) -> tuple[float, list[int]]:
    """Return the reward of one game, and the columns that the player chose."""
    world = ConnectFour(task, seed)
    columns: list[int] = []
    while not world.done:
        columns.append(choose(world, rng) + 1)
        world.drop_piece(columns[-1])
    return world.reward, columns


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """Return the calls of the shortest won game that was found. Raise LookupError if no attempt wins."""
    wins: list[list[int]] = []
    for attempt in range(ATTEMPTS):
        reward, columns = play_out(task, seed, random.Random(attempt))
        if reward == 1.0:
            wins.append(columns)
        if len(wins) == ENOUGH_WINS:
            break
    if not wins:
        raise LookupError(f"no win found for task {task['id']} with seed {seed}")
    return [("drop_piece", {"column": column}) for column in min(wins, key=len)]
