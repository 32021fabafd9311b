"""Vision and computer use: the agent acts on pictures of a screen."""

from skill_tools.archetypes.archetype import Archetype, Defaults, InterviewQuestion, Risk

VISION_COMPUTER_USE = Archetype(
    name="vision-computer-use",
    title="Vision / computer use",
    when=(
        "The agent must look at screenshots, charts, maps, rendered pages or a whole desktop, and "
        "acts by clicking, dragging and typing at coordinates."
    ),
    not_when={
        "the same facts could be given as text without loss": "pure-python-game",
        "the work is done by commands and files, and a screen is only decoration": (
            "stateful-sandbox"
        ),
    },
    hallmarks=(
        "a tool returns PNG bytes; the size in pixels and the origin are stated in words",
        "actions take a point, x and y in pixels of that picture",
        "drawing and hit-testing use the same geometry",
        "the prompt stays text: pictures come from a tool, so every framework can send them",
        "on a desktop the domain inherits from `Computer`; at the end a program reads files and windows",
    ),
    reward_shapes=(
        "an equal part of 1.0 for each target, at the step that hits it: the default",
        "1.0 if the program itself shows the required final state",
        "1.0 for an exact answer to a question about the picture",
    ),
    questions=(
        InterviewQuestion(
            "What does the picture show: something drawn, or a real desktop with programs?",
            "shapes drawn from the seed; for a real desktop use `starter/desktop`, not `starter/vision-computer-use`",
        ),
        InterviewQuestion(
            "How large is the picture, and where is the origin?",
            "160x120 pixels, with the origin at the top left",
        ),
        InterviewQuestion(
            "Which actions are there?",
            "`look` returns the picture, and `click` takes x and y",
        ),
        InterviewQuestion(
            "When does the agent see the picture?", "whenever it asks, after any action"
        ),
        InterviewQuestion(
            "How is success read from the state, without looking at the picture?",
            "by testing whether the click is inside the target's own geometry",
        ),
        InterviewQuestion(
            "How many misses are allowed?", "two, so that trial and error does not succeed"
        ),
        InterviewQuestion("What makes a task harder?", "more shapes, more or smaller targets"),
    ),
    defaults=Defaults(
        max_turns=12,
        reward_timing="per_step",
        reward_range=(0.0, 1.0),
        backend="none",
        blocking=True,
    ),
    checks={
        "PAR": "frameworks send images differently; the bytes must arrive unchanged",
        "REW": "random clicks must earn clearly less than looking",
        "DET": "the same seed must draw the same bytes, on any machine",
        "ISO": "coordinates of a target in text make looking unnecessary",
    },
    risks=(
        Risk(
            "Clicking everywhere until something is hit.",
            "Limit the clicks, keep targets small in the picture, and measure random clicks.",
        ),
        Risk(
            "Taking positions from text, such as labels, errors, an accessibility tree or the task.",
            "Put no coordinates into any text, and keep the geometry out of the task's fields.",
        ),
        Risk(
            "Memorizing a layout that is the same in every task.",
            "Draw positions, colors and sizes from the seed, and share no seed between splits.",
        ),
        Risk(
            "Hitting the same target again for more reward.",
            "Count each target once, and remove it when it is hit.",
        ),
    ),
    exemplar="reference_envs/desktop_env",
    other_starters={
        "desktop": "A real Linux desktop: programs with windows, a mouse and a keyboard.",
    },
)
