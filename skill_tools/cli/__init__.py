"""The command line, which offers the library's functions to people."""

from __future__ import annotations


def main() -> None:
    """Run the command line. Import the app late, because pytest imports this package's plugin in every run."""
    from skill_tools.cli.app import main as run

    run()


__all__ = ["main"]
