"""The rendered episode module: the semantics that every variant shares."""

from __future__ import annotations

import asyncio
import importlib
import json
import re
import sys
import types
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from skill_tools.pipeline import render
from tests.conftest import write_counter
from tests.over import over

Open = Callable[..., object]
EXITS = "    def {}(self):\n        raise SystemExit(3)\n\n"


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Open an episode of a counter whose game.py, or env.yaml, was changed."""

    def open_one(
        *changes: tuple[str, str], env: Sequence[tuple[str, str]] = (), **options: object
    ) -> object:
        folder = write_counter(tmp_path / "counter", game=list(changes), env=list(env))
        render(folder)
        _forget()
        package = types.ModuleType("counter_domain")
        package.__path__ = [str(folder)]
        sys.modules["counter_domain"] = package
        episode = importlib.import_module("counter_domain._shared.episode")
        table = importlib.import_module("counter_domain._shared.task_table")
        return episode.Episode(table.task_at("train", 0), **options)

    yield open_one
    _forget()


def _forget() -> None:
    for name in [name for name in sys.modules if name.startswith("counter_domain")]:
        del sys.modules[name]


def arguments(opened: Open) -> types.ModuleType:
    opened()
    return importlib.import_module("counter_domain._shared.arguments")


def tool_calls(opened: Open) -> types.ModuleType:
    opened()
    return importlib.import_module("counter_domain._shared.episode")


def test_a_default_of_the_spec_reaches_the_domain(opened: Open) -> None:
    played = opened(('note=""', "note"))
    assert played.call("add", {"amount": 1}).text == "The counter is at 1. "


@pytest.mark.everything("costly")
@pytest.mark.parametrize(
    ("declared", "arguments", "note"),
    [
        ('default: ""', {"amount": 1, "note": None}, "''"),
        ("default: null", {"amount": 1, "note": None}, "None"),
        ("default: null", {"amount": 1}, "None"),
        ("default: ~", {"amount": 1, "note": "hi"}, "'hi'"),
    ],
)
def test_null_for_an_optional_argument_leaves_it_out(
    opened: Open, declared: str, arguments: dict[str, object], note: str
) -> None:
    played = opened(("{note}", "{note!r}"), env=[('default: ""', declared)])
    assert played.call("add", arguments).text == f"The counter is at 1. {note}"
    assert played.steps[0]["arguments"] == arguments
    refused = played.call("add", {"amount": None})
    assert refused.text == "add: amount must be a whole number, 1 to 9, was null"
    assert played.call("add", {"amount": 1, "other": None}).error == "invalid_arguments"


def test_a_whole_float_is_the_integer_it_equals(opened: Open) -> None:
    assert opened().call("add", {"amount": 2.0}).text == "The counter is at 2. "


@pytest.mark.everything("costly")
@over(
    ("tool", "arguments", "error", "says"),
    [
        ("fly", {}, "unknown_tool", "The tools are: add, look"),
        ("add", {}, "invalid_arguments", "add: missing: amount"),
        (
            "add",
            {"amount": True},
            "invalid_arguments",
            "amount must be a whole number, 1 to 9, was true",
        ),
        (
            "add",
            {"amount": 2.5},
            "invalid_arguments",
            "amount must be a whole number, 1 to 9, was 2.5",
        ),
        (
            "add",
            {"amount": 10},
            "invalid_arguments",
            "amount must be a whole number, 1 to 9, was 10",
        ),
        (
            "add",
            {"amount": "9"},
            "invalid_arguments",
            'amount must be a whole number, 1 to 9, was "9"',
        ),
        (
            "add",
            {"amount": 1, "x": 1},
            "invalid_arguments",
            'no such argument: "x"',
        ),
        (
            "add",
            {"amount": 1, "note": "too long"},
            "invalid_arguments",
            'note must be text, at most 5 characters, was "too long"',
        ),
        (
            "add",
            {"amount": 0, "note": 7},
            "invalid_arguments",
            "amount must be a whole number, 1 to 9, was 0; note must be text, at most 5 characters, was 7",
        ),
        ("add", {"_raw": "{"}, "invalid_arguments", 'not a JSON object: "{"'),
        ("add", [1], "invalid_arguments", "the arguments are not a JSON object: [1]"),
    ],
)
def test_a_call_that_cannot_be_played_is_told_and_counts(
    opened: Open, tool: str, arguments: object, error: str, says: str
) -> None:
    played = opened()
    step = played.call(tool, arguments)
    assert (step.error, step.reward, step.done, played.turns) == (error, 0.0, False, 1)
    assert says in step.text


@over(
    "arguments",
    [
        {"_raw": "x" * 5000},
        {"amount": "x" * 5000},
        {"amount": [{"deep": "x" * 5000}]},
        {"amount": 1, "note": "x" * 5000},
        {"amount": 1, "x" * 5000: 1},
        {"amount": 1, **{f"x{number}": 1 for number in range(500)}},
    ],
)
def test_a_refusal_shows_little_of_what_the_model_wrote(opened: Open, arguments: object) -> None:
    assert len(opened().call("add", arguments).text) < 200


def test_an_unknown_tool_is_named_in_short(opened: Open) -> None:
    assert len(opened().call("x" * 5000, {}).text) < 200


def test_the_authors_own_words_stand_for_the_rule(opened: Open) -> None:
    written = ("maximum: 9,", "maximum: 9, on_invalid: Add one to nine at a time.,")
    played = opened(env=[written])
    assert played.call("add", {"amount": 10}).text == "add: Add one to nine at a time."
    assert played.call("add", {"amount": "x"}).text == "add: Add one to nine at a time."
    assert played.call("add", {}).text == "add: missing: amount"


LIMITS = ("max_turns: 6", "max_turns: 2, refusals: free, max_refusals: 3")


def test_a_free_refusal_costs_no_turn(opened: Open) -> None:
    played = opened(("randint(5, 30)", "randint(5, 5)"), env=[LIMITS])
    assert played.call("add", {"amount": 10}).error == "invalid_arguments"
    assert played.call("add", {"amount": 9}).error == "invalid_action"
    assert (played.turns, played.refusals, played.over) == (0, 2, False)
    assert not played.call("look", {}).done
    assert played.call("look", {}).done
    assert (played.turns, played.refusals, played.truncated) == (2, 2, True)


def test_free_refusals_have_a_limit_of_their_own(opened: Open) -> None:
    played = opened(env=[LIMITS])
    assert not played.call("look", {}).done
    assert [played.call("fly", {}).done for _ in range(3)] == [False, False, True]
    assert (played.turns, played.refusals, played.truncated) == (1, 3, True)
    assert played.call("look", {}).error == "episode_over"


def test_free_refusals_are_as_many_as_the_turns_unless_told(opened: Open) -> None:
    played = opened(env=[("max_turns: 6", "max_turns: 2, refusals: free")])
    assert [played.refuse("?", "Write a tag.").done for _ in range(2)] == [False, True]


def test_winning_on_the_last_turn_is_done_and_not_truncated(opened: Open) -> None:
    played = opened(("random.Random(seed).randint(5, 30)", "9"), max_turns=1)
    step = played.call("add", {"amount": 9})
    assert (step.done, step.reward, played.truncated) == (True, 1.0, False)


def test_the_turn_limit_truncates_and_later_calls_are_refused(opened: Open) -> None:
    played = opened(max_turns=2)
    assert not played.call("look", {}).done
    assert played.call("look", {}).done
    assert played.truncated
    step = played.call("look", {})
    assert (step.error, step.reward, step.done) == ("episode_over", 0.0, True)
    assert played.turns == 2
    assert played.end() == 0.0


def test_a_limit_above_the_specs_is_not_granted(opened: Open) -> None:
    assert opened(max_turns=1000).max_turns == 6


def test_a_broken_world_fails_the_episode_for_good(opened: Open) -> None:
    played = opened(("return self.observe()", "return 1 / 0"))
    for _ in range(2):
        with pytest.raises(RuntimeError, match=r"look\(\): ZeroDivisionError"):
            played.call("look", {})
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        played.end()


@pytest.mark.parametrize(
    ("where", "old", "new"),
    [
        ("look()", "return self.observe()", "raise SystemExit(3)"),
        ("finish()", "    def look(", f"{EXITS.format('finish')}    def look("),
        ("done", "        self.done = False\n", ""),
        ("reward", "        self.reward = 0.0\n", ""),
    ],
)
def test_a_domain_that_ends_the_program_fails_only_its_episode(
    opened: Open, where: str, old: str, new: str
) -> None:
    attribute = (
        [] if new else [("    def look(", f"    @property\n{EXITS.format(where)}    def look(")]
    )
    played = opened((old, new), *attribute, max_turns=1)
    with pytest.raises(RuntimeError, match=f"{re.escape(where)}: SystemExit"):
        played.call("look", {})


def test_a_domain_that_changes_its_task_does_not_change_the_prompt(opened: Open) -> None:
    played = opened(
        ("return self.observe()", "return str(self.task.clear())"),
        ("self.value = 0", "self.value, self.task = 0, task"),
    )
    before = played.prompt
    played.call("look", {})
    assert played.prompt == before
    assert played.task["id"] == "train-0"


@over("text", ["[" * 5000, '{"amount": 1e999}', '{"amount": NaN}', '{"x": "\\ud800"}', "", "1"])
def test_arguments_that_no_client_could_send_on_are_passed_on_as_text(
    opened: Open, text: str
) -> None:
    assert arguments(opened).read_arguments(text) == ({} if not text else {"_raw": text})


def test_arguments_nested_deeper_than_any_tool_takes_are_passed_on_as_text(opened: Open) -> None:
    read = arguments(opened).read_arguments
    fits, deep = ('{"x": ' + "[" * n + "]" * n + "}" for n in (63, 64))
    assert "x" in read(fits)
    assert read(deep) == {"_raw": deep}


def test_what_a_model_said_is_echoed_in_part_only(opened: Open) -> None:
    played = opened()
    for tool, arguments in (("x" * 9000, {}), ("add", {"_raw": "x" * 9000}), ("add", {"_raw": 5})):
        step = played.call(tool, arguments)
        assert step.error in ("unknown_tool", "invalid_arguments")
        assert len(step.text) < 600


def test_line_breaks_within_arguments_need_no_escape(opened: Open) -> None:
    assert arguments(opened).read_arguments('{"x": "a\n\tb"}') == {"x": "a\n\tb"}


@over("reward", ["10 ** 400", "float('nan')", "float('inf')", "None", "'1'"])
def test_a_reward_that_is_no_finite_number_fails_the_episode(opened: Open, reward: str) -> None:
    played = opened(
        ("self.reward = 1.0", f"self.reward = {reward}"), ("if self.value ==", "if 1 or")
    )
    with pytest.raises(RuntimeError, match="the reward is"):
        played.call("add", {"amount": 1})


LOOK = "    def look(self):\n        return self.observe()\n"


def look(body: str) -> tuple[str, str]:
    """The change by which the counter's look() has another body."""
    return (LOOK, f"    def look(self):\n        {body}\n")


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ('return {"b": [1, None], "a": "ä\\n"}', '{"a":"ä\\n","b":[1,null]}'),
        (
            "import dataclasses, numpy; At = dataclasses.make_dataclass('At', ['y', 'x']); "
            + "return At({'deep': At(True, 0.5)}, numpy.int16(3))",
            '{"x":3,"y":{"deep":{"x":0.5,"y":true}}}',
        ),
        (
            "import pydantic, datetime; M = pydantic.create_model('M', on=(datetime.date, ...)); "
            + "return [M(on='2026-01-02'), 'text']",
            '{"on":"2026-01-02"}\ntext',
        ),
        ("import types; return types.MappingProxyType({1: 'a'})", '{"1":"a"}'),
    ],
    ids=["dict", "dataclass", "pydantic", "mapping"],
)
def test_an_object_that_a_tool_returns_is_shown_as_canonical_json(
    opened: Open, body: str, shown: str
) -> None:
    assert opened(look(body)).call("look", {}).text == shown


