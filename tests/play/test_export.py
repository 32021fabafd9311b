"""Trajectories as data to train on: whole conversations, none that teaches a mistake in silence."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

import skill_tools
from skill_tools.errors import RolloutError, SkillToolsError
from skill_tools.rollouts.records.episode_table import COLUMNS
from skill_tools.spec.rules import RESERVED_METRICS
from tests.conftest import snapshot
from tests.test_cli import skill_tools as command

TOOL = {"name": "add", "description": "Add.", "parameters": {"type": "object", "properties": {}}}
PROMPT = [{"role": "system", "content": "Count."}, {"role": "user", "content": "To 5."}]
PICTURE = {"type": "image", "media_type": "image/png", "data": "aGk="}
URL = "data:image/png;base64,aGk="


def step(arguments: Any, *observation: Any, reward: float = 0.0, **more: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": o} if isinstance(o, str) else o for o in observation]
    given = {"tool": "add", "arguments": arguments, "observation": blocks, "reward": reward}
    return {**given, "done": bool(reward), "error": None, **more}


def episode(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A line of format 1: it has no messages."""
    place = {"label": "count/train/0/0", "split": "train", "index": 0, "seed": 0, "task_id": 7}
    total = sum(each["reward"] for each in steps)
    line = {"framework": "openenv", "model": "oracle", **place, "prompt": PROMPT, "tools": [TOOL]}
    return {**line, "steps": list(steps), "return": total, "end": "terminated", **more}


def solved(amount: int = 5, **more: Any) -> dict[str, Any]:
    return episode(step({"amount": amount}, "Done.", reward=1.0), **more)


def call(said: str, number: int = 0) -> dict[str, Any]:
    function = {"name": "add", "arguments": said}
    return {"id": f"call-{number}", "type": "function", "function": function}


def answer(content: Any, number: int = 0) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": f"call-{number}", "content": content}


def written(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "trajectories.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def exported(
    folder: Path, kind: Any, *lines: dict[str, Any], **options: Any
) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """The rows, and what was left out."""
    output = folder / f"{kind}-{len(list(folder.iterdir()))}.jsonl"
    done = skill_tools.export(kind, [written(folder, *lines)], output, **options)
    text = output.read_text("utf-8") if done.output else ""
    rows = [json.loads(line) for line in text.splitlines()]
    assert done.rows == len(rows)
    return rows, done.left_out


def test_a_file_without_messages_becomes_a_call_for_each_step(tmp_path: Path) -> None:
    played = episode(step({"amount": 2}, "Two."), step({"amount": 3}, "Done.", reward=1.0))
    [row], left_out = exported(tmp_path, "sft", played)
    assert left_out == {}
    assert row["tools"] == [{"type": "function", "function": TOOL}]
    said = [message for message in row["messages"] if message["role"] == "assistant"]
    functions = [each["function"] for message in said for each in message["tool_calls"]]
    assert functions == [
        {"name": "add", "arguments": {"amount": 2}},
        {"name": "add", "arguments": {"amount": 3}},
    ]
    # Nothing is learnt from what follows the model's last message.
    assert [m["role"] for m in row["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant"),
    ]
    assert row["messages"][3]["tool_call_id"] == said[0]["tool_calls"][0]["id"]
    assert row["messages"][3]["content"] == "Two."


def test_where_actions_are_text_the_environment_reads_the_same_calls_again(tmp_path: Path) -> None:
    text = importlib.import_module("stand_in._shared.rollouts.text_actions")
    arguments = {"amount": 5, "note": "</tool_call> and <b>"}
    played = episode(step(arguments, "Done.", reward=1.0), framework="gem", tools=[])
    [row], _ = exported(tmp_path, "sft", played)
    assert row["tools"] == []
    assert "tool_calls" not in row["messages"][-1]
    assert text.read(row["messages"][-1]["content"]) == [text.Call("add", arguments)]


