"""An oracle that goes to the nearest waiting house until no house is waiting."""


def solve(task, seed):
    (x, y), left, calls = task["start"], [tuple(each) for each in task["houses"]], []
    while left:
        to_x, to_y = min(left, key=lambda each: abs(each[0] - x) + abs(each[1] - y))
        calls += [("walk", {"direction": "east" if to_x > x else "west"})] * abs(to_x - x)
        calls += [("walk", {"direction": "south" if to_y > y else "north"})] * abs(to_y - y)
        calls.append(("deliver", {}))
        x, y = to_x, to_y
        left.remove((x, y))
    return calls
