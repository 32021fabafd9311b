"""Files that are written whole or not at all."""

from __future__ import annotations

import multiprocessing
from pathlib import Path

import pytest

from skill_tools.files import write_whole


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def write_often(path: Path, letter: str) -> None:
    for _ in range(100):
        write_whole(path, letter * 200_000)


@pytest.mark.everything("costly")
def test_a_reader_sees_one_text_or_the_other_whoever_writes(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    write_whole(path, "a" * 200_000)
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write_often, args=(path, letter)) for letter in "bc"]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        text = path.read_text()
        assert len(text) == 200_000
        assert len(set(text)) == 1
    assert [writer.exitcode for writer in writers] == [0, 0]
    assert names(tmp_path) == ["report.md"]


def test_what_cannot_be_written_leaves_the_old_text_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    write_whole(path, "old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(path, "new \ud800")
    assert path.read_text() == "old"
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_whole(tmp_path / "folder", "text")
    assert names(tmp_path) == ["folder", "lock"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "report").symlink_to(outside)
    write_whole(tmp_path / "report", "ours")
    assert outside.read_text() == "mine"
    assert (tmp_path / "report").read_text() == "ours"


def test_a_new_file_is_as_readable_as_any_unless_told(tmp_path: Path) -> None:
    (tmp_path / "any").write_text("")
    write_whole(tmp_path / "new", "")
    write_whole(tmp_path / "private", "", mode=0o600)
    modes = [(tmp_path / name).stat().st_mode & 0o777 for name in ("any", "new", "private")]
    assert modes == [modes[0], modes[0], 0o600]
