"""The rendered text-action module: what each message means, and what the model is told."""

from __future__ import annotations

import importlib
import itertools
import json
import random
import re
import sys
import threading
import types
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from xml.sax.saxutils import escape

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from skill_tools.policies import scripted
from skill_tools.render import text_actions as written
from skill_tools.render.plan import plan, texts
from skill_tools.spec.model import EnvSpec
from skill_tools.spec.rules import rule_problems
from skill_tools.spec.tools import Tool
from tests.over import over

ACTIONS = {
    "run": {
        "description": "Run code.",
        "parameters": {
            "seconds": {"type": "integer", "minimum": 1, "maximum": 60, "default": 5},
            "code": {"type": "string", "description": "Python."},
        },
    },
    "move": {
        "description": "Move.",
        "parameters": {
            "steps": {"type": "integer", "minimum": -9, "maximum": 9},
            "speed": {"type": "number", "minimum": 0, "maximum": 1.5},
            "fast": {"type": "boolean"},
            "direction": {"type": "enum", "values": ["left", "right >", 'the "other"']},
            "cells": {
                "type": "array",
                "items": {"type": "integer", "minimum": 0, "maximum": 3},
                "min_items": 1,
                "max_items": 3,
            },
        },
    },
    "send": {
        "description": "Send a message.",
        "tag": "send-mail",
        "parameters": {
            "to": {"type": "string", "min_length": 1, "max_length": 40},
            "cc": {"type": "array", "items": {"type": "string"}, "default": []},
            "body": {"type": "string", "max_length": 400},
            "urgent": {"type": "boolean", "default": False},
        },
    },
    "think": {"description": "Note.", "parameters": {"note": {"type": "string"}}},
    "drop": {
        "description": "Drop a piece; the 7th column ends the game.",
        "parameters": {"column": {"type": "integer", "minimum": 1, "maximum": 7}},
    },
    "wait": {
        "description": "Wait.",
        "parameters": {"reason": {"type": "string", "default": "none", "pattern": "^[a-z ]+$"}},
    },
    "look": {"description": "Look around."},
    "plan": {
        "description": "Plan a route.",
        "parameters": {
            "stops": {
                "type": "array",
                "max_items": 3,
                "items": {
                    "type": "object",
                    "fields": {
                        "place": {"type": "string", "max_length": 20},
                        "at": {"type": "integer", "minimum": 0, "nullable": True, "default": None},
                    },
                },
            },
            "prices": {"type": "object", "values": {"type": "number", "minimum": 0, "maximum": 9}},
            "name": {"type": "string", "max_length": 20, "nullable": True},
            "key": {"schema": {"type": ["string", "integer"], "maxLength": 9, "maximum": 99}},
        },
    },
}
SPEC = EnvSpec.model_validate(
    {
        "name": "lab",
        "title": "Lab",
        "description": "Records what is called.",
        "archetype": "text-action",
        "domain": "game:Lab",
        "tasks": "tasks:TASKS",
        "oracle": "oracle:solve",
        "prompt": {"user": "{observation}"},
        "tools": ACTIONS,
        "reward": {"range": [0, 100], "timing": "per_step"},
        "episode": {"max_turns": 10_000},
    }
)
GAME = '''\
class InvalidAction(Exception):
    """Not allowed."""


class Lab:
    """Records what is called; a task may ask for a reward at the end."""

    def __init__(self, task, seed):
        self.calls, self.reward, self.done, self.task = [], 0.0, False, task

    def observe(self):
        return "A lab."

    def _called(self, *call):
        self.calls.append(call)
        return repr(call)

    def run(self, seconds, code):
        if code == "no":
            raise InvalidAction("not this code")
        return self._called("run", seconds, code)

    def move(self, steps, speed, fast, direction, cells):
        return self._called("move", steps, speed, fast, direction, cells)

    def send(self, to, cc, body, urgent):
        return self._called("send", to, cc, body, urgent)

    def think(self, note):
        return self._called("think", note)

    def drop(self, column):
        self.reward += 0.25
        self.done = column == 7
        return self._called("drop", column)

    def wait(self, reason):
        return self._called("wait", reason)

    def look(self):
        return self._called("look")

    def plan(self, stops, prices, name, key):
        return self._called("plan", stops, prices, name, key)

    def finish(self):
        self.reward += self.task.get("at_the_end", 0)
'''
FORMS = (
    '<run seconds="SECONDS">CODE</run>\n'
    '<move steps="STEPS" speed="SPEED" fast="FAST" direction="DIRECTION" cells="CELLS"/>\n'
    '<send-mail to="TO" cc="CC" urgent="URGENT">BODY</send-mail>\n'
    "<think_action>NOTE</think_action>\n"
    '<drop column="COLUMN"/>\n'
    '<wait reason="REASON"/>\n'
    "<look/>\n"
    '<plan stops="STOPS" prices="PRICES" name="NAME" key="KEY"/>\n'
    "<end_episode/>\n"
    '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>'
)
NO_TOOL = f"Your message calls no tool, so nothing was played. Write one of:\n{FORMS}"
OVER = "The episode is over: no further tool call is possible."


class Lab:
    """The rendered package, and short ways to ask it."""

    def __init__(self) -> None:
        self.episode = importlib.import_module("lab_domain._shared.episode")
        self.text = importlib.import_module("lab_domain._shared.rollouts.text_actions")

    def open(self, max_turns: int | None = None, **task: Any) -> Any:
        return self.episode.Episode({"id": "0", **task}, max_turns=max_turns)

    def read(self, message: str) -> list[Any]:
        """What a message does: (tool, arguments), "stop", or what the model is told."""
        return [
            (action.tool, action.arguments)
            if isinstance(action, self.text.Call)
            else "stop"
            if isinstance(action, self.text.Stop)
            else action.why
            for action in self.text.read(message)
        ]

    def play(self, message: str, **options: Any) -> tuple[Any, Any]:
        episode = self.open(**options)
        return self.text.play(episode, message), episode


