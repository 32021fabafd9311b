"""Tests of how a model sees a sandbox's results."""

from __future__ import annotations

import base64
from types import ModuleType
from typing import Any

import pytest
from rl_env_sandbox import shown as vendored

PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 50


@pytest.fixture
def shown() -> ModuleType:
    """Return the module ``shown``, which domains import."""
    return vendored


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text}


def display(**forms: str) -> dict[str, Any]:
    data = {kind.replace("_", "/", 1): value for kind, value in forms.items()}
    return {"output_type": "display_data", "data": data, "metadata": {}}


def error(*lines: str, name: str = "ValueError", value: str = "no") -> dict[str, Any]:
    return {"output_type": "error", "ename": name, "evalue": value, "traceback": list(lines)}


def png(data: bytes = PNG) -> dict[str, Any]:
    return display(image_png=base64.b64encode(data).decode(), text_plain="<Figure>")


def cell(shown: ModuleType, *outputs: dict[str, Any], note: str = "", **options: Any) -> list:
    return shown.cell(shown.CellResult(outputs, 1, "ok", note), **options)


def test_a_cell_shows_its_outputs_in_order_as_one_text(shown: ModuleType) -> None:
    found = cell(shown, stream("a\nb\n"), stream("c\n", "stderr"), display(text_plain="'d'"))
    assert found == ["a\nb\nc\n'd'"]


def test_a_cell_without_output_says_so(shown: ModuleType) -> None:
    assert cell(shown) == cell(shown, stream("")) == cell(shown, stream("\n")) == ["[no output]"]
    assert cell(shown, display()) == ["[no output]"]


def test_what_happened_to_a_cell_comes_last(shown: ModuleType) -> None:
    assert cell(shown, stream("a"), note="stopped after 2 s") == ["a\n[stopped after 2 s]"]
    assert cell(shown, png(), note="stopped") == [PNG, "[stopped]"]
    assert cell(shown, note="lost") == ["[lost]"]


def test_images_stand_between_the_texts_around_them(shown: ModuleType) -> None:
    assert cell(shown, stream("a"), png(), stream("b\n"), stream("c")) == ["a", PNG, "b\nc"]


def test_four_images_are_shown_and_the_rest_counted(shown: ModuleType) -> None:
    images = [PNG + bytes([number]) for number in range(7)]
    *parts, last = cell(shown, *map(png, images))
    assert parts == images[:4]
    assert last == "[3 more images were left out: a cell shows 4]"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ("not base64!", "[an image that is not PNG]"),
        (base64.b64encode(b"GIF89a").decode(), "[an image that is not PNG]"),
        ("", "[an image that is not PNG]"),
        ("ä", "[an image that is not PNG]"),
        (
            base64.b64encode(PNG + bytes(2_500_000)).decode(),
            "[an image of 2.5 MB was left out: at most 1 MB is shown]",
        ),
    ],
)
def test_what_is_no_image_to_show_is_named(shown: ModuleType, data: str, expected: str) -> None:
    assert cell(shown, display(image_png=data, text_plain="<Figure>")) == [expected]


def test_an_image_of_another_kind_is_named(shown: ModuleType) -> None:
    found = cell(shown, display(**{"image_svg+xml": "<svg/>", "text_plain": "<Figure>"}))
    assert found == ["[an image as image/svg+xml was left out: only PNG is shown]"]


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ({"text_plain": "plain", "text_html": "<b>"}, "plain"),
        ({"text_html": "<b>", "text_latex": "$x$"}, "$x$"),
        ({"text_html": "<b>"}, "<b>"),
        ({"application_json": "{}"}, "{}"),
        ({"application_javascript": "alert()"}, "[no output]"),
    ],
)
def test_the_simplest_form_is_shown(
    shown: ModuleType, forms: dict[str, str], expected: str
) -> None:
    assert cell(shown, display(**forms)) == [expected]


def test_a_long_text_keeps_its_beginning_and_its_end(shown: ModuleType) -> None:
    text = "\n".join(f"line {number}" for number in range(5000))
    (found,) = cell(shown, stream(text))
    assert len(found) <= shown.TEXT_LIMIT
    lines = found.split("\n")
    assert (lines[0], lines[-1]) == ("line 0", "line 4999")
    (note,) = [line for line in lines if line.startswith("[... ")]
    kept = len(found) - len(note) - 2
    assert note == f"[... {len(text) - kept} characters cut ...]"
    assert all(line in (note, f"line {line[5:]}") for line in lines)


def test_one_long_line_is_cut_too(shown: ModuleType) -> None:
    (found,) = cell(shown, stream("x" * 100_000))
    assert len(found) <= shown.TEXT_LIMIT
    assert f"[... {100_000 - found.count('x')} characters cut ...]" in found
    assert found.count("cut") == 1


