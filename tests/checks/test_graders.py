"""GRA on audits of reward functions, and on a domain of ours that asks one question."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from skill_tools import pipeline
from skill_tools.errors import SkillToolsError
from skill_tools.report.outcome import Outcome
from tests.audits import audit
from tests.conftest import ROOT
from tests.selection import few

ROWS = [
    {
        "prompt": f"What is {n} times 37 plus 1000? Reply with the number.",
        "answer": str(n * 37 + 1000),
    }
    for n in range(12)
]
ELEMENTS = ROOT / "corpora" / "mutants" / "controls" / "elements-no-seed"


def audited(
    folder: Path,
    program: str,
    rows: list[dict[str, Any]] = ROWS,
    name: str = "reward",
    replies: list[str] | None = None,
) -> Outcome:
    (folder / "reward.py").write_text(program)
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    solutions = None
    if replies:
        solutions = folder / "solutions.json"
        solved = [{"index": n, "calls": [{"text": text}]} for n, text in enumerate(replies)]
        solutions.write_text(json.dumps(solved))
    target = f"{folder}/reward.py:{name}"
    return audit(target, dataset=folder / "tasks.jsonl", solutions=solutions)


def told(outcome: Outcome, check: str) -> list[str]:
    found = outcome.report.findings
    return [
        f"{each.status} {each.message}" for each in found if each.check == check and each.message
    ]


@pytest.mark.everything("costly")
def test_an_answer_anywhere_in_the_reply_fails_and_is_measured(tmp_path: Path) -> None:
    outcome = audited(
        tmp_path,
        "def reward(prompts, completions, answer, **more):\n"
        "    return [float(a in said) for said, a in zip(completions, answer)]\n",
    )
    (message,) = told(outcome, "GRA001")
    assert message.startswith("fail ")
    assert "12 of 12 tasks" in message
    assert "the deciding line is reward.py:2, `return [float(a in said) for" in message
    assert outcome.report.measures["ceiling"] == 1.0
    assert outcome.report.verdict == "not sound"


@pytest.mark.everything("graders")
def test_a_sound_grader_is_sound_with_measures_of_nothing(tmp_path: Path) -> None:
    outcome = audited(
        tmp_path,
        "import re\n"
        "def reward(completion, row):\n"
        "    said = completion.strip().replace(',', '').replace('\\u2212', '-').rstrip('.')\n"
        "    said = said.removeprefix('The answer is ').removesuffix('.0')\n"
        "    return float(said == row['answer'])\n",
    )
    assert outcome.report.verdict == "sound", outcome.report.findings
    assert outcome.report.measures["ceiling"] == 0.0
    assert outcome.report.measures["false-fails"] == 0.0
    assert not told(outcome, "GRA002")


@pytest.mark.everything("graders")
def test_what_a_grader_raises_on_is_told_with_the_reply(tmp_path: Path) -> None:
    outcome = audited(
        tmp_path,
        "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n"
        "    return {'score': float(int(solution_str) == int(ground_truth))}\n",
        [{**row, "reward_model": {"ground_truth": row["answer"]}} for row in ROWS],
        "compute_score",
    )
    (message,) = told(outcome, "GRA004")
    assert message.startswith("fail ")
    assert "ValueError" in message


@pytest.mark.everything("graders")
def test_a_grader_that_only_thousands_of_digits_break_is_warned_about(tmp_path: Path) -> None:
    program = (
        "import re\n"
        "def reward(completion, answer, **row):\n"
        "    found = re.fullmatch(r'[0-9]+', completion)\n"
        "    return float(bool(found) and int(completion) == int(answer))\n"
    )
    (message,) = told(audited(tmp_path, program, ROWS), "GRA004")
    assert message.startswith("warn ")
    assert "5,000 digits" in message


@pytest.mark.everything("graders")
def test_rewards_of_a_batch_that_are_shifted_are_found(tmp_path: Path) -> None:
    outcome = audited(
        tmp_path,
        "def reward_func(queries, prompts, labels, **more):\n"
        "    said = [q[len(p):].strip() for q, p in zip(queries, prompts)]\n"
        "    kept = [each for each in said if each.isdigit()]\n"
        "    paid = [float(each == label) for each, label in zip(kept, labels)]\n"
        "    return paid + [0.0] * (len(said) - len(paid))\n",
        [{"prompt": row["prompt"], "label": row["answer"]} for row in ROWS],
        "reward_func",
    )
    (message,) = told(outcome, "GRA006")
    assert "in a batch" in message


EXACT = "def right(said, wanted):\n    return float(said.strip().replace(',', '') == wanted)\n\n\n"
TRAINED = {
    "TRL, which logs": "def reward(completions, answer, log_metric, log_extra, **kwargs):\n"
    "    log_extra('answer', list(answer))\n"
    "    log_metric('share', 0.5)\n"
    "    return [right(*each) for each in zip(completions, answer)]\n",
    "TRL, which knows the step": "def reward(completions, answer, trainer_state, **kwargs):\n"
    "    share = trainer_state.global_step / trainer_state.max_steps\n"
    "    return [(1 - share) * right(*each) for each in zip(completions, answer)]\n",
    "TRL, which takes all by name": "def reward(**given):\n"
    "    given['log_metric']('replies', len(given['completion_ids']))\n"
    "    return [right(*each) for each in zip(given['completions'], given['answer'])]\n",
    "verl": "def reward(data_source, solution_str, ground_truth, extra_info):\n"
    "    assert extra_info['num_turns'] and not extra_info['rollout_reward_scores']\n"
    "    return {'score': right(solution_str, ground_truth), 'acc': 1.0}\n",
    "verl, in batches": "def reward(data_sources, solution_strs, ground_truths, extra_infos, **kwargs):\n"
    "    assert 'log_metric' not in kwargs and extra_infos[0]['num_turns']\n"
    "    return [right(*each) for each in zip(solution_strs, ground_truths)]\n",
    "OpenRLHF": "def reward(queries, prompts, labels):\n"
    "    said = [q.removeprefix(p) for q, p in zip(queries, prompts)]\n"
    "    paid = [right(*each) for each in zip(said, labels)]\n"
    "    return {'rewards': paid, 'scores': paid, 'extra_logs': {'share': paid}}\n",
    "NeMo RL": "def reward(ground_truth, response):\n"
    "    return right(response, ground_truth), None\n",
    "NeMo RL, in batches": "def reward(pred_responses, ground_truths, **kwargs):\n"
    "    return [right(*each) for each in zip(pred_responses, ground_truths)]\n",
    "rLLM": "from types import SimpleNamespace\n\n\ndef reward(task_info, action):\n"
    "    paid = right(action.action, task_info['answer'])\n"
    "    return SimpleNamespace(reward=paid, metadata={}, is_correct=bool(paid))\n",
    "rLLM, an evaluator": "def reward(task, episode):\n"
    "    said = episode.artifacts.get('answer') or episode.trajectories[-1].steps[-1].output\n"
    "    paid = right(said, task.metadata['answer'])\n"
    "    return paid, bool(paid)\n",
}


@pytest.mark.everything("costly")
@pytest.mark.parametrize("trainer", few(TRAINED, 1, "graders"))
def test_a_function_gets_all_that_its_trainer_gives(tmp_path: Path, trainer: str) -> None:
    outcome = audited(tmp_path, EXACT + TRAINED[trainer])
    assert outcome.report.verdict == "sound", outcome.report.findings
    assert not told(outcome, "GRA001")


@pytest.mark.parametrize(
    ("program", "lacks"),
    few(
        [
            ("def reward(completion, tokenizer):\n    return 1.0\n", "'tokenizer'"),
            (
                "import no_such_module\ndef reward(completion, row):\n    return 1.0\n",
                "no_such_module",
            ),
            ("def reward(completion, row):\n    import no_such_module\n", "no_such_module"),
            (
                "def reward(completions, trainer_state, **kwargs):\n    return trainer_state.warmth\n",
                "trainer_state.warmth",
            ),
            ("def reward(completions, **kwargs):\n    return kwargs['weights']\n", "'weights'"),
            (
                (
                    "def compute_score(data_source, solution_str, ground_truth, extra_info=None):\n"
                    "    return extra_info['tools']\n\n\nreward = compute_score\n"
                ),
                "'tools'",
            ),
        ],
        2,
        "graders",
    ),
)
def test_what_an_audit_lacks_is_no_verdict_on_the_function(
    tmp_path: Path, program: str, lacks: str
) -> None:
    outcome = audited(tmp_path, program)
    assert outcome.report.verdict == "not judged", outcome.report.findings
    assert not [each for each in outcome.report.findings if each.status in ("fail", "warn")]
    (needed,) = outcome.report.unjudged
    assert lacks in needed


@pytest.mark.everything("graders")
def test_an_argument_that_somebody_gives_is_one_that_an_audit_has(tmp_path: Path) -> None:
    program = EXACT + (
        "def reward(completion, answer, scale, **more):\n"
        "    return scale * right(completion, answer)\n"
    )
    (tmp_path / "reward.py").write_text(program)
    (tmp_path / "tasks.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in ROWS))
    target, rows = f"{tmp_path}/reward.py:reward", tmp_path / "tasks.jsonl"
    outcome = audit(target, dataset=rows, arguments={"scale": 2.0})
    assert outcome.report.verdict == "sound", outcome.report.findings


@pytest.mark.everything("graders")
def test_an_argument_named_like_a_column_gets_that_column(tmp_path: Path) -> None:
    more = {"labels": ["1"], "question": {"kind": "sum"}}
    rows = [{"prompt": row["prompt"], "label": row["answer"], **more} for row in ROWS]
    program = EXACT + (
        "def reward(completion, label, labels, question):\n"
        "    given = labels == ['1'] and question['kind'] == 'sum'\n"
        "    return right(completion, label) if given else 0.0\n"
    )
    outcome = audited(tmp_path, program, rows)
    assert outcome.report.verdict == "sound", outcome.report.findings


@pytest.mark.everything("graders")
def test_wrong_labels_among_whole_replies_are_not_called_paid_wrong_answers(tmp_path: Path) -> None:
    tagged = "Compute it (HH: no clock is needed), then write <answer>the number</answer>."
    rows = [
        {"prompt": f"{row['prompt']} {tagged}", "answer": str(int(row["answer"]) + (n % 5 == 1))}
        for n, row in enumerate(ROWS)
    ]
    program = (
        "import re\n"
        "def reward(completion, answer):\n"
        "    found = re.findall(r'<answer>(.*?)</answer>', completion, re.S)\n"
        "    return float(len(found) == 1 and found[0].strip().replace(',', '') == answer)\n"
    )
    replies = [f"I multiply and add.\n\n<answer>{row['answer']}</answer>" for row in ROWS]
    outcome = audited(tmp_path, program, rows, replies=replies)
    (message,) = told(outcome, "GRA003")
    assert "3 of 12 tasks" in message
    assert not told(outcome, "GRA001")


@pytest.mark.everything("graders")
def test_prose_before_a_right_table_is_no_part_of_the_answer(tmp_path: Path) -> None:
    asked = "Reply with a markdown table of n and its square. Values within 0.01 are right."
    tables = [
        "\n".join(
            ["| n | square |", "| --- | --- |", *(f"| {n} | {n * n}.50 |" for n in (a, a + 1))]
        )
        for a in range(2, 14)
    ]
    rows = [
        {"prompt": f"{asked} n: {n}, {n + 1}", "wanted": [table]} for n, table in enumerate(tables)
    ]
    program = (
        "import re\n"
        "def cells(text):\n"
        "    lines = [each for each in text.splitlines() if each.startswith('|')]\n"
        "    return [float(each) for each in re.findall(r'-?\\d+\\.?\\d*', ' '.join(lines[2:]))], lines[:2]\n"
        "def reward(completion, wanted):\n"
        "    (mine, head), (its, same) = cells(completion), cells(wanted[0])\n"
        "    near = all(abs(a - b) <= 0.0101 for a, b in zip(mine, its))\n"
        "    return float(head == same and len(mine) == len(its) and near)\n"
    )
    replies = [f"I square each number:\n\n{table}" for table in tables]
    outcome = audited(tmp_path, program, rows, replies=replies)
    assert [each for each in outcome.report.findings if each.status in ("fail", "warn")] == []


@pytest.mark.everything("graders")
def test_a_wrong_label_is_named_with_its_column_and_with_what_its_rows_share(
    tmp_path: Path,
) -> None:
    rows = [
        {
            "prompt": f"Give the {'last' if n < 5 else 'first'} of these {n + 3} letters, as `Letter: X`.",
            "answer": "abcdefghijklmnop"[n + 5 if n < 5 else n],
        }
        for n in range(16)
    ]
    outcome = audited(
        tmp_path,
        "def reward(completion, answer, **row):\n"
        "    return float(completion.rpartition('Letter: ')[2].strip() == answer)\n",
        rows,
        replies=[f"I look.\nLetter: {'abcdefghijklmnop'[n]}" for n in range(16)],
    )
    (message,) = told(outcome, "GRA003")
    assert "these are all 5 tasks whose prompt contains 'last'" in message
    assert "the row's own 'answer' is rewarded instead, such as 'Letter: f'" in message


PATHS = [
    {
        "prompt": f"Roads: A-B {n}, B-D 2, A-C {n}, C-D 2. Find a shortest way from A to D. End with two lines:\n"
        f"Route: A > … > D\nLength: a number",
        "roads": [["A", "B", n], ["B", "D", 2], ["A", "C", n], ["C", "D", 2]],
    }
    for n in range(3, 15)
]


@pytest.mark.everything("graders")
def test_prose_around_an_answer_that_no_row_holds_is_no_wrong_answer(tmp_path: Path) -> None:
    outcome = audited(
        tmp_path,
        "def reward(completion, roads, **row):\n"
        "    lines = completion.strip().splitlines()[-2:]\n"
        "    right = (f'Route: A > {via} > D' for via in 'BC')\n"
        "    return float(len(lines) == 2 and lines[0] in right and lines[1] == f'Length: {roads[0][2] + 2}')\n",
        PATHS,
        replies=[f"{n} + 2 = {n + 2}.\n\nRoute: A > B > D\nLength: {n + 2}" for n in range(3, 15)],
    )
    assert outcome.report.verdict == "sound", outcome.report.findings
    assert not told(outcome, "GRA001")


@pytest.mark.everything("graders")
def test_a_text_that_is_left_unchanged_is_tried(tmp_path: Path) -> None:
    words = [
        "Wait",
        "Listen",
        "Perhaps",
        "Nearly",
        "Almost",
        "Maybe",
        "Never",
        "Once",
        "Then",
        "There",
    ]
    rows = [
        {
            "prompt": f"Replace three full stops by an ellipsis.\n\n{word}... I had not thought of it.\n\n"
            "Reply with <line>…</line>.",
            "typeset": f"{word}… I had not thought of it.",
        }
        for word in words
    ]
    outcome = audited(
        tmp_path,
        "import re, unicodedata\n"
        "def plain(text):\n"
        "    return unicodedata.normalize('NFKC', text).strip()\n"
        "def reward(completion, typeset, **row):\n"
        "    found = re.findall('(?s)<line>(.*?)</line>', completion)\n"
        "    return float(bool(found) and plain(found[-1]) == plain(typeset))\n",
        rows,
        replies=[f"<line>{row['typeset']}</line>" for row in rows],
    )
    (message,) = told(outcome, "GRA001")
    assert "the text of the prompt, unchanged" in message
    assert not told(outcome, "GRA002")


@pytest.mark.everything("graders")
def test_a_grader_that_remembers_is_named_before_the_right_answers_that_it_refuses(
    tmp_path: Path,
) -> None:
    program = (
        "KEYS = {}\n"
        "def reward(completion, answer, id):\n"
        "    return float(completion.strip() == KEYS.setdefault(id, answer))\n"
    )
    outcome = audited(tmp_path, program, [{**row, "id": n % 6} for n, row in enumerate(ROWS)])
    found = [each.check for each in outcome.report.findings if each.status in ("fail", "warn")]
    assert found[0] == "GRA006"
    assert "GRA003" not in found


@pytest.mark.everything("costly")
def test_an_answer_that_is_unknown_is_not_judged(tmp_path: Path) -> None:
    rows = [{"prompt": row["prompt"]} for row in ROWS]
    outcome = audited(tmp_path, "def reward(completion, row):\n    return 0.0\n", rows)
    assert told(outcome, "GRA005")
    assert outcome.report.verdict == "not judged"
    assert "ceiling" not in outcome.report.measures


@pytest.mark.parametrize(
    ("target", "said"),
    [("nowhere.py:reward", "is not a file"), ("reward.py:reward", "--dataset")],
)
def test_a_target_that_is_none_says_what_is_missing(tmp_path: Path, target: str, said: str) -> None:
    (tmp_path / "reward.py").write_text("def reward(completion, row): return 1.0\n")
    with pytest.raises(SkillToolsError, match=said):
        audit(f"{tmp_path}/{target}")


def test_a_function_that_is_not_there_and_a_line_that_is_no_row_are_told_before_anything_runs(
    tmp_path: Path,
) -> None:
    program = "def score(completion, row):\n    return 1.0\n"
    with pytest.raises(SkillToolsError, match=r"no function 'scor'.*score"):
        audited(tmp_path, program, name="scor")
    (tmp_path / "tasks.jsonl").write_text('{"prompt": 1\n')
    with pytest.raises(SkillToolsError, match=r"tasks\.jsonl"):
        audit(f"{tmp_path}/reward.py:score", dataset=tmp_path / "tasks.jsonl")


def test_a_function_that_only_running_tells_is_looked_for_by_running(tmp_path: Path) -> None:
    outcome = audited(tmp_path, "if True:\n    def score(completion, row):\n        return 1.0\n")
    assert "['score']" in outcome.evidence.variants.broken["reward_function"]


@pytest.mark.everything("graders")
def test_a_domain_that_looks_anywhere_in_an_answer_fails_in_a_check_that_plays(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "elements_no_seed"
    shutil.copytree(ELEMENTS, folder)
    sound = pipeline.check(folder, play=True)
    assert not [each for each in told(sound, "GRA001") if each.startswith(("fail", "warn"))]
    world = folder / "world.py"
    text = world.read_text()
    assert text.count("name.strip().lower() == self._name") == 1
    changed = text.replace(
        "name.strip().lower() == self._name", "self._name in name.strip().lower()"
    )
    world.write_text(changed)
    (message,) = told(pipeline.check(folder, play=True), "GRA001")
    assert message.startswith("fail ")
