"""A screen with a window manager and an editor, written by hand with Xvfb, openbox and XTEST."""

import base64
import io
import os
import subprocess
import tempfile
import time
from pathlib import Path

from PIL import Image
from Xlib import XK, X
from Xlib.display import Display
from Xlib.ext import xtest

SIZE = (1024, 768)
NAMES = {"ctrl": "Control_L", "alt": "Alt_L", "shift": "Shift_L", "enter": "Return"}
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class Desk:
    """A screen and a home folder with one file, which is open in the editor."""

    def __init__(self, name, text):
        self.home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.file = Path(self.home.name) / name
        self.file.write_text(text)
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1024x768x24"]
        server = subprocess.Popen([*command, "-nolisten", "tcp"], pass_fds=[write], **QUIET)
        os.close(write)
        with os.fdopen(read) as told:
            place = f":{told.readline().strip()}"
        self.started = [server]
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.home.name, "DISPLAY": place}
        self.display = Display(place)
        self.root = self.display.screen().root
        self.start("openbox")
        self.until(lambda: self.windows() is not None)
        self.start("mousepad", "--disable-server", name)
        self.until(self.windows)
        xtest.fake_input(self.display, X.MotionNotify, x=512, y=384)
        self.idle()

    def start(self, *command):
        about = {"env": self.environment, "cwd": self.home.name, **QUIET}
        self.started.append(subprocess.Popen(command, **about))

    def until(self, there):
        for _ in range(300):
            if there():
                return
            time.sleep(0.1)
        raise RuntimeError("the editor did not show within 30 seconds")

    def windows(self):
        """Return the windows that the window manager knows, or None before there is a window manager."""
        listed = self.display.intern_atom("_NET_CLIENT_LIST")
        found = self.root.get_full_property(listed, X.AnyPropertyType)
        return None if found is None else list(found.value)

    def pixels(self):
        return self.root.get_image(0, 0, *SIZE, X.ZPixmap, 0xFFFFFFFF).data

    def idle(self):
        """Wait until the screen stops changing, but at most 2 seconds, because a blinking caret changes the screen."""
        self.display.sync()
        last, same = None, 0
        for _ in range(20):
            time.sleep(0.1)
            now = self.pixels()
            same = same + 1 if now == last else 0
            last = now
            if same == 3:
                break
        return last

    def picture(self):
        data = io.BytesIO()
        Image.frombytes("RGB", SIZE, self.idle(), "raw", "BGRX").save(data, "PNG")
        return base64.b64encode(data.getvalue()).decode()

    def chord(self, text):
        names = [NAMES.get(name.lower(), name) for name in text.split("+")]
        codes = [self.display.keysym_to_keycode(XK.string_to_keysym(name)) for name in names]
        if not all(codes):
            return False
        self.send(codes)
        return True

    def write(self, text):
        shift = self.display.keysym_to_keycode(XK.XK_Shift_L)
        for letter in text:
            keysym = {"\n": XK.XK_Return, "\t": XK.XK_Tab}.get(letter, ord(letter))
            ways = sorted(self.display.keysym_to_keycodes(keysym), key=lambda way: way[1])
            if ways:
                code, level = ways[0]
                self.send([shift, code] if level == 1 else [code])

    def send(self, codes):
        for code in codes:
            xtest.fake_input(self.display, X.KeyPress, code)
        for code in reversed(codes):
            xtest.fake_input(self.display, X.KeyRelease, code)
        self.display.sync()
        time.sleep(0.01)

    def click(self, x, y):
        xtest.fake_input(self.display, X.MotionNotify, x=x, y=y)
        xtest.fake_input(self.display, X.ButtonPress, 1)
        xtest.fake_input(self.display, X.ButtonRelease, 1)

    def close(self):
        for process in reversed(self.started):
            process.kill()
            process.wait()
        self.home.cleanup()
