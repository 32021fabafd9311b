"""A right conversation for each task, and the stand-ins for the models."""


def solve(task, seed):
    order = task["order"]
    calls = [{"message": "I am glad to help. Which order is it, and what should I change?"}]
    calls.append(("find_order", {"number": order}))
    if task["orders"][order]["status"] == "shipped":
        return [
            *calls,
            {
                "message": "I am sorry: the order was shipped, so I cannot cancel it. Thank you for asking."
            },
        ]
    if f"{order} cancelled" in task["wanted"]:
        calls.append(("cancel_order", {"number": order}))
    else:
        calls.append(("change_address", {"number": order, "address": task["address"]}))
    return [*calls, {"message": "It is done. Thank you for your patience."}]


def customer(task, messages):
    said = messages[-1]["content"].lower()
    if "which order" in said or "order number" in said:
        extra = f" The new address is {task['address']}." if "delivered" in task["goal"] else ""
        return f"It is order {task['order']}.{extra}"
    if "it is done" in said or "cannot" in said:
        return "All right, thank you. DONE"
    return "Sorry, I do not understand. What do you need from me?"


def judge(task, messages, data):
    kind = "thank you" in data["reply"].lower() and "sorry, i do not" not in data["reply"].lower()
    return {"reason": "by its words", "polite": "polite" if kind else "neutral"}
