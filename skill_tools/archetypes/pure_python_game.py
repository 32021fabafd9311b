"""Pure-Python game: the whole world consists of a few rules in one module."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

PURE_PYTHON_GAME = Archetype(
    name="pure-python-game",
    title="Pure-Python game",
    when=(
        "The world is rules and state that fit in memory: board and card games, puzzles, "
        "simulations, dialogues with a scripted partner, business processes with a few verbs."
    ),
    not_when={
        "the agent needs files, commands or a running program": "stateful-sandbox",
        "what matters can only be seen in a picture": "vision-computer-use",
        "the model must write its action as text, without tool calls": "text-action",
    },
    hallmarks=(
        "standard library only; a step takes microseconds, so thousands of episodes run at once",
        "one to four tools with small typed parameters",
        "the seed makes the hidden state and every move of a scripted opponent",
        "the state can be written out as a few lines of text",
    ),
    reward_shapes=(
        "1.0 for solved, 0.0 for not, at the end: the default, and the hardest to game",
        "1.0 win, 0.5 draw, 0.0 loss, against a scripted opponent",
        "the share of goals reached, per step, when most episodes would otherwise earn 0.0",
        "less for more moves, never below what a failed episode earns, when brevity matters",
    ),
    questions=(
        InterviewQuestion(
            "What does the agent see, and what is hidden from it?", "all but one secret"
        ),
        InterviewQuestion(
            "Which actions are there, and what happens on one that is not allowed?",
            "one tool; a bad action is refused with a reason and costs a turn, nothing else; if it "
            "should cost nothing, `refusals: free` and how many end the episode",
        ),
        InterviewQuestion(
            "When is an episode over?", "solved, lost, or out of moves; moves are always bounded"
        ),
        InterviewQuestion(
            "What earns reward, and when?", "1.0 for solved, at the end, otherwise 0.0"
        ),
        InterviewQuestion(
            "What differs between tasks, and what makes one harder?",
            "the seed, and a size or an opponent named in the task",
        ),
        InterviewQuestion(
            "Who else acts?", "nobody, or a scripted opponent that the seed makes repeatable"
        ),
        InterviewQuestion(
            "How would a perfect player that sees no more than the agent play?",
            "by search or by ruling out what the observations contradict; this is the oracle",
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
        "DET": "same task and seed must be the same game, or no result can be repeated",
        "ISO": "the secret sits in the same process as the text that the model reads",
        "EPI": "games end: by a win, a loss or the limit, and stay ended",
        "REW": "a random player must earn clearly less than a perfect one",
    },
    risks=(
        Risk(
            "Guessing: few possible answers and many attempts.",
            "Make the space of answers large compared with the attempts; measure the random policy.",
        ),
        Risk(
            "Reading the secret in an observation, an error message or a task field.",
            "Keep it in the instance, list the task field under hidden, word errors without it.",
        ),
        Risk(
            "Collecting a per-step reward again and again without getting on.",
            "Compute the reward from the state, not by adding: a goal reached twice counts once.",
        ),
        Risk(
            "Stalling: refused actions that cost nothing.",
            "A refused call costs a turn, or with `refusals: free` counts against max_refusals; the "
            "domain needs no code for either.",
        ),
    ),
    exemplar="reference_envs/wordle_env",
)
