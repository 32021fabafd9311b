"""EXA: whether the domain behaves as worked examples state and as a reader of the prompts expects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from jsonschema import Draft202012Validator
from rl_env_harness.blocks import said

from skill_tools.checks.check import Hit, Place, check, skip
from skill_tools.checks.needs import EXAMPLES, PROMPT, READINGS, REFERENCE, SAID, TOOLS, WORKED
from skill_tools.checks.reading.episodes import answered
from skill_tools.checks.reading.expected import differs
from skill_tools.checks.reading.sentences import sentences
from skill_tools.errors import nearest
from skill_tools.evidence.evidence import Evidence
from skill_tools.files import READINGS_FILE
from skill_tools.spec.examples import Example, ExpectedCall

_HEADING = re.compile(r"#+ .*|[A-Z][\w'-]*(?: [\w'-]+)?:")
"""A line that names what follows and claims nothing, such as `Policy:`."""


@check(
    "EXA001",
    "example-differs",
    fix="work the example out by hand from the rules; fix the domain, or the example if it is wrong",
    needs=[EXAMPLES, WORKED],
    after=["EXA007"],
    stage="rule",
    trusts="nothing",
)
def example_differs(evidence: Evidence) -> Iterator[Hit]:
    """The author's worked examples match the environment's replies.

    A rule that is wrong throughout the code is wrong in all variants, and the oracle may rely on it. Only an example
    worked out from the prompts finds the wrong rule. An example may continue after a call with `done: true`, to show a
    call after the end. To show a refusal, an example may call an unknown tool. `times: 24` makes the same call 24
    times.
    """
    pairs = zip(
        evidence.declaration.examples or [], evidence.reference.examples_replay or [], strict=True
    )
    for number, (example, played) in enumerate(pairs):
        wrong, tool = differs(example, played)
        if wrong:
            message = f"examples[{number}] ({example.task}), {_because(example)}{wrong}"
            shown = played if played.prompt or played.steps else None  # nothing was played
            yield Hit(message, shown, Place(task=example.task, tool=tool))


@check(
    "EXA002",
    "no-examples",
    fix="write two or three `examples` in env.yaml, worked out by hand from the rules",
    needs=[EXAMPLES, REFERENCE],
    level="note",
    trusts="nothing",
)
def no_examples(evidence: Evidence) -> Iterator[Hit]:
    """The spec has worked examples of its rules.

    All other checks compare the code with itself. Without examples, these checks miss a rule that is wrong in the same
    way in the oracle and the domain.
    """
    if not evidence.declaration.examples:
        message = (
            "env.yaml has no worked examples: no check could compare the rules with your intention"
        )
        yield Hit(message, place=Place(file="env.yaml"))


@check(
    "EXA003",
    "sentence-not-in-prompt",
    fix="restore the sentence in the agent's prompt, or rework the example from the current prompt",
    needs=[REFERENCE, EXAMPLES, SAID, PROMPT, TOOLS],
    stage="hint",
    trusts="nothing",
)
def sentence_not_in_prompt(evidence: Evidence) -> Iterator[Hit]:
    """Every sentence that an example claims to show is in the agent's prompt.

    For this check, the agent's prompt includes all descriptions, and the replies of tools that an example calls, such
    as `read_policy`. If a sentence changed after the example was worked out, the new sentence may be wrong.
    """
    there = _prompt_sentences(evidence).union(*(said for _, said in _answers(evidence)))
    there |= _openings(evidence)
    whole = _whole_prompt(evidence)
    for number, example in enumerate(evidence.declaration.examples or ()):
        for sentence in sentences(example.says):
            # If an example stopped early, the remaining answers are unknown.
            if (
                sentence not in there
                and sentence not in whole
                and not any(each.failure for each in evidence.reference.examples_replay or ())
            ):
                message = (
                    f"examples[{number}] ({example.task}) shows that {sentence!r}, but neither "
                    "the prompt nor a description nor a reply in an example says so"
                )
                yield Hit(message, place=Place(task=example.task))


@check(
    "EXA004",
    "sentence-not-shown",
    fix="put the sentence under `says` of an example that fails if it is wrong; if no example does, write one",
    needs=[REFERENCE, EXAMPLES, SAID, PROMPT],
    level="warn",
    stage="hint",
    trusts="nothing",
)
def sentence_not_shown(evidence: Evidence) -> Iterator[Hit]:
    """If examples name the sentences they show, every sentence of the prompt has an example.

    A model follows the prompt. A sentence that contradicts the rules misleads the model in every episode, and no other
    check understands sentences. If an example shows a sentence that only a tool such as `read_policy` states, all
    sentences in that tool's reply need an example.
    """
    shown = set(sentences(evidence.declaration.said or ""))
    told = [("the prompt", each) for each in sentences(evidence.declaration.prompt or "")]
    told += _told_by_tools(evidence, shown)
    told = [(teller, each) for teller, each in told if not _HEADING.fullmatch(each)]
    if not told:
        yield skip("the prompt has no sentence of its own")
    whole = _whole_prompt(evidence)
    longer = shown.intersection(_openings(evidence)) | {each for each in shown if each in whole}
    filled = longer - _prompt_sentences(evidence)
    for teller, sentence in told:
        # As the agent reads it, a sentence with a placeholder contains the words around that.
        if sentence not in shown and not any(sentence in whole for whole in filled):
            message = f"{teller} says {sentence!r}, but no example shows it"
            place = Place(tool=teller) if teller in evidence.declaration.parameters else None
            yield Hit(message, place=place or Place(file="env.yaml"))


def _told_by_tools(evidence: Evidence, shown: set[str]) -> list[tuple[str, str]]:
    """Return the sentences in tools' replies that an example must show, as pairs of tool and sentence.

    A reply needs examples if an example shows one of its sentences, and this sentence is neither in the prompt
    nor in a description.
    """
    elsewhere = shown - _prompt_sentences(evidence)
    found = [
        (tool, sentence)
        for tool, said in _answers(evidence)
        for sentence in (said if elsewhere.intersection(said) else ())
    ]
    return list(dict.fromkeys(found))


def _answers(evidence: Evidence) -> Iterator[tuple[str, list[str]]]:
    """For each accepted call in all examples, yield the tool and the sentences of the reply, without the status
    line.
    """
    for played in evidence.reference.examples_replay or ():
        for step in played.steps:
            if step.error is None:
                yield step.tool, sentences("\n".join(answered(step, evidence)))


def _openings(evidence: Evidence) -> set[str]:
    """Return the sentences of the examples' opening messages, in which placeholders are filled in."""
    shown = evidence.reference.examples_replay or ()
    return {one for each in shown for message in each.prompt for one in sentences(said(message))}


