"""The nineteen actions: what programs on a real X display see of each, on both backends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.live.sandbox.e2b_cloud import KEY, cloud

from .place import E2B, Place, here, place, xfce

pytestmark = here

CLICKS = {"left_click": 1, "right_click": 3, "middle_click": 2}
WHEEL = {"up": 4, "down": 5, "left": 6, "right": 7}


@pytest.fixture(
    scope="module", params=["local", pytest.param("e2b", marks=pytest.mark.everything("desktops"))]
)
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Place]:
    """A backend's place."""
    folder = tmp_path_factory.mktemp("desktop")
    if request.param == "local":
        yield place(folder / "place")
        return
    with cloud(folder, most=4, programs=xfce(folder)) as stand_in:
        variables = {"E2B_API_URL": stand_in.url, "E2B_SANDBOX_URL": stand_in.url}
        settings = {"DESKTOP_BACKEND": "e2b", "E2B_API_KEY": KEY, **variables}
        yield place(folder / "place", E2B, **settings)
        assert stand_in.nothing_left()


@pytest.fixture(scope="module")
def mouse(session: Place) -> dict[str, Any]:
    return session.run("mouse")


@pytest.fixture(scope="module")
def keyboard(session: Place) -> dict[str, Any]:
    return session.run("keyboard")


@pytest.fixture(scope="module")
def editor(session: Place) -> dict[str, Any]:
    return session.run("editor", *(["24"] if "DESKTOP_BACKEND" in session.variables else []))


@pytest.fixture(scope="module")
def refused(session: Place) -> dict[str, Any]:
    return session.run("refusals")


@pytest.fixture(scope="module")
def pictures(session: Place) -> dict[str, Any]:
    return session.run("pictures")


@pytest.fixture(scope="module")
def commands(session: Place) -> dict[str, Any]:
    # On E2B it is a machine of its own; in the stand-in for one, root would end more than that.
    return session.run(
        "commands", *(["kill"] if "DESKTOP_BACKEND" not in session.variables else [])
    )


def clicks(button: int, times: int, place: str) -> list[str]:
    return [f"ButtonPress {button} {place}", f"ButtonRelease {button} {place}"] * times


@pytest.mark.parametrize("action", CLICKS)
def test_a_click_presses_and_releases_its_button_at_the_place(
    mouse: dict[str, Any], action: str
) -> None:
    assert mouse[action] == clicks(CLICKS[action], 1, "300,200")


def test_double_and_triple_clicks_are_that_many(mouse: dict[str, Any]) -> None:
    assert mouse["double_click"] == clicks(1, 2, "300,200")
    assert mouse["triple_click"] == clicks(1, 3, "300,200")


def test_keys_are_held_while_the_mouse_clicks(mouse: dict[str, Any]) -> None:
    keys = [event for event in mouse["held"] if not event.startswith("Motion")]
    assert [event.split()[0] for event in keys] == [
        *("KeyPress", "KeyPress", "ButtonPress", "ButtonRelease", "KeyRelease", "KeyRelease"),
    ]
    assert [event.split()[1] for event in keys[:2]] == ["Control_L", "Shift_L"]


def test_the_pointer_moves_and_is_told_where_it_is(mouse: dict[str, Any]) -> None:
    assert mouse["mouse_move"] == ["MotionNotify 501,402"]
    assert mouse["cursor_position"] == "The pointer is at (501, 402)."
    assert mouse["corner"] == "The pointer is at (0, 0)."


def test_the_size_of_the_screen_is_told(mouse: dict[str, Any]) -> None:
    assert mouse["get_screen_size"] == "The screen is 1024 by 768 pixels."


def test_a_drag_goes_all_the_way_with_the_button_pressed(mouse: dict[str, Any]) -> None:
    (first, *way, last), _ = mouse["left_click_drag"]
    assert (first, last) == ("ButtonPress 1 100,100", "ButtonRelease 1 400,250")
    assert len(way) > 5
    assert all(event.startswith("MotionNotify") for event in way)


def test_the_button_can_be_pressed_and_released_by_itself(mouse: dict[str, Any]) -> None:
    assert mouse["left_mouse_down"] == ["ButtonPress 1 400,250"]
    assert mouse["left_mouse_up"] == ["ButtonRelease 1 410,260"]


@pytest.mark.parametrize("way", WHEEL)
def test_the_wheel_turns_each_way_as_often_as_asked(mouse: dict[str, Any], way: str) -> None:
    assert mouse[f"scroll {way}"] == clicks(WHEEL[way], 3, "200,300")


@pytest.mark.everything("desktops")
def test_keys_and_chords_arrive_with_their_modifiers(keyboard: dict[str, Any]) -> None:
    assert keyboard["Return"] == ["Return 0"]
    assert keyboard["ctrl+s"] == ["Control_L 0", "s 4"]
    assert keyboard["alt+shift+F3"] == ["Alt_L 0", "Shift_L 8", "F3 9"]
    assert keyboard["A"] == ["Shift_L 0", "A 1"]
    assert keyboard["+"] == ["Shift_L 0", "plus 1"]
    assert keyboard["ctrl++"] == ["Control_L 0", "Shift_L 4", "plus 5"]
    assert keyboard["page_down"] == ["Next 0"]
    assert keyboard["space"] == ["space 0"]


