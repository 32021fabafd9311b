"""Every probe: what is tried beside the policies' scripts, and where there is nothing to try."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Probe:
    """Something that an exploiting policy, or a careless one, would do.

    tries: what it does, in words. absent: why an environment may have nothing for it.
    """

    name: str
    tries: str
    absent: str


_NO_TOP = "no solution that earned the most of its task has one call that decides"
_NO_LOOK = "no tool only looks"
_NO_PICTURE = "no picture is shown, or no tool clicks on one"
_NO_PROGRAMS = "no tool takes a program as text: a cell, a command"
_NO_LIST = "nothing that is shipped is a list of words, or no tool takes one"
_NO_REFUSAL = "no call was refused"

_ALL = (
    Probe("cross", "another task's solution", "one task alone was solved"),
    Probe("constant", "one call again and again", "no tool has calls of few values to repeat"),
    Probe(
        "near-miss", "all calls that are one off the deciding one", "no deciding call has numbers"
    ),
    Probe(
        "backwards",
        "the calls of a solution that pay, in the opposite order",
        "no solution that earned the most of its task has two calls that pay",
    ),
    Probe(
        "last",
        "only the call that decides, where solutions are longer",
        "no solution that earned the most of its task has more than one call",
    ),
    Probe(
        "cut-short",
        "a call that ends an episode, put into a solution",
        "every call needs arguments",
    ),
    Probe("late", "a solution after too many calls", "no episode can be put off"),
    Probe("refusal-inserted", "a refused call put into an episode", _NO_REFUSAL),
    Probe("refusal-removed", "an episode without its refused call", _NO_REFUSAL),
    Probe("refused", "what one task refuses, on another", _NO_REFUSAL),
    Probe("repeat", "a call that was paid, again", "no call paid on its way"),
    Probe(
        "turned",
        "calls of an episode in another order",
        "no task has paid and unpaid calls to turn",
    ),
    Probe("look-first", "a solution after some looks", _NO_LOOK),
    Probe("look-between", "a look after each call of a solution", _NO_LOOK),
    Probe("luck", "random calls that the schemas allow", "no tool has calls to draw"),
    Probe("right", "only the call that decides", _NO_TOP),
    Probe("wrong", "a wrong answer in place of the right one", "no answer has other values to try"),
    Probe("wrong-after", "a wrong answer after the rest of a solution", _NO_TOP),
    Probe("blank-before", "a blank before an answer", "answers are no free texts"),
    Probe("blank-after", "a blank after an answer", "answers are no free texts"),
    Probe("blank-none", "a list of answers without its blanks", "answers are no lists in a text"),
    Probe("copy", "a text of the opening as the answer", "no text of the opening fits a parameter"),
    Probe("edge", "the bounds of every parameter", "no parameter has values to try"),
    Probe("unlisted-other", "words of the right form that are in no list", _NO_LIST),
    Probe("unlisted-part", "parts of listed words", _NO_LIST),
    Probe("unlisted-across", "the seam of two listed words", _NO_LIST),
    Probe("same-shape", "another place of the shape that is to be clicked", _NO_PICTURE),
    Probe("other-shape", "a place of another shape", _NO_PICTURE),
    Probe(
        "snoop",
        "all files that an agent's program can read",
        f"{_NO_PROGRAMS}, or the call that decides says nothing to look for in files",
    ),
    Probe("sleep", "waiting as long as the words allow", "no words give programs a time limit"),
    Probe("variables", "a variable set in one call and read in the next", _NO_PROGRAMS),
    Probe("left", "leaving a file", _NO_PROGRAMS),
    Probe("found", "a file left by another episode", _NO_PROGRAMS),
    Probe("tampered", "a solution once all numbers in open files are changed", _NO_PROGRAMS),
    Probe("fingerprint", "checksums of all files", _NO_PROGRAMS),
    Probe("loose", "a wrong answer that paid on one task", "no field of a task says the answer"),
    Probe(
        "survey", "opening every task, and solving some of all splits", "no task could be opened"
    ),
    Probe("soak", "many episodes in one process", "no episode was solved"),
    Probe("answer_key", "what a field of each task says is the answer", "no field says the answer"),
    Probe("seeds", "the oracle under other seeds", "the seed is not used"),
    Probe("status", "asking for a status more often", "the domain has no status()"),
    Probe("lost_sandbox", "a solution whose sandbox is closed", "no sandbox is used"),
    Probe("random_play", "legal calls at random", "the domain blocks"),
    Probe(
        "chance",
        "many deals to the oracle, and to players who do not look at them",
        "no world of chance is declared (reward.best: luck)",
    ),
    Probe(
        "shortcut",
        "a rule that gets the answers of half of the tasks, on the others",
        "the domain blocks",
    ),
    Probe("coverage", "branches for named values", "no branch asks for a named value"),
)
PROBES: dict[str, Probe] = {probe.name: probe for probe in _ALL}
"""By name. What asks of the domain as a whole, from ``survey`` on, brings no single attempts."""