@pytest.mark.everything("costly")
@over(
    ("body", "named"),
    [
        ("return {1, 2}", r"\{1, 2\} \(set\)"),
        ("import numpy as np; return np.array([1, 2])", r"array\(\[1, 2\]\) \(ndarray\)"),
        ("pass", "None"),
        ("return 3.5", r"3\.5 \(float\)"),
        ("return ['text', object()]", "an object"),
        ("return [['nested']]", r"\['nested'\] \(list\)"),
        ("return {'at': {1}}", r"\{'at': \{1\}\} \(dict\) .* it holds \{1\} \(set\)"),
        ("return {'at': float('nan')}", r"\{'at': nan\} \(dict\) that is not JSON"),
        ("return (n for n in 'ab')", "a generator"),
        ("import pydantic; return pydantic.BaseModel", "a ModelMetaclass"),
    ],
)
def test_what_no_variant_can_show_fails_with_its_type_and_its_method(
    opened: Open, body: str, named: str
) -> None:
    with pytest.raises(
        RuntimeError, match=rf"failed in look\(\): WrongResult: it returned {named}"
    ):
        opened(look(body)).call("look", {})


def test_an_observation_up_to_the_limit_is_played(opened: Open) -> None:
    step = opened(look("return ['é' * 1_000_000, b'x' * 1_499_985]")).call("look", {})
    assert len(step.observation) == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (look("return ['é' * 1_000_000, b'x' * 1_500_010]"), r"look\(\): .* has 8,000,020 bytes"),
        (look("raise InvalidAction('x' * 8_000_000)"), r"look\(\): .* has 8,000,002 bytes"),
        (('return f"The', "return 'x' * 9_000_000 + f\"The"), r"observe\(\): .* has 9,000,04"),
    ],
    ids=["tool", "refusal", "observe"],
)
def test_an_observation_over_the_limit_fails_with_its_size_and_the_limit(
    opened: Open, change: tuple[str, str], says: str
) -> None:
    with pytest.raises(RuntimeError, match=rf"failed in {says}.* the maximum is 8,000,000"):
        opened(change).call("look", {})


