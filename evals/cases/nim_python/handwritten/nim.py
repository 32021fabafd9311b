"""Nim: take one, two or three stones in turn. The player who takes the last stone wins."""

TRAIN = [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19]
TEST = [21, 22, 23, 25]


def computer(stones):
    """Return how many stones the computer takes: enough to leave a multiple of four if possible, otherwise 1."""
    return stones % 4 or 1


def play(stones, moves):
    """Play the player's moves. Return 'won', 'lost' or the number of stones that are left."""
    for count in moves:
        if not 1 <= count <= min(3, stones):
            raise ValueError(f"take 1 to {min(3, stones)} stones")
        stones -= count
        if not stones:
            return "won"
        stones -= computer(stones)
        if not stones:
            return "lost"
    return stones
