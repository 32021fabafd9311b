"""Tests of the text that remains of a message when its reasoning is removed, whichever tags mark the reasoning."""

from __future__ import annotations

from rl_env_harness.visible_text import visible

from tests.over import over

MARKED = {
    "tags": "<think>It may be 7.</think>\nAnswer: 12",
    "tags in capitals, with a space": "<THINK >It may be 7.</Think >Answer: 12",
    "long tags": "<thinking>It may be 7.</thinking>Answer: 12",
    "a prefix": "<seed:think>It may be 7.</seed:think>Answer: 12",
    "brackets": "[THINK]It may be 7.[/THINK]Answer: 12",
    "triangles": "◁think▷It may be 7.◁/think▷Answer: 12",
    "special tokens": "<|START_THINKING|>7?<|END_THINKING|><|START_RESPONSE|>Answer: 12<|END_RESPONSE|>",
    "a thought and a solution": (
        "<|begin_of_thought|>7?<|end_of_thought|><|begin_of_solution|>Answer: 12<|end_of_solution|>"
    ),
    "an opening tag in the prompt": "It may be 7.</think>\n\nAnswer: 12",
    "several thoughts": "<think>7?</think>Answer: <think>8?</think>12",
    "channels": (
        "<|channel|>analysis<|message|>It may be 7.<|end|><|start|>assistant"
        "<|channel|>final<|message|>Answer: 12<|return|>"
    ),
    "the tokens that end a message": "<think>7?</think>Answer: 12<|im_end|>\n<|endoftext|>",
    "channels, cut off": "<|channel|>analysis<|message|>7?<|end|><|channel|>final<|message|>Answer: 12",
}
HIDDEN = {
    "nothing but a thought": "<think>Answer: 12</think>",
    "a thought without an end": "<think>Answer: 12",
    "a channel without an answer": "<|channel|>analysis<|message|>Answer: 12",
    "blanks": " \n\t ",
    "nothing": "",
}


@over("text", MARKED.values(), ids=MARKED)
def test_only_the_answer_is_left(text: str) -> None:
    assert visible(text) == "Answer: 12"


@over("text", HIDDEN.values(), ids=HIDDEN)
def test_a_message_without_an_answer_is_empty(text: str) -> None:
    assert visible(text) == ""


@over(
    "text",
    ["Answer: 12", "I think <b>so</b>", "x < y and y > z", "<thin>12</thin>", "line\n    indented"],
)
def test_other_text_stays_as_it_is(text: str) -> None:
    assert visible(text) == text


def test_half_of_a_surrogate_pair_becomes_a_character_that_clients_can_send() -> None:
    assert visible("12 \ud83d").encode()


def test_what_is_cut_once_stays_cut() -> None:
    assert all(visible(visible(text)) == visible(text) for text in (MARKED | HIDDEN).values())
