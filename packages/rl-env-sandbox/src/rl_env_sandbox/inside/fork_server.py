"""The fork server, which imports everything once and then forks a session in milliseconds.

The fork server runs no code of an agent. In the mode `namespaces`, the server and its sessions have their own
file system. In the mode `landlock`, the server sees the machine's file system, and each session is
restricted. In the mode `none`, nothing is restricted.
"""

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import time
import traceback
from typing import Any

import files
import frames
import isolation
from isolation import calls, confine, disk, linux, processes, root, users


def main() -> None:
    """Serve until the server process closes the connection.

    The first message has the settings:

    - `mode`: the mode of confinement
    - `python`: the interpreter's folder
    - `packages`: the real path of each package, keyed by name
    - `warm`: modules to import
    - `masked`: folders to hide from sessions
    - `folder`: the folder for written files
    - `display`: whether sessions have screens
    """
    # Not as descriptor 0, which the sessions' programs read from.
    control = socket.socket(fileno=os.dup(0))
    os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
    settings = json.loads(control.recv(1 << 20))
    try:
        if settings["mode"] == "namespaces":
            _enter_namespaces(control, settings)
        server = ForkServer(control, settings)
    except Exception as error:  # noqa: BLE001 - the other side tells whoever can help it
        answer = {"failure": f"{type(error).__name__}: {error}"}
        control.send(json.dumps(answer).encode())
        return
    server.serve()


def _enter_namespaces(control: socket.socket, settings: dict[str, Any]) -> None:
    """Continue as the first process of a new process namespace, in a file system for sessions."""
    user, group = os.geteuid(), os.getegid()
    kinds = linux.CLONE_NEWNS | linux.CLONE_NEWPID | linux.CLONE_NEWNET
    kinds |= linux.CLONE_NEWIPC | linux.CLONE_NEWUTS
    linux.unshare(kinds | (0 if user == 0 else linux.CLONE_NEWUSER))
    if user != 0:
        users.map_into_namespace("self", (user, user), (group, group))
    child = os.fork()
    if child:
        control.close()
        os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 255)
    linux.die_with_parent()
    socket.sethostname("sandbox")
    shown = root.OF_DISPLAYS if settings["display"] else ()
    root.build(settings["python"], settings["packages"], settings["masked"], shown)