@contextmanager
def imported(spec: EnvSpec, folder: Path) -> Iterator[str]:
    """The package of a rendered spec, without its variants."""
    assert not list(rule_problems(spec))
    files = {path: text for path, text in texts(plan(spec, ["gem"])).items() if path[:4] != "gem/"}
    (folder / "_shared").mkdir()
    for path, text in {**files, "game.py": GAME, "tasks.py": "TASKS = {'train': [{}]}"}.items():
        (folder / path).write_text(text, "utf-8")
    package = types.ModuleType(spec.package)
    package.__path__ = [str(folder)]
    sys.modules[spec.package] = package
    yield spec.package
    for name in [name for name in sys.modules if name.partition(".")[0] == spec.package]:
        del sys.modules[name]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with imported(SPEC, tmp_path_factory.mktemp("lab")):
        yield Lab()


def run(code: str, **more: Any) -> tuple[str, dict[str, Any]]:
    return "run", {**more, "code": code}


def drop(column: Any) -> tuple[str, dict[str, Any]]:
    return "drop", {"column": column}


LOOK = ("look", {})
MOVE = {"steps": -3, "speed": 0.5, "fast": True, "direction": "right >", "cells": [0, 3]}


# Well-formed actions


@over(
    "code",
    [
        "print(1)",
        "print(\"a\", 'b') & c",
        "if a < b > c:\n    print('</other>', \"<look/>\", '<think>')",
        "x = {'a': [1]}\n\n\ny = 2",
        "<b>&lt;&amp;</b>",
        "</look>",
        "",
    ],
)
def test_what_stands_between_the_tags_is_taken_as_it_stands(lab: Lab, code: str) -> None:
    assert lab.read(f"<run>{code}</run>") == [run(code)]
    assert lab.play(f"<run>{code}</run>")[1]._world.calls == [("run", 5, code)]


@over(
    ("content", "code"),
    [
        ("  x  ", "x"),
        ("\n    x\n", "x"),
        ("\n    x\n    y\n", "    x\n    y"),
        ("\r\n\t\n  x\r\n  y\r\n", "  x\r\n  y"),
        (" x\n  y ", "x\n  y"),
        (" \n ", ""),
    ],
)
def test_space_around_content_goes_but_the_indent_of_lines_stays(
    lab: Lab, content: str, code: str
) -> None:
    assert lab.read(f"<run>{content}</run>") == [run(code)]


def test_attributes_become_values_of_their_types(lab: Lab) -> None:
    message = '<move steps="-3" speed="0.5" fast="TRUE" direction="right &gt;" cells="[0, 3]"/>'
    assert lab.read(message) == [("move", MOVE)]
    answer, episode = lab.play(message)
    assert episode._world.calls == [("move", -3, 0.5, True, "right >", [0, 3])]
    assert answer.steps[0]["arguments"] == MOVE


@over(
    "message",
    [
        '<run seconds="9">x</run>',
        "<run seconds='9'>x</run>",
        "<run seconds=9>x</run>",
        "<run\n  seconds = '9'\n>x</run >",
        '<run seconds="9" code="x"/>',
        "<run code=x seconds=9></run>",
        "<RUN seconds='9'>x</Run>",
    ],
)
def test_every_spelling_of_a_tag_is_the_same_call(lab: Lab, message: str) -> None:
    assert lab.read(message) == [run("x", seconds=9)]


def test_escapes_of_attributes_are_undone_once(lab: Lab) -> None:
    assert lab.read("<run code='&quot;&apos;&lt;&gt;&amp;lt; &nbsp; >'/>") == [
        run("\"'<>&lt; &nbsp; >")
    ]


def test_a_tool_of_one_parameter_takes_it_between_its_tags(lab: Lab) -> None:
    assert lab.read("<drop> 3 </drop><wait>for it</wait>") == [
        drop(3),
        ("wait", {"reason": "for it"}),
    ]


def test_nothing_between_the_tags_is_no_argument_unless_it_is_free_text(lab: Lab) -> None:
    assert lab.read("<wait></wait><drop></drop><look></look><run></run>") == [
        ("wait", {}),
        ("drop", {}),
        LOOK,
        run(""),
    ]


def test_free_text_without_its_tags_is_missing_and_not_empty(lab: Lab) -> None:
    answer, episode = lab.play("<run/>")
    assert answer.text == "run: missing: code"
    assert (answer.steps[0]["arguments"], episode._world.calls) == ({}, [])


def test_a_left_out_argument_has_its_default(lab: Lab) -> None:
    answer, episode = lab.play('<send-mail to="bo">hi</send-mail>\n<wait/>')
    assert episode._world.calls == [("send", "bo", [], "hi", False), ("wait", "none")]
    assert answer.text == "[1] ('send', 'bo', [], 'hi', False)\n\n[2] ('wait', 'none')"


def test_null_in_an_attribute_leaves_an_optional_argument_out_and_no_other(lab: Lab) -> None:
    answer, _ = lab.play('<run seconds="null">x</run>\n<drop column="null"/>')
    assert "('run', 5, 'x')" in answer.text
    assert "column must be a whole number, 1 to 7, was null" in answer.text


def test_an_argument_whose_default_is_null_may_be_left_out() -> None:
    reason = {"type": "string", "default": None, "description": "Why."}
    wait = Tool.model_validate({"description": "Wait.", "parameters": {"reason": reason}})
    told = written.instructions(SPEC.model_copy(update={"tools": {"wait": wait}}))
    assert "\n    REASON (text, may be left out): Why.\n" in told


def test_a_tool_named_like_a_reserved_tag_has_a_tag_of_its_own(lab: Lab) -> None:
    assert lab.read("<think>hm</think><think_action>hm</think_action>") == [
        ("think", {"note": "hm"})
    ]


def test_a_tool_with_its_own_tag_has_no_other(lab: Lab) -> None:
    assert lab.read('<send to="a">b</send>') == [NO_TOOL]


# Calls as JSON


