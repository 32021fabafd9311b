"""A secret is found on every surface in every form, and nothing is found by accident."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from skill_tools import checks
from skill_tools.checks.reading.encodings import FORMS, Form, stands, written
from skill_tools.evidence.declaration import Declaration
from skill_tools.evidence.evidence import Evidence
from skill_tools.evidence.reference_run import ReferenceRun, Tasks
from skill_tools.evidence.trajectory import Step, Trajectory
from tests.over import over

from .exploited import picture

SECRETS = ["marmalade", "saxophone", "telegraph", "crocodile", "blueberry", "moonlight"]
NUMBERS = ["4821", "7309", "5166", "9042", "3587", "6274"]
PROSE = (
    "You look for one word of the list. Each guess is answered with the letters that stand at their "
    "places, and below them those that are in the word but elsewhere. Nothing but the last guess "
    "counts: ten of ten points for the word, none for any other. Give up with `stop` at any time."
)
"""What openings say; it holds no secret in any form."""


def hidden_as(form: Form, text: str) -> str:
    """A text as somebody would write it in a form that has to be read, or as the form writes it."""
    if form.word == "spelt":
        return "-".join(text)
    if form.word == "acrostic":
        return "\n".join(f"{letter} is a letter" for letter in text)
    if form.word == "characters":
        return "\u200b".join(text)
    return written(form, text)[0]


def secret_for(form: Form) -> list[str]:
    """Tasks' secrets that have a form: numbers, or words of which no letter is there twice, or some is."""
    return NUMBERS if form.word in ("words", "numeral") else SECRETS


def played(policy: str, index: int, text: str, said: str, step: str = "no") -> Trajectory:
    shown = [{"type": "text", "text": step}]
    guess = Step(tool="guess", arguments={"word": said}, observation=shown, reward=0.0, done=False)
    steps = [guess]
    if policy == "oracle":
        steps.append(guess.model_copy(update={"reward": 1.0, "done": True, "observation": []}))
    return Trajectory(
        model=policy,
        label=f"words/train/{index}/0",
        split="train",
        index=index,
        prompt=[{"role": "user", "content": text}],
        steps=[] if policy == "noop" else steps,
        total=float(policy == "oracle"),
        end="terminated",
    )


def seen(
    secrets: list[str],
    *,
    opening: Callable[[str], str] = lambda _: PROSE,
    step: Callable[[str], str] = lambda _: "no",
    identity: Callable[[str], str] = lambda _: "",
    told: Callable[[str], str] = lambda _: "The word.",
    fields: Callable[[str], dict[str, Any]] = lambda _: {},
    hide: bool = True,
) -> Evidence:
    """Evidence of a world of one word a task, with what was shown of it made from the word."""
    tasks = [
        {"id": f"task-{n}{identity(word)}", "answer": word, **fields(word)}
        for n, word in enumerate(secrets)
    ]
    schema = {"word": {"type": "string", "description": "\n".join(map(told, secrets))}}
    tool = {"name": "guess", "parameters": {"properties": schema}}
    everybody = {
        policy: {
            one.label: one
            for n, word in enumerate(secrets)
            for one in [
                played(
                    policy, n, opening(word), word if policy == "oracle" else "zebra", step(word)
                )
            ]
        }
        for policy in ("oracle", "noop", "random")
    }
    declared = Declaration(name="words", tools=[tool], hidden=["answer"] if hide else [])
    dealt = Tasks("train", tasks, {"train": len(tasks)})
    return Evidence(declared, reference=ReferenceRun(tasks=dealt, episodes=everybody))


def found(evidence: Evidence) -> set[str]:
    """The checks of leaks that find something, those too that follow from another."""
    several = [each for each in checks.CHECKS.values() if each.family == "ISO"]
    asked = [one for one in several if not any(need.unmet(evidence) for need in one.needs)]
    return {one.id for one in asked for hit in one.find(evidence) if hit.level != "skip"}


DISGUISED = [form for form in FORMS if form.word != "plain"]
SURFACES: dict[str, tuple[str, str]] = {
    "opening": ("ISO002", "ISO005"),
    "step": ("ISO003", "ISO005"),
    "identity": ("ISO007", "ISO007"),
    "told": ("ISO004", "ISO004"),
}
"""Where a text is shown; the check that finds a hidden value there as it stands, and otherwise."""


