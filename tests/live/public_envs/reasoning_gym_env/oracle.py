"""The answer that Reasoning Gym keeps with the puzzle."""

from .puzzle import ReasoningGymTen


def solve(task: dict, seed: int) -> list[tuple[str, dict]]:
    """The kept answer."""
    answer = ReasoningGymTen(task, seed).entry["answer"]
    return [("message", {"text": f"<answer>{answer}</answer>"})]
