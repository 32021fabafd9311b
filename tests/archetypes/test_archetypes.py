"""Archetypes as data, and their starters: each is a working environment as written."""

from __future__ import annotations

import base64
import importlib
import io
import json
import re
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from ruff.__main__ import find_ruff_bin

from skill_tools.archetypes import ARCHETYPES, find, start
from skill_tools.archetypes import STARTERS as EVERY_STARTER
from skill_tools.checks import CHECKS, FAMILIES
from skill_tools.errors import SpecError
from skill_tools.frameworks import FRAMEWORKS
from skill_tools.frameworks.rules import load
from skill_tools.policies import scripted
from skill_tools.render import plan as render
from skill_tools.spec.model import ARCHETYPE_NAMES, EnvSpec
from tests.conftest import ROOT
from tests.over import over

STARTERS = list(ARCHETYPES)
SANDBOX, VISION, TEXT = "stateful-sandbox", "vision-computer-use", "text-action"


def write(folder: Path, files: dict[str, str | bytes]) -> None:
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A function that starts an archetype, renders what variants share, and imports both."""
    ready: dict[str, SimpleNamespace] = {}

    def build(archetype: str) -> SimpleNamespace:
        if archetype not in ready:
            name = f"first_{archetype.replace('-', '_')}"
            folder = tmp_path_factory.mktemp("started") / "any folder"
            write(folder, start(archetype, name))
            spec = load(folder)
            write(folder, render.plan(spec))
            link = tmp_path_factory.mktemp("linked")
            (link / spec.package).symlink_to(folder)
            sys.path.insert(0, str(link))
            try:
                modules = {
                    key: importlib.import_module(f"{spec.package}.{module}")
                    for key, module in (
                        ("episode", "_shared.episode"),
                        ("world", spec.domain_module),
                        ("tasks", spec.tasks.partition(":")[0]),
                        ("oracle", spec.oracle.partition(":")[0]),
                    )
                }
            finally:
                sys.path.remove(str(link))
            ready[archetype] = SimpleNamespace(
                spec=spec,
                folder=folder,
                world=getattr(modules["world"], spec.domain_class),
                refused=modules["world"].InvalidAction,
                tasks=modules["tasks"].TASKS,
                solve=lambda task, seed, solve=modules["oracle"].solve: as_calls(solve(task, seed)),
                episode=modules["episode"],
                module=lambda name: importlib.import_module(f"{spec.package}.{name}"),
            )
        return ready[archetype]

    return build


@pytest.fixture(params=STARTERS)
def env(request, built):
    return built(request.param)


@pytest.fixture
def sandbox(built):
    env = built(SANDBOX)
    world = env.world(env.tasks["train"][0], 0)
    yield world
    world.close()


def play(env, task: dict, script, seed: int | None = None):
    """Play a script of the policies' kind; returns the episode's record."""
    episode = env.episode.Episode(task, seed)
    try:
        for turn in script:
            for call in turn.calls:
                text = isinstance(call.arguments, str)
                arguments = {"_raw": call.arguments} if text else dict(call.arguments)
                episode.call(call.tool, arguments)
        episode.end()
        return episode.record() | {"prompt": episode.prompt}
    finally:
        episode.close()


def as_calls(actions: list) -> list[tuple[str, dict]]:
    """Actions as tool and arguments; a message is one of the tool ``message``."""
    return [
        ("message", {"text": action["message"]}) if isinstance(action, dict) else action
        for action in actions
    ]


def seed_of(task: dict) -> int:
    return task.get("seed", 0)


def every_task(env) -> list[dict]:
    return [task for tasks in env.tasks.values() for task in tasks]


def solved(env, task: dict, seed: int | None = None):
    seed = seed_of(task) if seed is None else seed
    return scripted.oracle(env.solve(task, seed))


# --- the data ---------------------------------------------------------------------------------


def test_the_table_has_the_names_of_the_spec_in_their_order():
    assert tuple(ARCHETYPES) == ARCHETYPE_NAMES


@over("archetype", ARCHETYPES.values(), ids=lambda a: a.name)
def test_an_archetype_says_all_that_choosing_and_designing_need(archetype):
    assert 5 <= len(archetype.questions) <= 7
    assert all(question.ask.endswith("?") and question.default for question in archetype.questions)
    assert len(archetype.hallmarks) >= 3
    assert len(archetype.reward_shapes) >= 3
    assert len(archetype.risks) >= 4
    assert set(archetype.not_when.values()) <= set(ARCHETYPES) - {archetype.name}
    assert set(archetype.checks) <= {*FAMILIES, *CHECKS}
    json.dumps(asdict(archetype))


@pytest.mark.parametrize(
    "archetype", [kind for kind in ARCHETYPES.values() if kind.exemplar], ids=lambda a: a.name
)
def test_an_exemplar_is_an_environment_of_its_kind(archetype):
    assert load(ROOT / archetype.exemplar).archetype == archetype.name


# --- finding and starting ---------------------------------------------------------------------


@over(
    ("typed", "meant"),
    [
        ("pure-python-gmae", "pure-python-game"),
        ("Pure Python Game", "pure-python-game"),
        ("stateful_sandbox", "stateful-sandbox"),
        ("sandbox", "stateful-sandbox"),
        ("vision", "vision-computer-use"),
        ("computer-use", "vision-computer-use"),
        ("text_actions", "text-action"),
    ],
)
def test_a_mistyped_archetype_is_answered_with_the_nearest(typed, meant):
    with pytest.raises(SpecError, match=f"did you mean '{meant}'") as error:
        find(typed)
    assert typed in str(error.value)


def test_a_name_like_no_archetype_is_answered_with_all_of_them():
    with pytest.raises(SpecError) as error:
        start("???", "x")
    assert "did you mean" not in str(error.value)
    assert all(name in str(error.value) for name in ARCHETYPES)


@over("name", ["", "My Env", "a: {", "ors", "class", "9lives", "../up", "a__b", "x\ny", "{{ 7 }}"])
def test_a_name_that_the_spec_refuses_is_refused(name):
    with pytest.raises(SpecError, match="name"):
        start("pure-python-game", name)


@pytest.mark.everything("costly")
@over("name", ["yes", "off", "place", "shape", "workspace", "parcel", "invalid_action"])
@over("archetype", EVERY_STARTER)
def test_a_name_that_means_something_else_still_starts(archetype, name, tmp_path):
    write(tmp_path, start(archetype, name))
    spec = load(tmp_path)
    assert spec.name == name
    source = (tmp_path / f"{spec.domain_module}.py").read_text("utf-8")
    assert source.count(f"class {spec.domain_class}") == 1
    assert source.count(f"import {spec.domain_class}\n") == 0


@pytest.mark.everything("starters")
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_title_and_description_are_data(title, description):
    from ruamel.yaml import YAML

    if not all(" ".join(text.split()).isprintable() for text in (title, description)):
        with pytest.raises(SpecError, match="control characters"):
            start("pure-python-game", "hunt", title, description)
        return
    files = start("pure-python-game", "hunt", title, description)
    spec = EnvSpec.model_validate(YAML(typ="safe", pure=True).load(files["env.yaml"]))
    assert spec.title == (" ".join(title.split()) or "Hunt")
    assert not description.split() or spec.description == " ".join(description.split())


# --- what a starter is ------------------------------------------------------------------------


@over("archetype", STARTERS)
def test_a_starter_follows_its_archetype(archetype, built):
    env, defaults = built(archetype), ARCHETYPES[archetype].defaults
    assert env.spec.archetype == archetype
    assert env.spec.reward.timing == defaults.reward_timing
    assert tuple(env.spec.reward.range) == defaults.reward_range
    assert env.spec.episode.max_turns <= defaults.max_turns
    assert env.spec.backend == defaults.backend
    assert env.spec.blocking == defaults.blocking
    acts = "text" if archetype == TEXT else "tool-calls"
    usual = [name for name in FRAMEWORKS if FRAMEWORKS[name].actions == acts and name != "trl"]
    assert env.spec.frameworks == usual


@pytest.mark.everything("costly")
@over("starter", EVERY_STARTER)
def test_a_starter_makes_as_many_training_tasks_as_are_wanted(starter, built, tmp_path):
    write(tmp_path, start(starter, "many"))
    text = (tmp_path / "tasks.py").read_text("utf-8")
    (line,) = re.findall(r"^TRAIN = \d+$", text, re.MULTILINE)
    assert "write\n# 2000 for a training run" in text
    # Three import a module of theirs.
    importing = (SANDBOX, "code-repair", "simulated-customer")
    package = built(starter).spec.package if starter in importing else None

    def splits(written: str) -> dict[str, list[dict]]:
        known = {"__name__": f"{package}.tasks", "__package__": package}
        exec(compile(written, "tasks.py", "exec"), known)  # noqa: S102 - a starter of ours
        return known["TASKS"]

    few, many = splits(text), splits(text.replace(line, "TRAIN = 2000"))
    assert len(many["train"]) == 2000
    assert many["train"][: len(few["train"])] == few["train"]
    assert many["test"] == few["test"]
    for key in ("id", "seed"):
        values = [task[key] for split in many.values() for task in split if key in task]
        assert len(set(values)) == len(values)


@over("archetype", STARTERS)
def test_a_starter_marks_what_to_change_and_is_formatted(archetype, tmp_path):
    files = start(archetype, "first_try")
    write(tmp_path, files)
    assert all("CHANGE: " in text for text in files.values())
    for command in (
        ["check", "--extend-select", "B,D1,I,PTH,RET,RUF,SIM,UP"],
        ["format", "--diff"],
    ):
        options = ["--isolated", "--no-cache", "--line-length", "100", "--target-version", "py311"]
        ignored = ["--ignore", "D105,D107"] if command[0] == "check" else []
        run = subprocess.run(
            [find_ruff_bin(), *command, *options, *ignored, str(tmp_path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.everything("costly")
def test_all_author_modules_are_published_except_the_oracle(env):
    authored = set(start(env.spec.archetype, env.spec.name))
    assert authored - set(env.spec.domain_files) == {"env.yaml", "examples.yaml", "oracle.py"}


@pytest.mark.everything("costly")
def test_there_are_enough_tasks_and_no_seed_is_in_two_splits(env):
    assert len(env.tasks["train"]) >= 12
    assert len(env.tasks["test"]) >= 8
    tasks = every_task(env)
    assert len({task["id"] for task in tasks}) == len(tasks)
    seeds = {task["seed"] for task in tasks if "seed" in task}
    assert len(seeds) == (len(tasks) if env.spec.seed.used else 0)
    assert json.loads(json.dumps(tasks)) == tasks


# --- playing ----------------------------------------------------------------------------------


@pytest.mark.everything("starters")
def test_the_oracle_earns_the_maximum_on_every_task(env):
    for task in every_task(env):
        record = play(env, task, solved(env, task))
        assert record["return"] == env.spec.reward.range[1], task
        assert record["over"]
        assert not record["truncated"]
        assert not [step for step in record["steps"] if step["error"]]


@pytest.mark.everything("starters")
def test_other_policies_earn_clearly_less(env):
    tools = env.spec.tool_rules()
    returns = {"noop": [], "malformed": [], "random": []}
    for task in env.tasks["test"]:
        scripts = {
            "noop": scripted.noop(),
            "malformed": scripted.malformed(tools, task["id"]),
            "random": scripted.sampled(tools, task["id"], env.spec.episode.max_turns),
        }
        for policy, script in scripts.items():
            returns[policy].append(play(env, task, script)["return"])
    assert set(returns["noop"]) == {0.0}
    assert set(returns["malformed"]) == {0.0}
    assert sum(returns["random"]) / len(returns["random"]) <= 0.25


@pytest.mark.everything("costly")
def test_reward_is_paid_when_the_spec_says(env):
    for task in env.tasks["train"][:3]:
        rewards = [step["reward"] for step in play(env, task, solved(env, task))["steps"]]
        paid = [number for number, reward in enumerate(rewards, 1) if reward]
        if env.spec.reward.timing == "terminal":
            assert paid == [len(rewards)]
        else:
            assert len(paid) == task["targets"]


def test_one_task_and_seed_is_one_problem(env):
    tools = env.spec.tool_rules()
    for task in env.tasks["train"][:3]:
        for script in (solved(env, task), scripted.sampled(tools, task["id"], 8)):
            assert play(env, task, script) == play(env, task, script)


def test_the_seed_changes_the_problem(env):
    if not env.spec.seed.used:
        assert env.spec.seed.reason
        return
    task = env.tasks["train"][0]
    solutions = [json.dumps(env.solve(task, seed)) for seed in range(20)]
    assert len(set(solutions)) > 15
    assert play(env, task, solved(env, task, 3), 3) != play(env, task, solved(env, task, 3), 4)


def test_the_seed_alone_decides_whatever_ran_before(env):
    import random

    task = env.tasks["test"][0]
    random.seed(1)
    first = env.solve(task, seed_of(task))
    random.seed(2)
    assert env.solve(task, seed_of(task)) == first


REFUSED = {
    "single-turn": [],
    "conversation": [("move_parcel", {"parcel": 100, "day": "monday"})],
    "pure-python-game": [("dig", {"row": 8, "column": 1}), ("dig", {"row": 1, "column": 8})],
    "stateful-sandbox": [("run_shell", {"command": " "}), ("run_shell", {"command": "\n\t"})],
    "vision-computer-use": [],
    "text-action": [
        ("look", {"parcel": 7}),
        ("submit_rule", {"rule": ""}),
        ("submit_rule", {"rule": "weight < 50\nlength < 50"}),
        ("submit_rule", {"rule": "weight < 1000"}),
        ("submit_rule", {"rule": "weight < 50 or 1 < 2"}),
        ("submit_rule", {"rule": "label is '<gift>'"}),
        ("submit_rule", {"rule": 'label is "<gift>""'}),
        ("submit_rule", {"rule": "__import__('os').abort()"}),
    ],
}


def test_a_refused_action_says_why_and_changes_nothing(env):
    task = env.tasks["train"][0]
    world, looks = env.world(task, seed_of(task)), getattr(env.world, "observe", str)
    try:
        for tool, arguments in REFUSED[env.spec.archetype]:
            before = (looks(world), world.reward, world.done, state(world))
            with pytest.raises(env.refused, match=r"\w+ \w+"):
                getattr(world, tool)(**arguments)
            assert (looks(world), world.reward, world.done, state(world)) == before
        for tool, arguments in env.solve(task, seed_of(task)):
            getattr(world, tool)(**arguments)
        assert world.reward == env.spec.reward.range[1]
        for tool, arguments in env.solve(task, seed_of(task)):
            if tool == "message":  # no model is asked for one after the end
                continue
            with pytest.raises(env.refused, match="over"):
                getattr(world, tool)(**arguments)
        assert world.reward == env.spec.reward.range[1]
    finally:
        getattr(world, "close", lambda: None)()


def state(world) -> str:
    """A world's plain data, and what its sandbox holds."""
    data = {key: value for key, value in vars(world).items() if key != "_sandbox"}
    return repr((data, files(world) if hasattr(world, "_sandbox") else ""))