@over(
    "content",
    [
        '{"name": "drop", "arguments": {"column": 3}}',
        '\n\n  {"name": "drop",\n "arguments": {"column": 3}}\n',
        '{"name": "drop", "parameters": {"column": 3}}',
        '{"name": "drop", "arguments": "{\\"column\\": 3}"}',
        '```json\n{"name": "drop", "arguments": {"column": 3}}\n```',
        '`{"name": "drop", "arguments": {"column": 3}}`',
    ],
)
def test_tool_call_says_a_call_as_json(lab: Lab, content: str) -> None:
    assert lab.read(f"<tool_call>{content}</tool_call>") == [drop(3)]


def test_code_in_json_may_have_unescaped_line_breaks(lab: Lab) -> None:
    message = '<tool_call>{"name": "run", "arguments": {"code": "a\n\tb"}}</tool_call>'
    assert lab.read(message) == [run("a\n\tb")]


@pytest.mark.parametrize("arguments", ["", ', "arguments": null', ', "arguments": {}'])
def test_tool_call_needs_no_arguments(lab: Lab, arguments: str) -> None:
    assert lab.read(f'<tool_call>{{"name": "look"{arguments}}}</tool_call>') == [LOOK]


def test_tool_call_may_name_the_tag_of_a_tool(lab: Lab) -> None:
    assert lab.read('<tool_call>{"name": "send-mail"}</tool_call>') == [("send", {})]


def test_a_complete_tool_call_at_the_end_needs_no_closing_tag(lab: Lab) -> None:
    call = '<tool_call>\n{"name": "drop", "arguments": {"column": 3}}\n'
    assert lab.read(call) == [drop(3)]
    assert lab.read(call[:-3]) == [ENDS]
    more = no_call("there is more text after the first value")
    assert lab.read(f"{call} or <look/>") == [more]


@pytest.mark.parametrize(
    ("call", "tool", "arguments"),
    [
        ('{"name": "fly", "arguments": {"x": 1}}', "fly", {"x": 1}),
        ('{"name": "drop", "arguments": [true]}', "drop", {"_raw": "[true]"}),
        ('{"name": "drop", "arguments": "{"}', "drop", {"_raw": "{"}),
        ('{"name": "drop", "arguments": {"column": "3"}}', "drop", {"column": "3"}),
    ],
)
def test_a_wrong_call_is_refused_as_it_is_from_a_model_that_calls_tools(
    lab: Lab, call: str, tool: str, arguments: Any
) -> None:
    answer, episode = lab.play(f"<tool_call>{call}</tool_call>")
    step = lab.open().call(tool, arguments)
    assert answer.steps == [{"tool": tool, "arguments": arguments, **vars(step)}]
    assert answer.text == step.text
    assert step.error in ("unknown_tool", "invalid_arguments")
    assert episode.turns == 1


@over(
    ("message", "arguments"),
    [
        ("<drop/>", {}),
        ("<drop>8</drop>", {"column": 8}),
        ("<drop>three</drop>", {"column": "three"}),
        ('<drop>"3"</drop>', {"column": '"3"'}),
        ("<drop>+3</drop>", {"column": "+3"}),
        ("<drop>true</drop>", {"column": "true"}),
        ("<drop>NaN</drop>", {"column": "NaN"}),
        ("<drop>1e999</drop>", {"column": "1e999"}),
        (f"<drop>{'9' * 400}</drop>", {"column": "9" * 400}),
        (f"<drop>{'9' * 5000}</drop>", {"column": "9" * 5000}),
        ("<drop column='3' row='1'/>", {"column": 3, "row": "1"}),
        ("<drop _raw='3'/>", {"_raw": "3"}),
    ],
)
def test_a_value_that_does_not_fit_stays_as_it_is_and_is_refused(
    lab: Lab, message: str, arguments: Any
) -> None:
    answer, _ = lab.play(message)
    step = lab.open().call("drop", arguments)
    assert answer.steps == [{"tool": "drop", "arguments": arguments, **vars(step)}]
    assert step.error == "invalid_arguments"


# Several tags, no tag, other text


def test_several_tags_are_played_in_the_order_written(lab: Lab) -> None:
    message = 'First <drop>1</drop>, then <look/>.\n<tool_call>{"name": "look"}</tool_call>'
    message += '<tool_call>{"name": "drop", "arguments": {"column": 2}}</tool_call>'
    answer, episode = lab.play(message)
    assert episode._world.calls == [("drop", 1), ("look",), ("look",), ("drop", 2)]
    assert episode.turns == 4
    assert (answer.reward, answer.final_reward) == (0.5, 0.0)
    assert answer.text == "[1] ('drop', 1)\n\n[2] ('look',)\n\n[3] ('look',)\n\n[4] ('drop', 2)"


@over(
    "message",
    [
        "",
        "  ",
        "I would rather not act.",
        "<unknown>1</unknown> </drop> < drop> <dropping/> <drop-it/> [drop](3) &lt;look/&gt;",
        '{"name": "look", "arguments": {}}',
        "<look",
        "<loo\u212a/>",
    ],
)
def test_a_message_without_a_tag_plays_nothing_and_costs_a_turn(lab: Lab, message: str) -> None:
    answer, episode = lab.play(message)
    assert answer.text == NO_TOOL
    assert episode.turns == 1
    assert answer.steps == [
        {
            "tool": "",
            "arguments": {"_raw": message.strip()},
            "observation": [{"type": "text", "text": NO_TOOL}],
            "reward": 0.0,
            "done": False,
            "error": "unreadable",
        }
    ]


@over(
    "message",
    [
        "I take <drop>3</drop> now.",
        "```\n<drop>3</drop>\n```",
        "```xml\n<drop column='3'/>```",
        "`<drop>3</drop>`",
        "**<drop>3</drop>**",
        "<answer><drop>3</drop></answer>",
        "<drop>3</drop></drop>",
    ],
)
def test_a_tag_in_prose_or_markdown_is_an_action(lab: Lab, message: str) -> None:
    assert lab.read(message) == [drop(3)]