MORE = """\
    async def close(self):
        async with self.lock:
            self.closed += 1

    async def status(self):
        return f"{self.target - self.value} left"

    async def finish(self, reason):
        self.reward += 0.25

    async def add("""
ASYNC = [
    ("import random", "import asyncio\nimport random"),
    ("    def observe(self):", "    async def observe(self):\n        await asyncio.sleep(0)"),
    ("        return self.observe()", "        return await self.observe()"),
    ("    def look(", "    async def look("),
    ("        self.value = 0\n", "        self.value = 0\n        self.closed = 0\n"),
    ("        self.done = False", "        self.done = False\n        self.lock = asyncio.Lock()"),
    ("    def add(", MORE),
    (
        "        self.value += amount",
        "        async with self.lock:\n            self.value += amount",
    ),
]


@pytest.mark.parametrize("in_loop", [False, True], ids=["in a thread", "in an event loop"])
def test_a_domain_of_coroutines_is_played_as_one_of_functions(opened: Open, in_loop: bool) -> None:
    def play() -> tuple[float, int]:
        played = opened(*ASYNC)
        world, target = played._world, played._world.target
        steps = [played.call("look", {}), played.call("add", {"amount": 9})]
        refused = played.call("add", {"amount": 9}) if target < 18 else None
        assert refused is None or refused.error == "invalid_action"
        paid = played.end()
        played.close()
        first = played.first_observation[0]["text"]
        assert first == f"The counter is at 0; the target is {target}."
        assert steps[0].text == f"{first}\n{target} left"
        assert steps[1].text == f"The counter is at 9. \n{target - 9} left"
        return (paid, world.closed)

    async def played_in_a_loop() -> tuple[float, int]:
        return play()

    assert (asyncio.run(played_in_a_loop()) if in_loop else play()) == (0.25, 1)


