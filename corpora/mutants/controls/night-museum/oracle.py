"""The quickest way to the mask and back that no guard ever meets, by search over turns.

Where the guards walk does not depend on the agent as long as it is not caught, so it is looked up
in a night spent at the door. An honest player sees two steps far and may be caught once.
"""

from .museum import MOVES, NightMuseum

TURNS = 60


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The calls of a night that ends with the mask outside. Raises LookupError if there is none."""
    world = NightMuseum(task, seed)
    floor, mask, door = world._floor, world._mask, world.door
    guards = [set(world._guards)]
    for _ in range(TURNS):  # no guard comes to the door
        world.wait()
        guards.append(set(world._guards))
    start = (door, False)
    came: list[dict] = [{start: None}]
    for turn in range(TURNS):
        layer: dict = {}
        for place, carries in came[-1]:
            for name, (down, right) in {**MOVES, "wait": (0, 0)}.items():
                to = (place[0] + down, place[1] + right)
                if to not in floor or to in guards[turn]:
                    continue
                state = (to, carries or to == mask)
                if state == (door, True):
                    return unwind(came, turn, (place, carries), name)
                if to not in guards[turn + 1] and state not in layer:
                    layer[state] = ((place, carries), name)
        came.append(layer)
    raise LookupError(f"no safe way found for task {task['id']} with seed {seed}")


def unwind(came: list[dict], turn: int, state: tuple, last: str) -> list[tuple[str, dict]]:
    """The calls that led to a state, and one more."""
    names = [last]
    while turn:
        state, name = came[turn][state]
        names.append(name)
        turn -= 1
    return [
        ("wait", {}) if name == "wait" else ("move", {"direction": name})
        for name in reversed(names)
    ]