def files(world) -> str:
    """Every file of a world's sandbox, as md5sum tells them."""
    return world._sandbox.run_command("find . -type f | sort | xargs md5sum").output


def test_episodes_do_not_share_state(env):
    first, second = env.tasks["train"][:2]
    alone = play(env, second, solved(env, second))["steps"]
    episodes = [env.episode.Episode(task) for task in (first, second)]
    scripts = [env.solve(task, seed_of(task)) for task in (first, second)]
    for number in range(max(map(len, scripts))):
        for episode, script in zip(episodes, scripts, strict=True):
            if number < len(script):
                episode.call(*script[number])
    for episode in episodes:
        episode.close()
    assert episodes[1].record()["steps"] == alone


# --- pure-python game -------------------------------------------------------------------------


def test_the_hunt_is_won_from_hints_alone_wherever_the_treasure_is(built):
    env = built("pure-python-game")
    for size in (6, 7, 8):
        for seed in range(150):
            task = {"id": "any", "seed": seed, "size": size}
            calls = env.solve(task, seed)
            world = env.world(task, seed)
            for tool, arguments in calls:
                getattr(world, tool)(**arguments)
            assert world.reward == 1.0, (size, seed)


def test_a_lost_hunt_does_not_tell_where_the_treasure_was(built):
    env = built("pure-python-game")
    task = env.tasks["train"][0]
    world = env.world(task, task["seed"])
    known = {world.landing, world._treasure}
    elsewhere = [
        (row, column)
        for row in range(1, world.size + 1)
        for column in range(1, world.size + 1)
        if (row, column) not in known
    ]
    texts = [world.observe()]
    for row, column in elsewhere:
        if not world.done:
            texts.append(world.dig(row, column))
    assert world.done
    assert world.reward == 0.0
    assert "Digs left: 0." in texts[-1]
    assert not [text for text in texts if "X" in text.replace("X treasure", "")]