@pytest.mark.everything("costly")
@over("form", FORMS, ids=[form.word for form in FORMS])
@over("surface", SURFACES)
def test_a_hidden_value_is_found_on_every_surface_in_every_form(surface: str, form: Form) -> None:
    def shown(word: str) -> str:
        line = hidden_as(form, word)
        if form.word == "acrostic":
            return line
        return f" ({line})" if surface == "identity" else f"{PROSE} Note: {line}."

    plain, disguised = SURFACES[surface]
    evidence = seen(secret_for(form), **{surface: shown})
    if surface == "identity" and form.word == "acrostic":
        pytest.skip("an id has one line")
    assert (plain if form.word == "plain" else disguised) in found(evidence)


@over("form", FORMS, ids=[form.word for form in FORMS])
def test_an_open_field_that_is_the_answer_in_any_form_is_found(form: Form) -> None:
    evidence = seen(
        secret_for(form), fields=lambda word: {"note": hidden_as(form, word)}, hide=False
    )
    assert found(evidence) >= {"ISO009"}


def test_without_a_bare_domain_disguises_are_searched_in_what_was_served() -> None:
    evidence = seen(SECRETS, step=lambda word: f"ref {word[::-1]}")
    served = replace(
        evidence,
        reference=replace(evidence.reference, episodes=None),
        variants=replace(evidence.variants, rollouts={"ors": evidence.reference.episodes}),
    )
    assert found(served) == {"ISO003"}


def test_a_code_that_holds_more_than_the_answer_is_read() -> None:
    def coded(word: str) -> str:
        said = json.dumps({"version": 2, "solution": word})
        return f"{PROSE} Ticket {base64.b64encode(said.encode()).decode()}."

    assert "ISO005" in found(seen(SECRETS, opening=coded))


def test_a_picture_that_carries_the_answer_in_disguise_is_found() -> None:
    evidence = seen(SECRETS)
    for trajectory in evidence.reference.episodes["oracle"].values():
        word = trajectory.steps[0].arguments["word"]
        trajectory.steps[0].observation[:] = [picture((9, 9), text=word[::-1])]
    (hit,) = checks.CHECKS["ISO008"].find(evidence)
    assert hit.level is None
    assert hit.message.endswith(
        f"the picture of step 1 contains the text metadata 'Comment {SECRETS[0][::-1]}'"
    )


def test_nothing_is_found_where_nothing_is_shown() -> None:
    assert found(seen(SECRETS)) == found(seen(NUMBERS)) == set()


def test_what_the_agent_said_is_no_secret_in_any_form() -> None:
    evidence = seen(SECRETS, step=lambda _: " ".join("zebra") + ", backwards arbez")
    tasks = replace(
        evidence.reference.tasks, tasks=[{"answer": "zebra"}, *evidence.reference.tasks.tasks[1:]]
    )
    assert found(replace(evidence, reference=replace(evidence.reference, tasks=tasks))) == set()


def test_an_opening_that_asks_to_decipher_shows_its_cipher_and_a_step_may_not() -> None:
    shifted = next(form for form in FORMS if form.word == "shifted")

    def cipher(word: str) -> str:
        return f"Decipher this: {hidden_as(shifted, word)}"

    assert found(seen(SECRETS, opening=cipher)) == set()
    assert "ISO005" in found(seen(SECRETS, step=cipher))


def test_what_a_step_says_openly_is_in_no_form_beside_odd_characters() -> None:
    evidence = seen(SECRETS, step=lambda word: f"it is {word} …", hide=False)
    assert found(evidence) == {"ISO009"}  # the field that is not hidden


def test_words_of_a_language_stand_in_prose_in_no_form_but_as_they_are() -> None:
    words = set(re.findall(r"[a-z]{4,}", PROSE.lower()))
    by_accident = {
        (word, form.word)
        for word in words
        for form in DISGUISED
        for code in written(form, word)
        if len(code) >= form.shortest and stands(code, PROSE.lower())
    }
    assert by_accident == set()


def with_prompt(evidence: Evidence, prompt: str) -> Evidence:
    return replace(evidence, declaration=evidence.declaration.model_copy(update={"prompt": prompt}))


def test_a_value_amid_those_of_other_tasks_is_not_revealed() -> None:
    listed = ", ".join(SECRETS)
    assert "ISO002" in found(seen(SECRETS, opening=lambda word: f"{PROSE} It is {word}."))
    assert "ISO002" not in found(seen(SECRETS, opening=lambda _: f"One of {listed} is it."))
    two = {word: [word, other] for word, other in zip(SECRETS, SECRETS[::-1], strict=True)}
    passage = {word: f"They met {' and '.join(pair)} there." for word, pair in two.items()}
    assert "ISO002" not in found(seen(SECRETS, opening=lambda word: passage[word]))


