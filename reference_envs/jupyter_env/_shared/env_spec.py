# Rendered from env.yaml; `skill-tools render` overwrites it.
"""What env.yaml declares, as data: every variant reads it here."""

from typing import Any

NAME = "jupyter"
TITLE = "Jupyter agent"
DESCRIPTION = "The agent writes and runs Python in a Jupyter notebook until it can answer a question about data files."
VERSION = "0.1.0"
DOMAIN = "notebook:Notebook"
TASKS = "tasks/{split}.jsonl"
SYSTEM_PROMPT = (
    "You are a data analyst with a Jupyter notebook. Answer the question below from the files in the working directory.\n\n"
    "How you work:\n"
    "- `add_and_execute_code_cell` runs Python (IPython) in a new cell at the end of the notebook. All cells run in one kernel, so variables and imports stay from cell to cell.\n"
    "- `edit_and_execute_current_cell` replaces the source and the outputs of the last cell and runs it. The kernel is not reset: what the old source did to variables and files stays done.\n"
    "- `execute_shell_command` runs a command in a new bash in the working directory. Files stay; variables and `cd` do not.\n"
    "- `get_notebook_state` shows all cells with their outputs again, long ones shortened. It runs nothing.\n"
    "- `final_answer` submits your answer. You can do that once: right or wrong, it ends the episode.\n\n"
    "What you have:\n"
    "- The working directory is /home/user. The file that ends in .md says how the others are made and what is wrong with them: read it first, and follow it.\n"
    "- Python with the standard library, numpy, pandas and matplotlib; plots are shown below their cell. sqlite3 is in the standard library. There is no network and nothing can be installed.\n"
    "- A cell or a command is stopped after 30 seconds. A cell that is stopped leaves its variables as they are; if the kernel had to be killed, you are told so and a new one starts without variables, with the files.\n"
    "- The session has 1 GB of memory and 256 MB of disk. If you use more, what you run fails or is killed.\n"
    "- Of a long output (over about 6,000 characters) the middle is cut, with a note: print what you need, not whole tables.\n"
    "- Each call of a tool is one turn, and so is a call that is refused. You have 20 turns, the answer included.\n\n"
    "How the answer is judged:\n"
    "- Only the text given to `final_answer` counts; nothing else is paid for. The right answer earns 1.0, any other 0.0.\n"
    '- Give the answer alone, in the form that the question and the line "Form of the answer" ask for, without a sentence around it. Case, extra spaces and commas between thousands do not matter. Rounding, order and dates as asked do.\n'
)
USER_PROMPT = "{observation}\n"
HISTORY: str | None = None
REWARD_RANGE = [0.0, 1.0]
BEST_DIFFERS = False  # by task: who knows it says it with --bests
MAX_TURNS = 20
MAX_REFUSALS: int | None = None
HIDDEN_FIELDS = ["answer"]
BLOCKING = True
BACKEND = "local"
SANDBOX_PROTOCOL = 1  # of rl-env-sandbox, which serves older ones as well
SECRETS: list[str] = []
METRICS: dict[str, str] = {}
MODELS: dict[str, dict[str, Any]] = {}
REFUSALS: dict[str, dict[str, str]] = {
    "add_and_execute_code_cell": {"code": "code must be text, 1 to 20000 characters, was {}"},
    "edit_and_execute_current_cell": {"code": "code must be text, 1 to 20000 characters, was {}"},
    "execute_shell_command": {"command": "command must be text, 1 to 20000 characters, was {}"},
    "get_notebook_state": {},
    "final_answer": {"answer": "answer must be text, 1 to 200 characters, was {}"},
}
# Models and trainers see these; some model server refuses UNSHOWN, which `Episode` enforces as well.
TOOLS: list[dict[str, Any]] = [
    {
        "name": "add_and_execute_code_cell",
        "description": "Add a code cell at the end of the notebook and run it. Returns its output (text, plots as images) or the traceback of its error. Variables stay for later cells. It is stopped after 30 seconds.",
        "parameters": {
            "type": "object",
            "properties": {
                "code": {
                    "type": "string",
                    "minLength": 1,
                    "description": "Python source of the cell, as typed into Jupyter; magics such as %timeit and !ls work. Allowed: at most 20000 characters.",
                }
            },
            "required": ["code"],
            "additionalProperties": False,
        },
    },
    {
        "name": "edit_and_execute_current_cell",
        "description": "Replace the last cell's source and outputs and run it. Returns the new output. The kernel's state is not rolled back, so what the old source did stays done. It is stopped after 30 seconds.",
        "parameters": {
            "type": "object",
            "properties": {
                "code": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The new Python source of the last cell, whole. Allowed: at most 20000 characters.",
                }
            },
            "required": ["code"],
            "additionalProperties": False,
        },
    },
    {
        "name": "execute_shell_command",
        "description": "Run a command with bash in the working directory. Returns what it printed and its exit code if that is not 0. Files stay for later calls; variables and cd do not. It is stopped after 30 seconds.",
        "parameters": {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The command, as typed into bash. Allowed: at most 20000 characters.",
                }
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    },
    {
        "name": "get_notebook_state",
        "description": "Show every cell of the notebook with its number, execution count, source and outputs. Long ones are cut and images are only mentioned. Runs nothing and changes nothing.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "final_answer",
        "description": "Submit the answer to the question. It can be done once and ends the episode, right or wrong.",
        "parameters": {
            "type": "object",
            "properties": {
                "answer": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 200,
                    "description": "The answer alone, in the form that the question asks for, such as 1204, 17.25, 2024-03-07 or a list separated by commas.",
                }
            },
            "required": ["answer"],
            "additionalProperties": False,
        },
    },
]
MESSAGE: dict[str, Any] | None = None  # rules of a message, if it is an action
ONE_MESSAGE = False  # whether an episode is one question, one message and one score
WITH_CALLS = False  # whether `message` grades the calls of a message, which are not played
OFFER: str | None = None  # the task field that lists the tools of a task
METHODS: dict[str, str] = {}  # of tools that are not played by the method of their name
UNSHOWN: dict[str, dict[str, dict[str, Any]]] = {
    "add_and_execute_code_cell": {
        "code": {
            "type": "string",
            "minLength": 1,
            "maxLength": 20000,
            "description": "Python source of the cell, as typed into Jupyter; magics such as %timeit and !ls work.",
        }
    },
    "edit_and_execute_current_cell": {
        "code": {
            "type": "string",
            "minLength": 1,
            "maxLength": 20000,
            "description": "The new Python source of the last cell, whole.",
        }
    },
    "execute_shell_command": {
        "command": {
            "type": "string",
            "minLength": 1,
            "maxLength": 20000,
            "description": "The command, as typed into bash.",
        }
    },
}

