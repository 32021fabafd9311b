"""Pure-Python game: the whole world consists of a few rules in one module."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

PURE_PYTHON_GAME = Archetype(
    name="pure-python-game",
    title="Pure-Python game",
    when=(
        "The world consists of rules and state that fit in memory: board and card games, "
        "puzzles, simulations, business processes with a few "
        "verbs."
    ),
    not_when={
        "the agent needs files, commands or a running program": "stateful-sandbox",
        "what matters can only be seen in a picture": "vision-computer-use",
        "the model must write its action as text, without tool calls": "text-action",
    },
    hallmarks=(
        "standard library only; a step takes microseconds, so thousands of episodes run at once",
        "one to four tools with small typed parameters",
        "the seed decides the hidden state and every move of a scripted opponent",
        "the state can be written out as a few lines of text",
    ),
    reward_shapes=(
        "at the end, 1.0 if the task is solved and 0.0 if not: the default, and the hardest to game",
        "against a scripted opponent, 1.0 for a win, 0.5 for a draw and 0.0 for a loss",
        "a share for each goal, at the step that reaches it, if most episodes would otherwise earn 0.0",
        "if brevity matters, a reward that falls with each move, but never below a failed episode's reward",
    ),
    questions=(
        InterviewQuestion(
            "What does the agent see, and what is hidden from it?",
            "it sees everything except one secret",
        ),
        InterviewQuestion(
            "Which actions are there, and what does a forbidden one cost?",
            "there is one tool; a bad action is refused with a reason and costs only a turn; if it should cost "
            "nothing, set `refusals: free` and a limit (`max_refusals`)",
        ),
        InterviewQuestion(
            "When is an episode over?",
            "when it is solved, lost or out of moves; moves are always limited",
        ),
        InterviewQuestion(
            "What earns reward, and when?",
            "solving the task earns 1.0 at the end; anything else earns 0.0",
        ),
        InterviewQuestion(
            "What differs between tasks, and what makes them harder?",
            "the seed, and a size or an opponent named in the task",
        ),
        InterviewQuestion(
            "Who else acts?",
            "no other player, or a scripted opponent whose moves the seed decides",
        ),
        InterviewQuestion(
            "How would a perfect player, who sees only what the agent sees, play?",
            "by search, or by ruling out everything that observations contradict; this player is the oracle",
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
        "DET": "the same task and seed must give the same game, or no result can be repeated",
        "ISO": "the secret sits in the same process as the text that the model reads",
        "EPI": "a game must end, by a win, a loss or the limit, and must stay ended",
        "REW": "a random player must earn clearly less than a perfect one",
    },
    risks=(
        Risk(
            "Guessing, if there are few possible answers and many attempts.",
            "Have far more possible answers than attempts, and measure the random policy.",
        ),
        Risk(
            "Reading the secret in an observation, an error message or a task field.",
            "Keep it in the instance, list its task field under `hidden`, and keep it out of errors.",
        ),
        Risk(
            "Collecting the same per-step reward again and again.",
            "Compute the reward from the state, so that a goal reached twice counts once.",
        ),
        Risk(
            "Stalling with refused actions that cost nothing.",
            "A refused call costs a turn or, with `refusals: free`, counts towards max_refusals; the "
            "domain needs no code for either.",
        ),
    ),
    exemplar="reference_envs/wordle_env",
)
