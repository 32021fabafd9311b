"""Text action: the model writes its action as text, and a parser reads it."""

from skill_tools.archetypes.archetype import Archetype, Defaults, Question, Risk

TEXT_ACTION = Archetype(
    name="text-action",
    title="Text action with parsing",
    when=(
        "The trainer gives the environment the model's raw text instead of tool calls (SkyRL Gym, "
        "GEM), or the way an action is written is itself part of the task."
    ),
    not_when={
        "the framework carries tool calls, as OpenEnv, ORS, Verifiers and NeMo Gym do": (
            "pure-python-game"
        ),
        "the text is a command for a real program": "stateful-sandbox",
    },
    hallmarks=(
        "an action is a tag with its argument in the model's text: <guess>word</guess>",
        "the prompt shows the exact form; a text without an action is answered, never a crash",
        "one action is read from each text: the first, the last or none, but always the same way",
        "the rules are those of a pure-Python game; only how actions arrive differs",
    ),
    reward_shapes=(
        "1.0 for solved, 0.0 for not, paid at the end: the default",
        "as of the game underneath, with nothing paid for the form alone",
        "a small deduction per text that cannot be read, when models do not learn the form",
    ),
    questions=(
        Question("Which trainer reads the text?", "SkyRL Gym and GEM, both rendered"),
        Question("How does the model write each action?", "one tag per tool, named as the tool"),
        Question("What if a text holds no action?", "the form is shown again; it costs a turn"),
        Question("What if it holds several?", "the last one counts, since models think aloud"),
        Question("What may the argument hold?", "what the tool's schema allows, read as its type"),
        Question("What earns reward, and when?", "as in the game: 1.0 for solved, at the end"),
    ),
    defaults=Defaults(
        max_turns=20,
        reward_timing="terminal",
        reward_range=(0.0, 1.0),
        backend="none",
        blocking=False,
    ),
    checks={
        "CON": "the parser is part of the contract: every form the prompt shows must be read",
        "PAR": "text and tool calls must lead to the same world",
        "EPI": "terminated and truncated are told apart, and unreadable text ends in time",
        "REW": "the form alone must not earn what only the task should",
    },
    risks=(
        Risk(
            "Writing many actions into one text so that one of them fits.",
            "Read exactly one action per text, by a fixed rule that the prompt states.",
        ),
        Risk(
            "Quoting the observation or the prompt's own example as an action.",
            "Parse the model's text only, and show the form with a placeholder as argument.",
        ),
        Risk(
            "Earning a reward for the form without ever solving.",
            "Pay nothing for the form, or deduct for its absence.",
        ),
        Risk(
            "Hiding the action inside thinking text that is cut away, or left in.",
            "Say whether thinking is read, and strip it in one place.",
        ),
    ),
    no_starter="it comes with its frameworks, SkyRL Gym and GEM, which are not here yet",
    nearest="pure-python-game",
)
