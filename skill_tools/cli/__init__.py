"""The command line, which offers the library's functions to people."""

from __future__ import annotations


def main() -> None:
    """Run the command line. The import is here because pytest imports a plugin from this package in every run."""
    from skill_tools.cli.app import main as run

    run()


__all__ = ["main"]