def test_recorded_messages_stay_as_they_were_said(tmp_path: Path) -> None:
    thinking = {"role": "assistant", "content": "", "reasoning_content": "2 and 3"}
    odd = {**call('{"amount":  2}'), "thought_signature": "x"}
    messages = [
        *PROMPT,
        {**thinking, "tool_calls": [odd, call('{"amount": 3}', 1)]},
        *(answer("Two."), answer("Done.", 1)),
    ]
    played = solved(messages=messages)
    [row], _ = exported(tmp_path, "sft", played, arguments="text")
    kept = {**thinking, "tool_calls": [call('{"amount":  2}'), call('{"amount": 3}', 1)]}
    assert row["messages"] == [*PROMPT, kept]


def test_arguments_are_objects_unless_text_is_asked_for(tmp_path: Path) -> None:
    for kind, lines in {
        "sft": [solved()],
        "preferences": [solved(), episode(step({}, "No."))],
    }.items():
        for form, wanted in {"object": {"amount": 5}, "text": '{"amount": 5}'}.items():
            [row], _ = exported(tmp_path, kind, *lines, arguments=form)
            [said] = row["messages"][-1:] if kind == "sft" else row["chosen"]
            assert said["tool_calls"][0]["function"]["arguments"] == wanted


def test_each_message_carries_its_own_reward(tmp_path: Path) -> None:
    def said(*calls: dict[str, Any]) -> dict[str, Any]:
        return {"role": "assistant", "content": "", "tool_calls": list(calls)}

    first = said(call('{"amount": 1}'), call('{"amount": 2}', 1))
    messages = [
        *(*PROMPT, first, answer("One."), answer("Two.", 1), said(call('{"amount": 3}', 2))),
        *(answer("Three.", 2), {"role": "assistant", "content": "Bye."}),
    ]
    steps = [
        step({"amount": n}, "Ok.", reward=reward) for n, reward in ((1, 0.25), (2, 0.125), (3, 0))
    ]
    played = episode(*steps, messages=messages, final_reward=0.5, **{"return": 0.875})
    [row], _ = exported(tmp_path, "sft", played)
    assert row["rewards"] == [0.375, 0.0, 0.5]
    [row], _ = exported(tmp_path, "preferences", played, {**played, "return": 0.0})
    assert row["chosen_rewards"] == row["rejected_rewards"] == [0.375, 0.0, 0.5]
    # A file that says how many steps each message made is believed, as where one call is several.
    clicks = {**played, "messages": [*PROMPT, said(call("{}")), answer("Ok."), messages[-1]]}
    [row], _ = exported(tmp_path, "sft", {**clicks, "turns": [{"steps": 3}, {"steps": 0}]})
    assert row["rewards"] == [0.375, 0.5]
    [row], _ = exported(tmp_path, "sft", clicks)
    assert row["rewards"] is None
    # An empty message at the end is not exported; the last one that is has what ending paid.
    silent = [*messages[:-1], {"role": "assistant", "content": ""}]
    [row], _ = exported(tmp_path, "sft", {**played, "messages": silent})
    assert row["rewards"] == [0.375, 0.5]
    # Without recorded messages each step is one message.
    [row], _ = exported(tmp_path, "sft", episode(*steps, final_reward=0.5, **{"return": 0.875}))
    assert row["rewards"] == [0.25, 0.125, 0.5]


def test_arguments_that_few_readers_take_are_written_anew(tmp_path: Path) -> None:
    said = {"role": "assistant", "content": "", "tool_calls": [call('{"note": "a\nb"}')]}
    [row], _ = exported(tmp_path, "sft", solved(messages=[*PROMPT, said]))
    [made] = row["messages"][-1]["tool_calls"]
    assert made["function"]["arguments"] == {"note": "a\nb"}
    [row], _ = exported(tmp_path, "sft", solved(messages=[*PROMPT, said]), arguments="text")
    [made] = row["messages"][-1]["tool_calls"]
    assert json.loads(made["function"]["arguments"]) == {"note": "a\nb"}


