"""The command line as a module: ``python -m skill_tools.cli``."""

from skill_tools.cli.app import main

main()
