"""env.yaml: what is wrong is named with file, line, field and the nearest valid name."""

from __future__ import annotations

from pathlib import Path

import pytest

from skill_tools.errors import Remedy, SpecError
from skill_tools.frameworks.rules import load
from skill_tools.render.type_hints import signature
from skill_tools.spec.reader import json_schema
from tests.conftest import ROOT, SPEC, write_counter
from tests.over import over


def problems_of(folder: Path) -> str:
    with pytest.raises(SpecError) as caught:
        load(folder)
    return str(caught.value)


def test_a_valid_spec_loads(counter: Path) -> None:
    spec = load(counter)
    assert spec.package == "counter_domain"
    assert [tool["name"] for tool in spec.tool_schemas()] == ["add", "look"]
    schema = spec.tool_schemas()[0]["parameters"]
    assert schema["required"] == ["amount"]
    assert schema["properties"]["amount"]["maximum"] == 9


def test_a_default_of_null_makes_a_parameter_optional_also_when_the_spec_is_written_and_read(
    tmp_path: Path,
) -> None:
    spec = load(write_counter(tmp_path / "counter", env=('default: ""', "default: null")))
    read = type(spec).model_validate_json(spec.model_dump_json())
    for each in (spec, read):
        schema = each.tool_schemas()[0]["parameters"]
        assert schema["required"] == ["amount"]
        assert "default" not in schema["properties"]["note"]
        assert signature(each.tools["add"]) == ", *, amount: int, note: str | None = None"
    assert read == spec


def test_a_secret_is_a_name_or_says_that_it_is_optional(tmp_path: Path) -> None:
    secrets = "secrets: [ONE, {name: TWO, optional: true}, {name: THREE}]\nepisode:"
    spec = load(write_counter(tmp_path / "counter", env=("episode:", secrets)))
    assert [(each.name, each.optional) for each in spec.secrets] == [
        ("ONE", False),
        ("TWO", True),
        ("THREE", False),
    ]
    assert type(spec).model_validate_json(spec.model_dump_json()) == spec


@pytest.mark.everything("costly")
@over(
    ("old", "new", "line", "expected"),
    [
        ("archetype:", "archetyp:", 4, "did you mean 'archetype'?"),
        ("type: integer", "type: interger", 16, "did you mean 'integer'?"),
        ("minimum: 1,", "minimun: 1,", 16, "did you mean 'minimum'?"),
        ("minimum: 1,", 'minimum: "1",', 16, "without quotes"),
        ("minimum: 1,", "minimum: 11,", 13, "above maximum"),
        ("minimum: 1,", "minimum: 1, samples: [12],", 13, "12 is greater than the maximum"),
        ("minimum: 1,", "minimum: 1, default: 0,", 13, "0 is less than the minimum"),
        ("max_turns: 6", "max_turn: 6", 20, "did you mean 'max_turns'?"),
        ("max_turns: 6", "max_turns: 6, max_refusals: 3", 20, "write refusals: free"),
        ("pure-python-game", "pure-python-gam", 4, "did you mean 'pure-python-game'?"),
        ("episode:", "metrics: {return: x}\nepisode:", 20, "'return' cannot be the name"),
        ("episode:", "metrics: {best: x}\nepisode:", 20, "already use the name 'best'"),
        ("episode:", "metrics: {all right: x}\nepisode:", 20, "'all right' cannot be the name"),
        ("episode:", 'metrics: {right: ""}\nepisode:', 20, "at least 1 character"),
        ("episode:", "metrics: [right]\nepisode:", 20, "write its fields below it"),
        ("episode:", "secrets: [{nam: KEY}]\nepisode:", 20, "did you mean 'name'?"),
        ("episode:", "secrets: [{optional: true}]\nepisode:", 20, "'name' is missing"),
        ("episode:", "secrets: [7]\nepisode:", 20, "found 7"),
        ("  add:", "  reset:", 13, "reserved by OpenEnv"),
        ("  add:", "  step:", 13, "reserved by OpenEnv"),
        ("  add:", "  observe:", 13, "the domain's own 'observe' cannot play a tool"),
        ("  add:", "  class:", 13, "Python keyword"),
        ("      amount:", "      import:", 16, "Python keyword"),
        ('"{observation}"', '"{{ observation }}"', 11, "not a placeholder"),
        ('"{observation}"', '"{target_word}"', 11, "hidden task field"),
        ("game:Counter", "../game:Counter", 5, "write domain: game:ConnectFour"),
        ("tasks:TASKS", "../tasks/{split}.jsonl", 6, "leaves the environment folder"),
        ("game:Counter", "sandbox:Counter", 5, "reserved"),
        ("oracle:solve", "game:solve", 7, "shipped with the domain"),
        ("hidden: [target_word]", "reward: {range: [0, .inf]}\nhidden: []", 8, "finite"),
        ("max_length: 5,", 'pattern: "(",', 13, "not a regular expression"),
        ("name: counter", "name: Counter", 1, "snake_case"),
        ("hidden: [target_word]", "hidden: [target_word]\ninclude: [../x]", 9, "leaves the"),
        (
            "hidden: [target_word]",
            "hidden: [target_word]\nframeworks: [gym]",
            9,
            "there are: openenv, ors",
        ),
        ("hidden: [target_word]", "secret: [target_word]", 8, "write hidden:"),
        ("hidden: [target_word]", f"include: [{'x' * 300}]\nhidden: []", 8, "there is no file"),
        ("hidden: [target_word]", "version: 'x\"'\nhidden: []", 8, "not a version"),
        ("hidden: [target_word]", "license: 'x\"'\nhidden: []", 8, "pattern"),
        ("hidden: [target_word]", "packages: [a b]\nhidden: []", 8, "not a requirement"),
    ],
)
def test_a_mistake_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, expected: str
) -> None:
    message = problems_of(write_counter(tmp_path / "env", env=(old, new)))
    assert f"env.yaml:{line}" in message
    assert expected in message


