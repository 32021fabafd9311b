"""How a model writes each tool call in its text.

Rendered from env.yaml; `skill-tools render` overwrites it. `text_actions.py` reads it again.
"""

INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n"
    "\n"
    "<add_and_execute_code_cell>CODE</add_and_execute_code_cell>\n"
    "    Add a code cell at the end of the notebook and run it. Returns its output (text, plots as images) or the traceback of its error. Variables stay for later cells. It is stopped after 30 seconds.\n"
    "    CODE (text, 1 to 20000 characters): Python source of the cell, as typed into Jupyter; magics such as %timeit and !ls work.\n"
    "\n"
    "<edit_and_execute_current_cell>CODE</edit_and_execute_current_cell>\n"
    "    Replace the last cell's source and outputs and run it. Returns the new output. The kernel's state is not rolled back, so what the old source did stays done. It is stopped after 30 seconds.\n"
    "    CODE (text, 1 to 20000 characters): The new Python source of the last cell, whole.\n"
    "\n"
    "<execute_shell_command>COMMAND</execute_shell_command>\n"
    "    Run a command with bash in the working directory. Returns what it printed and its exit code if that is not 0. Files stay for later calls; variables and cd do not. It is stopped after 30 seconds.\n"
    "    COMMAND (text, 1 to 20000 characters): The command, as typed into bash.\n"
    "\n"
    "<get_notebook_state/>\n"
    "    Show every cell of the notebook with its number, execution count, source and outputs. Long ones are cut and images are only mentioned. Runs nothing and changes nothing.\n"
    "\n"
    "<final_answer>ANSWER</final_answer>\n"
    "    Submit the answer to the question. It can be done once and ends the episode, right or wrong.\n"
    "    ANSWER (text, 1 to 200 characters): The answer alone, in the form that the question asks for, such as 1204, 17.25, 2024-03-07 or a list separated by commas.\n"
    "\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n"
    "\n"
    "- Every tag is one turn; there are 20 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "add_and_execute_code_cell", "arguments": {"code": "CODE"}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped."
)
"""What the prompt ends with."""
TAGS = {
    "add_and_execute_code_cell": "add_and_execute_code_cell",
    "edit_and_execute_current_cell": "edit_and_execute_current_cell",
    "execute_shell_command": "execute_shell_command",
    "get_notebook_state": "get_notebook_state",
    "final_answer": "final_answer",
}
"""The tag that calls each tool."""
ENCLOSED = {
    "add_and_execute_code_cell": "code",
    "edit_and_execute_current_cell": "code",
    "execute_shell_command": "command",
    "final_answer": "answer",
}
"""The parameter that stands between a tool's tags; the others are attributes."""
FORMS = {
    "add_and_execute_code_cell": "<add_and_execute_code_cell>CODE</add_and_execute_code_cell>",
    "edit_and_execute_current_cell": "<edit_and_execute_current_cell>CODE</edit_and_execute_current_cell>",
    "execute_shell_command": "<execute_shell_command>COMMAND</execute_shell_command>",
    "get_notebook_state": "<get_notebook_state/>",
    "final_answer": "<final_answer>ANSWER</final_answer>",
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
"""What to write for each tag."""