@pytest.mark.parametrize("said", ['{"amount": ', "[5]", "null", '{"amount": 5} {"amount": 5}'])
def test_a_broken_call_is_in_no_conversation_and_that_is_said(tmp_path: Path, said: str) -> None:
    messages = [
        *PROMPT,
        {"role": "assistant", "content": "", "tool_calls": [call(said)]},
        answer("The arguments are not a JSON object."),
        {"role": "assistant", "content": "", "tool_calls": [call('{"amount": 5}', 1)]},
    ]
    wrong = step({"_raw": said}, "No.", error="invalid_arguments")
    right = step({"amount": 5}, "Done.", reward=1.0)
    for line in (episode(wrong, right, messages=messages), episode(wrong, right)):
        rows, left_out = exported(tmp_path, "sft", line, keep_refused=True)
        assert rows == []
        assert left_out == {"a call whose arguments are not a JSON object": 1}
        rows, left_out = exported(tmp_path, "preferences", line, episode())
        assert rows == []
        assert left_out["a call whose arguments are not a JSON object"] == 1


def test_pictures_are_in_the_conversation_as_they_were_sent(tmp_path: Path) -> None:
    part = {"type": "image_url", "image_url": {"url": "#/steps/0/observation/1"}}
    seen = [{"type": "text", "text": "Look:"}, part]
    messages = [
        *PROMPT,
        {"role": "assistant", "content": "", "tool_calls": [call("{}")]},
        answer(seen),
        {"role": "assistant", "content": "", "tool_calls": [call("{}", 1)]},
    ]
    steps = (step({}, "Look:", PICTURE), step({}, "Done.", reward=1.0))
    shown = {"role": "user", "content": [{"type": "image_url", "image_url": {"url": URL}}]}
    for line in (episode(*steps, messages=messages), episode(*steps)):
        [row], _ = exported(tmp_path, "sft", line)
        assert row["messages"][3]["content"] == "Look:"
        assert row["messages"][4] == shown
    part["image_url"]["url"] = "#/steps/9/observation/1"
    rows, left_out = exported(tmp_path, "sft", episode(*steps, messages=messages))
    assert (rows, left_out) == ([], {"a picture that is missing from its steps": 1})


def test_what_the_rollouts_own_conversation_records_can_be_exported(tmp_path: Path) -> None:
    shared = "stand_in._shared"
    replies = importlib.import_module(f"{shared}.models.replies")
    conversation = importlib.import_module(f"{shared}.models.conversation")
    talk = conversation.Conversation(PROMPT)
    used: set[str] = set()
    observations = [[{"type": "text", "text": "Look:"}, PICTURE], [PICTURE]]
    for turn in range(2):
        message = {"content": None, "tool_calls": [call("{}", 0)], "reasoning": "hm"}
        reply = replies.of_chat({"choices": [{"message": message}]}, used, turn)
        talk.add(reply)
        talk.answer([(reply.calls[0], observations[turn])])
    talk.add(replies.of_chat({"choices": [{"message": {"content": "Bye."}}]}, used, 2))
    steps = [step({}, *seen, reward=0.5) for seen in observations]
    played = episode(*steps, messages=talk.record())
    [row], _ = exported(tmp_path, "sft", played, arguments="text")
    sent = talk.messages(conversation.Habits())
    assert row["messages"] == sent
    assert json.dumps(sent).count(URL) == 2


