"""The tool calls that solutions are made of."""

Step = tuple[str, dict]


def cell(code: str) -> Step:
    """Run a new cell."""
    return "add_and_execute_code_cell", {"code": code.strip()}


def edit(code: str) -> Step:
    """Replace the last cell and run it."""
    return "edit_and_execute_current_cell", {"code": code.strip()}


def shell(command: str) -> Step:
    """Run a command."""
    return "execute_shell_command", {"command": command}
