"""The command line: the library's functions for people."""

from __future__ import annotations


def main() -> None:
    """Run the command line, imported only here: pytest imports a plugin in this package in every
    run."""
    from skill_tools.cli.app import main as run

    run()


__all__ = ["main"]
