"""ISO002 to 009 and 013: whether a task's solution can be read in places where it should not be."""

from __future__ import annotations

from functools import partial

from skill_tools.checks.check import Check
from skill_tools.checks.needs import (
    HIDDEN,
    ORACLE_PICTURES,
    REFERENCE,
    SECRETS,
    TASKS,
    TOOLS,
    WITH_TASKS,
)
from skill_tools.checks.rules.isolation import leak_rows as rows
from skill_tools.checks.rules.isolation.leak import leaks

CHECKS = (
    Check(
        "ISO002",
        "answer-in-prompt",
        partial(leaks, rows.IN_PROMPT),
        says="""No prompt contains the value of a hidden task field.

        Otherwise the agent only has to read the answer, and learns nothing else. A prompt may contain the value amid
        those of other tasks, as a passage does, and several values that a task field it shows contains as well.""",
        fix="keep the answer out of observe() and the prompts",
        needs=(HIDDEN, SECRETS, WITH_TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO003",
        "answer-in-observation",
        partial(leaks, rows.IN_OBSERVATION),
        says="""No observation before the end contains a hidden value that the agent has not named.

        Answers slip out in error messages and hints. With a backend, the agent's own programs may print what they
        found, so policies that know the solution are not examined.""",
        fix="do not show the answer, or parts that the agent has not named, before the episode is over",
        needs=(HIDDEN, SECRETS, WITH_TASKS),
        after=("ISO002",),
        trusts="nothing",
    ),
    Check(
        "ISO004",
        "answer-in-tools",
        partial(leaks, rows.IN_TOOLS),
        says="""No tool schema contains the value of a hidden task field.

        Schemas are sent with every request, whatever the task.""",
        fix="write tool descriptions that hold for every task",
        needs=(HIDDEN, SECRETS, TOOLS, TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO005",
        "answer-in-disguise",
        partial(leaks, rows.DISGUISED),
        says="""Nothing that the agent sees contains the answer reversed, encoded or spelt out.

        A model decodes base64 as it reads. In an opening, the code may be the task itself, so look before you change
        it.""",
        fix="show nothing derived from the answer before the episode is over",
        needs=(REFERENCE,),
        after=("ISO002", "ISO003"),
        trusts="runs",
    ),
    Check(
        "ISO006",
        "answer-leaks-before-the-end",
        partial(leaks, rows.BEFORE_THE_END),
        says="""No refusal reveals the right answer, and openings do not reveal it in every task.

        Whatever the oracle's deciding call says counts as the answer, even if no field is declared hidden.""",
        fix="do not name the answer in a refusal or an observation before the end; list its field under hidden",
        needs=(REFERENCE,),
        after=("ISO002", "ISO003", "ISO005"),
        trusts="runs",
    ),
    Check(
        "ISO007",
        "answer-in-task-id",
        partial(leaks, rows.IN_ID),
        says="""No task id contains the value of a hidden field, plain or in disguise.

        Ids are listed to clients, which may show them to the model.""",
        fix="number the tasks; their ids are listed to clients and written to logs",
        needs=(SECRETS, TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO008",
        "answer-in-picture-file",
        partial(leaks, rows.IN_PICTURE_FILE),
        says="""No picture file contains text metadata that reveals the task's fields.

        Clients show metadata, and some pass it to the model.""",
        fix="save pictures without metadata: no PngInfo, no comment, no EXIF",
        needs=(REFERENCE, ORACLE_PICTURES),
        trusts="nothing",
    ),
    Check(
        "ISO009",
        "answer-not-hidden",
        partial(leaks, rows.NOT_HIDDEN),
        says="""A task field that states what decides the task is declared hidden, unless the prompt shows it.

        Servers send all other task fields to their clients and write them to logs.""",
        fix="list the field under hidden in env.yaml",
        needs=(REFERENCE, TASKS),
        trusts="runs",
    ),
    Check(
        "ISO013",
        "encoded-answer",
        partial(leaks, rows.ENCODED),
        says="""No code in an opening, an id or an observation decodes to text that decides the task.

        Models read base64 and hexadecimal as easily as words.""",
        fix="do not show serial numbers, codes or ids derived from the solution",
        needs=(REFERENCE,),
        after=("ISO002", "ISO005", "ISO007"),
        trusts="runs",
    ),
)