class ForkServer:
    """A server that forks sessions on request. Each session gets its settings, and a socket to the server process."""

    def __init__(self, control: socket.socket, settings: dict[str, Any]) -> None:
        """Import the modules that sessions need."""
        self._control = control
        self._mode = settings["mode"]
        self._settings = settings
        self._folders: dict[int, str] = {}
        self._landlock = linux.landlock_version() if self._mode != "none" else 0
        if self._mode == "landlock" and not self._landlock:
            raise OSError("this kernel has no Landlock (Linux 5.13, and not switched off)")
        self._namespace = -1
        if self._mode == "namespaces":
            self._namespace = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
            packages, ours = root.PACKAGES, root.OURS
        else:
            os.chmod(settings["folder"], 0o711)  # sessions' own users pass through it
            packages = os.path.join(settings["folder"], "packages")
            os.mkdir(packages)
            for name, path in settings["packages"].items():
                os.symlink(path, os.path.join(packages, name))
            root.link_python(f"{settings['folder']}/bin")
            ours = sys.path[0]
        self._packages = packages
        self._programs = f"{os.path.dirname(packages)}/bin"
        os.environ["PATH"] = f"{self._programs}:/usr/bin:/bin"
        sys.path[:] = [ours, *sys.path[1:], packages]
        isolation.__path__ = [os.path.join(ours, "isolation")]  # its folder, seen from the new root
        os.environ["PYTHONPATH"] = packages
        from keeper import Keeper  # needs the path that was just set
        from kernel import make_shell

        self._keeper = Keeper
        if settings["display"]:
            import desk  # noqa: F401 - what it imports is shared by all sessions
        for name in settings["warm"]:
            importlib.import_module(name)
        self._shell = make_shell()
        sys.path.remove(ours)
        if self._mode == "namespaces":
            root.seal()
        else:
            linux.adopt_orphans()
        self._own_user, self._kept = False, None
        if os.geteuid() == 0 and self._mode != "none":
            # Landlock restricts reading in that mode, so it may bypass permissions.
            able = users.READING if self._mode == "landlock" else ()
            self._own_user, self._kept = users.find(packages, able)
        gc.collect()
        gc.freeze()  # so that garbage collection copies no page that sessions share

    def serve(self) -> None:
        """Fork a session for each message, until the server process closes the connection."""
        signal.signal(signal.SIGCHLD, lambda *_: self._reap())
        self._control.send(json.dumps({"ready": self._described()}).encode())
        while True:
            message, descriptors, *_ = socket.recv_fds(self._control, 1 << 20, 1)
            if not message:
                self._wait_for_sessions()
                return
            os.set_inheritable(descriptors[0], False)  # otherwise every command could write to it
            with socket.socket(fileno=descriptors[0]) as server:
                try:
                    self._fork(server, json.loads(message))
                except OSError as error:
                    frames.send(server, {"failure": f"cannot start a session: {error}"})

    def _described(self) -> dict[str, Any]:
        return {
            "mode": self._mode,
            "landlock": self._landlock,
            "own_user": self._own_user or (os.geteuid() != 0 and self._mode == "namespaces"),
        }

    def _fork(self, server: socket.socket, session: dict[str, Any]) -> None:
        if self._mode == "namespaces":
            linux.set_namespace(self._namespace, linux.CLONE_NEWPID)
            linux.unshare(linux.CLONE_NEWPID)  # of the next child to be forked
        theirs, ours = socket.socketpair()
        outside = users.new() if self._own_user else os.geteuid()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        child = processes.fork(self._reap)
        if child == 0:
            ours.close()
            self._become_keeper(server, theirs, outside, session)
        theirs.close()
        if self._mode != "namespaces":
            self._folders[child] = self._folder_of(child)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        with ours:
            # The session waits in a new user namespace, in which it cannot set its own user.
            if self._mode == "namespaces" and ours.recv(1):
                group = outside if self._own_user else os.getegid()
                users.map_into_namespace(str(child), (users.INSIDE, outside), (users.INSIDE, group))
                ours.send(b".")

    def _become_keeper(
        self, server: socket.socket, parent: socket.socket, user: int, session: dict[str, Any]
    ) -> None:
        """Confine this newly forked process, and run a session's keeper. Never return."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for number in processes.IGNORED:
                signal.signal(number, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
            self._control.close()
            try:
                measured = self._confine(parent, user, session)
                files.place(iter(lambda: frames.receive(server), {}))
            except Exception as error:  # noqa: BLE001 - told to the server, which raises it
                frames.send(server, {"failure": f"{type(error).__name__}: {error}"})
                return
            ready = {"ready": True, "home": os.getcwd(), "packages": self._packages}
            ready |= {"temporary": os.environ["TMPDIR"], "programs": self._programs}
            if self._mode == "landlock" and self._own_user:
                ready["user"] = str(user)
            frames.send(server, ready)
            settings = {**session, "folder": measured}
            self._keeper(server, settings, self._shell).serve()
        except BaseException:  # noqa: BLE001 - told in the log, as nobody is there to catch it
            traceback.print_exc()
        finally:
            os._exit(0)

    def _confine(self, parent: socket.socket, user: int, session: dict[str, Any]) -> str:
        """Confine this process to the session's files, with few rights. Return the folder whose size counts, or ""."""
        limits, writable = session["limits"], ["/dev/null", "/dev/zero", "/dev/full"]
        screen = session["display"] is not None
        readable, home, measured = ["/"], root.HOME, ""
        if self._mode == "namespaces":
            if os.geteuid() == 0:
                os.setgroups([])
            linux.unshare(linux.CLONE_NEWNS | linux.CLONE_NEWNET | linux.CLONE_NEWIPC)
            root.enter_session(limits["disk_mb"], user, self._settings["python"])
            linux.unshare(linux.CLONE_NEWUSER)
            parent.send(b".")
            parent.recv(1)
            os.setresgid(*(users.INSIDE,) * 3)
            os.setresuid(*(users.INSIDE,) * 3)
            writable += [home, "/tmp", "/dev/shm"]
        else:
            measured = self._enter_folder(user)
            home = f"{measured}/home"
            settings = self._settings
            readable = [*root.SYSTEM, *root.ETC, *root.DEVICES, "/proc", settings["python"]]
            readable += [self._programs, self._packages, *settings["packages"].values()]
            writable += [measured]
            linux.adopt_orphans()
        parent.close()
        if (
            self._mode == "namespaces"
        ):  # in the other modes it must outlive this server to end its session
            linux.die_with_parent()
        temporary = "/tmp" if self._mode == "namespaces" else f"{measured}/tmp"
        _set_variables(home, temporary, session["variables"])
        os.umask(0o022)
        if self._mode != "none":
            linux.set_dumpable(False)
            if self._mode == "namespaces" or not self._own_user:
                linux.drop_capabilities()
            if self._landlock:
                confine.restrict_files(readable, writable, self._settings["masked"])
            calls.refuse(local_sockets=self._mode == "namespaces", screen=screen)
        session["separate"] = [*readable, *writable] if self._mode == "landlock" else []
        session["pretend"] = self._mode == "landlock" and not self._own_user
        # From version 6 on, Landlock also confines signals.
        session["alone"] = self._mode == "namespaces" or self._own_user or self._landlock >= 6
        own_user = self._own_user or self._mode == "namespaces"
        session["most_processes"] = confine.limit_resources(
            limits, own_user=own_user, screen=screen
        )
        return measured

    def _enter_folder(self, user: int) -> str:
        folder = self._folder_of(os.getpid())
        for path in (folder, f"{folder}/home", f"{folder}/tmp"):
            os.mkdir(path, mode=0o700)
            if self._own_user:
                os.chown(path, user, user)
        if self._own_user:
            linux.change_user(user, user, self._kept)
        os.chdir(f"{folder}/home")
        return folder

    def _folder_of(self, keeper: int) -> str:
        return os.path.join(self._settings["folder"], str(keeper))

    def _reap(self) -> None:
        """Reap the keepers of ended sessions, and remove the sessions' folders."""
        with contextlib.suppress(ChildProcessError):
            while found := self._ended():
                if folder := self._folders.pop(found, ""):
                    disk.remove(folder)
        if self._mode != "namespaces":
            # A killed keeper, where that is possible, leaves its processes to us.
            for stray in set(processes.children()) - set(self._folders):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(stray, signal.SIGKILL)

    def _ended(self) -> int:
        """Return the process id of an ended session's keeper, or 0 if no session has ended."""
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            if not pid or not os.WIFSTOPPED(status):
                return pid
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)  # a program in it has stopped its own keeper

    def _wait_for_sessions(self) -> None:
        """Give each session time to end its processes, because the server process is gone."""
        for _ in range(1000):
            if not processes.children():
                break
            time.sleep(0.01)
        if self._mode != "namespaces":
            disk.remove(self._settings["folder"])


def _set_variables(home: str, temporary: str, variables: dict[str, str]) -> None:
    os.environ.update({"HOME": home, "PWD": home, "TMPDIR": temporary})
    os.environ.update({"MPLCONFIGDIR": temporary, "IPYTHONDIR": temporary})
    packages = os.environ["PYTHONPATH"]
    os.environ.update({name: value.replace(root.HOME, home) for name, value in variables.items()})
    if "PYTHONPATH" in variables:
        os.environ["PYTHONPATH"] += f":{packages}"
