"""Text action: the model writes its action as text, which a parser in the rendered code reads."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

TEXT_ACTION = Archetype(
    name="text-action",
    title="Text action with parsing",
    when=(
        "The trainer sends the model's raw text (SkyRL Gym, GEM), or an action is itself a text: "
        "code, a patch, a rule, a proof."
    ),
    not_when={
        "actions are small and the trainer supports tool calls (OpenEnv, ORS, Verifiers, NeMo Gym)": (
            "pure-python-game"
        ),
        "the text is a command for a real program": "stateful-sandbox",
    },
    hallmarks=(
        'a tool is a tag, arguments are its attributes: <look parcel="3"/>',
        "the last required text goes between the tags unescaped: lines, quotes, angle brackets",
        "the parser and its instructions are rendered from the tools; the domain gets typed arguments",
        "the prompt says what to do, not how to write it",
        "all actions of a message are executed in the order written; each is a turn, accepted or not",
        "a message without an action, or a broken tag, is refused, and the refusal shows the expected form",
        "text between <think> and </think> is ignored",
        "the domain parses the text with its own grammar and never runs it",
    ),
    reward_shapes=(
        "at the end, 1.0 if the task is solved and 0.0 if not: the default",
        "the reward of the underlying game, and none for form alone",
        "the share of cases that the submitted text gets right, if few texts get all of them",
    ),
    questions=(
        InterviewQuestion(
            "Which trainer reads the text?",
            "SkyRL Gym and GEM; the other frameworks use tool calls",
        ),
        InterviewQuestion(
            "Which tag does each action have, and what goes between the tags?",
            "the tool's name; for submitting the result, `answer`, with the text inside",
        ),
        InterviewQuestion(
            "Which language is the text in, and how is it checked without running it?",
            "a few kinds of line, matched by a regular expression and shown in the prompt",
        ),
        InterviewQuestion(
            "What happens if the text is not in that language?",
            "the refusal names the line and the expected form, and costs only a turn; with `refusals: free`, "
            "it costs nothing",
        ),
        InterviewQuestion(
            "How many turns are there, if one message may contain several actions?",
            "one for each action of the longest good episode, plus some for refusals",
        ),
        InterviewQuestion(
            "What earns reward, and when?",
            "1.0 for a right answer, accepted once; otherwise 0.0",
        ),
    ),
    defaults=Defaults(
        max_turns=20,
        reward_timing="terminal",
        reward_range=(0.0, 1.0),
        backend="none",
        blocking=False,
    ),
    checks={
        "PAR": "text and tool calls must lead to the same world, refusals included",
        "EPI": "a message can contain actions past the end, and a model may never write a readable action",
        "CON": "the parser is rendered from the tools, so the domain gets the arguments that they declare",
        "REW": "form alone must not earn the task's reward",
    },
    risks=(
        Risk(
            "Packing many actions into one message in the hope that one is right.",
            "Each action costs a turn, max_turns limits them, and only one answer is accepted.",
        ),
        Risk(
            "Copying an example from the prompt, or tags from an observation, as an action.",
            "Use no answer as an example in the prompt, and show no tool tags in observations.",
        ),
        Risk(
            "Submitting text that the checker runs, or empty text that fits every case.",
            "Parse the text with a small grammar, limit its length, and test it on all cases.",
        ),
        Risk(
            "Earning reward for well-formed text without solving the task.",
            "Do not reward form: an unreadable action already costs a turn.",
        ),
    ),
)
