"""Tests of the resources server, in process.

Rendered from env.yaml; `skill-tools render` overwrites it.
"""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from jupyter_domain._shared.env_spec import NAME
from jupyter_domain._shared.episode import Episode
from jupyter_domain._shared.task_table import splits, task
from server import build_app

PROBLEM = {"split": splits()[0], "index": 0}
TOOL = "add_and_execute_code_cell"
RESPONSE = {
    "id": "response",
    "created_at": 0,
    "model": "none",
    "object": "response",
    "output": [],
    "parallel_tool_calls": False,
    "tool_choice": "auto",
    "tools": [],
}
ROW = PROBLEM | {"responses_create_params": {"input": []}, "response": RESPONSE}


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(build_app()) as client:
        yield client


def test_seeding_gives_the_prompt_of_the_episode(client: TestClient) -> None:
    seeded = client.post("/seed_session", json=PROBLEM).json()
    assert seeded["environment"] == NAME
    assert seeded["messages"] == Episode(task(PROBLEM["split"], 0)).prompt
    assert client.get("/environment").json()["environment"] == NAME


def test_calls_are_answered_as_the_episode_answers_them(client: TestClient) -> None:
    episode = Episode(task(PROBLEM["split"], 0))
    client.post("/seed_session", json=PROBLEM)
    for tool, body, arguments in (
        (TOOL, "not json", {"_raw": "not json"}),
        (TOOL, '{"no_such_argument": 1}', {"no_such_argument": 1}),
        ("no_such_tool", "{}", {}),
    ):
        assert client.post(f"/{tool}", content=body).text == episode.call(tool, arguments).text
    scored = client.post("/verify", json=ROW).json()
    assert scored["turns"] == 3
    assert scored["final_reward"] == pytest.approx(episode.end())
    assert scored["reward"] == pytest.approx(episode.total)
    episode.close()


def test_nothing_is_played_or_scored_without_a_session(client: TestClient) -> None:
    assert client.post(f"/{TOOL}", content="{}").status_code == 409
    assert client.post("/verify", json=ROW).status_code == 409
    client.post("/seed_session", json=PROBLEM)
    client.post("/close_session")
    assert client.post("/verify", json=ROW).status_code == 409


def test_a_session_is_seeded_and_scored_once(client: TestClient) -> None:
    client.post("/seed_session", json=PROBLEM)
    assert client.post("/seed_session", json=PROBLEM).status_code == 409
    assert client.post("/verify", json=ROW).status_code == 200
    assert client.post("/verify", json=ROW).status_code == 409


def test_a_problem_that_does_not_exist_is_named(client: TestClient) -> None:
    answer = client.post("/seed_session", json={"split": "no_such_split", "index": 0})
    assert (answer.status_code, "no_such_split" in answer.text) == (404, True)
