"""An oracle that asks for both facts, searches, and knows the correct end."""

from .desk import LostProperty


def solve(task, seed):
    world = LostProperty(task, seed)
    calls = [
        {"message": "Which colour is it?"},
        {"message": "In which place did you lose it?"},
        ("search", {"kind": world.kind}),
    ]
    if world.own is None:
        return [*calls, {"message": "I am sorry, it is not here."}]
    return [*calls, ("hand_over", {"number": world.own})]