@over(
    "message",
    [
        "I write <drop> like this: <drop>3</drop>",
        "<drop> or <DROP>: <drop>3</drop>",
        'With <drop>, so: <drop column="3"/>',
        "Like <drop column='1'>: <drop>3</drop>",
        'A <tool_call> it is: <tool_call>{"name": "drop", "arguments": {"column": 3}}</tool_call>',
    ],
)
def test_a_tag_before_another_of_its_kind_is_only_a_mention(lab: Lab, message: str) -> None:
    assert lab.read(message) == [drop(3)]


# Broken tags


def broken(tag: str, problem: str, form: str) -> str:
    return f"Your <{tag}> was not played: {problem}. Write {form}"


RUN = '<run seconds="SECONDS">CODE</run>'
UNCLOSED = broken("run", "</run> is missing, so nothing after it was read", RUN)
CUT = broken("run", "its opening tag is broken, so nothing after it was read", RUN)


def no_call(why: str = "") -> str:
    """What is told of a tag for JSON that holds no call; why: what is wrong with the JSON."""
    reported = 'it holds no JSON object with a "name"' + (f" ({why})" if why else "")
    return broken(
        "tool_call", reported, '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>'
    )


NO_CALL = no_call()
ENDS = no_call("the text ends before the object does")


@over(
    ("message", "reported"),
    [
        ("<run>x", UNCLOSED),
        ("<run>x<run>", UNCLOSED),
        ("<run seconds='3'>x</ru", UNCLOSED),
        ("<run seconds='3' x</run>", CUT),
        ("<run seconds='3", CUT),
        ("<run 3>x</run>", CUT),
        ('<run code="print("x")"/>', CUT),
        ("<run seconds=>x</run>", CUT),
        ("<run seconds='3'", CUT),
        ("<run / >", CUT),
        ("<run seconds=1 seconds=2>x</run>", broken("run", "it gives seconds twice", RUN)),
        ("<run code='x'>x</run>", broken("run", "it gives code twice", RUN)),
        (
            "<look>at this</look>",
            broken("look", "no argument stands between its tags", "<look/>"),
        ),
        ("<end_episode>", broken("end_episode", "</end_episode> is missing, so "
         "nothing after it was read", "<end_episode/>")),
        ("<end_episode>now</end_episode>", broken("end_episode", "it takes nothing",
         "<end_episode/>")),
        ("<end_episode now='1'/>", broken("end_episode", "it takes nothing", "<end_episode/>")),
        ("<tool_call>look</tool_call>", NO_CALL),
        ('<tool_call>{"name": "look",}</tool_call>', no_call("it is not valid JSON")),
        ('<tool_call>{"name": "look"</tool_call>', ENDS),
        (
            f'<tool_call>{{"name": "look", "arguments": {"[" * 99}{"]" * 99}}}</tool_call>',
            no_call("it is nested too deeply"),
        ),
        (
            '<tool_call>{"name": "\\ud800"}</tool_call>',
            no_call("it holds half of a surrogate pair"),
        ),
        ('<tool_call>{"tool": "look"}</tool_call>', NO_CALL),
        ('<tool_call>["look"]</tool_call>', no_call("it is a list")),
        ('<tool_call>{"name": 1}</tool_call>', NO_CALL),
        ("<tool_call/>", NO_CALL),
    ],
)  # fmt: skip
def test_a_broken_tag_costs_one_turn_and_is_told(lab: Lab, message: str, reported: str) -> None:
    answer, episode = lab.play(message)
    assert answer.text == reported
    assert [step["error"] for step in answer.steps] == ["unreadable"]
    assert message.endswith(answer.steps[0]["arguments"]["_raw"])
    assert (episode.turns, answer.reward, episode._world.calls) == (1, 0.0, [])


def test_what_is_told_is_readable_and_the_record_of_what_was_said_is_short(lab: Lab) -> None:
    answer, _ = lab.play("<run>" + "x" * 9000)
    assert answer.text == UNCLOSED
    assert answer.steps[0]["arguments"] == {"_raw": "<run>" + "x" * 495}


@pytest.mark.parametrize("start", ["<run>x ", "<run code='", "<run seconds <b>", "<run>a<run>b"])
def test_nothing_after_a_tag_that_is_not_closed_is_played(lab: Lab, start: str) -> None:
    answer, episode = lab.play(f"<drop>1</drop>{start}<look/><drop>2</drop>")
    assert episode._world.calls == [("drop", 1)]
    assert [step["error"] for step in answer.steps] == [None, "unreadable"]


def test_after_a_broken_tag_that_is_closed_reading_goes_on(lab: Lab) -> None:
    answer, episode = lab.play("<run code='a'><look/></run><drop>1</drop>")
    assert answer.text == f"[1] {broken('run', 'it gives code twice', RUN)}\n\n[2] ('drop', 1)"
    assert episode._world.calls == [("drop", 1)]


def test_half_of_a_surrogate_pair_reaches_nobody(lab: Lab) -> None:
    answer, episode = lab.play("<run>\ud83d\ude00 \ud800 \x00</run>")
    assert episode._world.calls == [("run", 5, "\U0001f600 \ufffd \x00")]
    answer.text.encode()


# Thinking


@over(
    "message",
    [
        "<think>maybe <drop>1</drop></think><drop>3</drop>",
        "<thinking>maybe <drop>1</drop></thinking>\n<drop>3</drop>",
        "<THINK>maybe <drop>1</drop></Think ><drop>3</drop>",
        "<think>a</think><think><look/></think><drop>3</drop>",
        "<think></think><drop>3</drop><think><look/>",
        "maybe <drop>1</drop></think><drop>3</drop>",
        "maybe <drop>1 or <run> or <run code='x</think><drop>3</drop>",
        "<end_episode/> <look>? no</think><drop>3</drop>",
        "<think>a<think>b</think><look/></think><drop>3</drop>",
    ],
)
def test_nothing_that_is_thought_is_played(lab: Lab, message: str) -> None:
    assert lab.read(message) == [drop(3)]


