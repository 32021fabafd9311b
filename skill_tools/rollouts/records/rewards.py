"""The share of the return that each message of the model earned."""

from __future__ import annotations

from itertools import islice

from skill_tools.evidence.trajectory import Trajectory


def of_messages(trajectory: Trajectory, count: int | None = None) -> list[float] | None:
    """Return the reward of each of the model's messages. The rewards add up to the return.

    The reward for ending the episode counts for the last message. ``count`` is the number of messages to keep;
    the last message that is kept also gets the rewards of the messages after it. The result is None if the file
    does not record which steps a message made.
    """
    made = _steps(trajectory)
    if made is None or sum(made) != len(trajectory.steps):
        return None
    steps = iter(trajectory.steps)
    rewards = [sum(step.reward for step in islice(steps, each)) for each in made]
    kept = len(rewards) if count is None else min(count, len(rewards))
    if kept < 1:
        return None
    last = sum(rewards[kept - 1 :]) + trajectory.final_reward
    return [*map(float, rewards[: kept - 1]), float(last)]


def _steps(trajectory: Trajectory) -> list[int] | None:
    """Return the number of steps that each message of the model made, or None if this was not recorded."""
    if not trajectory.messages:  # then the conversation is built from the steps
        stopped = bool(trajectory.final_message)
        return [1] * len(trajectory.steps) + [0] * stopped
    played = trajectory.messages[trajectory.opened :]
    said = [message for message in played if message["role"] == "assistant"]
    recorded = [turn.get("steps") for turn in trajectory.turns]
    if len(recorded) == len(said) and None not in recorded:
        return [count for count in recorded if count is not None]
    return [len(message.get("tool_calls") or ()) for message in said]