# --- stateful sandbox -------------------------------------------------------------------------


@pytest.mark.everything("costly")
def test_the_answer_is_in_no_file_no_text_and_no_task(built):
    env = built(SANDBOX)
    for task in every_task(env):
        world = env.world(task, task["seed"])
        try:
            answer = re.compile(rf"(?<!\d){world._answer}(?!\d)")
            assert world._answer > 99
            names = world._sandbox.run_command("find . -type f").output.split()
            assert len(names) == 6
            shown = [
                *names,
                *(world._sandbox.read_file(name).decode() for name in names),
                world.observe(),
                json.dumps({key: task[key] for key in task if key != "seed"}),
                world.run_shell("ls -R; env; cat sales/january.csv"),
                world.submit_answer(-1),
            ]
            assert not [text for text in shown if answer.search(text)]
        finally:
            world.close()


def test_only_the_exact_answer_counts_and_only_once(built):
    env = built(SANDBOX)
    task = env.tasks["train"][0]
    for off, reward in ((0, 1.0), (1, 0.0), (-1, 0.0)):
        world = env.world(task, 5)
        assert world.submit_answer(world._answer + off)
        assert (world.reward, world.done) == (reward, True)
        with pytest.raises(env.refused, match="over"):
            world.submit_answer(world._answer)
        assert world.reward == reward
        world.close()