@pytest.mark.parametrize("tag", ["think", "thinking"])
def test_thinking_that_is_never_closed_hides_the_rest_and_is_told(lab: Lab, tag: str) -> None:
    answer, episode = lab.play(f"<{tag}>I take <drop>3</drop>")
    assert answer.text == f"Nothing was played: your thinking is not closed by </{tag}>."
    assert answer.steps[0]["arguments"] == {"_raw": f"<{tag}>I take <drop>3</drop>"}
    assert (episode.turns, episode._world.calls) == (1, [])


def test_only_thinking_is_a_message_without_a_tag(lab: Lab) -> None:
    assert lab.read("<think><look/></think>") == [NO_TOOL]
    assert lab.read("<look/></think>") == [NO_TOOL]


def test_thinking_within_content_is_content(lab: Lab) -> None:
    assert lab.read("<run>'</think>'</run><run>'<think>'</run>") == [
        run("'</think>'"),
        run("'<think>'"),
    ]


# The end


@pytest.mark.parametrize(
    "stop", ["<end_episode/>", "<end_episode />", "<END_EPISODE> </End_Episode>"]
)
def test_end_episode_ends_and_nothing_after_it_is_played(lab: Lab, stop: str) -> None:
    answer, episode = lab.play(f"<drop>1</drop>{stop}<drop>2</drop>", at_the_end=0.5)
    assert episode._world.calls == [("drop", 1)]
    assert (episode.over, episode.truncated, episode.turns) == (True, False, 1)
    assert (answer.reward, answer.final_reward) == (0.75, 0.5)
    assert answer.text == "[1] ('drop', 1)\n\n[2] The episode is over."


def test_the_status_of_a_domain_ends_all_that_a_message_is_answered(
    lab: Lab, monkeypatch: pytest.MonkeyPatch
) -> None:
    domain = lab.episode._domain.Lab
    monkeypatch.setattr(domain, "status", lambda world: f"{len(world.calls)} calls", raising=False)
    episode = lab.open()
    assert lab.text.play(episode, "Well.").text == f"{NO_TOOL}\n0 calls"
    several = lab.text.play(episode, "<drop/><look/><end_episode/>").text
    refused, looked, stopped = several.split("\n\n")
    assert refused.endswith("\n0 calls")
    assert looked == "[2] ('look',)\n1 calls"
    assert stopped == "[3] The episode is over.\n1 calls"
    assert lab.text.play(episode, "<look/>").text == f"{OVER}\n1 calls"
    assert lab.text.play(episode, "<end_episode/>").text == "The episode is over.\n1 calls"


def test_end_episode_alone_plays_no_step(lab: Lab) -> None:
    answer, episode = lab.play("I am done. <end_episode/>", at_the_end=0.5)
    assert (answer.steps, answer.text) == ([], "The episode is over.")
    assert (answer.reward, answer.final_reward, episode.turns) == (0.5, 0.5, 0)


def test_calls_after_the_end_are_refused(lab: Lab) -> None:
    answer, episode = lab.play("<drop>7</drop><look/>what?<run>", at_the_end=0.5)
    assert [step["error"] for step in answer.steps] == [None, "episode_over", "episode_over"]
    assert answer.text == f"[1] ('drop', 7)\n\n[2] {OVER}\n\n[3] {OVER}"
    assert (answer.reward, episode.turns) == (0.75, 1)
    again = lab.text.play(episode, "<end_episode/>")
    assert (again.reward, again.text) == (0.0, "The episode is over.")
    assert lab.text.play(episode, "hm").text == OVER


def test_the_turn_limit_in_the_middle_of_a_message_ends_the_episode_there(lab: Lab) -> None:
    answer, episode = lab.play("<drop>1</drop><look>?</look><drop>2</drop>", max_turns=2)
    assert [step["error"] for step in answer.steps] == [None, "unreadable", "episode_over"]
    assert [step["done"] for step in answer.steps] == [False, True, True]
    assert (episode.truncated, episode.turns, answer.reward) == (True, 2, 0.25)


def test_a_reward_after_the_end_is_paid_once_in_the_step_that_ends_it(lab: Lab) -> None:
    answer, episode = lab.play("<drop>1</drop><drop>2</drop><look/>", max_turns=2, at_the_end=1.0)
    assert [step["reward"] for step in answer.steps] == [0.25, 1.25, 0.0]
    assert (answer.reward, answer.final_reward, episode.total) == (1.5, 0.0, 1.5)


def test_a_refusal_of_the_domain_is_told_and_the_message_goes_on(lab: Lab) -> None:
    answer, _ = lab.play("<run>no</run><drop>1</drop>")
    assert answer.text == "[1] not this code\n\n[2] ('drop', 1)"
    assert [step["error"] for step in answer.steps] == ["invalid_action", None]


def test_a_domain_that_breaks_is_the_only_thing_that_raises(lab: Lab) -> None:
    episode = lab.open()
    del episode._world.calls
    with pytest.raises(lab.episode.EpisodeFailed, match="AttributeError"):
        lab.text.play(episode, "<look/>")


# Instructions


def test_the_opening_ends_the_system_message_with_how_to_act(lab: Lab) -> None:
    reported = lab.text.INSTRUCTIONS
    assert reported == written.instructions(SPEC)
    user = {"role": "user", "content": "Hi."}
    assert lab.text.opening([user]) == [{"role": "system", "content": reported}, user]
    system = {"role": "system", "content": f"Play.\n\n{reported}"}
    assert lab.text.opening([{"role": "system", "content": "Play. \n"}, user]) == [system, user]


