"""The backend e2b: E2B's real client, against a stand-in for its cloud on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skill_tools.backends import BACKENDS
from skill_tools.files import write_files
from skill_tools.frameworks.rules import load
from skill_tools.render import plan as render
from skill_tools.render import wheel
from skill_tools.runtime import interpreters, supervise, venvs
from skill_tools.runtime.environment import child_environment
from tests.conftest import write_counter
from tests.live.served import free_port
from tests.selection import some

from .e2b_cloud import HERE, IN_THE_CLOUD, KEY, StandIn, cloud
from .sandbox_cases import CASES

CLIENTS = {
    "newest": BACKENDS["e2b"].requirements,
    "beside verifiers": (*BACKENDS["e2b"].requirements, "e2b>=2.56,<2.57"),
}

PLAYED = pytest.mark.everything("sandboxes")
"""On tests that run cells in the stand-in; those about settings and refusals are always played."""


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package `counter_domain`: what says which environment it is; and the sandbox."""
    folder = tmp_path_factory.mktemp("rendered")
    spec = load(write_counter(folder / "counter")).model_copy(update={"backend": "e2b"})
    declared = render.texts(render.plan(spec, []))["_shared/env_spec.py"]
    write_files(
        folder, {f"{spec.package}/_shared/env_spec.py": declared, **wheel.SANDBOX.sources()}
    )
    return folder


def run(
    rendered: Path,
    url: str | None,
    *arguments: str,
    client: tuple[str, ...] = CLIENTS["newest"],
    log: str = "out",
    **variables: str,
) -> Any:
    """Run a part of e2b_facts.py, in a venv with a client of E2B's; returns what it printed."""
    python = venvs.base(client, interpreters.find(">=3.11,<3.15")).python
    path = {"PYTHONPATH": f"{rendered}:{HERE}"}
    cloud = {"E2B_API_URL": url, "E2B_SANDBOX_URL": url} if url else {}
    settings = {"E2B_API_KEY": KEY, **path, **cloud, **variables}
    environment = child_environment(settings, keep=["E2B_API_KEY"])
    file = rendered / f"{log}.log"
    program = [python, HERE / "e2b_facts.py", *arguments]
    done = supervise.run(program, cwd=rendered, env=environment, timeout=300, log=file)
    text = file.read_text("utf-8")
    assert done.returncode == 0, text[-4000:]
    assert not settings["E2B_API_KEY"] or settings["E2B_API_KEY"] not in text
    return json.loads(text.splitlines()[-1])


@pytest.fixture(scope="module", params=some(CLIENTS, ["newest"], "releases"))
def played(request: pytest.FixtureRequest, stand_in: StandIn, rendered: Path) -> dict[str, str]:
    """How each case went with one version of the client."""
    return run(rendered, stand_in.url, "cases", client=CLIENTS[request.param])


@PLAYED
@pytest.mark.parametrize("name", [case.name for case in CASES])
def test_case(name: str, played: dict[str, str]) -> None:
    assert not played[name], played[name]


@PLAYED
def test_nothing_is_left_after_sessions_were_closed(
    stand_in: StandIn, played: dict[str, str]
) -> None:
    assert stand_in.nothing_left()


@PLAYED
def test_a_session_that_is_not_closed_ends_with_its_process(
    stand_in: StandIn, rendered: Path
) -> None:
    assert run(rendered, stand_in.url, "left") == "opened"
    assert stand_in.nothing_left()


@PLAYED
def test_a_session_that_is_forgotten_ends(stand_in: StandIn, rendered: Path) -> None:
    assert stand_in.nothing_left()
    assert run(rendered, stand_in.url, "forgotten") == [1, 0]


@PLAYED
def test_the_end_of_a_fork_ends_no_session_of_its_parent(stand_in: StandIn, rendered: Path) -> None:
    assert run(rendered, stand_in.url, "forked") == "ok"


@PLAYED
def test_a_sandbox_has_no_network_and_a_bounded_life(stand_in: StandIn, rendered: Path) -> None:
    asked = run(rendered, stand_in.url, "asked", E2B_TEMPLATE="my-template")
    assert asked["allow_internet_access"] is False
    assert (asked["timeout"], asked["templateID"]) == (77, "my-template")
    assert "envVars" not in asked or not asked["envVars"]


@PLAYED
def test_sixteen_sessions_at_once_see_nothing_of_each_other(
    stand_in: StandIn, rendered: Path
) -> None:
    sessions = 16
    found = run(rendered, stand_in.url, "together", str(sessions))["found"]
    assert found == [[f"{n} {n} ['number', 'own']\n", f"{n}\n{n}"] for n in range(sessions)]
    assert stand_in.nothing_left()


