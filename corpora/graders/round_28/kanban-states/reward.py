"""Replay of a kanban board: final columns and the list of refused moves."""
import json
import re

FENCE = re.compile(r"```json[ \t]*\r?\n(.*?)```", re.S | re.I)


def unique_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(set(keys)) != len(keys):
        raise ValueError("repeated key")
    return dict(pairs)


def read_report(completion):
    blocks = FENCE.findall(completion)
    if not blocks:
        return None
    try:
        report = json.loads(blocks[-1], object_pairs_hook=unique_keys)
    except (ValueError, RecursionError):
        return None
    if not isinstance(report, dict) or set(report) != {"board", "refused"}:
        return None
    return report


def replay(board, limits, events):
    """Apply the events in turn. An event is [number, verb, card, column or None]."""
    board = {name: list(cards) for name, cards in board.items()}
    names = list(board)
    refused = []
    for number, verb, card, column in events:
        here = next((name for name in names if card in board[name]), None)
        if verb == "add":
            goal, legal = names[0], here is None
        elif verb == "drop":
            goal, legal = None, here is not None and here != names[-1]
        else:
            goal = column
            legal = here is not None and here != column
            if legal and names.index(column) > names.index(here) + 1:
                legal = False
        if legal and goal is not None:
            limit = limits.get(goal)
            if limit is not None and len(board[goal]) >= limit:
                legal = False
        if not legal:
            refused.append(number)
            continue
        if here is not None:
            board[here].remove(card)
        if goal is not None:
            board[goal].append(card)
    return board, refused


def same_board(given, truth):
    if not isinstance(given, dict) or set(given) != set(truth):
        return False
    for name, cards in truth.items():
        mine = given[name]
        if not isinstance(mine, list) or not all(isinstance(c, str) for c in mine):
            return False
        if sorted(mine) != sorted(cards):
            return False
    return True


def same_refused(given, truth):
    if not isinstance(given, list) or any(type(n) is not int for n in given):
        return False
    return given == truth


def reward(completion, board, limits, events, **row) -> float:
    if not isinstance(completion, str):
        return 0.0
    report = read_report(completion)
    if report is None:
        return 0.0
    final, refused = replay(board, limits, events)
    score = 0.0
    if same_board(report["board"], final):
        score += 0.6
    if same_refused(report["refused"], refused):
        score += 0.4
    return round(score, 6)