PARAMETERS: dict[str, tuple[dict[str, Any], str]] = {
    "text": ({"type": "string"}, "x"),
    "count": ({"type": "integer", "maximum": 9}, "-3"),
    "share": ({"type": "number", "minimum": 0}, "0.5"),
    "sure": ({"type": "boolean"}, "true"),
    "way": ({"type": "enum", "values": ["up", "down"]}, "up"),
    "cells": ({"type": "array", "items": {"type": "integer"}}, "[1, 2]"),
    "label": ({"type": "string", "default": ""}, "x"),
    "times": ({"type": "integer", "default": 1}, "2"),
}
SHAPES = [(), *itertools.permutations(PARAMETERS, 1), *itertools.permutations(PARAMETERS, 2)]


@pytest.mark.everything("costly")
def test_every_form_that_is_shown_is_read_as_a_call_of_its_tool(tmp_path: Path, lab: Lab) -> None:
    tools = {
        f"tool{number}_x": {"description": "x", "parameters": {n: PARAMETERS[n][0] for n in shape}}
        for number, shape in enumerate(SHAPES)
    }
    spec = EnvSpec.model_validate({**SPEC.model_dump(), "name": "shapes", "tools": tools})
    checks = {t["name"]: Draft202012Validator(t["parameters"]) for t in spec.tool_schemas()}
    with imported(spec, tmp_path) as package:
        text = importlib.import_module(f"{package}._shared.rollouts.text_actions")
        assert set(text.FORMS) == {*checks, "end_episode", "tool_call"}
        for tag, check in checks.items():
            form = re.sub("[A-Z]+", lambda word: PARAMETERS[word[0].lower()][1], text.FORMS[tag])
            (call,) = text.read(form)
            assert call.tool == tag
            assert set(call.arguments) == set(tools[tag]["parameters"])
            check.validate(call.arguments)


def test_the_forms_of_no_tool_are_read_as_what_they_say(lab: Lab) -> None:
    assert lab.read(lab.text.FORMS["end_episode"]) == ["stop"]
    call = lab.text.FORMS["tool_call"].replace("TOOL", '"look"').replace("{...}", "{}")
    assert lab.read(call) == [LOOK]
    (shown,) = re.findall("<tool_call>.*?</tool_call>", lab.text.INSTRUCTIONS)
    filled = shown.replace("SECONDS", "5")  # only text stands in quotes
    assert lab.read(filled) == [("run", {"seconds": 5, "code": "CODE"})]


def test_the_instructions_show_every_form_parameter_and_bound(lab: Lab) -> None:
    assert lab.text.INSTRUCTIONS.startswith(
        f"""\
Here you call a tool by writing its tag into your message:

{RUN}
    Run code.
    SECONDS (integer, 1 to 60, 5 if left out)
    CODE (text): Python.

<move steps="STEPS" speed="SPEED" fast="FAST" direction="DIRECTION" cells="CELLS"/>
    Move.
    STEPS (integer, -9 to 9)
    SPEED (number, 0.0 to 1.5)
    FAST (boolean)
    DIRECTION (one of left, right >, the "other")
    CELLS (list, as JSON, 1 to 3 items, each integer, 0 to 3)

<send-mail to="TO" cc="CC" urgent="URGENT">BODY</send-mail>
    Send a message.
    TO (text, 1 to 40 characters)
    CC (list, as JSON, each text, [] if left out)
    BODY (text, at most 400 characters)
    URGENT (boolean, false if left out)

<think_action>NOTE</think_action>
    Note.
    NOTE (text)
"""
    )
    assert "\n    REASON (text, matching ^[a-z ]+$, none if left out)\n" in lab.text.INSTRUCTIONS
    assert "\n<look/>\n    Look around.\n\n<plan " in lab.text.INSTRUCTIONS
    assert (
        """
    STOPS (list, as JSON, at most 3 items, each object with place (text, at most 20 characters); \
at (integer, at least 0 or null, may be left out))
    PRICES (object, as JSON, each value number, 0.0 to 9.0)
    NAME (text, at most 20 characters or null)
    KEY (text, at most 9 characters or integer, at most 99)

<end_episode/>
"""
        in lab.text.INSTRUCTIONS
    )


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def parameter(kind: str, bounds: st.SearchStrategy[Any] | None = None) -> Any:
    return (st.just({}) if bounds is None else bounds).map(lambda found: {"type": kind, **found})


LOW, HIGH = st.integers(-99, 0), st.integers(1, 99)
LEAST, MOST = st.integers(0, 3), st.integers(4, 99)
ANY_ITEM = st.one_of(
    parameter("integer", optional(minimum=LOW, maximum=HIGH)),
    parameter("number", optional(minimum=LOW, maximum=HIGH)),
    parameter("string", optional(min_length=LEAST, max_length=MOST, pattern=st.just("[a-z]"))),
    parameter("boolean"),
    parameter("enum", st.fixed_dictionaries({"values": st.just(["up there", "down"])})),
)
ANY_PARAMETER = ANY_ITEM | st.tuples(
    ANY_ITEM, optional(min_items=LEAST, max_items=MOST, description=st.just("Some."))
).map(lambda found: {"type": "array", "items": found[0], **found[1]})
ANY_TOOLS = st.dictionaries(
    st.sampled_from(["go", "see_it", "think"]),
    st.dictionaries(st.sampled_from(["way", "how_far", "a"]), ANY_PARAMETER, max_size=3),
    min_size=1,
)


@pytest.mark.everything("costly")
@settings(max_examples=200, deadline=None, derandomize=True)
@given(ANY_TOOLS)
def test_instructions_say_every_tag_parameter_and_bound(tools: dict[str, Any]) -> None:
    data = {name: {"description": f"Do {name}!", "parameters": p} for name, p in tools.items()}
    spec = EnvSpec.model_validate({**SPEC.model_dump(), "tools": data})
    blocks = written.instructions(spec).split("\n\n")[1:]
    for (name, parameters), block in zip(tools.items(), blocks, strict=False):
        form, *lines = block.split("\n")
        assert form.startswith(f"<{spec.tags[name]}")
        assert lines[0] == f"    Do {name}!"
        assert len(lines) == 1 + len(parameters)
        for line, (parameter_name, about) in zip(lines[1:], parameters.items(), strict=True):
            assert line.startswith(f"    {parameter_name.upper()} (")
            assert parameter_name.upper() in form
            for bound in bounds_of(about):
                assert re.search(rf"(?<![\w-]){re.escape(bound)}(?!\w)", line)