# How a model writes each call where actions are text: `text_actions.py` reads it again.
INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n\n"
    "<add_and_execute_code_cell>CODE</add_and_execute_code_cell>\n"
    "    Add a code cell at the end of the notebook and run it. Returns its output (text, plots as images) or the traceback of its error. Variables stay for later cells. It is stopped after 30 seconds.\n"
    "    CODE (text, 1 to 20000 characters): Python source of the cell, as typed into Jupyter; magics such as %timeit and !ls work.\n\n"
    "<edit_and_execute_current_cell>CODE</edit_and_execute_current_cell>\n"
    "    Replace the last cell's source and outputs and run it. Returns the new output. The kernel's state is not rolled back, so what the old source did stays done. It is stopped after 30 seconds.\n"
    "    CODE (text, 1 to 20000 characters): The new Python source of the last cell, whole.\n\n"
    "<execute_shell_command>COMMAND</execute_shell_command>\n"
    "    Run a command with bash in the working directory. Returns what it printed and its exit code if that is not 0. Files stay for later calls; variables and cd do not. It is stopped after 30 seconds.\n"
    "    COMMAND (text, 1 to 20000 characters): The command, as typed into bash.\n\n"
    "<get_notebook_state/>\n"
    "    Show every cell of the notebook with its number, execution count, source and outputs. Long ones are cut and images are only mentioned. Runs nothing and changes nothing.\n\n"
    "<final_answer>ANSWER</final_answer>\n"
    "    Submit the answer to the question. It can be done once and ends the episode, right or wrong.\n"
    "    ANSWER (text, 1 to 200 characters): The answer alone, in the form that the question asks for, such as 1204, 17.25, 2024-03-07 or a list separated by commas.\n\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n\n"
    "- Every tag is one turn; there are 20 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "add_and_execute_code_cell", "arguments": {"code": "CODE"}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped."
)
TAGS: dict[str, str] = {
    "add_and_execute_code_cell": "add_and_execute_code_cell",
    "edit_and_execute_current_cell": "edit_and_execute_current_cell",
    "execute_shell_command": "execute_shell_command",
    "get_notebook_state": "get_notebook_state",
    "final_answer": "final_answer",
}
ENCLOSED: dict[str, str] = {
    "add_and_execute_code_cell": "code",
    "edit_and_execute_current_cell": "code",
    "execute_shell_command": "command",
    "final_answer": "answer",
}
PARTS: dict[str, dict[str, list[str]]] = {}
FORMS = {
    "add_and_execute_code_cell": "<add_and_execute_code_cell>CODE</add_and_execute_code_cell>",
    "edit_and_execute_current_cell": "<edit_and_execute_current_cell>CODE</edit_and_execute_current_cell>",
    "execute_shell_command": "<execute_shell_command>COMMAND</execute_shell_command>",
    "get_notebook_state": "<get_notebook_state/>",
    "final_answer": "<final_answer>ANSWER</final_answer>",
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
