"""Single turn: one question, one message of the model, one score."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

SINGLE_TURN = Archetype(
    name="single-turn",
    title="One question, one message, one score",
    when=(
        "One message answers a question and is graded: math, multiple choice, extraction, tested "
        "code, a file of questions."
    ),
    not_when={
        "before it answers, the model may look something up, try something or talk": "conversation",
        "the task is a game in which each action is a small choice": "pure-python-game",
        "the model runs programs before it answers": "stateful-sandbox",
    },
    hallmarks=(
        "`message` in env.yaml and a method `message(self, text)`; no tools, and `max_turns: 1`",
        "the domain never sees reasoning: it is cut at <think> and similar marks in every framework",
        "the prompt states the form of the answer; the grader reads it in one place",
        "the answer is a hidden task field, compared by value",
        "every trainer that takes a reward function and rows can train on it",
    ),
    reward_shapes=(
        "1.0 for the right answer and 0.0 for any other message: the default, and the hardest to game",
        "the share of parts, tests or instructions that are right, if few messages get all of them",
        "the share of parts, but 0.0 if a required form is missing; never a reward for the form alone",
    ),
    questions=(
        InterviewQuestion("Where do the questions come from?", "generated in tasks.py"),
        InterviewQuestion(
            "What is the right answer of a question, and may it be written in several ways?",
            "a number or a short text in a hidden field, compared by value",
        ),
        InterviewQuestion(
            "In which form does the model give its answer?",
            "the last line, `Answer: ...`; the prompt shows the form and no real answer",
        ),
        InterviewQuestion(
            "Is a partly right answer worth something?", "no: 1.0 or 0.0, and nothing between"
        ),
        InterviewQuestion(
            "What makes one question harder than another?", "more steps; the level is a task field"
        ),
    ),
    defaults=Defaults(
        max_turns=1,
        reward_timing="terminal",
        reward_range=(0.0, 1.0),
        backend="none",
        blocking=False,
    ),
    checks={
        "GRA": "right answers in other spellings must earn the reward; disguised wrong answers must not",
        "TAS": "questions must not repeat in the test split, and no answer may fit most of them",
        "REW": "an empty message, a guess and all answers at once must not earn the reward",
        "ISO": "the answer must not be in the question or in a task field that is shown",
    },
    risks=(
        Risk(
            "Listing several answers in the hope that one of them counts.",
            "Read only one place, such as the last line, and refuse a line with two answers.",
        ),
        Risk(
            "Writing the form of an answer without solving the task.",
            "Give no reward for form, and compare the whole value.",
        ),
        Risk(
            "Guessing, if there are few possible answers.",
            "Ask for a number or a text; with multiple choice, subtract reward for wrong choices.",
        ),
        Risk(
            "Breaking the grader with odd text, which stops training.",
            "Read the text with a bounded pattern, and score unreadable text as wrong.",
        ),
    ),
)
