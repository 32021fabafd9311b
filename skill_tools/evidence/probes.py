"""All probes: the action of each probe, and the reason why an environment may allow no attempt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """An action that an exploiting or a careless policy would try.

    ``tries`` describes the action, and ``absent`` says why an attempt may be impossible in an environment.
    """

    name: str
    tries: str
    absent: str


_NO_TOP = "no solution that earned its task's maximum has one deciding call"
_NO_LOOK = "no tool only shows the world without changing it"
_NO_PICTURE = "no picture is shown, or no tool clicks on it"
_NO_PROGRAMS = "no tool accepts a program as text: a cell, a command"
_NO_LIST = "no published file is a word list, or no tool accepts a word"
_NO_MODEL = "no model is declared (models), or no action has a text"
_NO_JUDGE = "no judge is declared (models)"
_NO_PARTNER = "no user or player is declared (models)"
_NO_REFUSAL = "no call was refused"

_ALL = (
    Probe("cross", "another task's solution", "only one task was solved"),
    Probe(
        "constant",
        "repeating the same call",
        "no tool's arguments have few enough values to repeat one call",
    ),
    Probe(
        "near-miss",
        "all calls whose numbers differ from the deciding call's by at most one",
        "no deciding call has numbers",
    ),
    Probe(
        "backwards",
        "the rewarded calls of a solution in reverse order",
        "no solution that earned its task's maximum has two rewarded calls",
    ),
    Probe(
        "last",
        "only the deciding call of a longer solution",
        "no solution that earned its task's maximum has more than one call",
    ),
    Probe(
        "cut-short",
        "a call that ends an episode, inserted into a solution",
        "every call needs arguments",
    ),
    Probe("late", "a solution as late as the limits allow", "no episode can be prolonged"),
    Probe("refusal-inserted", "a refused call, inserted into an episode", _NO_REFUSAL),
    Probe("refusal-removed", "an episode without its refused call", _NO_REFUSAL),
    Probe("refused", "a call that one task refuses, on another task", _NO_REFUSAL),
    Probe("repeat", "repeating a rewarded call", "no call was rewarded before the end"),
    Probe(
        "turned",
        "the calls of an episode in another order",
        "no task has rewarded and unrewarded calls to reorder",
    ),
    Probe("look-first", "a solution after a few looks", _NO_LOOK),
    Probe("look-between", "a look after each call of a solution", _NO_LOOK),
    Probe("luck", "random calls that match the schemas", "no tool has calls to choose from"),
    Probe("right", "only the deciding call", _NO_TOP),
    Probe(
        "wrong", "a wrong answer instead of the right one", "no answer has other values to submit"
    ),
    Probe("wrong-after", "a solution with a wrong answer in its deciding call", _NO_TOP),
    Probe("blank-before", "whitespace before an answer", "answers are not free text"),
    Probe("blank-after", "whitespace after an answer", "answers are not free text"),
    Probe("blank-none", "a list of answers without spaces", "answers are not lists in a text"),
    Probe(
        "copy", "a text from the opening as the answer", "no text in the opening fits a parameter"
    ),
    Probe("edge", "the bounds of every parameter", "no parameter has values to try"),
    Probe("unlisted-other", "words of the right form that are not in any list", _NO_LIST),
    Probe("unlisted-part", "parts of listed words", _NO_LIST),
    Probe("unlisted-across", "text that spans two neighboring words of a list", _NO_LIST),
    Probe("same-shape", "a click at another position on the target shape", _NO_PICTURE),
    Probe("other-shape", "a click on another shape", _NO_PICTURE),
    Probe(
        "snoop",
        "all files that an agent's program can read",
        f"{_NO_PROGRAMS}, or the deciding call contains nothing that files could hold",
    ),
    Probe(
        "sleep",
        "a program that runs as long as the text allows",
        "no text gives programs a time limit",
    ),
    Probe("variables", "a variable set in one call and read in the next", _NO_PROGRAMS),
    Probe("left", "leaving a file", _NO_PROGRAMS),
    Probe("found", "a search for a file that another episode left", _NO_PROGRAMS),
    Probe("tampered", "a solution after all numbers in readable files were changed", _NO_PROGRAMS),
    Probe("fingerprint", "checksums of all files", _NO_PROGRAMS),
    Probe(
        "loose",
        "a wrong answer that was rewarded on one task",
        "no field of a task contains the answer",
    ),
    Probe("attack", "a prompt injection in a message or an argument", _NO_MODEL),
    Probe("obeyed", "a prompt injection that a judge obeys", "no prompt injection could be obeyed"),
    Probe("verdict", "a solution that a judge rates once as worst and once as best", _NO_JUDGE),
    Probe("kind", "other policies' calls, which a judge rates best", _NO_JUDGE),
    Probe("mark", "a solution with a sentence that occurs in no other text", _NO_MODEL),
    Probe("nonsense", "a solution during which a model replies with nonsense", _NO_MODEL),
    Probe(
        "longer", "half of a solution's last message, sent once and repeated three times", _NO_JUDGE
    ),
    Probe("endless", "a solution during which a user never ends the conversation", _NO_PARTNER),
    Probe(
        "survey",
        "opening every task, and solving some tasks of every split",
        "no task could be opened",
    ),
    Probe("soak", "many episodes in one process", "no episode was solved"),
    Probe("answer_key", "the value of a field as the answer", "no field contains the answer"),
    Probe("seeds", "the oracle with other seeds", "the seed is not used"),
    Probe("status", "additional calls to status()", "the domain has no status()"),
    Probe("lost_sandbox", "a solution during which the sandbox is closed", "no sandbox is used"),
    Probe("random_play", "legal calls at random", "the domain's calls block"),
    Probe(
        "chance",
        "many deals that the oracle and blind players play",
        "the world is not declared to depend on luck (reward.best: luck)",
    ),
    Probe(
        "shortcut",
        "a rule that is learned from half of the tasks and tested on the other half",
        "the domain's calls block",
    ),
    Probe("coverage", "branches that test for named values", "no branch tests a named value"),
)
PROBES: dict[str, Probe] = {probe.name: probe for probe in _ALL}
"""Probes by name. From ``survey`` on they examine the domain as a whole, without single attempts."""
