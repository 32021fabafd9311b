"""Customers, their orders, and the state that the policy asks for."""

import copy

from .desk import state

NAMES = ["Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ida", "Jon", "Kim", "Leo"]
GOODS = ["oak table", "reading lamp", "green sofa", "book shelf", "kitchen stool", "mirror"]
STREETS = ["Mill Lane, Oxford", "Hill Road, Leeds", "Park Street, Bath", "Kings Parade, Hull"]


def make(number):
    name, thing = NAMES[number % 12], GOODS[number % 6]
    order, other = f"F-{1001 + 37 * number}", f"F-{1019 + 37 * number}"
    old, new = f"{number + 2} {STREETS[number % 4]}", f"{number + 11} {STREETS[(number + 1) % 4]}"
    status = "shipped" if number % 3 == 2 else "open"
    orders = {
        order: {"item": thing, "status": status, "address": old},
        other: {"item": GOODS[(number + 1) % 6], "status": "open", "address": old},
    }
    wanted = copy.deepcopy(orders)
    if number % 3 == 1:
        goal = f"Have order {order} delivered to {new} instead."
        wanted[order]["address"] = new
        first = f"Hello, this is {name}. I am moving, and my {thing} should go to another address."
    else:
        goal = f"Cancel order {order}, the {thing}. Accept it if that is not possible."
        first = f"Hi, {name} here. I no longer need the {thing} that I ordered."
        if status == "open":
            wanted[order]["status"] = "cancelled"
    persona = (
        f"Your name is {name}. You are {['in a hurry', 'friendly', 'a bit annoyed'][number % 3]}."
    )
    return {
        "id": f"{name.lower()}-{number}",
        "first": first,
        "persona": persona,
        "goal": goal,
        "order": order,
        "address": new,
        "orders": orders,
        "wanted": state(wanted),
    }


TASKS = {"train": [make(n) for n in range(12)], "test": [make(n) for n in range(12, 18)]}