@pytest.mark.parametrize(
    ("raised", "named"),
    [
        ("raise ValueError('no')", r"ValueError: no \(game\.py:\d+\)"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("raise asyncio.CancelledError", "RuntimeError: it was cancelled"),
        ("raise StopIteration", "RuntimeError: coroutine raised StopIteration"),
    ],
)
def test_what_a_coroutine_raises_fails_its_episode_and_no_other(
    opened: Open, raised: str, named: str
) -> None:
    played = opened(*ASYNC, ("return await self.observe()", raised))
    other = type(played)(played.task)
    with pytest.raises(RuntimeError, match=rf"failed in look\(\): {named}"):
        played.call("look", {})
    assert other.call("add", {"amount": 1}).error is None


@over("reward", ["np.float16(1)", "np.int8(1)", "np.bool_(1)", "np.longdouble(1)", "np.array(1.0)"])
def test_a_scalar_of_numpy_is_a_reward_and_a_done(opened: Open, reward: str) -> None:
    played = opened(
        ("import random", "import random\nimport numpy as np"),
        ("self.reward = 1.0", f"self.reward = {reward}"),
        ("self.done = True", "self.done = np.bool_(True)"),
        ("if self.value ==", "if 1 or"),
    )
    step = played.call("add", {"amount": 1})
    assert (type(step.reward), step.reward, step.done) == (float, 1.0, True)
    json.dumps(played.record())


@over(
    ("name", "value", "says"),
    [
        ("reward", "[1.0]", r"the reward is \[1.0\] \(list\); .* float\(\.\.\.\)"),
        ("reward", "np.array([1.0])", r"the reward is .* \(ndarray\); .* float\(\.\.\.\)"),
        ("reward", "1j", r"the reward is 1j \(complex\); .* float\(\.\.\.\)"),
        ("done", "self.look", r"done is a method; .* bool\(\.\.\.\)"),
        ("done", "'False'", r"done is 'False' \(str\); .* bool\(\.\.\.\)"),
        ("done", "None", r"done is None; .* bool\(\.\.\.\)"),
        ("done", "np.array([True, False])", r"done is .* \(ndarray\); .* bool\(\.\.\.\)"),
    ],
)
def test_a_reward_or_done_that_is_none_is_named_with_its_type_and_what_to_write(
    opened: Open, name: str, value: str, says: str
) -> None:
    played = opened(
        ("import random", "import random\nimport numpy as np"),
        (f"self.{name} = {'1.0' if name == 'reward' else 'True'}", f"self.{name} = {value}"),
        ("if self.value ==", "if 1 or"),
    )
    with pytest.raises(RuntimeError, match=rf"failed in {name}: WrongResult: {says}"):
        played.call("add", {"amount": 1})


def test_finish_is_called_once_and_close_may_be_called_twice(opened: Open) -> None:
    played = opened(
        ("    def look(", "    def finish(self):\n        self.reward += 0.5\n\n    def look(")
    )
    assert played.end() == 0.5
    assert played.end() == 0.0
    played.close()
    played.close()


def test_the_prompt_fills_placeholders_once_and_never_a_secret(opened: Open) -> None:
    played = opened(("The counter is at {self.value}; the", "{{target_word}} {{id}}; the"))
    assert "{target_word} {id}; the" in played.prompt[1]["content"]


def test_a_seed_alone_chooses_the_task_and_leaves_its_world_as_it_is(opened: Open) -> None:
    opened()
    table = importlib.import_module("counter_domain._shared.task_table")
    count = len(table.tasks("train"))
    assert [table.problem(seed=seed) for seed in range(-1, 2 * count)] == [
        (table.task_at("train", seed % count), None, None) for seed in range(-1, 2 * count)
    ]
    assert table.problem("test", seed=7) == (table.task_at("test", 0), None, None)
    assert table.problem(seed=1, max_turns=2) == (table.task_at("train", 1), None, 2)
    # With a place, or a task, the seed is the world's; with nothing, it is the first task.
    assert table.problem(index=3, seed=7) == (table.task_at("train", 3), 7, None)
    assert table.problem("train", 0, seed=7) == (table.task_at("train", 0), 7, None)
    assert table.problem(task={"seed": 4}, seed=7) == ({"seed": 4}, 7, None)
    assert table.problem() == (table.task_at("train", 0), None, None)
    with pytest.raises(ValueError, match="seed is '7'"):
        table.problem(seed="7")


STATUS = """
    refusals = 0

    def status(self):
        return f"STATUS at {self.value}, {self.refusals} refused, {self.ending}"

    def refused(self):
        self.refusals += 1

    def finish(self, reason):
        self.ending = f"over: {reason}"

    ending = "on"

    def look("""
LINED = ("\n    def look(", STATUS)
FREE = ("max_turns: 6", "max_turns: 2, refusals: free, max_refusals: 3")


def lined(opened: Open, *changes: tuple[str, str], **options: object) -> object:
    """An episode of a counter that says a line in every answer, and how it ended."""
    return opened(LINED, *changes, **options)


@over(
    ("tool", "arguments", "refusals"),
    [
        ("look", {}, 0),
        ("add", {"amount": 9, "note": "x"}, 0),
        ("fly", {}, 1),
        ("add", {}, 1),
        ("add", {"amount": "x"}, 1),
        ("add", [1], 1),
        ("add", {"_raw": "{"}, 1),
    ],
)
def test_the_status_of_a_domain_ends_every_answer(
    opened: Open, tool: str, arguments: object, refusals: int
) -> None:
    played = lined(opened)
    step = played.call(tool, arguments)
    value = 9 if tool == "add" and not refusals else 0
    *said, line = step.text.splitlines()
    assert said
    assert line == f"STATUS at {value}, {refusals} refused, on"
    # Some clients show a model only one block.
    assert len(step.observation) == 1


def test_the_status_ends_answers_of_unreadable_text_and_those_after_the_end(opened: Open) -> None:
    played = lined(opened)
    unread = played.refuse("?", "Write a tag.")
    assert unread.text == "Write a tag.\nSTATUS at 0, 1 refused, on"
    played.end()
    late = [played.call("look", {}), played.call("fly", {}), played.refuse("?", "Write.")]
    over = "The episode is over: no further tool call is possible."
    assert {step.text for step in late} == {f"{over}\nSTATUS at 0, 1 refused, over: stopped"}
    played.close()
    assert played.call("look", {}).text == late[0].text


def test_a_status_comes_after_a_note_and_after_pictures(opened: Open) -> None:
    played = lined(opened, ("return self.observe()", "return [b'PNG', b'PNG']"))
    noted = played.call("add", {"_raw": "{"}, "The message was cut.").text
    assert noted.endswith("\nThe message was cut.\nSTATUS at 0, 1 refused, on")
    assert played.call("add", {"amount": 1}, "The message was cut.").text.count("cut") == 0
    shown = played.call("look", {}).observation
    assert [block["type"] for block in shown] == ["image", "image", "text"]
    assert shown[-1]["text"] == "STATUS at 1, 1 refused, on"


def test_a_note_of_a_domain_without_a_status_is_a_block_of_its_own(opened: Open) -> None:
    refused, noted = opened().call("add", {"_raw": "{"}, "The message was cut.").observation
    assert refused["text"].startswith("add: the arguments are not a JSON object")
    assert noted["text"] == "The message was cut."


def test_the_last_refusal_of_a_domain_with_a_status_says_that_it_is_over(opened: Open) -> None:
    played = lined(opened, env=[FREE])
    first, second, last = [played.call("fly", {}).text for _ in range(3)]
    assert "over" not in first + second
    assert last.splitlines()[1:] == [
        "That was the last refusal: the episode is over.",
        "STATUS at 0, 3 refused, over: refusals",
    ]


def test_a_domain_without_a_status_is_answered_as_before(opened: Open) -> None:
    played = opened(env=[FREE])
    fly = 'There is no tool "fly". The tools are: add, look.'
    assert [played.call("fly", {}).text for _ in range(3)] == [fly] * 3
    assert played.call("look", {}).text == "The episode is over: no further tool call is possible."


def test_a_domain_is_told_of_every_refusal_before_the_end(opened: Open) -> None:
    played = lined(opened, ("randint(5, 30)", "randint(5, 5)"))
    refused = [
        *(played.call("add", {"amount": 9}), played.call("fly", {}), played.call("add", {})),
        played.refuse("?", "Write a tag."),
    ]
    assert [step.text.splitlines()[-1] for step in refused] == [
        f"STATUS at 0, {count} refused, on" for count in (1, 2, 3, 4)
    ]
    played.call("look", {})
    played.end()
    played.call("fly", {})
    assert played.call("look", {}).text.endswith("STATUS at 0, 4 refused, over: stopped")


def test_a_domain_may_charge_for_refusals_and_end_by_them(opened: Open) -> None:
    charge = "        self.refusals += 1\n        self.reward, self.done = -0.5, True"
    played = opened((LINED[0], STATUS.replace("        self.refusals += 1", charge)), env=[FREE])
    step = played.call("fly", {})
    assert (step.reward, step.done, step.error, played.truncated) == (
        -0.5,
        True,
        "unknown_tool",
        False,
    )
    assert step.text.endswith("over: terminated")


@pytest.mark.parametrize(
    ("reason", "calls"),
    [
        ("terminated", [("add", {"amount": 5})]),
        ("turns", [("look", {})] * 2),
        ("refusals", [("fly", {})] * 3),
        ("stopped", [("look", {})]),
    ],
)
def test_finish_is_told_why_the_episode_ended(
    opened: Open, reason: str, calls: list[tuple[str, dict[str, int]]]
) -> None:
    played = lined(opened, ("randint(5, 30)", "randint(5, 5)"), env=[FREE])
    for call in calls:
        played.call(*call)
    played.end()
    assert played.status.endswith(f"over: {reason}")


def test_a_finish_with_other_parameters_is_called_as_before(opened: Open) -> None:
    finish = "    def finish(self, bonus=0.5):\n        self.reward += bonus\n\n    def look("
    assert opened(("    def look(", finish)).end() == 0.5


def test_a_client_that_leaves_is_no_end_that_pays(opened: Open) -> None:
    played = lined(opened)
    world = played._world
    played.close()
    assert world.ending == "on"


@over(
    ("said", "cause"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("None", "TypeError: it returned null, but it must return one line of text"),
        ("7", "TypeError: it returned 7, but it must return one line of text"),
        ("' '", 'TypeError: it returned " ", but it must return one line of text'),
        (r"'one\ntwo'", r'ValueError: it returned "one\ntwo", but it must return one line of text'),
        ("str(setattr(self, 'reward', 2.0))", "ValueError: it changed reward or done"),
        ("str(setattr(self, 'done', True))", "ValueError: it changed reward or done"),
    ],
)
def test_a_status_that_is_broken_fails_the_episode(opened: Open, said: str, cause: str) -> None:
    later = f"return {said} if self.value else 'fine'"
    broken = STATUS.replace(
        'return f"STATUS at {self.value}, {self.refusals} refused, {self.ending}"', later
    )
    played = opened((LINED[0], broken))
    assert played.call("look", {}).text.endswith("\nfine")
    for _ in range(2):
        with pytest.raises(RuntimeError, match=rf"failed in status\(\): {re.escape(cause)}"):
            played.call("add", {"amount": 1})


def test_a_status_that_raises_at_the_start_fails_the_episode_and_frees_the_world(
    opened: Open, tmp_path: Path
) -> None:
    broken = STATUS.replace("return f", "raise KeyError(self.value)\n        return f")
    closing = f"\n    def close(self):\n        open({str(tmp_path / 'closed')!r}, 'w')\n{broken}"
    with pytest.raises(RuntimeError, match=r"failed in status\(\): KeyError"):
        opened((LINED[0], closing))
    assert (tmp_path / "closed").exists()


def test_a_tool_named_status_is_a_tool_and_no_line(opened: Open) -> None:
    renamed = [("def look(self)", "def status(self)")]
    played = opened(*renamed, env=[("  look:", "  status:")])
    assert played.call("status", {}).observation == played.first_observation
    assert played.call("fly", {}).text.endswith("add, status.")


def test_an_attribute_or_a_wrapped_game_with_a_status_is_no_line(opened: Open) -> None:
    wrapped = "    def __getattr__(self, name):\n        return lambda: 1 / 0\n\n    def look("
    played = opened(
        ("    def look(", wrapped), ("self.value = 0", "self.value, self.status = 0, 'on'")
    )
    assert played.call("look", {}).observation == played.first_observation


NESTED = (
    '      note: {type: string, max_length: 5, default: "", description: Any remark.}',
    """      note:
        type: object
        description: Where and what.
        default: {}
        fields:
          place: {type: enum, values: [here, there], default: here, description: Where.}
          sizes: {type: object, values: {type: integer, minimum: 1}, default: {}, description: How large.}
          things:
            type: array
            default: []
            description: What.
            items:
              type: object
              fields:
                name: {type: string, max_length: 9, nullable: true, description: Its name.}
                count: {type: integer, minimum: 1, default: 1, description: How many.}""",
)


def test_a_nested_argument_reaches_the_domain_with_its_defaults(opened: Open) -> None:
    played = opened(("{note}", "{note!r}"), ('note=""', "note"), env=[NESTED])
    note = {"things": [{"name": None, "count": 2.0}, {"name": "a"}], "sizes": {"x": 3.0}}
    step = played.call("add", {"amount": 1, "note": note})
    given = {
        "place": "here",
        "sizes": {"x": 3},
        "things": [{"count": 2, "name": None}, {"count": 1, "name": "a"}],
    }
    assert step.text == f"The counter is at 1. {given!r}"


@pytest.mark.everything("costly")
@over(
    ("note", "says"),
    [
        ({"place": "up"}, 'note.place must be one of here, there, was "up"'),
        ({"sizes": {"x": 0}}, "note.sizes.x must be a whole number, at least 1, was 0"),
        (
            {"sizes": 3},
            "note.sizes must be an object, each value a whole number, at least 1, was 3",
        ),
        ({"things": [{"name": "a"}, {}]}, "missing: note.things[1].name"),
        (
            {"things": [{"name": 3}]},
            "note.things[0].name must be text, at most 9 characters or null, was 3",
        ),
        ({"things": [{"name": "a", "sort": 1}]}, "no such field: note.things[0].sort"),
        ({"things": [7]}, "note.things[0] must be an object with name, count, was 7"),
        ({"where": 1}, "no such field: note.where"),
        (
            {"place": "up", "sizes": {"x": "y"}},
            (
                'note.place must be one of here, there, was "up"; '
                'note.sizes.x must be a whole number, at least 1, was "y"'
            ),
        ),
    ],
)
def test_a_refusal_names_the_path_inside_an_argument(
    opened: Open, note: dict[str, object], says: str
) -> None:
    step = opened(env=[NESTED]).call("add", {"amount": 1, "note": note})
    assert (step.error, step.text) == ("invalid_arguments", f"add: {says}")


METRICS = ("episode:", "metrics:\n  right: Whether it is right.\n  tries: How often.\nepisode:")


def measured(opened: Open, begin: str, after: str) -> object:
    """Open the counter with two metrics: what `metrics` is at the start, and after each addition."""
    return opened(
        ("        self.value = 0\n", f"        self.value = 0\n        self.metrics = {begin}\n"),
        ("        return f", f"        self.metrics = {after}\n        return f"),
        ("import random", "import random\nimport numpy as np"),
        env=[METRICS],
    )


def test_metrics_are_read_after_every_step_and_the_last_values_count(opened: Open) -> None:
    after = '{"tries": np.int64(self.value), "right": self.value == 3}'
    played = measured(opened, '{"right": False, "tries": 0}', after)
    assert played.record()["metrics"] == {}
    seen = [played.call("add", {"amount": amount}) and dict(played.metrics) for amount in (1, 2)]
    assert seen == [{"right": 0.0, "tries": 1.0}, {"right": 1.0, "tries": 3.0}]
    played.end()
    assert played.record()["metrics"] == {"right": 1.0, "tries": 3.0}
    assert [type(value) for value in played.metrics.values()] == [float, float]
    assert list(played.metrics) == ["right", "tries"]
    json.dumps(played.record())


def test_finish_may_set_metrics_of_an_episode_without_a_step(opened: Open) -> None:
    played = opened(
        ("        self.value = 0\n", '        self.metrics = {"right": 0, "tries": 0}\n        self.value = 0\n'),
        ("    def look(", '    def finish(self):\n        self.metrics["right"] = 0.5\n\n    def look('),
        env=[METRICS],
    )  # fmt: skip
    played.end()
    assert played.metrics == {"right": 0.5, "tries": 0.0}


@over(
    ("after", "says"),
    [
        ('{"right": 1}', "the metric 'tries' is missing"),
        ('{"right": 1, "tries": 1, "other": 1}', "the metric 'other' is not declared in env.yaml"),
        ('{"right": "yes", "tries": 1}', r"the metric 'right' is 'yes' \(str\); .*float"),
        ('{"right": None, "tries": 1}', "the metric 'right' is None"),
        ('{"right": float("nan"), "tries": 1}', "the metric 'right' is nan .*finite"),
        ("[1, 2]", r"metrics is \[1, 2\] \(list\); set it to a dict of numbers: right, tries"),
    ],
)
def test_metrics_that_are_not_as_declared_fail_the_episode_and_are_named(
    opened: Open, after: str, says: str
) -> None:
    played = measured(opened, '{"right": 0, "tries": 0}', after)
    with pytest.raises(RuntimeError, match=rf"failed in metrics: WrongResult: {says}"):
        played.call("add", {"amount": 1})


def test_a_domain_without_the_declared_metrics_fails_and_says_so(opened: Open) -> None:
    played = opened(env=[METRICS])
    with pytest.raises(RuntimeError, match=r"in metrics: AttributeError: .*'metrics'"):
        played.call("look", {})


def test_metrics_that_are_not_declared_are_not_read(opened: Open) -> None:
    played = opened(
        ("        self.value = 0\n", "        self.value = 0\n        self.metrics = 7\n")
    )
    played.call("look", {})
    assert "metrics" not in played.record()
