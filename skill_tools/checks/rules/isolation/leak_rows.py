"""The rows of the leak engine: for each check, the texts to search, the secrets, and the encodings of secrets."""

from __future__ import annotations

import re

from skill_tools.checks.reading.encodings import DISGUISES, PLAIN, READ
from skill_tools.checks.reading.texts import text_of
from skill_tools.checks.rules.isolation import secrets, surfaces
from skill_tools.checks.rules.isolation.leak import Leak, LeakRow, Secret, Shown, Subject

TOO_SHORT = "no hidden value is long enough: shorter values would be found by chance"
NO_ANSWER = "no deciding call contains a text that occurs in its task alone, and no hidden value is long enough"
LEAST = 3
"""Minimum tasks whose answer something open reveals: with two this may be chance."""
FEW = 5
"""Minimum tasks in which a field must equal the answer: in fewer it may do so by chance."""
MOSTLY = 0.8
"""Minimum share of such tasks: some tasks have another kind of answer."""
LETTERS = 8
"""Minimum distinct letters in a value that is a text: few single words have as many."""
SPELT = 0.6
"""Share of these letters in a call from which the agent itself spelled the value."""


def spelt(subject: Subject, shown: Shown, secret: Secret) -> bool:
    """Return whether a solver's call contains most letters of a long secret, as the key of a cipher does."""
    if not (shown.step and subject.trajectory and subject.trajectory.model in surfaces.SOLVERS):
        return False
    letters = {letter for letter in secret.text if letter.isalpha()}
    given = letters & set(text_of(shown.step.arguments).lower())
    return len(letters) >= LETTERS and len(given) >= SPELT * len(letters)


def asked(subject: Subject, shown: Shown, secret: Secret) -> bool:
    """Return whether an opening contains a text that the agent is asked to decode."""
    return _DECIPHER.search(shown.text) is not None


_DECIPHER = re.compile(r"cipher|decrypt|decod|unscrambl|anagram", re.IGNORECASE)


IN_PROMPT = LeakRow(
    (
        Leak(
            surfaces.everybody,
            secrets.singled_out,
            (surfaces.prompt,),
            "{who}: the value of {field} is in the prompt{how}",
            forms=(PLAIN,),
        ),
        Leak(
            surfaces.unjudged,
            secrets.hidden,
            (surfaces.prompt,),
            "{who}: the value of {field} is in the prompt{how}; in an opening this may be the "
            "task itself",
            forms=DISGUISES,
            level="warn",
            except_common=True,
            excuse=asked,
        ),
    ),
    unknown=TOO_SHORT,
)
IN_OBSERVATION = LeakRow(
    (
        Leak(
            surfaces.readers,
            secrets.withheld,
            (surfaces.observations,),
            "{who}: {where} shows the value of {field}{how}",
            forms=(PLAIN,),
            excuse=spelt,
        ),
        Leak(
            surfaces.unjudged,
            secrets.withheld,
            (surfaces.observations,),
            "{who}: {where} shows the value of {field}{how}",
            forms=DISGUISES,
            excuse=spelt,
        ),
    ),
    unknown=TOO_SHORT,
    unseen="no step could show a hidden value",
)
IN_TOOLS = LeakRow(
    (
        Leak(
            surfaces.dealt,
            secrets.hidden,
            (surfaces.schemas,),
            "the value of {field} of task {id} is in a tool schema{how}",
        ),
    ),
    unknown=TOO_SHORT,
    unseen="no tool has a schema",
)
DISGUISED = LeakRow(
    (
        Leak(
            surfaces.guessers,
            secrets.answers,
            (surfaces.prompt,),
            "{who}: the answer is in the prompt{how}",
            forms=DISGUISES,
            level="warn",
            except_common=True,
            excuse=asked,
        ),
        Leak(
            surfaces.guessers,
            secrets.answers,
            (surfaces.observations,),
            "{who}: {where} shows the answer{how}",
            forms=DISGUISES,
        ),
    ),
    unknown=NO_ANSWER,
)
BEFORE_THE_END = LeakRow(
    (
        Leak(
            surfaces.guessers,
            secrets.answers,
            (surfaces.refusals,),
            "{who}: {where}, a refusal, names the answer",
            forms=(PLAIN,),
        ),
        Leak(
            surfaces.idle,
            secrets.answers_alone,
            (surfaces.prompt,),
            "{who}: the prompt contains the oracle's answer, and so do {found} of {asked} tasks' prompts",
            forms=(PLAIN,),
            level="warn",
            least=FEW,
            share=MOSTLY,
        ),
    ),
    unknown=NO_ANSWER,
    unseen="no call was refused, and too few openings could be compared with the answers",
    rests_on="right",
)
IN_ID = LeakRow(
    (
        Leak(
            surfaces.dealt,
            secrets.hidden,
            (surfaces.ids,),
            "the id {id!r} has the value of {field}{how}",
        ),
    ),
    unknown="no task hides a value that is long enough to be found in its id",
    unseen="no task has an id",
)
IN_PICTURE_FILE = LeakRow(
    (
        Leak(
            surfaces.solved,
            secrets.fields,
            (surfaces.picture_texts,),
            "{who}: the picture of {where} contains the text metadata {text}",
            once=True,
        ),
        Leak(
            surfaces.solved,
            secrets.anything,
            (surfaces.picture_texts,),
            "{who}: the picture of {where} contains the text metadata {text}",
            once=True,
            forms=(PLAIN,),
            level="warn",
            otherwise=True,
        ),
    ),
    unknown="no task was solved",
)
NOT_HIDDEN = LeakRow(
    (
        Leak(
            surfaces.solved,
            secrets.said,
            (surfaces.open_fields,),
            "{where} is the oracle's answer ({text} on {at}), but is not hidden",
            least=FEW,
            share=MOSTLY,
            values=3,
            by_place=True,
            whole=True,
        ),
    ),
    unknown="no visible field could be the oracle's answer in enough tasks",
    unseen="no visible field could be the oracle's answer in enough tasks",
)
ENCODED = LeakRow(
    (
        Leak(
            surfaces.solved,
            secrets.deciding_words,
            (surfaces.prompt, surfaces.observations),
            "{who}: {where} has {text}{how}, which the deciding call contains (in {found} of "
            "{asked} tasks)",
            forms=READ,
            least=LEAST,
            share=0.5,
        ),
        Leak(
            surfaces.solved,
            secrets.deciding_words,
            (surfaces.own_ids,),
            "{who}: {where} has {text}{how}, which the deciding call contains (in {found} of "
            "{asked} tasks)",
            forms=(PLAIN, *READ),
            least=LEAST,
            share=0.5,
        ),
    ),
    unknown="no deciding call contains a text, or the task itself is to read codes",
    unseen="too few deciding calls contain a text, or the task itself is to read codes",
)