def _prompt_sentences(evidence: Evidence) -> set[str]:
    """Return the sentences of the prompt template and of all tool and parameter descriptions."""
    declared = evidence.declaration
    texts = [declared.prompt, *(tool.get("description") for tool in declared.tools or ())]
    for parameters in declared.parameters.values():
        texts += [schema.get("description") for schema in parameters.values()]
    return {sentence for text in texts for sentence in sentences(text or "")}


def _whole_prompt(evidence: Evidence) -> str:
    """Return the prompt on one line, because the text that an example quotes may continue on the prompt's next line."""
    return " ".join(sentences(evidence.declaration.prompt or ""))


def _because(example: Example) -> str:
    return f"of {example.because.rstrip('.')!r}: " if example.because else ""


@check(
    "EXA006",
    "reader-expected-otherwise",
    fix="fix the environment, the prompt or the reader's examples, then have a fresh reader review what changed",
    needs=[READINGS],
    level="warn",
    stage="rule",
    trusts="nothing",
)
def reader_expected_otherwise(evidence: Evidence) -> Iterator[Hit]:
    """The environment replies as a reader of the prompts expects.

    If the world and the oracle agree on a rule but the prompt states another rule, every model is misled. Code cannot
    notice this, but a reader who has not seen the code can. `skill-tools blind-review DIR` writes the texts for this
    reader, and `readings.yaml` next to env.yaml contains the reader's expectations. Delete wrong expectations.
    """
    told: set[str] = set()
    later = []
    for sentence, hit in _unexpected(evidence):
        # One hit per sentence first: a report shows only a few similar ones.
        if sentence in told:
            later.append(hit)
        else:
            yield hit
        told.add(sentence)
    yield from later