def bounds_of(parameter: Mapping[str, Any]) -> Iterator[str]:
    schema = Tool.model_validate(
        {"description": "x", "parameters": {"x": parameter}}
    ).json_schema()["properties"]["x"]
    for field in (schema, schema.get("items", {})):
        for key, value in field.items():
            if key == "enum":
                yield ", ".join(value)
            elif key not in ("type", "items"):
                yield str(value)


# Any message

OPENINGS = [*SPEC.tags.values(), "end_episode", "tool_call", "think", "thinking"]
CLOSE = "the closing tag of what was opened last"
PIECES = [
    *[CLOSE] * 30,
    *(f"<{tag}>" for tag in OPENINGS),
    *(f"<{tag}" for tag in OPENINGS),
    *("</think>", "</RUN>", "</b>", "</drop", "<RUN>", "< look/>", "<End_Episode/>", "<run/ >"),
    *("<look/>", "<drop>3</drop>", "<drop column='7'/>", "<drop>x</drop>", "<run>no</run>"),
    *("<send-mail to='a\"b' cc=\"['x']\">c</send-mail>", "<wait></wait>", "<think>hm</think>"),
    *('<tool_call>{"name": "look"}</tool_call>', '<tool_call>{"name": "fly", "arguments": 1}'),
    *(">", "/>", "<", "/", "=", '"', "'", " ", "\n", "\t", "&quot;", "&amp;", "`", "```json\n"),
    *(" seconds=2", " code='x'", ' to="', " cc=", " column=", " column=1", " _raw=1", " \u00e9=1"),
    *('{"name": "drop"', ', "arguments": {', '"column": 3', "}}", '"name": 1', ",", "null", "1"),
    *("9" * 400, "-1e999", "NaN", "[" * 3000, "[" * 50 + "]" * 50, '{"a":' * 200, "\\ud800"),
    *("\ud800", "\udfff\ud83d", "\x00", "\u2028", "\x85", "\x1f", "\ufeff", "\U0001f600", "\u0130"),
    *("__import__('os').system('touch x')", "{0.__class__}", "%s%n", "${HOME}", "$(id)", "\r\n"),
]
ALPHABET = [*PIECES, *PIECES, *map(chr, range(32, 127))][:256]


def message_of(drawn: bytes) -> str:
    """A message of a piece per byte: drawing one value is many times faster than drawing a list."""
    pieces, opened = [], "run"
    for byte in drawn:
        piece = ALPHABET[byte]
        pieces.append(f"</{opened}>" if piece is CLOSE else piece)
        opened = piece.strip("<>") if piece.strip("<>") in OPENINGS else opened
    return "".join(pieces)


