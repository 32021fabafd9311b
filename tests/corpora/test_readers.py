"""Readers who saw nothing but the words find what no other check does, and leave alone what is right."""

from __future__ import annotations

import pytest

from corpora.mutants.readers import defect, names, of_readers, play
from tests.selection import some

BEYOND_WORDS = "vault-penalty-million-shuffled"
"""A defect of memory and time, which no reader can see, and which takes minutes to play."""
READ = [name for name in names() if name != BEYOND_WORDS]


@pytest.mark.parametrize("name", some(READ, [], "mutants"))
def test_what_a_reader_expects_tells_of_a_defect_and_of_nothing_else(name: str) -> None:
    told = of_readers(play(name))
    assert bool(told) == bool(defect(name)), told
