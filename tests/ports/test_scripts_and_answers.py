"""Scripts that an original outlasts, and answers that an import takes from rows."""

from skill_tools.evidence.certificate import Scripted, Seen
from skill_tools.ports.comparison import Comparison
from skill_tools.ports.equality import EqualityRules
from skill_tools.ports.exploration import LONGEST_ANSWER, MOST_ANSWERS, _row_answers
from skill_tools.ports.sides import PlayedScript

SCRIPT = Scripted(key="noop/train/0/0", split="train", index=0, calls=[("message", {"text": ""})])


def played(steps: int, end: str) -> PlayedScript:
    shown = [Seen(observation="more", reward=0.0, done=False, error=None) for _ in range(steps)]
    return PlayedScript("opening", shown, end, 0.0)


def compared(ours: PlayedScript, theirs: PlayedScript) -> Comparison:
    comparison = Comparison(EqualityRules())
    comparison.add(SCRIPT, ours, theirs)
    return comparison


def test_an_original_that_continues_after_a_script_is_not_compared_beyond_it() -> None:
    found = compared(played(1, "stopped"), played(3, "terminated"))
    assert (found.differing, found.episodes) == (0, 1)
    assert [why.startswith("the original cannot be stopped") for why in found.skipped] == [True]


def test_an_episode_that_the_environment_itself_ends_too_early_differs() -> None:
    found = compared(played(1, "terminated"), played(3, "terminated"))
    assert (found.differing, dict(found.skipped)) == (1, {})


def test_the_short_texts_of_a_row_are_tried_as_answers_the_shortest_first() -> None:
    row = {"prompt": "x" * (LONGEST_ANSWER + 1), "word": "alpha", "a": "b", "n": 7, "none": " "}
    tried = list(_row_answers({"task": row}))
    assert [calls[0]["arguments"]["text"] for calls in tried] == ["b", "alpha"]
    assert all(call == calls[0] for calls in tried for call in calls)
    many = {str(n): str(n) for n in range(3 * MOST_ANSWERS)}
    assert len(list(_row_answers({"task": many}))) == MOST_ANSWERS
    assert list(_row_answers({"task": None})) == list(_row_answers({})) == []
