# Rendered from env.yaml; `skill-tools render` overwrites it.
"""What env.yaml declares, as data: every variant reads it here."""

from typing import Any

NAME = "desktop"
TITLE = "Desktop computer use"
DESCRIPTION = "The agent sees a Linux desktop as screenshots and drives its mouse and keyboard until a task is done."
VERSION = "0.1.0"
DOMAIN = "session:Desktop"
TASKS = "tasks/{split}.jsonl"
SYSTEM_PROMPT = (
    "You use a computer: you see a Linux desktop as screenshots, and work on it with mouse and keyboard until the task below is done.\n\n"
    "How you work:\n"
    "- screenshot shows the screen. Every action of mouse and keyboard waits until programs are idle and shows the screen after it, or says that it has not changed.\n"
    "- A coordinate is [x, y] in pixels. The screen is 1024 wide and 768 high; [0, 0] is the top left.\n"
    "- left_click, right_click, middle_click, double_click, triple_click, mouse_move, left_click_drag, left_mouse_down, left_mouse_up and scroll use the mouse. type, key and hold_key use the keyboard.\n"
    "- wait does nothing for some seconds. cursor_position and get_screen_size tell what they say.\n"
    "- run_command runs a command on a copy of the desktop's files. It can look and compute; what it changes is thrown away.\n"
    "- alt+Tab goes to the next window, alt+F4 closes one, alt+F10 makes it as large as the screen, alt+F9 minimizes it, and a middle click on the empty desktop lists all windows.\n"
    "- Files are in the folder /home/user, which programs show first. There is no network.\n\n"
    "How it is judged:\n"
    "- Call terminate when the task is done. A program then looks at files and windows: 1.0 if they are as the task asks, else 0.0. What you say about it changes nothing. Without terminate nothing is paid.\n"
    "- What the task does not mention has to stay as it is. Save what you change in a program.\n"
    "- Each call is one turn, and so is a call that is refused. You have 40 turns.\n"
)
USER_PROMPT = "{observation}\n"
HISTORY: str | None = None
REWARD_RANGE = [0.0, 1.0]
BEST_DIFFERS = False  # by task: who knows it says it with --bests
MAX_TURNS = 40
MAX_REFUSALS: int | None = None
HIDDEN_FIELDS = ["answer"]
BLOCKING = True
BACKEND = "local"
SANDBOX_PROTOCOL = 1  # of rl-env-sandbox, which serves older ones as well
DISPLAY: dict[str, Any] = {"size": (1024, 768), "format": "png", "quality": 80, "unchanged": "note"}
SECRETS: list[str] = []
METRICS: dict[str, str] = {}
MODELS: dict[str, dict[str, Any]] = {}
REFUSALS: dict[str, dict[str, str]] = {
    "screenshot": {},
    "left_click": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "right_click": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "middle_click": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "double_click": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "triple_click": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "mouse_move": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]"
    },
    "left_click_drag": {
        "start_coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
    },
    "left_mouse_down": {},
    "left_mouse_up": {},
    "scroll": {
        "coordinate": "a coordinate is a list of two whole numbers, x and y in pixels, such as [512, 384]",
        "scroll_direction": "scroll_direction must be one of up, down, left, right, was {}",
        "scroll_amount": "scroll_amount must be a whole number, 1 to 50, was {}",
        "text": "text must be text, at most 40 characters, was {}",
    },
    "type": {"text": "text must be text, 1 to 500 characters, was {}"},
    "key": {"text": "text must be text, 1 to 60 characters, was {}"},
    "hold_key": {
        "text": "text must be text, 1 to 60 characters, was {}",
        "duration": "duration must be a number, 0.0 to 5.0, was {}",
    },
    "wait": {"duration": "duration must be a number, 0.0 to 10.0, was {}"},
    "run_command": {"command": "command must be text, 1 to 2000 characters, was {}"},
    "cursor_position": {},
    "get_screen_size": {},
    "terminate": {"status": "status must be one of success, failure, was {}"},
}
# Models and trainers see these; some model server refuses UNSHOWN, which `Episode` enforces as well.
TOOLS: list[dict[str, Any]] = [
    {
        "name": "screenshot",
        "description": "Show the screen as it is.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "left_click",
        "description": "Click with the left button at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "right_click",
        "description": "Click with the right button at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "middle_click",
        "description": "Click with the middle button at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "double_click",
        "description": "Click twice with the left button at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "triple_click",
        "description": "Click three times with the left button at a place, which selects a line of text.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "mouse_move",
        "description": "Move the pointer to a place, without a click.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                }
            },
            "required": ["coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "left_click_drag",
        "description": "Press the left button at one place, move to another and release it there.",
        "parameters": {
            "type": "object",
            "properties": {
                "start_coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "Where the button is pressed, as [x, y].",
                },
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "Where it is released, as [x, y].",
                },
            },
            "required": ["start_coordinate", "coordinate"],
            "additionalProperties": False,
        },
    },
    {
        "name": "left_mouse_down",
        "description": "Press the left button where the pointer is, and keep it pressed.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "left_mouse_up",
        "description": "Release the left button.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "scroll",
        "description": "Turn the mouse wheel at a place.",
        "parameters": {
            "type": "object",
            "properties": {
                "coordinate": {
                    "type": "array",
                    "minItems": 2,
                    "maxItems": 2,
                    "items": {"type": "integer"},
                    "description": "The place, as [x, y] in pixels from the top left.",
                },
                "scroll_direction": {
                    "type": "string",
                    "enum": ["up", "down", "left", "right"],
                    "description": "Where to.",
                },
                "scroll_amount": {
                    "type": "integer",
                    "minimum": 1,
                    "maximum": 50,
                    "description": "Clicks of the wheel.",
                },
                "text": {
                    "type": "string",
                    "maxLength": 40,
                    "description": "Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.",
                    "default": "",
                },
            },
            "required": ["coordinate", "scroll_direction", "scroll_amount"],
            "additionalProperties": False,
        },
    },
    {
        "name": "type",
        "description": "Type text with the keyboard, where the focus is. A line break presses Return, a tab presses Tab.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 500,
                    "description": "The text, any characters; none of it is read as the name of a key.",
                }
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "key",
        "description": "Press a key or a chord of up to five keys, such as Return, ctrl+s, alt+F4 or shift+Tab.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 60,
                    "description": "Names of keys, with plus signs between them; or one character.",
                }
            },
            "required": ["text"],
            "additionalProperties": False,
        },
    },
    {
        "name": "hold_key",
        "description": "Hold a key or a chord for some seconds.",
        "parameters": {
            "type": "object",
            "properties": {
                "text": {
                    "type": "string",
                    "minLength": 1,
                    "maxLength": 60,
                    "description": "Names of keys as for key.",
                },
                "duration": {
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 5.0,
                    "description": "Seconds.",
                },
            },
            "required": ["text", "duration"],
            "additionalProperties": False,
        },
    },
    {
        "name": "wait",
        "description": "Do nothing for some seconds, as when a program is busy.",
        "parameters": {
            "type": "object",
            "properties": {
                "duration": {
                    "type": "number",
                    "minimum": 0.0,
                    "maximum": 10.0,
                    "description": "Seconds.",
                }
            },
            "required": ["duration"],
            "additionalProperties": False,
        },
    },
    {
        "name": "run_command",
        "description": "Run a command with bash on a copy of the desktop's files, without a screen. It can look at files and compute; what it changes is thrown away, so it cannot do the task. Stopped after 10 seconds.",
        "parameters": {
            "type": "object",
            "properties": {
                "command": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The command, as typed into bash. Allowed: at most 2000 characters.",
                }
            },
            "required": ["command"],
            "additionalProperties": False,
        },
    },
    {
        "name": "cursor_position",
        "description": "Tell where the pointer is.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "get_screen_size",
        "description": "Tell how large the screen is.",
        "parameters": {
            "type": "object",
            "properties": {},
            "required": [],
            "additionalProperties": False,
        },
    },
    {
        "name": "terminate",
        "description": "End the episode. Call it when the task is done; what is on the desktop then is judged.",
        "parameters": {
            "type": "object",
            "properties": {
                "status": {
                    "type": "string",
                    "enum": ["success", "failure"],
                    "description": "Whether you think that the task is done. It does not change what is paid.",
                }
            },
            "required": ["status"],
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
    "run_command": {
        "command": {
            "type": "string",
            "minLength": 1,
            "maxLength": 2000,
            "description": "The command, as typed into bash.",
        }
    }
}

# How a model writes each call where actions are text: `text_actions.py` reads it again.
INSTRUCTIONS = (
    "Here you call a tool by writing its tag into your message:\n\n"
    "<screenshot/>\n"
    "    Show the screen as it is.\n\n"
    '<click x="X" y="Y" text="TEXT"/>\n'
    "    Click with the left button at a place.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    '<right_click x="X" y="Y" text="TEXT"/>\n'
    "    Click with the right button at a place.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    '<middle_click x="X" y="Y" text="TEXT"/>\n'
    "    Click with the middle button at a place.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    '<double_click x="X" y="Y" text="TEXT"/>\n'
    "    Click twice with the left button at a place.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    '<triple_click x="X" y="Y" text="TEXT"/>\n'
    "    Click three times with the left button at a place, which selects a line of text.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    '<mouse_move x="X" y="Y"/>\n'
    "    Move the pointer to a place, without a click.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n\n"
    '<left_click_drag start_x="START_X" start_y="START_Y" x="X" y="Y"/>\n'
    "    Press the left button at one place, move to another and release it there.\n"
    "    START_X, START_Y (integer): Where the button is pressed, as [x, y].\n"
    "    X, Y (integer): Where it is released, as [x, y].\n\n"
    "<left_mouse_down/>\n"
    "    Press the left button where the pointer is, and keep it pressed.\n\n"
    "<left_mouse_up/>\n"
    "    Release the left button.\n\n"
    '<scroll x="X" y="Y" scroll_direction="SCROLL_DIRECTION" scroll_amount="SCROLL_AMOUNT" text="TEXT"/>\n'
    "    Turn the mouse wheel at a place.\n"
    "    X, Y (integer): The place, as [x, y] in pixels from the top left.\n"
    "    SCROLL_DIRECTION (one of up, down, left, right): Where to.\n"
    "    SCROLL_AMOUNT (integer, 1 to 50): Clicks of the wheel.\n"
    '    TEXT (text, at most 40 characters, "" if left out): Keys to hold meanwhile, such as ctrl or ctrl+shift; none if empty.\n\n'
    "<type>TEXT</type>\n"
    "    Type text with the keyboard, where the focus is. A line break presses Return, a tab presses Tab.\n"
    "    TEXT (text, 1 to 500 characters): The text, any characters; none of it is read as the name of a key.\n\n"
    "<key>TEXT</key>\n"
    "    Press a key or a chord of up to five keys, such as Return, ctrl+s, alt+F4 or shift+Tab.\n"
    "    TEXT (text, 1 to 60 characters): Names of keys, with plus signs between them; or one character.\n\n"
    '<hold_key duration="DURATION">TEXT</hold_key>\n'
    "    Hold a key or a chord for some seconds.\n"
    "    TEXT (text, 1 to 60 characters): Names of keys as for key.\n"
    "    DURATION (number, 0.0 to 5.0): Seconds.\n\n"
    '<wait duration="DURATION"/>\n'
    "    Do nothing for some seconds, as when a program is busy.\n"
    "    DURATION (number, 0.0 to 10.0): Seconds.\n\n"
    "<run_command>COMMAND</run_command>\n"
    "    Run a command with bash on a copy of the desktop's files, without a screen. It can look at files and compute; what it changes is thrown away, so it cannot do the task. Stopped after 10 seconds.\n"
    "    COMMAND (text, 1 to 2000 characters): The command, as typed into bash.\n\n"
    "<cursor_position/>\n"
    "    Tell where the pointer is.\n\n"
    "<get_screen_size/>\n"
    "    Tell how large the screen is.\n\n"
    '<terminate status="STATUS"/>\n'
    "    End the episode. Call it when the task is done; what is on the desktop then is judged.\n"
    "    STATUS (one of success, failure): Whether you think that the task is done. It does not change what is paid.\n\n"
    "<end_episode/>\n"
    "    Stops the episode. Write it only when there is nothing left to do.\n\n"
    "- Every tag is one turn; there are 40 at most.\n"
    "- Several tags in one message are played in the order written.\n"
    "- A broken tag, or a message without any, plays nothing and costs a turn.\n"
    "- Nothing between <think> and </think> is played.\n"
    '- <tool_call>{"name": "screenshot", "arguments": {}}</tool_call>, with the arguments as JSON, is understood as well.\n'
    "- Text between an opening and a closing tag is taken as it stands, unescaped.\n"
    '- In an attribute, write &quot; for a double quote and &amp; for "&".'
)
TAGS: dict[str, str] = {
    "screenshot": "screenshot",
    "left_click": "click",
    "right_click": "right_click",
    "middle_click": "middle_click",
    "double_click": "double_click",
    "triple_click": "triple_click",
    "mouse_move": "mouse_move",
    "left_click_drag": "left_click_drag",
    "left_mouse_down": "left_mouse_down",
    "left_mouse_up": "left_mouse_up",
    "scroll": "scroll",
    "type": "type",
    "key": "key",
    "hold_key": "hold_key",
    "wait": "wait",
    "run_command": "run_command",
    "cursor_position": "cursor_position",
    "get_screen_size": "get_screen_size",
    "terminate": "terminate",
}
ENCLOSED: dict[str, str] = {
    "type": "text",
    "key": "text",
    "hold_key": "text",
    "run_command": "command",
}
PARTS: dict[str, dict[str, list[str]]] = {
    "left_click": {"coordinate": ["x", "y"]},
    "right_click": {"coordinate": ["x", "y"]},
    "middle_click": {"coordinate": ["x", "y"]},
    "double_click": {"coordinate": ["x", "y"]},
    "triple_click": {"coordinate": ["x", "y"]},
    "mouse_move": {"coordinate": ["x", "y"]},
    "left_click_drag": {"start_coordinate": ["start_x", "start_y"], "coordinate": ["x", "y"]},
    "scroll": {"coordinate": ["x", "y"]},
}
FORMS = {
    "screenshot": "<screenshot/>",
    "click": '<click x="X" y="Y" text="TEXT"/>',
    "right_click": '<right_click x="X" y="Y" text="TEXT"/>',
    "middle_click": '<middle_click x="X" y="Y" text="TEXT"/>',
    "double_click": '<double_click x="X" y="Y" text="TEXT"/>',
    "triple_click": '<triple_click x="X" y="Y" text="TEXT"/>',
    "mouse_move": '<mouse_move x="X" y="Y"/>',
    "left_click_drag": '<left_click_drag start_x="START_X" start_y="START_Y" x="X" y="Y"/>',
    "left_mouse_down": "<left_mouse_down/>",
    "left_mouse_up": "<left_mouse_up/>",
    "scroll": '<scroll x="X" y="Y" scroll_direction="SCROLL_DIRECTION" scroll_amount="SCROLL_AMOUNT" text="TEXT"/>',
    "type": "<type>TEXT</type>",
    "key": "<key>TEXT</key>",
    "hold_key": '<hold_key duration="DURATION">TEXT</hold_key>',
    "wait": '<wait duration="DURATION"/>',
    "run_command": "<run_command>COMMAND</run_command>",
    "cursor_position": "<cursor_position/>",
    "get_screen_size": "<get_screen_size/>",
    "terminate": '<terminate status="STATUS"/>',
    "end_episode": "<end_episode/>",
    "tool_call": '<tool_call>{"name": TOOL, "arguments": {...}}</tool_call>',
}
