"""A shop's support desk: a customer to talk to, orders to change, and a policy."""

import copy


class InvalidAction(Exception):
    """The agent's mistake; the text is shown to it."""


def state(orders):
    """The orders as one line of text."""
    return "; ".join(
        f"{number} {each['status']} {each['address']}" for number, each in sorted(orders.items())
    )


class SupportDesk:
    def __init__(self, task, seed, models):
        self.task, self.models = task, models
        self.orders = copy.deepcopy(task["orders"])
        self.written = []
        self.changed = False
        self.reward, self.done = 0.0, False
        self.first = models.customer.opening()

    def observe(self):
        return self.first

    def message(self, text):
        self.written.append(text)
        answer = self.models.customer.reply(text)
        if self.models.customer.stopped:
            self.done = True
            self._score()
        return answer or "(The customer left.)"

    def find_order(self, number):
        return dict(self._order(number), number=number)

    def cancel_order(self, number):
        self._open(number)["status"] = "cancelled"
        return f"Order {number} is cancelled."

    def change_address(self, number, address):
        self._open(number)["address"] = address
        return f"Order {number} goes to {address}."

    def _order(self, number):
        if number not in self.orders:
            raise InvalidAction(f"there is no order {number}")
        return self.orders[number]

    def _open(self, number):
        order = self._order(number)
        if order["status"] != "open":
            raise InvalidAction(
                f"order {number} is {order['status']}, and only an open order can be changed"
            )
        return order

    def _score(self):
        if state(self.orders) != self.task["wanted"]:
            return
        transcript = "\n".join(f"Agent: {text}" for text in self.written)
        self.reward = 0.9 + 0.1 * self.models.judge.rate(transcript).score