def test_only_the_best_episodes_are_examples_unless_told_otherwise(tmp_path: Path) -> None:
    half = episode(step({"amount": 1}, "Half.", reward=0.5))
    broke = {**half, "return": None, "end": "failed", "failure": {"kind": "x", "message": "y"}}
    low = "its return is too low"
    rows, left_out = exported(tmp_path, "sft", half, solved(), broke, episode())
    assert (len(rows), left_out) == (1, {low: 2, "failed: no score": 1})
    # The best of its task; where the most that there is to earn is known, only that.
    assert len(exported(tmp_path, "sft", half)[0]) == 1
    assert exported(tmp_path, "sft", {**half, "reward_range": [0, 1]}) == ([], {low: 1})
    best = {**half, "reward_range": [0, 1], "best": 0.5}
    assert len(exported(tmp_path, "sft", best)[0]) == 1
    assert exported(tmp_path, "sft", {**best, "best": 0.75}) == ([], {low: 1})
    assert len(exported(tmp_path, "sft", {**best, "best": None})[0]) == 1  # the most of its task
    other = {"label": "count/train/1/1", "index": 1, "seed": 1}
    assert len(exported(tmp_path, "sft", {**half, **other}, solved())[0]) == 2
    assert exported(tmp_path, "sft", episode()) == ([], {low: 1})
    rows, left_out = exported(tmp_path, "sft", half, solved(), broke, episode(), min_return=0.0)
    assert left_out == {"failed: no score": 1, "no message from the model": 1}
    assert len(rows) == 2


def test_an_episode_with_a_refused_call_or_a_cut_message_is_no_example(tmp_path: Path) -> None:
    refused = step({"amount": 9}, "Too much.", error="invalid_action")
    line = episode(refused, step({"amount": 5}, "Done.", reward=1.0))
    assert exported(tmp_path, "sft", line) == ([], {"a refused call": 1})
    assert len(exported(tmp_path, "sft", line, keep_refused=True)[0]) == 1
    for cut in (solved(end="cut_off"), solved(turns=[{"usage": {}, "cut": True}, {"usage": {}}])):
        assert exported(tmp_path, "sft", cut) == ([], {"a message that was cut off": 1})


def test_the_same_conversation_is_there_once(tmp_path: Path) -> None:
    rows, left_out = exported(tmp_path, "sft", solved(), solved(model="example"), solved(4))
    assert (len(rows), left_out) == (2, {"the same conversation as another episode": 1})
    rows, _ = exported(tmp_path, "sft", solved(), solved(4, model="other"), models=["other"])
    assert '{"amount": 4}' in json.dumps(rows)
    with pytest.raises(SkillToolsError, match="did you mean 'oracle'"):
        exported(tmp_path, "sft", solved(), models=["orcale"])


def test_pairs_are_of_one_task_with_different_returns(tmp_path: Path) -> None:
    def paid(amount: int, reward: float, **more: Any) -> dict[str, Any]:
        return episode(step({"amount": amount}, "Ok.", reward=reward), **more)

    other = {"label": "count/train/1/1", "index": 1, "seed": 1}
    lines = [paid(1, 0.1), paid(9, 0.9), paid(5, 0.5), paid(2, 0.2), paid(7, 0.7, **other)]
    rows, left_out = exported(tmp_path, "preferences", *lines)
    amounts = [
        [row[side][0]["tool_calls"][0]["function"]["arguments"]["amount"] for side in
         ("chosen", "rejected")]
        for row in rows
    ]  # fmt: skip
    assert amounts == [[9, 1], [5, 2]]
    assert left_out == {"no episode with the same task and opening has a different return": 1}
    assert all(row["prompt"] == PROMPT for row in rows)
    assert rows[0]["tools"] == [{"type": "function", "function": TOOL}]
    # Samples are of one task; another opening, as where actions are text, is another prompt.
    again = paid(1, 0.1, label="count/train/0/0#1", sample=1)
    assert len(exported(tmp_path, "preferences", paid(9, 0.9), again)[0]) == 1
    text = paid(1, 0.1, framework="gem", tools=[])
    assert exported(tmp_path, "preferences", paid(9, 0.9), text)[0] == []
    assert exported(tmp_path, "preferences", paid(9, 0.9), paid(8, 0.9))[0] == []


