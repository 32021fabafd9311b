"""The command line: the library's functions for people."""

from skill_tools.cli.app import main

__all__ = ["main"]