@over(
    ("command", "shown"),
    [
        ("pwd", "/home/user"),
        ("echo $HOME $USER", "/home/user user"),
        ("cd sales; pwd", "/home/user/sales"),
        ("true", "[no output]"),
        ("exit 3", "[exit code 3]"),
        ("echo out; echo err >&2; false", "out\nerr\n[exit code 1]"),
        ("no_such_command", "bash: line 1: no_such_command: command not found\n[exit code 127]"),
        ('read line; echo "[$line]"', "[]"),
        ("printf 'a\\xffb'", "a\ufffdb"),
        ("stat -c %Y sales sales/*.csv | sort -u", "1704067200"),
        ("date -d @0 +%H:%M", "00:00"),
    ],
)
def test_outputs_hold_nothing_that_differs_between_episodes(sandbox, command, shown):
    assert sandbox.run_shell(command) == shown


def test_files_stay_and_variables_do_not(sandbox):
    sandbox.run_shell("echo kept > note; export LOST=1; cd sales")
    assert sandbox.run_shell("cat note; echo [$LOST]; pwd") == "kept\n[]\n/home/user"


def test_no_variable_of_the_server_reaches_a_command(sandbox, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret")
    assert "sk-very-secret" not in sandbox.run_shell("env; cat /proc/*/environ")


def test_text_that_bash_cannot_take_is_answered(sandbox):
    for command in ("echo \0", "echo \ud800"):
        assert "bash cannot be started" in sandbox.run_shell(command)


def test_every_episode_ends_its_sandbox(built):
    env = built(SANDBOX)
    world = env.world(env.tasks["train"][0], 0)
    world.run_shell("setsid sleep 980 & echo x > f; mkdir d; touch d/f; chmod 0 d")
    deadline = time.monotonic() + 10
    while not running("sleep 980"):  # bash does not wait for it to start
        assert time.monotonic() < deadline
    world.close()
    assert not running("sleep 980")
    world.close()
    with pytest.raises(RuntimeError, match="closed"):
        world.run_shell("echo hello")


def running(command: str) -> bool:
    """Whether a process with this command line runs on the machine."""
    wanted = command.replace(" ", "\0").encode() + b"\0"
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if (entry / "cmdline").read_bytes() == wanted:
                return True
        except OSError:
            continue
    return False


# --- vision and computer use ------------------------------------------------------------------


def decode(data: bytes) -> tuple[int, int, list[list[tuple[int, ...]]]]:
    """Width, height and colours of a PNG."""
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "PNG"
        shown = picture.convert("RGB")
    width, height = shown.size
    rows = [[shown.getpixel((x, y)) for x in range(width)] for y in range(height)]
    return width, height, rows


@pytest.mark.live
def test_the_picture_shows_each_shape_where_a_click_hits_it(built):
    env = built(VISION)
    colours = env.module("picture").COLOURS
    for task in every_task(env):
        world = env.world(task, task["seed"])
        text, data = world.look()
        width, height, rows = decode(data)
        assert f"{width} pixels wide and {height} pixels high" in text
        for y, row in enumerate(rows):
            for x, colour in enumerate(row):
                shapes = [shape for shape in world._shapes if shape.contains(x, y)]
                assert len(shapes) <= 1
                assert colour == (colours[shapes[0].colour] if shapes else (245, 245, 240))
        assert len({str(shape) for shape in world._shapes}) == task["shapes"]


def test_a_hit_is_paid_once_in_order_and_the_shape_disappears(built):
    env = built(VISION)
    task = next(task for task in env.tasks["train"] if task["targets"] == 3)
    world = env.world(task, task["seed"])
    first, second, third = world.targets
    assert world.click(second.x, second.y).startswith("Missed: that was the ")
    assert world.click(first.x, first.y).startswith("Hit")
    assert world.reward == 1 / 3
    assert world.click(first.x, first.y).startswith("Missed: that was the background")
    assert world.reward == 1 / 3
    rows = decode(world.look()[1])[2]
    assert rows[first.y][first.x] == (245, 245, 240)
    assert world.click(second.x, second.y).startswith("Hit")
    assert (
        world.click(third.x, third.y)
        == "Hit: that was the " + str(third) + ".\nAll shapes are hit."
    )
    assert (world.reward, world.done) == (1.0, True)


@pytest.mark.parametrize("point", [(0, 120), (160, 0), (-1, 0)])
def test_a_point_outside_of_the_picture_is_refused_by_the_schema(built, point):
    env = built(VISION)
    episode = env.episode.Episode(env.tasks["train"][0])
    clicks = episode._world.clicks_left
    step = episode.call("click", {"x": point[0], "y": point[1]})
    assert step.error == "invalid_arguments"
    assert re.search(r"[xy] must be a whole number, 0 to (159|119), was -?\d+", step.text)
    assert episode._world.clicks_left == clicks


def test_clicks_are_bounded_and_looks_cost_none(built):
    env = built(VISION)
    world = env.world(env.tasks["train"][0], 0)
    world.look()
    for _ in range(world.clicks_left):
        assert not world.done
        world.click(0, 0)
    assert (world.reward, world.done) == (0.0, True)


def test_no_text_gives_a_shape_away(built):
    env = built(VISION)
    for task in every_task(env):
        episode = env.episode.Episode(task)
        texts = [
            json.dumps(episode.prompt),
            env.episode.as_text(episode.call("look", {}).observation),
        ]
        targets = episode._world.targets
        for _ in range(2):
            texts.append(episode.call("click", {"x": 159, "y": 119}).text)
        for target in targets:
            place = re.compile(rf"\b{target.x}, {target.y}\b")
            assert not [text for text in texts if place.search(text)]


def test_a_picture_travels_as_an_image_block(built):
    env = built(VISION)
    episode = env.episode.Episode(env.tasks["train"][0])
    text, image = episode.call("look", {}).observation
    assert text["type"] == "text"
    assert image["media_type"] == "image/png"
    assert len(image["data"]) < 20_000
    assert decode(base64.b64decode(image["data"]))[:2] == (160, 120)


def test_pictures_are_the_same_bytes_in_another_process(built):
    env = built(VISION)
    program = (
        "import sys, hashlib; sys.path.insert(0, sys.argv[1]);"
        f"from {env.spec.package}.world import {env.spec.domain_class} as World;"
        "print(hashlib.sha256(World({'shapes': 8, 'targets': 3}, 7).look()[1]).hexdigest())"
    )
    link = Path(env.episode.__spec__.origin).parent.parent.parent
    hashes = {
        subprocess.run(
            [sys.executable, "-c", program, str(link)],
            env={"PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in (1, 2)
    }
    assert len(hashes) == 1


# --- text action ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def text(built):
    """The text-action starter and its rendered parser."""
    env = built(TEXT)
    return env, env.module("_shared.rollouts.text_actions")


def test_the_rule_is_found_from_looks_alone_whatever_it_is(built):
    env = built(TEXT)
    for parcels, conditions in env.module("tasks").LEVELS:
        for seed in range(100):
            task = {"id": "any", "seed": seed, "parcels": parcels, "conditions": conditions}
            world = env.world(task, seed)
            for tool, arguments in env.solve(task, seed):
                getattr(world, tool)(**arguments)
            assert world.reward == 1.0, task


def test_a_solution_written_as_one_message_is_read_as_it_stands(text):
    env, text_actions = text
    written = ""
    for task in every_task(env):
        *looks, (_, answer) = env.solve(task, seed_of(task))
        lines = [f'<look parcel="{call["parcel"]}"/>' for _, call in looks]
        lines += ["<think><answer>weight < 1</answer></think>", "The rule is:", "<answer>"]
        message = "\n".join([*lines, answer["rule"], "</answer>"])
        episode = env.episode.Episode(task)
        played = text_actions.play(episode, message)
        assert (played.reward, episode.over, len(played.steps)) == (1.0, True, len(looks) + 1)
        assert played.steps[-1]["arguments"] == answer
        written += answer["rule"] + "\n"
    # Otherwise the starter would not show what raw content is good for.
    assert re.search(r'(?m)^(weight|length) [<>] \d+\nlabel is not "<\w+>"$', written)


def test_a_rule_is_judged_by_what_it_takes_and_only_once(built):
    env = built(TEXT)
    rules = env.module("rules")
    task = next(task for task in env.tasks["train"] if task["conditions"] == 3)
    task_seed = task["seed"]
    hidden = env.world(task, task_seed)._rule
    lines = [str(line) for line in hidden]
    assert [rules.read_condition(line) for line in lines] == hidden
    for rule, reward in (
        ("\n".join(lines), 1.0),
        ("\n\n".join(f"  {line}" for line in reversed(lines)), 1.0),
        ("\n".join(line.replace(" < ", "<").replace(" > ", ">") for line in lines), 1.0),
        *(("\n".join(line for line in lines if line != left), 0.0) for left in lines),
        ("weight > 999", 0.0),
        ("weight < 999", 0.0),
    ):
        world = env.world(task, task_seed)
        said = world.submit_rule(rule)
        assert (world.reward, world.done) == (reward, True), rule
        assert said.startswith("Right" if reward else "Wrong")
        with pytest.raises(env.refused, match="over"):
            world.submit_rule("\n".join(lines))
        assert world.reward == reward


def test_every_parcel_counts_also_those_not_looked_at(built):
    env = built(TEXT)
    for task in every_task(env):
        world = env.world(task, task["seed"])
        takes = [
            world.look(number).endswith(" takes it.") for number in range(1, world.parcels + 1)
        ]
        blind = env.world(task, task["seed"])
        said = blind.submit_rule("weight < 999")
        assert f"sorts {sum(takes)} of {world.parcels} " in said
        assert 0 < sum(takes) < world.parcels


def test_a_broken_rule_is_answered_with_its_line_and_the_form(text):
    env, text_actions = text
    task = next(task for task in env.tasks["train"] if task["conditions"] == 2)
    episode = env.episode.Episode(task)
    said = text_actions.play(episode, '<answer>\nweight < 50\nlabel is "<box>"\n</answer>')
    assert 'line 2 of the rule is not a condition: label is "<box>"' in said.text
    assert 'label is "LABEL"' in said.text
    assert (said.steps[0]["error"], episode.over, episode.turns) == ("invalid_action", False, 1)


def test_the_prompt_says_how_many_turns_there_are(built):
    spec = built(TEXT).spec
    assert f"You have {spec.episode.max_turns} turns" in spec.prompt.system


def test_no_text_of_the_world_gives_its_rule_away(built):
    env = built(TEXT)
    for task in every_task(env):
        episode = env.episode.Episode(task)
        texts = [message["content"] for message in episode.prompt]
        texts += [episode.call("look", {"parcel": n}).text for n in range(1, task["parcels"] + 1)]
        texts += [episode.call("submit_rule", {"rule": rule}).text for rule in ("?", "weight > 99")]
        assert episode.over
        for line in episode._world._rule:
            assert not [text for text in texts if str(line) in text]
