"""Clicks are tried elsewhere on what was hit and on what the oracle leaves alone."""

from __future__ import annotations

import base64
import io
from typing import Any

from PIL import Image, ImageDraw

from skill_tools.evidence.trajectory import Trajectory
from skill_tools.probes.clicks import shape_clicks
from skill_tools.probes.probe import ProbeContext
from tests.over import over

HIT, OTHER = (10, 10, 40, 30), (60, 20, 90, 50)
CLICK = {
    "name": "click",
    "parameters": {
        "type": "object",
        "properties": {"x": {"type": "integer"}, "y": {"type": "integer"}},
    },
}


def drawn(size: tuple[int, int] = (120, 80)) -> str:
    """A red and a blue rectangle and a dot on white, in base64."""
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    pen.rectangle(HIT, "red")
    pen.rectangle(OTHER, "blue")
    pen.point((5, 70), "black")
    with io.BytesIO() as file:
        picture.save(file, "PNG")
        return base64.b64encode(file.getvalue()).decode()


def ground(data: str, **click: Any) -> ProbeContext:
    """An oracle that looks at a picture and clicks into the red rectangle."""
    image = {"type": "image", "media_type": "image/png", "data": data}
    steps = [
        {"tool": "look", "arguments": {}, "observation": [image], "reward": 0, "done": False},
        {"tool": "click", "arguments": {"x": 25, "y": 20}, "observation": [], "reward": 1, "done": True}
        | click,
    ]  # fmt: skip
    played = Trajectory.model_validate(
        {"model": "oracle", "label": "a/0", "steps": steps, "return": 1.0, "end": "terminated"}
    )
    return ProbeContext(oracle={"a/0": played}, played={}, tools=[CLICK], most_calls=4, top=1.0)


def inside(box: tuple[int, int, int, int], point: dict[str, int]) -> bool:
    return box[0] < point["x"] < box[2] and box[1] < point["y"] < box[3]


def test_four_places_of_the_shape_that_was_hit_and_the_middle_of_the_other_are_clicked() -> None:
    trials = list(shape_clicks(ground(drawn())))
    places = [(trial.probe, trial.calls[-1][1]) for trial in trials]
    assert [kind for kind, _ in places].count("same-shape") == 4
    assert all(inside(HIT, point) for kind, point in places if kind == "same-shape")
    assert [point for kind, point in places if kind == "other-shape"] == [{"x": 75, "y": 35}]
    assert all(trial.calls[0] == ("look", {}) for trial in trials)


@over(
    ("data", "click"),
    [
        ("no picture", {}),
        (drawn((1000, 1000)), {}),
        (drawn(), {"reward": 0}),
        (drawn(), {"arguments": {"x": "25", "y": 20}}),
        (drawn(), {"arguments": [25, 20]}),
    ],
)
def test_nothing_is_clicked_where_no_shape_can_be_told(data: str, click: dict[str, Any]) -> None:
    assert list(shape_clicks(ground(data, **click))) == []
