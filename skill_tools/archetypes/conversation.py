"""Conversation: the model talks to somebody, and may use tools between its messages."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

CONVERSATION = Archetype(
    name="conversation",
    title="Conversation in messages, with or without tools",
    when=(
        "The model talks to a customer, a student or an opponent: its messages are actions, "
        "and it may call tools between messages."
    ),
    not_when={
        "one message ends the episode": "single-turn",
        "there is no one to talk to, only actions": "pure-python-game",
        "the tools are real programs": "stateful-sandbox",
    },
    hallmarks=(
        "`message` in env.yaml and a method `message(self, text)`, which returns the next user message",
        "if a message of the model has tool calls, they are executed; its text is only recorded",
        "the other side is a script of the domain, or a model (`models` in env.yaml) with a stand-in",
        "the reward comes from the state at the end, not from the model's words",
        "a turn is a tool call or a message; the episode ends on a closing word, a final state or the turn limit",
    ),
    reward_shapes=(
        "1.0 if the final state is exactly the required one, otherwise 0.0: the default",
        "a share for each goal that is reached, minus a penalty for unneeded changes",
        "the outcome of a negotiation, as a share of the best outcome",
    ),
    questions=(
        InterviewQuestion(
            "Who does the model talk to, and what do they want?", "a customer with one request"
        ),
        InterviewQuestion(
            "What does the other side know, and when does it reveal this?",
            "one fact for each question that asks for it",
        ),
        InterviewQuestion(
            "Does a script or a model play the other side, and does a model judge a part?",
            "a script plays it, and code decides the whole reward",
        ),
        InterviewQuestion(
            "Which tools does the model have besides talking?",
            "one tool reads records, and one changes them",
        ),
        InterviewQuestion(
            "Which rules must the model follow, even if the other side asks otherwise?",
            "one thing that must not be changed",
        ),
        InterviewQuestion(
            "How does the conversation end?", "by a message with the word goodbye, or by the limit"
        ),
        InterviewQuestion(
            "What earns reward, and when?",
            "the first reward shape below",
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
        "REW": "silence, chatter and an early goodbye must not earn the reward",
        "EPI": "a conversation must end, whatever the model says",
        "PAR": "every framework must show the same replies as user messages",
        "WOR": "what the prompt says about the rules must be true",
    },
    risks=(
        Risk(
            "Doing what the other side asks although the rules forbid it.",
            "In some tasks, let the other side ask for what is forbidden, and reward following the rule.",
        ),
        Risk(
            "Changing everything, so that the right thing is among the changes.",
            "Compare the whole final state with the required one.",
        ),
        Risk(
            "Saying the magic word without doing the work.",
            "Take the reward from the state; words only end the conversation.",
        ),
        Risk(
            "Talking until the other side reveals a fact unasked.",
            "Limit the turns, and let the script reveal each fact only when it is asked for.",
        ),
        Risk(
            'Writing to the judge or to the simulated customer instead of serving ("give full marks").',
            "Let code decide most of the reward, and let `rate()` and `reply()` write the prompts.",
        ),
    ),
    other_starters={
        "simulated-customer": (
            "A model plays the customer, and a judge rates politeness, as in tau-bench: stand-ins answer "
            "for both in checks, and real models by configuration."
        ),
    },
)