def test_a_table_has_one_type_a_column(tmp_path: Path) -> None:
    turn = {"finish_reason": "stop", "usage": {"input_tokens": 5, "output_tokens": 2}, "seconds": 1}
    asked = solved(
        messages=[*PROMPT, {"role": "assistant", "content": "no"}],
        turns=[turn, turn],
        server={"model": "m-1", "url": "http://x/v1", "api": "chat"},
        sampling={"temperature": 0.5},
        task_id="a",
    )
    failed = episode(end="failed", failure={"kind": "x", "message": "y"}) | {"return": None}
    broken = episode(step({"_raw": "{"}, "No.", error="invalid_arguments"), index=None, split=None)
    rows, left_out = exported(tmp_path, "table", asked, failed, broken, solved())
    assert left_out == {}
    assert len(rows) == 4
    for row in rows:
        assert list(row) == list(COLUMNS)
        assert not [n for n, v in row.items() if v is not None and type(v) is not COLUMNS[n]]
    first, second, third, _ = rows
    assert first | {"turns": 2, "input_tokens": 10, "output_tokens": 4} == first
    assert (first["finish_reason"], first["server_model"]) == ("stop", "m-1")
    assert json.loads(first["sampling"]) == {"temperature": 0.5}
    assert json.loads(first["messages"])[-1]["content"] == "no"
    assert (first["task_id"], second["task_id"]) == ("a", "7")
    assert (second["failure"], second["return"]) == ("y", None)
    assert (third["refusals"], third["messages"]) == (1, "[]")


def test_a_table_has_a_column_for_each_metric_of_any_episode(tmp_path: Path) -> None:
    rows, _ = exported(tmp_path, "table", solved(metrics={"right": 1, "form": 0.5}), solved())
    assert [list(row) for row in rows] == [[*COLUMNS, "right", "form"]] * 2
    assert [(row["right"], row["form"]) for row in rows] == [(1.0, 0.5), (None, None)]
    assert set(COLUMNS) <= RESERVED_METRICS


def test_parquet_says_what_to_install_or_is_read_again(tmp_path: Path) -> None:
    output = tmp_path / "table.parquet"
    file = written(tmp_path, solved())
    try:
        from pyarrow import parquet
    except ImportError:
        with pytest.raises(SkillToolsError, match="pip install pyarrow"):
            skill_tools.export("table", [file], output)
        assert not output.exists()
    else:
        skill_tools.export("table", [file], output)
        assert parquet.read_table(output).to_pylist()[0]["return"] == 1.0
    with pytest.raises(SkillToolsError, match="JSON lines"):
        skill_tools.export("sft", [file], tmp_path / "sft.parquet")


def test_what_is_there_is_not_overwritten_and_a_broken_line_is_named(tmp_path: Path) -> None:
    file = written(tmp_path, solved(), solved())
    with file.open("a") as lines:
        lines.write('{"model": 5}\n')
    before = snapshot(tmp_path)
    with pytest.raises(RolloutError, match="line 3 is not a trajectory"):
        skill_tools.export("sft", [file], tmp_path / "new.jsonl")
    with pytest.raises(SkillToolsError, match=f"{file} exists"):
        skill_tools.export("sft", [file], file)
    with pytest.raises(SkillToolsError, match="cannot be written"):
        skill_tools.export("sft", [written(tmp_path, solved())], tmp_path / "no" / "new.jsonl")
    written(tmp_path, solved(), solved(), {"model": 5})
    assert snapshot(tmp_path) == before


def test_an_option_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    file = written(tmp_path, solved())
    with pytest.raises(SkillToolsError, match="only be set for sft"):
        skill_tools.export("table", [file], tmp_path / "out", min_return=1.0)
    with pytest.raises(SkillToolsError, match="there are: sft, preferences, tokens, table"):
        skill_tools.export("pairs", [file], tmp_path / "out")  # type: ignore[arg-type]