def test_a_text_at_the_limit_is_whole(shown: ModuleType) -> None:
    assert shown.clip("x" * 90, 90) == "x" * 90
    assert shown.clip("x" * 91, 90) == f"{'x' * 33}\n[... 42 characters cut ...]\n{'x' * 16}"


def test_texts_between_images_share_the_limit(shown: ModuleType) -> None:
    outputs = [output for letter in "abcd" for output in (stream(letter * 6000), png())]
    found = cell(shown, *outputs)
    texts = [part for part in found if isinstance(part, str)]
    assert len(texts) == 4
    assert sum(map(len, texts)) <= shown.TEXT_LIMIT
    assert cell(shown, stream("a" * 90), png(), limit=100)[0] == "a" * 90


def test_many_small_outputs_are_cut_together(shown: ModuleType) -> None:
    (found,) = cell(shown, *(display(text_plain=f"'{number}'") for number in range(20_000)))
    assert len(found) <= shown.TEXT_LIMIT
    assert found.startswith("'0'\n'1'\n")
    assert found.endswith("\n'19999'")


def test_an_error_shows_its_traceback_without_ruler_and_colours(shown: ModuleType) -> None:
    ruler = "-" * 75
    found = cell(shown, error(ruler, "\x1b[31mValueError\x1b[0m  Traceback", "----> 1 x", "no"))
    assert found == ["ValueError  Traceback\n----> 1 x\nno"]


def test_an_error_without_traceback_shows_its_name(shown: ModuleType) -> None:
    assert cell(shown, error(name="KeyError", value="'a'")) == ["KeyError: 'a'"]


def test_a_long_traceback_keeps_its_last_line(shown: ModuleType) -> None:
    (found,) = cell(shown, error(*["frame " + "y" * 70] * 3000, "RecursionError: too deep"))
    assert len(found) <= shown.ERROR_LIMIT
    assert found.endswith("RecursionError: too deep")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\x1b[1;32mgreen\x1b[0m\x1b[K", "green"),
        ("\x1b]0;title\x07text\x1b]8;;http://x\x1b\\", "text"),
        ("a\r\nb\r\n", "a\nb"),
        ("10%\r50%\r100%\nend", "100%\nend"),
        ("100%\r\n", "100%"),
        ("working\r", "working"),
        ("x\n\n\n", "x"),
        ("  x", "  x"),
    ],
)
def test_text_is_as_a_terminal_leaves_it(shown: ModuleType, text: str, expected: str) -> None:
    assert shown.plain(text) == expected


def test_a_progress_bar_of_megabytes_takes_no_time_and_one_line(shown: ModuleType) -> None:
    assert cell(shown, stream("".join(f"\r{n}%" for n in range(500_000)))) == ["499999%"]
    assert cell(shown, stream("\x1b[" * 500_000)) != ["[no output]"]
    assert cell(shown, stream("\x1b]" * 300_000)) != ["[no output]"]


@pytest.mark.parametrize(
    ("output", "code", "note", "expected"),
    [
        ("a\nb\n", 0, "", "a\nb"),
        ("", 0, "", "[no output]"),
        ("", 3, "", "[exit code 3]"),
        ("a\n", 1, "", "a\n[exit code 1]"),
        ("a\n", None, "stopped after 2 s", "a\n[stopped after 2 s]"),
        ("", None, "lost", "[lost]"),
    ],
)
def test_a_command_shows_how_it_ended_unless_all_was_well(
    shown: ModuleType, output: str, code: int | None, note: str, expected: str
) -> None:
    assert shown.command(shown.CommandResult(output, code, note)) == expected


def test_a_long_command_is_cut_before_its_exit_code(shown: ModuleType) -> None:
    found = shown.command(shown.CommandResult("x" * 9000, 2, ""), limit=1000)
    assert len(found) < 1100
    assert found.endswith("x\n[exit code 2]")


@pytest.mark.parametrize(
    "output",
    [
        {"output_type": "display_data", "data": None},
        {"output_type": "display_data"},
        {"output_type": "execute_result", "data": {"text/plain": 5}},
        {"output_type": "display_data", "data": {"image/png": 5}},
        {"output_type": "display_data", "data": {"image/png": ["x"]}},
        {"output_type": "stream", "name": "stdout"},
        {"output_type": "error"},
        {"output_type": "unheard-of"},
        {},
    ],
)
def test_an_output_that_is_malformed_spoils_nothing_else(
    shown: ModuleType, output: dict[str, Any]
) -> None:
    found = cell(shown, stream("before"), output, stream("after"))
    assert found[0].startswith("before")
    assert found[-1].endswith("after")
