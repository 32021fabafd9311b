"""A trajectory's tokens as training sequences: ids, logprobs, and whether the model wrote each token."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.rollouts.records.conversation import Unfit
from skill_tools.rollouts.records.rewards import of_messages

UNCOUNTED = 1
"""Tokens that a server counts but may not report: the one that ends the message (llama.cpp)."""


@dataclass
class Sequence:
    """Tokens that the model read or wrote without a break.

    Attributes:
        mask: 1 for tokens that the model wrote, 0 for tokens that it was shown.
        logprobs: The logprobs of written tokens, and 0.0 for others; None if a message has no logprobs.
        rewards: A message's reward at its last token, and 0.0 elsewhere; None if the reward was not recorded.
    """

    ids: list[int] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    logprobs: list[float] | None = field(default_factory=list)
    rewards: list[float] | None = field(default_factory=list)


def sequences(trajectory: Trajectory) -> list[Sequence]:
    """Return an episode's tokens as sequences. A new sequence begins at each turn whose prompt was rebuilt.

    A prompt is rebuilt if it does not begin with all tokens that the model has read and written so far. Causes
    are a chat template that drops old reasoning, and text that is tokenized differently from how the model wrote
    it. Raises Unfit if some of a message's tokens are unknown.
    """
    found: list[Sequence] = []
    read: list[int] = []
    rewards: list[float | None] = [*(of_messages(trajectory) or ())]
    if len(rewards) != len(trajectory.turns):
        rewards = [None] * len(trajectory.turns)
    for turn, reward in zip(trajectory.turns, rewards, strict=True):
        tokens = _known(turn)
        carried, shown, said = tokens.get("carried", 0), tokens["prompt_ids"], tokens["ids"]
        if not found or carried < len(read):
            found.append(Sequence())
            shown = read[:carried] + shown
        _add(found[-1], shown, said, tokens.get("logprobs"), reward)
        read = [*read[:carried], *tokens["prompt_ids"], *said]
    if not found:
        raise Unfit("no message from the model")
    return found


def rows(trajectory: Trajectory, group: str) -> list[dict[str, Any]]:
    """Return a row for each sequence of an episode. ``group`` identifies the episodes that are compared with this
    episode.
    """
    parts = sequences(trajectory)
    about = {
        name: getattr(trajectory, name)
        for name in ("environment", "model", "task_id", "split", "index", "seed", "sample", "end")
    }
    about |= {"return": trajectory.total, "group": group, "parts": len(parts)}
    about |= {} if trajectory.metrics is None else {"metrics": trajectory.metrics}
    return [{**about, "part": number, **asdict(each)} for number, each in enumerate(parts)]


def _known(turn: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the tokens of a turn. Raises Unfit if tokens are missing or their number is not the server's count."""
    tokens = turn.get("tokens") or {}
    if "prompt_ids" not in tokens or "ids" not in tokens:
        raise Unfit("a message whose tokens were not reported by the server")
    counted = (turn.get("usage") or {}).get("output_tokens")
    if counted is not None and not 0 <= counted - len(tokens["ids"]) <= UNCOUNTED:
        raise Unfit("a message whose reported tokens differ from the server's count")
    return tokens


def _add(
    to: Sequence,
    shown: list[int],
    said: list[int],
    logprobs: list[float] | None,
    reward: float | None,
) -> None:
    to.ids += [*shown, *said]
    to.mask += [0] * len(shown) + [1] * len(said)
    if to.logprobs is None or logprobs is None:
        to.logprobs = None
    else:
        to.logprobs += [0.0] * len(shown) + logprobs
    if to.rewards is None or reward is None:
        to.rewards = None
    elif new := len(to.ids) - len(to.rewards):
        to.rewards += [0.0] * (new - 1) + [reward]
    elif to.rewards:
        to.rewards[-1] += reward
