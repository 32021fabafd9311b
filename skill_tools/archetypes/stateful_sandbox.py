"""Stateful sandbox: the agent works in a persistent world of files and programs."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

STATEFUL_SANDBOX = Archetype(
    name="stateful-sandbox",
    title="Stateful sandbox",
    when=(
        "The agent uses real programs whose effects persist: a shell, a notebook, a real "
        "database, a repository with tests, a service to operate."
    ),
    not_when={
        "a Python class could simulate the world, without files or processes": "pure-python-game",
        "the agent must see a screen and click on it": "vision-computer-use",
    },
    hallmarks=(
        "each episode owns a directory, a process or a container, and close() frees it",
        "powerful tools (a shell, code) and one that submits the result",
        "a tool call can take seconds and can hang: it has a time limit and an output cap",
        "the result is verified by code, against data that the agent cannot reach or change",
    ),
    reward_shapes=(
        "1.0 for an exactly verified answer, submitted once: the default",
        "1.0 when the final state passes checks that run from outside the sandbox",
        "the share of independent checks that the final state passes, scored once after the end",
    ),
    questions=(
        InterviewQuestion("What does the agent find when it starts?", "files made from the seed"),
        InterviewQuestion(
            "Which tools does it have?", "run_shell, and submit_answer, which ends the episode"
        ),
        InterviewQuestion(
            "How does code verify success?",
            "by exact comparison with an answer computed from the seed and stored in no file",
        ),
        InterviewQuestion(
            "How much time, memory and disk may a command or cell use, and which packages?",
            "10 seconds, 512 MB of memory, 64 MB of files, no packages and no network",
        ),
        InterviewQuestion(
            "Where do the model's programs run?",
            "in the local backend, confined by Linux; with NAME_BACKEND=e2b, in cloud sandboxes",
        ),
        InterviewQuestion(
            "What persists from one call to the next?",
            "files persist; variables, cd and processes do not",
        ),
        InterviewQuestion(
            "What makes a task harder?",
            "more files, more conditions, or a result built in stages",
        ),
    ),
    defaults=Defaults(
        max_turns=12,
        reward_timing="terminal",
        reward_range=(0.0, 1.0),
        backend="local",
        blocking=True,
    ),
    checks={
        "ISO": "episodes share a machine: no file, process or answer of one may reach another",
        "EPI": "directories and processes must be gone after the episode, however it ends",
        "DET": "times, process ids and temporary paths creep into outputs",
        "REW": "the verifier must not trust anything that the agent can write",
    },
    risks=(
        Risk(
            "Finding the answer or the verifier on disk.",
            "Compute the answer in the domain, write it nowhere, and keep tests out of the sandbox.",
        ),
        Risk(
            "Writing the file from which the reward is read (reward.txt, a test report).",
            "Verify from outside, with code and data that the agent cannot touch.",
        ),
        Risk(
            "Leaving the episode's directory to reach other episodes, the server's variables or the network.",
            "Use the backend, which prevents this on Linux (see `skill-tools doctor`).",
        ),
        Risk(
            "Submitting until an answer is right.",
            "Let one submission end the episode, with thousands of possible answers; if there are few, "
            "ask for two facts together.",
        ),
        Risk(
            "Changing what is checked (editing a test, deleting data) instead of doing the work.",
            "Before scoring, restore or hash whatever must not change.",
        ),
    ),
    other_starters={
        "code-repair": (
            "The agent writes or repairs code, which hidden inputs or tests judge. Code that lies, exits, "
            "hangs or forks cannot deceive the included judge."
        ),
        "mcp-server": (
            "The agent uses the tools of an existing MCP server, which runs unmodified, in one process per "
            "episode. The reward comes from the server's state."
        ),
    },
    exemplar="reference_envs/jupyter_env",
)
