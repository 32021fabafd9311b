"""Attacks by way of the screen: the display, its socket, the clipboard, the window manager, the player."""

from __future__ import annotations

try:
    from .sandbox_attacks import Attack
except ImportError:  # where the driver is run
    from sandbox_attacks import Attack

X = "from Xlib import X, Xatom, display\n"
PLAYERS = (
    "import glob, signal\n"
    "def named(word):\n"
    " for path in glob.glob('/proc/[0-9]*'):\n"
    "  try: text = open(path + '/cmdline', 'rb').read()\n"
    "  except OSError: continue\n"
    "  pid = int(path[6:])\n"
    "  if word in text and pid != os.getpid(): yield pid\n"
)

SCREENS = [
    Attack(
        "displays of others",
        X + "own = os.environ['DISPLAY']\n"
        "for number in range(64):\n"
        " if f':{number}' == own: continue\n"
        " for name in (f':{number}', f'unix/:{number}', f'localhost:{number}'):\n"
        "  try: display.Display(name); print('REACHED', name)\n"
        "  except Exception as error: last = error\n"
        "print(type(last))",
        status="ok",
    ),
    Attack(
        "sockets of other displays",
        "import socket\n"
        "print(os.listdir('/tmp/.X11-unix'), open('/proc/net/unix').read())\n"
        "for number in range(64):\n"
        " for name in (f'\\0/tmp/.X11-unix/X{number}', f'/tmp/.X11-unix/X{number}'):\n"
        "  if f':{number}' == os.environ['DISPLAY']: continue\n"
        "  try: socket.socket(socket.AF_UNIX).connect(name); print('REACHED', name)\n"
        "  except OSError: pass",
        status="ok",
    ),
    Attack(
        "windows, properties and clipboard of others",
        X + "d = display.Display()\nroot = d.screen().root\n"
        "def look(window):\n"
        " for name in window.list_properties():\n"
        "  print(d.get_atom_name(name), window.get_full_property(name, X.AnyPropertyType).value)\n"
        " for child in window.query_tree().children: look(child)\n"
        "look(root)\n"
        "print([d.get_selection_owner(d.intern_atom(s)) for s in ('CLIPBOARD', 'PRIMARY')])",
        status="ok",
    ),
    Attack(
        "the player's memory",
        PLAYERS + "for pid in named(b'inside'):\n"
        " for name in ('mem', 'environ', 'maps', 'auxv', 'root/etc/passwd', 'cwd', 'fd'):\n"
        "  try: found = (os.listdir if name in ('fd', 'cwd') else lambda p: open(p, 'rb').read(99))"
        "(f'/proc/{pid}/{name}'); print('REACHED' if found else '', name)\n"
        "  except OSError as error: print(error)",
        status="ok",
    ),
    Attack(
        "ending the X server",
        PLAYERS + "for pid in named(b'Xvfb'): os.kill(pid, signal.SIGKILL)",
        status="ok",
    ),
    Attack(
        "ending the player and the window manager",
        PLAYERS + "for word in (b'openbox', b'inside'):\n"
        " for pid in named(word):\n"
        "  try: os.kill(pid, signal.SIGKILL)\n"
        "  except OSError as error: print(error)",
    ),
    Attack(
        "stopping the X server",
        PLAYERS + "for pid in named(b'Xvfb'): os.kill(pid, signal.SIGSTOP)",
        status="ok",
    ),
    Attack(
        "grabbing the X server",
        X + "d = display.Display()\nd.grab_server()\nd.sync()\n"
        "root = d.screen().root\n"
        "print(root.grab_keyboard(True, X.GrabModeSync, X.GrabModeSync, X.CurrentTime))",
        status="ok",
    ),
    Attack(
        "many large pictures in the X server",
        X + "d = display.Display()\nkept = 5\nroot = d.screen().root\n"
        "for _ in range(400):\n"
        " pixmap = root.create_pixmap(4096, 4096, 24)\n"
        " context = pixmap.create_gc(foreground=0xabcdef)\n"
        " pixmap.fill_rectangle(context, 0, 0, 4096, 4096)\n"
        " d.sync()\n"
        "print('kept', kept)",
    ),
    Attack(
        "thousands of windows",
        X + "d = display.Display()\nroot = d.screen().root\n"
        "for n in range(3000):\n"
        " root.create_window(0, 0, 50, 50, 0, 24).map()\n"
        "d.sync()",
    ),
    Attack(
        "the framebuffer's file",
        "path = '/tmp/Xvfb_screen0'\n"
        "os.truncate(path, 0)\nos.remove(path)\nos.symlink('/etc/passwd', path)",
    ),
    Attack(
        "the player's requests",
        PLAYERS + "import socket\n"
        "for pid in named(b''):\n"
        " try: names = os.listdir(f'/proc/{pid}/fd')\n"
        " except OSError: continue\n"
        " for name in names:\n"
        "  try: os.open(f'/proc/{pid}/fd/{name}', os.O_RDWR)\n"
        "  except OSError as error: last = error",
    ),
]