def _unexpected(evidence: Evidence) -> Iterator[tuple[str, Hit]]:
    """Yield each sentence whose example in readings.yaml does not match the episode, with the hit."""
    readings = READINGS.of(evidence)
    for number, (example, played) in enumerate(
        zip(readings.examples, evidence.reference.readings_replay or [], strict=True)
    ):
        place, where = (
            Place(task=example.task),
            f"{READINGS_FILE}, examples[{number}] ({example.task})",
        )
        if gone := _gone(evidence, example.task, example.calls):
            yield gone, Hit(f"{where} is stale: {gone}", place=place)
            continue
        wrong, tool = differs(example, played)
        if wrong:
            message = f"{where}: a reader who saw only the prompts expected something else: {wrong}"
            shown = played if played.prompt or played.steps else None
            message += _words(example.says, example.because)
            yield example.says, Hit(message, shown, Place(task=example.task, tool=tool))
    for number, each in enumerate(readings.contradictions):
        where = f"{READINGS_FILE}, contradictions[{number}] ({each.task})"
        if gone := _gone(evidence, each.task):
            yield gone, Hit(f"{where} is stale: {gone}", place=Place(task=each.task))
            continue
        step = f"call {each.step} of the {each.player} player" if each.step else "the opening"
        message = f"{where}: to a reader who saw only the prompts, {step} contradicts them"
        message += f"{_words(each.sentence, each.because)}; delete the entry once it is fixed"
        yield each.sentence, Hit(message, place=Place(task=each.task))


def _gone(evidence: Evidence, task: str, calls: Sequence[ExpectedCall] = ()) -> str:
    split, _, index = task.partition("/")
    sizes = evidence.reference.tasks.sizes if evidence.reference.tasks else {}
    if sizes and int(index) >= sizes.get(split, 0):
        there = ", ".join(f"{name} ({size})" for name, size in sizes.items())
        return f"there is no task {task}; the splits are: {there}"
    tools = evidence.declaration.parameters
    lost = [call.tool for call in calls if call.tool not in tools and not call.refused]
    return f"there is no tool {lost[0]!r}{nearest(lost[0], tools)}" if lost else ""


def _words(says: str, because: str) -> str:
    said = f"; the prompt says: {' '.join(says.split())!r}" if says.strip() else ""
    return f"{said}; because: {' '.join(because.split())!r}" if because.strip() else said


@check(
    "EXA007",
    "example-call-refused",
    fix="correct the arguments or the tool's schema; if the example is meant to show a refusal, add refused: true",
    needs=[EXAMPLES, TOOLS],
    stage="rule",
    trusts="nothing",
)
def example_call_refused(evidence: Evidence) -> Iterator[Hit]:
    """The tools' schemas allow each call of a worked example, unless the example expects a refusal.

    Otherwise the call never reaches the domain, so the example shows nothing about the rules.
    """
    schemas = {
        each["name"]: each.get("parameters", {}) for each in evidence.declaration.tools or ()
    }
    for number, example in enumerate(evidence.declaration.examples or ()):
        for nth, call in enumerate(example.calls, 1):
            if call.refused or call.tool not in schemas:
                continue
            error = next(Draft202012Validator(schemas[call.tool]).iter_errors(call.arguments), None)
            if error:
                name = str(error.absolute_path[0]) if error.absolute_path else ""
                why = f"{name}: {error.message}" if name else error.message
                message = f"examples[{number}] ({example.task}), call {nth}: {call.tool} refuses it: {why}"
                yield Hit(message, place=Place(example.task, call.tool, name))


CHECKS = [
    example_differs,
    no_examples,
    sentence_not_in_prompt,
    sentence_not_shown,
    reader_expected_otherwise,
    example_call_refused,
]