@PLAYED
def test_a_hung_cell_delays_no_other_session(stand_in: StandIn, rendered: Path) -> None:
    found = run(rendered, stand_in.url, "hanging")
    assert found == {"values": ["0", "1", "2"], "before": True, "status": "ok"}


@PLAYED
def test_hostile_code_costs_its_own_session_at_most_its_variables(
    stand_in: StandIn, rendered: Path
) -> None:
    found = run(rendered, stand_in.url, "hostile")
    for name, facts in found.items():
        assert facts[1:] == ["ok", "ok\n"], (name, facts)
    assert stand_in.nothing_left()


@PLAYED
@pytest.mark.parametrize("client", some(CLIENTS, ["newest"], "releases"))
def test_a_sandbox_that_is_gone_is_a_failure_and_closes_quietly(
    client: str, stand_in: StandIn, rendered: Path
) -> None:
    found = run(rendered, stand_in.url, "ended", client=CLIENTS[client])
    for action in ("cell", "command", "read", "write"):
        assert found[action].startswith("SandboxFailed: the E2B sandbox i"), found
        assert "gone or unreachable; it lives at most 3600 s" in found[action]
    assert found["close"] == found["again"] == "returned None"
    assert found["after"] == "SandboxFailed: the session is closed"


@PLAYED
@pytest.mark.parametrize("client", some(CLIENTS, ["newest"], "releases"))
def test_a_sandbox_that_goes_while_something_runs_is_a_failure(
    client: str, stand_in: StandIn, rendered: Path
) -> None:
    found = run(rendered, stand_in.url, "killed_within", client=CLIENTS[client])
    for reported in found.values():
        assert reported.startswith("SandboxFailed: the E2B sandbox i"), found
        assert "in the middle of a" in reported


@PLAYED
def test_a_sandbox_that_outlives_its_time_is_a_failure(stand_in: StandIn, rendered: Path) -> None:
    found = run(rendered, stand_in.url, "short_life")
    assert found["cell"].startswith("SandboxFailed: ")
    assert "it lives 10 s at most" in found["cell"]
    assert found["close"] == "returned None"


@pytest.mark.parametrize("client", some(CLIENTS, ["newest"], "releases"))
def test_a_wrong_key_is_said_without_the_key(
    client: str, stand_in: StandIn, rendered: Path
) -> None:
    wrong = "e2b_" + "f" * 40
    reported = run(rendered, stand_in.url, "opened", client=CLIENTS[client], E2B_API_KEY=wrong)
    assert reported.startswith("SandboxUnavailable: E2B refuses the key in E2B_API_KEY: ")
    assert "no team has the API key (the key)" in reported


def test_a_missing_key_is_named(stand_in: StandIn, rendered: Path) -> None:
    reported = run(rendered, stand_in.url, "opened", E2B_API_KEY="")
    assert reported.startswith("SandboxUnavailable: E2B_API_KEY is not set")


def test_a_missing_client_is_named_with_what_to_do(stand_in: StandIn, rendered: Path) -> None:
    reported = run(rendered, stand_in.url, "opened", client=IN_THE_CLOUD)
    assert reported.startswith("SandboxUnavailable: ")
    for part in (*BACKENDS["e2b"].requirements, "packages in env.yaml", "uv run --with"):
        assert part in reported


@pytest.mark.parametrize("client", some(CLIENTS, ["newest"], "releases"))
def test_a_service_that_is_down_is_a_failure(client: str, rendered: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    reported = run(rendered, url, "opened", client=CLIENTS[client])
    assert reported.startswith("SandboxFailed: E2B does not create a sandbox now; try again")


def test_a_full_account_is_a_failure(rendered: Path, tmp_path: Path) -> None:
    with cloud(tmp_path, 0) as full:
        reported = run(rendered, full.url, "opened")
    assert reported.startswith("SandboxFailed: E2B does not create a sandbox now; try again")
    assert "maximum number of concurrent E2B sandboxes (0)" in reported


@pytest.mark.parametrize(
    ("part", "variables", "expected"),
    [
        ("lacking", {}, "lacks no_such-package: build one"),
        ("opened", {"E2B_TEMPLATE": "none-such"}, "template 'none-such' not found"),
        ("long_life", {}, "Timeout cannot be greater than 1 hours"),
    ],
)
def test_settings_that_cannot_work_are_named_and_leave_nothing(
    part: str, variables: dict[str, str], expected: str, stand_in: StandIn, rendered: Path
) -> None:
    reported = run(rendered, stand_in.url, part, **variables)
    assert reported.startswith("SandboxUnavailable: ")
    assert expected in reported
    assert stand_in.nothing_left()


def test_a_session_that_cannot_be_made_ready_leaves_nothing(
    stand_in: StandIn, rendered: Path
) -> None:
    assert run(rendered, stand_in.url, "bad_file").startswith("SandboxFailed: ")
    assert stand_in.nothing_left()