def test_every_problem_is_reported_at_once(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "env", env=("archetype:", "archetyp:"))
    (folder / "env.yaml").write_text(
        (folder / "env.yaml").read_text().replace("max_turns: 6", "max_turns: many")
    )
    assert problems_of(folder).count("env.yaml:") == 2  # archetyp is not missing as well


def test_two_tools_with_one_address_are_refused(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "env", env=("  look:", "  add:"))
    assert "duplicate key" in problems_of(folder)


@over("text", ["a: [", "- 1", "\t", "!!python/object:os.system x", "a: &x [*x]"])
def test_text_that_is_no_spec_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "env.yaml").write_text(text)
    assert "env.yaml" in problems_of(tmp_path)


def test_a_folder_without_spec_names_the_next_step(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as raised:
        load(tmp_path)
    assert "start an environment in a new folder" in str(raised.value)
    assert raised.value.remedy == Remedy("new")


def test_the_committed_json_schema_is_in_step_with_the_models() -> None:
    committed = (ROOT / "skill_tools" / "env.schema.json").read_text("utf-8")
    assert committed == json_schema(), "run: python -m tools"


def test_a_spec_that_is_too_large_is_not_parsed(tmp_path: Path) -> None:
    (tmp_path / "env.yaml").write_text(SPEC + "#" * 300_000)
    assert "larger than" in problems_of(tmp_path)


def test_a_file_that_the_spec_names_must_be_there(tmp_path: Path) -> None:
    changed = ("hidden: [target_word]", "include: [words.txt]")
    message = problems_of(write_counter(tmp_path / "env", env=changed))
    assert "env.yaml:8" in message
    assert "there is no file words.txt" in message
    (tmp_path / "env" / "game.py").unlink()
    assert "there is no file game.py" in problems_of(tmp_path / "env")


def test_an_alias_bomb_is_refused_at_once(tmp_path: Path) -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    (tmp_path / "env.yaml").write_text("\n".join(lines) + "\n")
    assert "env.yaml:2: YAML aliases are not allowed" in problems_of(tmp_path)


def test_a_misspelt_field_is_one_problem_and_not_missing_as_well(tmp_path: Path) -> None:
    folder = write_counter(tmp_path / "counter", env=("tasks: tasks:TASKS", "task: tasks:TASKS"))
    with pytest.raises(SpecError) as refused:
        load(folder)
    (problem,) = refused.value.problems
    assert "unknown field 'task'" in problem.what
    assert "tasks" in problem.fix


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("exceptions: [{check: TAS003, reason: only one word fits}]", "because"),
        ("examples: [{task: train/0, steps: []}]", "calls"),
        ("examples: [{task: train/0, calls: [{tool: look, show: a}]}]", "shows"),
        ("display: {widht: 640}", "width"),
    ],
)
def test_an_unknown_field_in_a_list_is_answered_with_those_there_are(
    text: str, there: str, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "counter", env=("episode:", f"{text}\nepisode:"))
    with pytest.raises(SpecError) as refused:
        load(folder)
    (problem, *_) = [p for p in refused.value.problems if "unknown field" in p.what]
    assert there in problem.fix
    assert "parameters" not in problem.fix


@pytest.mark.parametrize(
    ("field", "parent"), [("user", "prompt"), ("max_turns", "episode"), ("range", "reward")]
)
def test_a_field_at_the_top_is_sent_below_the_one_it_belongs_to(
    field: str, parent: str, tmp_path: Path
) -> None:
    folder = write_counter(tmp_path / "counter", env=("tools:", f"{field}: x\ntools:"))
    with pytest.raises(SpecError) as refused:
        load(folder)
    (problem,) = [p for p in refused.value.problems if field in p.what]
    assert (problem.what, problem.fix) == (
        f"{field!r} is a field of {parent!r}",
        f"write the field below {parent}:",
    )
