"""ISO002 to 009 and 013: whether a task's solution appears in texts that must not reveal the solution."""

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

        Otherwise the agent only has to read the answer, and learns nothing else. A prompt may contain the value if it
        also contains other tasks' values, as a passage does. It may contain items of a hidden list if a field in the
        prompt has the same items. It may contain values of a hidden object if other fields have all of them.""",
        fix="keep the answer out of observe() and the prompts",
        needs=(HIDDEN, SECRETS, WITH_TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO003",
        "answer-in-observation",
        partial(leaks, rows.IN_OBSERVATION),
        says="""No observation before the end contains a hidden value that the agent has not named.

        Error messages and hints often reveal answers. If the environment has a backend, a policy that knows the
        solution may print the solution with its own programs, so the check ignores such policies.""",
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

        The model receives the schemas with every request, whatever the task.""",
        fix="write tool descriptions that are true for every task",
        needs=(HIDDEN, SECRETS, TOOLS, TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO005",
        "answer-in-disguise",
        partial(leaks, rows.DISGUISED),
        says="""Nothing that the agent sees contains the answer in reversed, encoded or spelled-out form.

        A model can read base64 without a tool. Encoded text in an opening may be the task itself, so read the opening
        before you change it.""",
        fix="show nothing derived from the answer before the episode is over",
        needs=(REFERENCE,),
        after=("ISO002", "ISO003"),
        trusts="runs",
    ),
    Check(
        "ISO006",
        "answer-leaks-before-the-end",
        partial(leaks, rows.BEFORE_THE_END),
        says="""No refusal reveals the right answer, and there are tasks whose opening does not reveal it.

        The check takes the answer from the oracle's deciding call, so it works even if no field is declared hidden.""",
        fix="name the answer in no refusal and in no observation before the end; list the answer's field under hidden",
        needs=(REFERENCE,),
        after=("ISO002", "ISO003", "ISO005"),
        trusts="runs",
    ),
    Check(
        "ISO007",
        "answer-in-task-id",
        partial(leaks, rows.IN_ID),
        says="""No task id contains the value of a hidden field in plain or disguised form.

        Servers list ids to clients, and clients may show ids to the model.""",
        fix="use numbers as task ids, because servers list ids to clients and write ids to logs",
        needs=(SECRETS, TASKS),
        trusts="nothing",
    ),
    Check(
        "ISO008",
        "answer-in-picture-file",
        partial(leaks, rows.IN_PICTURE_FILE),
        says="""No picture file contains text metadata that reveals the task's fields.

        Clients show this metadata, and some clients pass it to the model.""",
        fix="save pictures without PngInfo, comments or EXIF data",
        needs=(REFERENCE, ORACLE_PICTURES),
        trusts="nothing",
    ),
    Check(
        "ISO009",
        "answer-not-hidden",
        partial(leaks, rows.NOT_HIDDEN),
        says="""A task field that contains the answer is declared hidden, unless the prompt shows the field.

        Servers send all fields that are not hidden to their clients and write these fields to logs.""",
        fix="list the field under hidden in env.yaml",
        needs=(REFERENCE, TASKS),
        trusts="runs",
    ),
    Check(
        "ISO013",
        "encoded-answer",
        partial(leaks, rows.ENCODED),
        says="""No opening, id or observation contains the answer as encoded text.

        Models read base64 and hexadecimal as easily as words.""",
        fix="do not show serial numbers, codes or ids derived from the solution",
        needs=(REFERENCE,),
        after=("ISO002", "ISO005", "ISO007"),
        trusts="runs",
    ),
)
