import json
import re

SQUARE = re.compile(r"[a-h][1-8]")


def _legal(start, own):
    f, r = ord(start[0]) - 97, int(start[1]) - 1
    squares = set()
    for df, dr in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
        nf, nr = f + df, r + dr
        if 0 <= nf < 8 and 0 <= nr < 8:
            squares.add("%s%d" % (chr(97 + nf), nr + 1))
    return squares - set(own)


def reward_func(queries, prompts, labels, **kwargs):
    """+1 legal move, -1 illegal move, 0 when the last line is not a square."""
    rewards = []
    for query, prompt, label in zip(queries, prompts, labels):
        board = json.loads(label)
        reply = query[len(prompt):] if query.startswith(prompt) else query
        last = reply.strip().split("\n")[-1].strip()
        if not SQUARE.fullmatch(last):
            rewards.append(0.0)
        elif last in _legal(board["knight"], board["own"]):
            rewards.append(1.0)
        else:
            rewards.append(-1.0)
    return rewards