@pytest.mark.everything("desktops")
def test_typed_characters_arrive_in_order_whatever_the_keyboard_has(
    keyboard: dict[str, Any],
) -> None:
    letters = [key for key in keyboard["type"] if not key.startswith("Shift")]
    assert letters[:4] == ["a", "B", "question", "eacute"]
    assert letters[4:] in (["U2192"], ["rightarrow"])


@pytest.mark.everything("desktops")
def test_a_key_is_held_for_as_long_as_asked_and_repeats(keyboard: dict[str, Any]) -> None:
    assert keyboard["hold_key"] == [True, "KeyPress x 0", "KeyRelease x 0", True]


@pytest.mark.everything("desktops")
def test_waiting_takes_as_long_as_asked(keyboard: dict[str, Any]) -> None:
    assert keyboard["wait"]


@pytest.mark.everything("desktops")
def test_a_screenshot_shows_what_is_on_the_screen(editor: dict[str, Any]) -> None:
    assert editor["size"] == ["PNG", 1024, 768]
    left, top, right, bottom = editor["seen"]
    assert 0 <= left < right <= 1024
    assert 0 <= top < bottom <= 768


@pytest.mark.everything("desktops")
def test_a_screen_that_did_not_change_is_not_sent_again(editor: dict[str, Any]) -> None:
    assert editor["unchanged"] == ["The pointer is at (512, 384). The screen has not changed."]


@pytest.mark.everything("desktops")
def test_text_of_many_scripts_is_typed_into_a_program_and_saved(editor: dict[str, Any]) -> None:
    assert editor["typed"]


@pytest.mark.everything("desktops")
def test_double_triple_click_and_drag_select_in_a_program(editor: dict[str, Any]) -> None:
    assert editor["edited"] == "2 three\nlast\n\n"


@pytest.mark.everything("desktops")
def test_the_wheel_scrolls_a_program_and_back(editor: dict[str, Any]) -> None:
    assert editor["scrolled"] == [True, False]


def test_what_cannot_be_played_says_why_and_plays_nothing(refused: dict[str, Any]) -> None:
    reported = dict(refused)
    assert reported.pop("events") == []
    within = "is outside the screen: x goes from 0 to 1023 and y from 0 to 767"
    assert reported["outside"] == f"(1024, 10) {within}"
    assert reported["negative"] == f"(-1, 10) {within}"
    assert reported["swapped"].endswith("the other way round it would be inside: x comes first")
    assert reported["normalised"].endswith("coordinates are pixels, not a scale from 0 to 1000")
    assert within in reported["dragged out"]
    assert reported["no key"].startswith("there is no key 'Hyper'")
    assert reported["near"] == "there is no key 'Retrun'; did you mean Return?"
    assert reported["chord"].startswith("20 keys at once; the maximum is 5")
    assert reported["empty"].startswith("there is no key ''")
    assert reported["control"].startswith("the character U+001B cannot be typed, so nothing was")
    assert reported["up"].startswith("the left button is not pressed")
    assert (
        reported["down"]
        == reported["click"]
        == "the left button is already pressed; left_mouse_up releases it"
    )
    assert "was played" not in reported.values()


@pytest.mark.everything("desktops")
def test_pictures_have_the_format_that_the_spec_asks_for(pictures: dict[str, Any]) -> None:
    assert pictures["png"] == ["PNG", 1024, 768]
    assert pictures["jpeg"] == ["JPEG", 1024, 768]
    refused = "E2B's desktop takes no pictures as webp; use png or jpeg"
    assert pictures["webp"] in (["WEBP", 1024, 768], refused)


@pytest.mark.everything("desktops")
def test_clicks_on_a_small_scale_are_told_of_a_larger_screen_once(pictures: dict[str, Any]) -> None:
    hint = " So far all clicks were within 1000 by 1000; the screen has 1920 by 1080 pixels."
    reported = [
        line.removeprefix(f"Left click at ({3 * n}, {900 - n}).")
        for n, line in enumerate(pictures["scale"])
    ]
    assert reported == ["", "", "", "", "", "", "", hint, ""]


@pytest.mark.everything("desktops")
def test_commands_see_the_files_as_they_are_now_and_change_none(commands: dict[str, Any]) -> None:
    assert commands["read"].startswith("before\ntyped\nin\n")
    kept = {"text.txt": "before\ntyped\n", "folder/in.txt": "in\n", "new.txt": None}
    assert commands["kept"] == kept


@pytest.mark.everything("desktops")
def test_commands_reach_neither_the_screen_nor_its_programs(commands: dict[str, Any]) -> None:
    assert commands["display"].startswith("[]\n")
    assert "x:" not in commands["display"]
    assert commands["alive"] == ["mousepad"]