def test_a_form_that_openings_of_other_tasks_contain_too_reveals_nothing() -> None:
    years = ["2000", "2019", "2024", "1998", "2011", "1987"]
    shown = "Write dates as YYYY-MM-DD."  # MM is 2000 in Roman numerals
    assert "ISO005" not in found(seen(years, opening=lambda _: shown))
    assert "ISO005" in found(
        seen(years, opening=lambda year: shown if year == "2024" else f"{shown} {int(year):,}.")
    )


def test_items_of_a_field_that_the_prompt_shows_are_revealed_by_their_list_alone() -> None:
    def dealt(shown: Callable[[list[str]], str]) -> Evidence:
        crates = {word: [f"{word} crate", f"{word} barrel"] for word in SECRETS}
        evidence = seen(
            SECRETS,
            opening=lambda word: shown(crates[word]),
            fields=lambda word: {"order": crates[word], "goods": " or ".join(crates[word][::-1])},
        )
        declared = evidence.declaration.model_copy(update={"hidden": ["order"]})
        return with_prompt(replace(evidence, declaration=declared), "Order: {goods}")

    assert "ISO002" not in found(dealt(lambda crates: f"Order: {' or '.join(crates[::-1])}"))
    assert "ISO002" in found(dealt(lambda crates: f"Order: {', '.join(crates)}"))


def test_what_a_passage_of_the_task_contains_is_not_revealed_and_a_hint_is() -> None:
    def dealt(text: str) -> Evidence:
        evidence = seen(
            SECRETS,
            opening=lambda word: text.format(word),
            fields=lambda word: {"note": text.format(word)},
        )
        return with_prompt(evidence, "{note}")

    letter = "In the morning the post brought a letter in which somebody asked for a {} again."
    assert "ISO002" not in found(dealt(letter))
    assert "ISO002" in found(dealt("Hint: it is a {}."))


def test_a_number_among_several_parts_of_an_answer_is_no_secret() -> None:
    def dealt(parts: Callable[[str], list[Any]]) -> Evidence:
        evidence = seen(
            SECRETS,
            opening=lambda word: f"At most 1000 words, or {word}.",
            fields=lambda word: {"tests": parts(word)},
        )
        declared = evidence.declaration.model_copy(update={"hidden": ["tests"]})
        return replace(evidence, declaration=declared)

    assert "ISO002" not in found(dealt(lambda _: [1000, 2000]))
    assert "ISO002" in found(dealt(lambda word: [1000, word]))


def test_parts_of_a_hidden_state_are_no_secrets_if_other_fields_have_them() -> None:
    def kept(start: Callable[[str], Any]) -> set[str]:
        evidence = seen(
            SECRETS,
            opening=lambda word: f"The desk holds {word} and a lamp.",
            fields=lambda word: {
                "answer": "",
                "start": start(word),
                "wanted": {"left": [word], "right": ["a lamp"]},
            },
        )
        declared = evidence.declaration.model_copy(update={"hidden": ["wanted"]})
        return found(replace(evidence, declaration=declared)) & {"ISO002"}

    assert not kept(lambda word: {"left": ["a lamp"], "right": [word]})
    assert kept(lambda word: {"left": ["a lamp"], "right": []})


def test_items_of_a_hidden_list_stay_secrets_in_observations() -> None:
    def shown(**surfaces: Callable[[str], str]) -> set[str]:
        evidence = seen(
            SECRETS,
            fields=lambda word: {
                "answer": "",
                "order": [word, "a lamp"],
                "goods": f"{word}, a lamp",
            },
            **surfaces,  # type: ignore[arg-type]
        )
        declared = evidence.declaration.model_copy(update={"hidden": ["order"]})
        return found(replace(evidence, declaration=declared))

    assert "ISO003" in shown(step=lambda word: f"You see {word}.")
    assert not shown() & {"ISO002", "ISO003"}


def test_the_parts_of_hidden_calls_are_not_secrets() -> None:
    def asked(solution: Callable[[str], Any], say: Callable[[str], str]) -> set[str]:
        evidence = seen(
            SECRETS, opening=say, fields=lambda word: {"answer": "", "solution": solution(word)}
        )
        declared = evidence.declaration.model_copy(update={"hidden": ["solution"]})
        return found(replace(evidence, declaration=declared)) & {"ISO002", "ISO004"}

    def calling(name: str) -> Callable[[str], Any]:
        return lambda word: [[name, {"word": word}], ["stop", {}]]

    def request(word: str) -> str:
        return f"{PROSE} Please guess {word}."

    assert asked(calling("guess"), request) == set()
    assert asked(lambda word: {"name": "guess", "arguments": {"word": word}}, request) == set()
    assert asked(calling("say"), request) == {"ISO002"}
    assert "ISO002" in asked(lambda word: ["guess", word], request)
    assert asked(calling("guess"), lambda word: f"{PROSE} guess, {word}, stop") == {"ISO002"}