MESSAGES = st.binary(max_size=24).map(message_of)
UNWANTED = (
    "exec",
    "compile",
    "open",
    "import",
    "os.",
    "subprocess.",
    "socket.",
    "shutil.",
    "ctypes.",
)
MANY = settings(
    max_examples=2_000,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


class Watch:
    """What this thread was seen to do while it was watched; the interpreter reports it."""

    def __init__(self) -> None:
        self.thread: int | None = None
        self.seen: list[str] = []
        sys.addaudithook(self.note)

    def note(self, event: str, _: Any) -> None:
        if self.thread == threading.get_ident() and event.startswith(UNWANTED):
            self.seen.append(event)

    def __enter__(self) -> Self:
        self.thread = threading.get_ident()
        return self

    def __exit__(self, *_: object) -> None:
        self.thread = None


@pytest.fixture(scope="module")
def watch(lab: Lab) -> Watch:
    # What is imported or compiled at the first call of a kind is not the message's doing.
    lab.play("<drop>9</drop><look x='1'/><move/><run>x</run><wait>!</wait><nothing>\ud800")
    found = Watch()
    with found:
        exec("open(__file__)")  # noqa: S102
    assert found.seen == ["compile", "exec", "open"]
    found.seen.clear()
    return found


@pytest.mark.live
def test_no_message_raises_or_runs_anything_or_costs_more_than_its_actions(
    lab: Lab, watch: Watch
) -> None:
    @MANY
    @given(MESSAGES)
    def any_message(message: str) -> None:
        episode = lab.open(max_turns=6)
        with watch:
            actions = lab.text.read(message)
            answer = lab.text.play(episode, message)
        assert watch.seen == []
        assert actions
        stop = [isinstance(action, lab.text.Stop) for action in actions]
        played = actions[: stop.index(True)] if any(stop) else actions
        assert len(answer.steps) == len(played)
        assert episode.turns == min(6, len(played)) or episode._world.done
        assert [call[0] for call in episode._world.calls] == [
            step["tool"] for step in answer.steps if step["error"] is None
        ]
        assert answer.text
        json.dumps([answer.text, answer.steps], ensure_ascii=False, allow_nan=False).encode()
        assert answer.reward == episode.total
        assert episode.over or not any(stop)

    any_message()


# Any well-formed action

AWKWARD = [*'"\'&<> \n\t\r=/`{}[],\\', "&quot;", "&amp;lt;", "</x>", "<run>", "</RUN >", "</send-mail>",
     "<look/>", "<think>", "</think>", "</tool_call>", "<tool_call>", "]]>", "\u2028", "\x00", "\x1f",
     "\x85", "\ufeff", "\U0001f600", "{observation}", "1", "true", "\\ud800", "```", "json"]  # fmt: skip


def awkward_text(chance: random.Random, least: int = 0, most: int = 60) -> str:
    """Text in which what means something in a message is frequent."""
    length = chance.choice([least, least + 1, most, chance.randint(least, most)])
    pieces = [chance.choice([*AWKWARD, *"ab "]) for _ in range(length)]
    return "".join(pieces)[:length]


def awkward_value(field: Mapping[str, Any], chance: random.Random) -> Any:
    """Any value that fits a parameter's schema, with a taste for the ends of its range."""
    if "anyOf" in field:
        return awkward_value(chance.choice(field["anyOf"]), chance)
    kind, low, high = field["type"], field.get("minimum", 0), field.get("maximum", 99)
    if kind == "null":
        return None
    if kind == "object":
        names = [*field.get("properties", {}), *(["", "a b"] if "properties" not in field else [])]
        inner = field.get("properties", {})
        kinds = {name: inner.get(name, field["additionalProperties"]) for name in names}
        return {name: awkward_value(each, chance) for name, each in kinds.items()}
    if kind == "boolean":
        return chance.random() < 0.5
    if kind == "integer":
        return chance.choice([low, high, chance.randint(low, high)])
    if kind == "number":
        return chance.choice([low, high, int(low), chance.uniform(low, high), 5e-324])
    if kind == "array":
        count = chance.randint(field.get("minItems", 0), field.get("maxItems", 3))
        return [awkward_value(field["items"], chance) for _ in range(count)]
    if "enum" in field:
        return chance.choice(field["enum"])
    if "pattern" in field:
        return "".join(chance.choices("abz ", k=chance.randint(1, 9)))
    return awkward_text(chance, field.get("minLength", 0), field.get("maxLength", 60))


def awkward_call(seed: int) -> tuple[str, dict[str, Any]]:
    """A call that fits its tool's schema; some arguments that may be left out are."""
    chance = random.Random(seed)
    tool = chance.choice(SPEC.tool_schemas())
    schema = tool["parameters"]
    given = [
        name for name in schema["properties"] if name in schema["required"] or chance.random() < 0.5
    ]
    chance.shuffle(given)
    return tool["name"], {name: awkward_value(schema["properties"][name], chance) for name in given}


ENCLOSED = {"run": "code", "send": "body", "think": "note"}


def spellings(tool: str, arguments: dict[str, Any]) -> list[str]:
    """The same call as a tag with both kinds of quotes, with content where it can be, as JSON."""
    tag = ACTIONS[tool].get("tag", {"think": "think_action"}.get(tool, tool))
    texts = {k: v if isinstance(v, str) else json.dumps(v) for k, v in arguments.items()}
    double = "".join(f' {k}="{escape(v, {chr(34): "&quot;"})}"' for k, v in texts.items())
    single = "".join(f"\n{k} = '{escape(v, {chr(39): '&apos;'})}'" for k, v in texts.items())
    call = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False)
    text = json.dumps({"name": tool, "arguments": json.dumps(arguments)}, indent=1)
    found = [
        f"<{tag}{double}/>",
        f"<{tag.upper()}{single}  ></{tag}>",
        *(f"<tool_call>{j.replace('<', chr(92) + 'u003c')}</tool_call>" for j in (call, text)),
    ]
    content = texts.pop(ENCLOSED.get(tool, ""), "<")
    if not re.search("<|^\\s|\\s$", content):
        attributes = "".join(f" {k}='{escape(v, {chr(39): '&apos;'})}'" for k, v in texts.items())
        found += [f"<{tag}{attributes}>{space}{content}{space}</{tag}>" for space in ("", " \n")]
    return found


@pytest.mark.live
def test_a_well_formed_action_is_the_same_call_in_every_spelling(lab: Lab) -> None:
    @MANY
    @given(st.integers(0, 2**32).map(awkward_call))
    def any_call(call: tuple[str, dict[str, Any]]) -> None:
        messages = [written.write(SPEC, *call), *spellings(*call)]
        episode, twin = lab.open(), lab.open()
        answer = lab.text.play(episode, "\n".join(messages))
        steps = [twin.call(*call) for _ in messages]
        assert answer.steps == [
            {"tool": call[0], "arguments": call[1], **vars(step)} for step in steps
        ]
        # What is equal may still differ in type: 1, 1.0 and True.
        types_too = {repr(sorted(step["arguments"].items())) for step in answer.steps}
        assert types_too == {repr(sorted(call[1].items()))}
        assert [step.error for step in steps].count(None) == len(episode._world.calls) > 0
        assert (episode.total, episode.over) == (twin.total, twin.over)

    any_call()


def test_every_call_of_the_scripts_reads_back_as_it_was_meant(lab: Lab) -> None:
    read_arguments = importlib.import_module("lab_domain._shared.arguments").read_arguments
    tools = SPEC.tool_schemas()
    scripts = [*scripted.malformed(tools, "x"), *scripted.sampled(tools, "x", 200)]
    calls = [call for turn in scripts for call in turn.calls]
    assert len(calls) > 230
    for call in calls:
        meant = call.arguments
        if isinstance(meant, str):
            meant = read_arguments(meant)
        assert lab.read(written.write(SPEC, call.tool, call.arguments)) == [(call.tool, meant)]
    stopping = scripted.as_text(SPEC, scripted.noop()[0])
    assert lab.read(stopping) == ["stop"]


# A long message

LONG = 1_000_000


@pytest.mark.live
@pytest.mark.parametrize(
    "piece",
    [
        "<run>", "<run", "<run ", "<run code='", "<run code=\"", "<run a=1 ", "<run a='' ", "<run / ",
        "<run></think>", "<run a='</think>", "</run", "</run ", "<think>", "<think></thinking>", "</think>", "<tool_call>",  # noqa: E501
        "<tool_call>{", "<tool_call></think>", "<run><drop><wait>", "<run a='<drop b=\"", "<", " ", "\n ", "a", "'", "&amp;",  # noqa: E501
        "\x00", "\U0001f600",
    ],
)  # fmt: skip
def test_a_long_message_is_read_in_bounded_work(lab: Lab, piece: str) -> None:
    # No clock here: work that grew with the square of the length would take hours.
    for before, after in (("", ""), ("<run>", "</run>"), ("<run a='", "'/>")):
        assert lab.text.read(before + piece * (LONG // len(piece)) + after)
