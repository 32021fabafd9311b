"""A user at a broker, whose account is a class of the Berkeley Function-Calling Leaderboard."""

import functools
import json
from collections.abc import Callable
from typing import Any

from . import trading_bot


class InvalidAction(Exception):
    """The rules forbid the call; the agent sees why and may try again."""


class TradingBot:
    """One conversation. `reward` is 1.0 if every request was fulfilled."""

    def __init__(self, task: dict, seed: int) -> None:
        """Load the task's account twice: for the agent, and for the known solution."""
        self.reward, self.done = 0.0, False
        self._requests = task["requests"]
        self._solution = task["solution"]
        self._account, self._expected = _account(task), _account(task)
        self._results: list[str] = []
        self._answered, self._right = 0, True

    def message(self, text: str) -> str:
        """Compare the account with the solution's; make the next request, or end the conversation."""
        calls = self._solution[self._answered]
        wanted = [_call(self._expected, name, arguments) for name, arguments in calls]
        left = list(self._results)
        for result in wanted:
            if result in left:
                left.remove(result)
            else:
                self._right = False
        self._right = self._right and _state(self._account) == _state(self._expected)
        self._answered += 1
        self.done = self._answered == len(self._requests)
        if self.done:
            self.reward = float(self._right)
        return "Thank you, that is all." if self.done else self._requests[self._answered]


def _recorded(name: str, method: Callable[..., Any]) -> Callable[..., str]:
    @functools.wraps(method)
    def play(self: TradingBot, **arguments: Any) -> str:
        result = _call(self._account, name, arguments)
        self._results.append(result)
        return result

    return play


for _name, _method in vars(trading_bot.TradingBot).items():
    if callable(_method) and not _name.startswith("_"):
        setattr(TradingBot, _name, _recorded(_name, _method))


def _account(task: dict) -> Any:
    account = trading_bot.TradingBot()
    account._load_scenario(json.loads(json.dumps(task["account"])))
    return account


def _call(account: Any, name: str, arguments: dict) -> str:
    """Return the result as text; the benchmark also shows an error of a method to the model."""
    try:
        return json.dumps(getattr(account, name)(**arguments), ensure_ascii=False)
    except Exception as error:  # noqa: BLE001 - whatever a method of the account raises
        return f"Error during execution: {error}"


def _state(account: Any) -> dict:
    return {name: value for name, value in vars(account).items() if not name.startswith("_")}