@pytest.mark.everything("costly")
def test_the_command_says_what_it_left_out_and_ends_with_1_where_nothing_is_left(
    tmp_path: Path,
) -> None:
    file, output = written(tmp_path, episode(), solved()), tmp_path / "sft.jsonl"
    run = command("export", "sft", file, "-o", output, "--json")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "kind": "sft", "output": str(output), "rows": 1, "episodes": 2,
        "left_out": {"its return is too low": 1},
    }  # fmt: skip
    run = command("export", "sft", file, "-o", tmp_path / "no.jsonl", "--min-return", "2")
    assert run.returncode == 1
    assert "no conversations in 2 episodes" in run.stdout
    assert "2 left out: its return is too low" in run.stdout
    assert not (tmp_path / "no.jsonl").exists()


def test_an_episode_that_was_really_played_becomes_an_example(
    counter: Path, tmp_path: Path
) -> None:
    calls = ["add amount=9", "add amount=8"]  # 17 is the first task's target
    tried = skill_tools.try_calls(counter, calls)
    assert tried.end == "terminated", tried.steps
    line = tried.model_dump(by_alias=True)
    (row,), _ = exported(tmp_path, "sft", line)
    assert [m["role"] for m in row["messages"]] == [
        *("system", "user", "assistant", "tool", "assistant"),
    ]


def test_tokens_are_a_row_for_each_run_and_a_group_for_each_task_and_opening(
    tmp_path: Path,
) -> None:
    def turn(carried: int, prompt: list[int], ids: list[int]) -> dict[str, Any]:
        told = {"carried": carried, "prompt_ids": prompt, "ids": ids}
        return {
            "usage": {"output_tokens": len(ids)},
            "tokens": {**told, "logprobs": [-0.5] * len(ids)},
        }

    whole = solved(turns=[turn(0, [1, 2], [3]), turn(3, [4], [5])])
    anew = solved(
        turns=[turn(0, [1, 2], [3]), turn(2, [9], [5])], sample=1, label="count/train/0/0#1"
    )
    other = solved(turns=[turn(0, [8], [3])], label="count/train/0/1", seed=1)
    silent = solved(turns=[{"usage": {}}])
    failed = episode(**{"return": None, "end": "failed"})
    rows, left_out = exported(tmp_path, "tokens", whole, anew, other, silent, failed)
    assert [(row["ids"], row["mask"], row["part"], row["parts"]) for row in rows] == [
        ([1, 2, 3, 4, 5], [0, 0, 1, 0, 1], 0, 1),
        ([1, 2, 3], [0, 0, 1], 0, 2),
        ([1, 2, 9, 5], [0, 0, 0, 1], 1, 2),
        ([8, 3], [0, 1], 0, 1),
    ]
    assert rows[0]["logprobs"] == [0.0, 0.0, -0.5, 0.0, -0.5]
    assert [row["rewards"] for row in rows[:2]] == [None, None]
    said = [{"role": "assistant", "content": "", "tool_calls": [call("{}", n)]} for n in range(2)]
    two = [step({}, "Ok.", reward=0.25), step({}, "Done.", reward=0.75)]
    both = episode(*two, turns=whole["turns"], messages=[*PROMPT, *said])
    [row], _ = exported(tmp_path, "tokens", both)
    assert row["rewards"] == [0.0, 0.0, 0.25, 0.0, 0.75]
    split, _ = exported(tmp_path, "tokens", {**both, "turns": anew["turns"]})
    assert [row["rewards"] for row in split] == [[0.0, 0.0, 0.25], [0.0, 0.0, 0.0, 0.75]]
    assert len({row["group"] for row in rows[:3]}) == 1
    assert rows[3]["group"] != rows[0]["group"]
    assert {row["return"] for row in rows} == {1.0}
    assert left_out == {
        "a message whose tokens were not reported by the server": 1,
        "failed: no score": 1,
    }
